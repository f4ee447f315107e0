// The abbreviations of the field: the one table, reviewed by hand, of what a search treats as the same. A word that
// means another is found by it (`Avda.`, `avenida`); letters that stand for several words are found by those words
// and the words by the letters (`PGOU`, `Plan General de Ordenación Urbana`). Applied to texts when they are indexed,
// beside the words (analyse.ts), so that a search only ever widens and a phrase in quotes stays literal.

/** Short for one word: the full word, then its abbreviations. */
export const shortWords: readonly string[] = [
  'avenida avda avd av avgda avinguda',
  'carretera ctra crta carr',
  'plaza pza plza pzta plz',
  'camino cno cmno',
  'paseo pso',
  'pasaje pje psje',
  'travesia trva trav trv',
  'glorieta gta glta',
  'ronda rda',
  'calle carrer rua kalea cl',
  'barriada bda',
  'urbanizacion urb urbaniz',
  'poligono pol polig pgno',
  'partida ptda pda',
  'apartado apdo aptdo',
  'edificio edif',
  'vivienda viv vivs vvda',
  'manzana mza mzna manz',
  'sector sect sec',
  'unidad ud uds unid',
  'ayuntamiento ayto aytos ayunt aytmto ayuntam ajuntament concello udala',
  'expediente exp expte exptes expdte',
  'modificacion mod modif modific',
  'puntual ptual punt',
  'parcela parcella',
  'estudio estudi estudo est',
  'aprobacion aprob aprovacio',
  'definitivo def definit defin',
  'delimitacion delim',
  'homologacion homol homolog hom',
  'innovacion innov',
  'clasificacion clasif',
  'reclasificacion reclasif',
  'calificacion calif',
  'compensacion compens',
  'rehabilitacion rehab',
  'sistema sist',
  'referencia ref',
  'error erro',
  'ampliacion ampl ampliac',
  'unifamiliar unif unifam',
  'barranco bco',
  'kilometro km kms',
  'esquina esq',
  'reparcelacion reparc reparcellacio',
  'ejecucion ejec execucio',
  'ordenacion ordenac',
  'urbanistico urbanist',
  'subsidiario subs subsid',
  'complementario complem',
  'municipal mpal mcpal',
  'general gral',
  'provincial proval',
  'especial espec esp',
  'industrial indust ind',
  'proyecto proy pyto projecte proxecto',
  'articulo art arts',
  'departamento dpto depto',
  'administracion admon',
  'compania cia',
  'nuestra ntra ntro',
  'senora sra',
  'santo sta sto',
  'virgen vgen',
  'francisco fco',
  'hermano hnos hno',
  'ferrocarril ffcc',
  'ambiental ambtal',
  'detalle det',
  'norma norm',
  'proteccion protec prot',
  'correccion correc corr',
  'infraestructura infraestr infr',
]

/** Letters that stand for several words. */
export interface Initials {
  readonly letters: string
  /** Other letters for the same: the plural. */
  readonly others: readonly string[]
  /** The letters one by one, where they are also written apart: `P. G. O. U.`, `NN. SS.` */
  readonly apart: readonly string[]
  /** In full; several where the law of one region says it otherwise than that of another. */
  readonly meanings: readonly string[]
  /** In another language of Spain, without stop words: found by the letters and by the Spanish words. */
  readonly translations: readonly string[]
  /** Only written in capitals is it the abbreviation; otherwise a word or a part of one. */
  readonly inCapitals: boolean
}

/**
 * Letters, with dots where they are also written apart, other letters for the same, what they stand for, and after a
 * tilde how Catalan, Valencian, Galician and Basque titles say it (on both sides what only those titles abbreviate).
 */
