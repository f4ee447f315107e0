// Exceptions to the rules of stemmer.ts, folded and reviewed by hand: words of planning texts that the rules would
// conflate or separate by mistake.

const toWords = (text: string): string[] => text.trim().split(/\s+/)

/**
 * Stems by word. An item of the list is `stem=word,word`. The words are:
 * - irregular plurals (`cruces`), and `aires` and `sedes`, which the rules would shorten to `air` and `sed` (thirst);
 * - shortened forms (apocopes) of adjectives (`gran`), and `grandes`;
 * - verbal nouns (`construcción`), irregular participles (`inscrito`) and verb forms (`aprueba`);
 * - forms of `fijar`, whose root is too short for the rules (`rootLettersMin` in stemmer.ts);
 * - words of other languages whose endings say nothing: `pins`, `segona`;
 * - `española`, which the rules would make `espanolo`, and abbreviations of `número`.
 *
 * Stems need not be words: the stemmer writes the -er of a verb as -ir, so the stem of `concesión` and `conceder` is
 * `concedir`.
 */
export const irregularStems: ReadonlyMap<string, string> = new Map([
  ...toEntries(`
    acordar=acuerda,acuerdan aire=aires aprobar=aprueba,aprueban,apruebe,aprueben autobus=autobuses bueno=buen
    bus=buses club=clubes concedir=concesion,concesiones construir=construccion,construcciones
    corregir=correccion,correcciones cruz=cruces desarrollar=desarrollo,desarrollos dividir=division,divisiones
    ejecutar=ejecucion,ejecuciones espanol=espanola,espanolas excluir=exclusion fijar=fijacion,fijada,fijado
    gas=gases grande=gran,grandes hoz=hoces incluir=inclusion inscribir=inscripcion,inscripciones,inscrita,inscrito
    interes=intereses luz=luces menu=menus mes=meses numero=nro,num,nums pais=paises pez=peces primero=primer,primeiro,primeira,lehen,lehenengo
    reducir=reduccion reloj=relojes res=reses revisar=revision,revisiones sede=sedes suprimir=supresion
    suspendir=suspension,suspensiones taxi=taxis cuarto=quart,quarta,quarto decimo=dese,desena detalle=detall,detalls
    jardin=jardi,jardins lluminoso=lluminos noveno=nove,novena octavo=vuite,vuitena pi=pins quinto=cinque,cinquena
    quiosco=quiosc,quioscs,kiosko,kioskos segundo=segon,segona,bigarren septimo=sete,setena sexto=sise,sisena uso=us tercero=tercer,terceiro,terceira,hirugarren vez=veces voz=voces`),
  // Forms of the verbs of planning decisions: `modifica`, `modificaron`, `modificarse`.
  ...['adapt', 'anul', 'aprob', 'calific', 'clasific', 'delimit', 'derog', 'desarroll', 'desestim', 'ejecut', 'homolog']
    .concat(['legaliz', 'modific', 'reclasific', 'recalific', 'reparcel', 'revis', 'urbaniz'])
    .flatMap((root) => ['a', 'an', 'o', 'e', 'en', 'aron', 'ara', 'aran', 'aba', 'aban', 'arse'].map(toVerbForm(root))),
])

/**
 * Words that are their own stem although a rule applies to their ending: `hogar` is not a verb, `Palmas` is a city.
 * Singular words in -s are in `singularsInS` instead, because the stemmer also looks up there what is left of a plural:
 * it takes -es from `marqueses`, and must not take the -s from `marques`.
 */
export const unstemmedWords: ReadonlySet<string> = new Set(
  toWords(`actualmente aire alquiler calzado caracter cruce cruz cuando cuanto entonces especialmente generalmente
    hogar lugar mar mujer palmas parcialmente partido poblacion poblado sede solamente solar taller`),
)

/** Singular words in -s, whose -s is not the ending of a plural. They are their own stem. */
export const singularsInS: ReadonlySet<string> = new Set(
  toWords(`ademas aranes atlas burgos caceres carlos cipres despues dios elias interes jamas jesus jueves lucas lunes
    marcos marques martes matias menos nicolas quizas tomas traves viernes`),
)

/**
 * Nouns in -a that are neither the feminine of a word in -o (`plaza` is not that of `plazo`) nor a participle
 * (`calzada` is a roadway). They keep their -a.
 */
export const nounsInA: ReadonlySet<string> = new Set(
  toWords(`acebeda acera acta almendra avellana banca banda barca barra barrera bola bolsa bota brasa braza cabeza
    cabrera cala caldera calera calzada campa campana cana cantera capa cara carga carrasca carretera cartera casa
    castana castilla caza cera cerca cerda cereza cesta charca cima cinta copa costa cota cuadra cuba cubierta cuenca
    cuenta cuerda cuesta derecha deuda encina espina estera falla fila fonda forma fosa fresneda fruta gorra grada
    granada grasa herrera higuera honda hoya huerta jarra junta lena libra lima lina loma madera manta manzana marca maria
    masa maza mina minuta moda molina montera mora mota muela naranja nava navarra obra oliva olmeda onda pala palma
    palmera paloma parada partida pasa pasta pata pena pera pesa pica pila pina pineda pinta pista plana planta plata
    playa plaza porta poza prada praza presa prima puerta puesta punta rama rasa rata raya raza reinosa resta ribera
    rivera robleda romera rosa rota rueda saca sala sena senda seta sierra silla soga solana suela suma tala tapa
    tasa teja tejera tela tira toma tora torna trama traza troza tumba turba vara vega vela venta vida viga villa
    vina vista vuelta zarza zona`),
)

/** The words of each item `stem=word,word` with their stem, as entries of a map. */
function toEntries(text: string): [word: string, stem: string][] {
  return toWords(text).flatMap((item) => {
    const [stem = '', words = ''] = item.split('=')
    return words.split(',').map((word): [string, string] => [word, stem])
  })
}

/** Returns a function from an ending to the form and its stem: for `modific`, `an` gives `modifican`, `modificar`. */
function toVerbForm(root: string): (ending: string) => [string, string] {
  return (ending) => [root + ending, `${root}ar`]
}
