// What the rules of stem.ts would get wrong, word by word, all folded. Reviewed by hand: every line is a pair of words
// that planning texts hold and that must, or must not, be one.

const words = (text: string): string[] => text.trim().split(/\s+/)

/** Plurals that no rule makes out, short forms, nouns that leave the root of their verb, and its finite forms. */
export const irregularStems: ReadonlyMap<string, string> = new Map([
  ...pairs(`acuerda acordar acuerdan acordar aires aire aprueba aprobar aprueban aprobar apruebe aprobar aprueben aprobar autobuses autobus buen bueno
    buses bus clubes club concesion concedir concesiones concedir construccion construir construcciones construir
    correccion corregir correcciones corregir cruces cruz desarrollo desarrollar desarrollos desarrollar
    division dividir divisiones dividir ejecucion ejecutar ejecuciones ejecutar espanola espanol espanolas espanol
    exclusion excluir fijacion fijar fijada fijar fijado fijar gases gas gran grande grandes grande hoces hoz
    inclusion incluir inscripcion inscribir inscripciones inscribir inscrita inscribir inscrito inscribir
    intereses interes luces luz menus menu meses mes nro numero num numero nums numero paises pais peces pez primer primero
    reduccion reducir relojes reloj reses res revision revisar revisiones revisar sedes sede supresion suprimir
    suspension suspendir suspensiones suspendir taxis taxi tercer tercero veces vez voces voz`),
  ...['adapt', 'anul', 'aprob', 'calific', 'clasific', 'delimit', 'derog', 'desarroll', 'desestim', 'ejecut', 'homolog']
    .concat(['legaliz', 'modific', 'reclasific', 'recalific', 'reparcel', 'revis', 'urbaniz'])
    .flatMap((root) => ['a', 'an', 'o', 'e', 'en', 'aron', 'ara', 'aran', 'aba', 'aban', 'arse'].map(finite(root))),
])

/** Words that look like a form of another word and are not. */
export const keptWords: ReadonlySet<string> = new Set(
  words(`actualmente alquiler burgos caceres calzado caracter cipres cruce cruz cuando cuanto despues entonces
    especialmente generalmente hogar interes jueves lugar lunes mar marques martes mujer palmas parcialmente partido
    poblacion poblado solamente solar taller traves viernes`),
)

/** Words in -s that are no plural. */
export const keptPlurals: ReadonlySet<string> = new Set(
  words(`ademas aranes atlas burgos caceres carlos cipres despues dios elias interes jamas jesus jueves lucas lunes
    marcos marques martes matias menos nicolas quizas tomas traves viernes`),
)

/** Nouns in -a beside which stands another noun in -o: `plaza` and `plazo` are two things. */
export const keptFeminines: ReadonlySet<string> = new Set(
  words(`acebeda acera acta almendra avellana banca banda barca barra barrera bola bolsa bota brasa braza cabeza
    cabrera cala caldera calera calzada campa campana cana cantera capa cara carga carrasca carretera cartera casa
    castana castilla caza cera cerca cerda cereza cesta charca cima cinta copa costa cota cuadra cuba cubierta cuenca
    cuenta cuerda cuesta derecha deuda encina espina estera falla fila fonda forma fosa fresneda fruta gorra grada
    granada grasa herrera higuera honda hoya huerta jarra junta lena libra lima loma madera manta manzana marca maria
    masa maza mina minuta moda molina montera mora mota muela naranja nava navarra obra oliva olmeda onda pala palma
    palmera paloma parada partida pasa pasta pata pena pera pesa pica pila pina pineda pinta pista plana planta plata
    playa plaza porta poza prada presa prima puerta puesta punta rama rata raya raza reinosa resta ribera rivera
    robleda romera rosa rota rueda saca sala sena senda seta sierra silla soga solana suela suma tala tapa tasa teja
    tejera tela tira toma tora torna trama traza troza tumba turba vara vega vela venta vida viga villa vina vista
    vuelta zarza zona`),
)

function pairs(text: string): [string, string][] {
  const all = words(text)
  return all.flatMap((word, index): [string, string][] => (index % 2 === 0 ? [[word, all[index + 1] ?? word]] : []))
}

function finite(root: string): (ending: string) => [string, string] {
  return (ending) => [root + ending, `${root}ar`]
}