const initialsTable = `
p.g.o.u pgoum pgmou: plan general de ordenacion urbana | plan general de ordenacion urbanistica | plan general ~ pla general | plan xeral | plan orokorra
p.g.o.m: plan general de ordenacion municipal
p.g.m: plan general municipal | plan general metropolitano | pla general metropolita ~ pla general metropolita
mpgm mppgm: modificacion del plan general metropolitano | modificacio del pla general metropolita
pgmo: plan general municipal de ordenacion
pxom: plan xeral de ordenacion municipal
hapo: hiri antolamenduko plan orokorra
pge: plan general estructural
p.o.m: plan de ordenacion municipal
poum: plan de ordenacion urbanistica municipal | pla d ordenacio urbanistica municipal ~ pla d ordenacio urbanistica municipal
N.S: normas subsidiarias
P.G: plan general
nn.ss: normas subsidiarias ~ normes subsidiaries | arau subsidiarioak
nnssmm: normas subsidiarias municipales | nnss
nn.uu: normas urbanisticas
P.P pppp: plan parcial ~ pla parcial | plan partziala | plan parc
P.E: plan especial ~ pla especial | plan berezia
E.D: estudio de detalle ~ estudi detall | xehetasun azterlana | xehetasun azterketa
PMU: plan de mejora urbana | pla de millora urbana ~ pla millora urbana
peri: plan especial de reforma interior
pri: plan de reforma interior
pepri: plan especial de proteccion y reforma interior
pepch: plan especial de proteccion del conjunto historico | plan especial de proteccion del casco historico
pech: plan especial del conjunto historico | plan especial del casco historico
dsu: delimitacion de suelo urbano
pdsu: proyecto de delimitacion de suelo urbano
PAU: programa de actuacion urbanistica | programa de actuacion urbanizadora
PAI: programa de actuacion integrada
PAA: programa de actuacion aislada
U.E uuee: unidad de ejecucion ~ unitat d execucio | unitat execucio
U.A uuaa: unidad de actuacion
M.P: modificacion puntual
A.D: aprobacion definitiva
NUM: normas urbanisticas municipales
nut: normas urbanisticas territoriales
T.R: texto refundido
PU: proyecto de urbanizacion ~ projecte d urbanitzacio
suc: suelo urbano consolidado
sunc: suelo urbano no consolidado
SUP: suelo urbanizable programado
sunp: suelo urbanizable no programado
SAU: suelo apto para urbanizar
snu: suelo no urbanizable ~ sol no urbanitzable
SUZ ubz: suelo urbanizable
SUO: suelo urbanizable ordenado
suro: suelo urbanizable ordenado
SURS: suelo urbanizable sectorizado
SUNS: suelo urbanizable no sectorizado
sund: suelo urbanizable no delimitado
dic: declaracion de interes comunitario
PN: proyecto de normalizacion
S.G ssgg: sistema general
APR: area de planeamiento remitido
API: area de planeamiento incorporado
APE: area de planeamiento especifico
APD: area de planeamiento diferido
ARI: area de reforma interior
bic: bien de interes cultural
vpo: vivienda de proteccion oficial
vpp: vivienda de proteccion publica
eae: evaluacion ambiental estrategica
eia: evaluacion de impacto ambiental | estudio de impacto ambiental
iee: informe de evaluacion de edificios
ite: inspeccion tecnica de edificios
pot: plan de ordenacion del territorio
prug: plan rector de uso y gestion
porn: plan de ordenacion de los recursos naturales
pir: proyecto de interes regional
psir: proyecto supramunicipal de incidencia regional
edar: estacion depuradora de aguas residuales
etap: estacion de tratamiento de agua potable
zepa: zona de especial proteccion para las aves
LIC: lugar de interes comunitario
loua: ley de ordenacion urbanistica de andalucia
boe: boletin oficial del estado
BOP: boletin oficial de la provincia
boja: boletin oficial de la junta de andalucia
bocyl: boletin oficial de castilla y leon
borm: boletin oficial de la region de murcia
bocm: boletin oficial de la comunidad de madrid
ctu: comision territorial de urbanismo
cpu: comision provincial de urbanismo
T.M ttmm: termino municipal
cc.aa: comunidades autonomas
P.I: poligono industrial
`

export const initials: readonly Initials[] = initialsTable
  .trim()
  .split('\n')
  .map((line) => {
    const [spellings = '', inFull = ''] = line.split(': ')
    const [meanings = '', translations] = inFull.split(' ~ ')
    const [spelling = '', ...others] = spellings.split(' ')
    const folded = spelling.toLowerCase()
    const apart = folded.split('.')
    return {
      letters: apart.join(''),
      others,
      apart: apart.length > 1 ? apart : [],
      meanings: meanings.split(' | '),
      translations: translations?.split(' | ') ?? [],
      inCapitals: folded !== spelling,
    }
  })

/**
 * Words with the ligature that PDFs leave unnamed, so that a space or nothing stands in its place (`modi cación`,
 * `modicación`): before and behind it.
 */
export const ligatureWords: readonly (readonly [before: string, behind: string])[] = [
  ...'cali clasi reclasi certi edi especi identi justi modi noti plani recti veri zoni'
    .split(' ')
    .flatMap((before) => ['cable', 'cacion', 'cado', 'car'].map((behind) => [before, behind] as const)),
  ...'bene|cio de|nicion de|nido de|nir de|nitivo edi|cabilidad edi|cio especi|co o|cial o|cina super|cie'
    .split(' ')
    .map((word) => word.split('|') as [string, string]),
]

/** Signs that are short for a word: letter and sign as written, the word, the letters without the sign. */
export const signs: readonly { readonly sign: string; readonly word: string; readonly letters: string }[] = [
  { sign: 'c/', word: 'calle', letters: 'c' },
  { sign: 'pº', word: 'paseo', letters: 'po' },
  { sign: 'bº', word: 'barrio', letters: 'bo' },
  { sign: 'mª', word: 'maria', letters: 'ma' },
  { sign: 'dª', word: 'dona', letters: 'da' },
]

/** The ordinals that are written with a figure as often as in full: the first is number one. */
export const ordinals: readonly string[] =
  'primero segundo tercero cuarto quinto sexto septimo octavo noveno decimo undecimo duodecimo'.split(' ')

/** The Roman figures that modifications and phases are numbered with: the first is number one. */
export const romanFigures: readonly string[] =
  'i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx xxi xxii xxiii xxiv xxv'.split(' ')
