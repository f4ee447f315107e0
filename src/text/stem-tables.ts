// What the rules of stem.ts would get wrong, word by word, all folded. Reviewed by hand: every line is a pair of words
// that planning texts hold and that must, or must not, be one.

const words = (text: string): string[] => text.trim().split(/\s+/)

/** Plurals that no rule makes out, short forms, and the finite forms in which plans speak of what they do. */
export const irregularStems: ReadonlyMap<string, string> = new Map([
  ...pairs(`num numero nums numero meses mes gases gas paises pais autobuses autobus intereses interes buses bus reses res
    relojes reloj sedes sede aires aire clubes club cruces cruz luces luz voces voz veces vez peces pez hoces hoz taxis taxi menus menu
    primer primero tercer tercero gran grande grandes grande buen bueno
    espanola espanol espanolas espanol ejecucion ejecutar ejecuciones ejecutar
    revision revisar revisiones revisar desarrollo desarrollar desarrollos desarrollar
    aprueba aprobar aprueban aprobar apruebe aprobar aprueben aprobar`),
  ...['adapt', 'anul', 'aprob', 'calific', 'clasific', 'delimit', 'derog', 'desarroll', 'desestim', 'ejecut', 'homolog']
    .concat(['legaliz', 'modific', 'reclasific', 'recalific', 'reparcel', 'revis', 'urbaniz'])
    .flatMap((root) => ['a', 'an', 'o', 'e', 'en', 'aron', 'ara', 'aran', 'aba', 'aban', 'arse'].map(finite(root))),
])

/** Words that look like a form of another word and are not. */
export const keptWords: ReadonlySet<string> = new Set(
  words(`cruz cruce poblacion poblado partido calzado interes marques cipres traves despues entonces
    burgos cuando cuanto parcialmente especialmente generalmente solamente actualmente
    lunes martes jueves viernes caceres palmas pinos mar lugar solar hogar taller alquiler caracter mujer`),
)

/** Words in -s that are no plural. */
export const keptPlurals: ReadonlySet<string> = new Set(
  words(`burgos atlas jesus lunes martes jueves viernes caceres interes marques cipres traves despues aranes
    carlos marcos lucas nicolas tomas matias elias dios menos ademas jamas quizas`),
)

/** Nouns in -a beside which stands another noun in -o: `plaza` and `plazo` are two things. */
export const keptFeminines: ReadonlySet<string> = new Set(
  words(`acebeda acera acta banca banda barra bolsa bola bota brasa braza cala caldera cabrera calzada campa campana cana cantera capa cara carga cartera casa castana castilla caza
    cera cerca cerda cereza cesta cima cinta copa costa cota cuadra cuba cubierta cuenca cuenta cuerda cuesta derecha deuda estera falla fila fonda
    forma fosa fresneda fruta gorra grada granada grasa herrera honda huerta jarra junta lena libra lima loma madera manta manzana marca maria masa maza mina
    minuta moda mora mota naranja nava navarra obra oliva olmeda onda palma paloma pala parada partida pasa pasta pata pena pera pesa pica pila pineda pinta
    pista plana planta plata playa plaza porta poza presa prima puerta puesta punta rama rata raya raza reinosa resta ribera robleda rosa
    rota rueda saca sala senda seta sierra silla soga solana suela suma tala tapa tasa teja tela tira toma torna tora trama traza
    troza tumba turba vara vega vela venta vida viga villa vina vista vuelta zarza zona`),
)

function pairs(text: string): [string, string][] {
  const all = words(text)
  return all.flatMap((word, index): [string, string][] => (index % 2 === 0 ? [[word, all[index + 1] ?? word]] : []))
}

function finite(root: string): (ending: string) => [string, string] {
  return (ending) => [root + ending, `${root}ar`]
}
