// Tables of the abbreviations, acronyms, symbols, ordinals and Roman numerals of planning texts, folded (in lower case,
// without accents: `chale` for `chalé`) and reviewed by hand. The lexicon is built from them. An entry gives an
// abbreviation in a text either the stem of the full word or the full word as a synonym, which is indexed with the
// text. A word of a search term finds both. A quoted phrase finds the stem but not the synonym.

/**
 * Each line is a word of an address or of a name, then its abbreviations, translations and other spellings, which have
 * the stem of that word. So quoted phrases find them too: `"avenida orense"` finds `Avda. Orense`. But an abbreviation
 * of up to four letters, in capitals and joined with a number, is part of a code: the `PCA-3` of a sector is no square
 * (`toCodePart` in code-letters.ts).
 */
export const nameAbbreviations: readonly string[] = [
  'avenida avda avd av avnda avgda avinguda etorbide hiribide',
  'carretera ctra crta carr errepide',
  'plaza pza plza pzta plz pl praza pca plca enparantza',
  'camino cno cmno cami camins',
  'paseo pso pseo passeig pasealeku',
  'pasaje pje psje passatge ptge ptje',
  'travesia trva trav trv tva tvsia travessia travessera travesera',
  'callejon cjon carrero',
  'bulevar bvar blvd boulevard',
  'glorieta gta glta glor',
  'ronda rda rolda',
  'calle carrer rua kale cl',
  'rambla rbla',
  'barriada bda',
  'urbanizacion urb urbaniz',
  'poligono pol polig pgno poligon',
  'general gral gnral gnal',
  'nuestra ntra ntro nra nstra',
  'senora sra',
  'santo sta sto',
  'virgen vgen',
  'doctor dr dra dres',
  'dona dna',
  'sagrado sgdo',
  'teniente tte',
  'coronel cnel',
  'comandante cmdte cdte',
  'ingeniero ing',
  'maestro mtro',
  'marques marq mqs',
  'conde cde',
  'principe pcpe',
  'fernandez fdez',
  'gonzalez glez',
  'rodriguez rguez',
  'martinez mtnez mtez',
  'garcia gcia',
  'hernandez hdez',
  'hospital hosp',
  'universidad univ',
  'ciudad cdad',
  'chale chalet',
  'francisco fco',
  'hermano hnos hno',
  'izquierda izda izqda izq',
  'derecha dcha drcha',
]

/** An abbreviation that is the word only if a suitable word follows. A single letter must have its dot: `S. Roque`. */
export interface ContextualEntry {
  /** More letters must have their dot too: `PG` is a plan. */
  readonly needsDot?: true
  readonly word: string
  readonly abbreviation: string
  /** The beginnings of words that may follow: `Pl. Parcial` is a plan, but `Pl. Mayor` a square. Left out: any word. */
  readonly following?: readonly string[]
  /**
   * If given, any other word of four letters or more may follow too, provided that the abbreviation has its dot and the
   * word has none of these beginnings: `Est. Mercado` is a study, but `Est. Autobuses` a station.
   */
  readonly notAfterDot?: readonly string[]
}

/**
 * The text gets the word as a synonym, so `"capitan haya"` does not find `Cap. Haya`. But `pl` by itself has the stem
 * of `plaza` (`nameAbbreviations`). So `Pl. Parcial` gets the stem of `plan` too (`ContextualAbbreviation.word`), and
 * `"plan parcial"` finds it.
 */
export const contextualAbbreviations: readonly ContextualEntry[] = [
  // `Cap. Haya` is a captain, but `Cap. 3` a chapter.
  { word: 'capitan', abbreviation: 'cap' },
  { word: 'profesor', abbreviation: 'prof' },
  { word: 'colonia', abbreviation: 'col' },
  { word: 'puerto', abbreviation: 'pto' },
  { word: 'paseo', abbreviation: 'pg', needsDot: true },
  { word: 'glorieta', abbreviation: 'gl' },
  { word: 'san', abbreviation: 's' },
  { word: 'don', abbreviation: 'd' },
  { word: 'plan', abbreviation: 'pl', following: ['parcial', 'especial'] },
  {
    word: 'estudio',
    abbreviation: 'est',
    following: `det ambiental ambtal impact integraci viab geol geot hidr arqueol acust econ paisaj paisatg previo
      inunda trafic movilidad mobilitat volum`.split(/\s+/),
    // Also what follows the Catalan word for east at the end of a sentence: `Sector Est. Modificació`.
    notAfterDot: `servic servei autobus tren metro ferro ffcc renfe cercanias base bombeo depurad transform tratamiento
      potabil meteorol suministr gasolin esqui invernal intermodal oest nort nord modific aprob aprov`.split(/\s+/),
  },
  // Catalan and Galician, elsewhere `sun` and `only`.
  { word: 'suelo', abbreviation: 'sol', following: ['urba', 'rust', 'no', 'industr'] },
  { word: 'suelo', abbreviation: 'solo', following: ['urba', 'rust', 'nucleo'] },
  { word: 'proyecto', abbreviation: 'p', following: ['urbanizaci', 'reparcelaci'] },
]

/**
 * Each line is a word, then its abbreviations. They have the word as a synonym, which quoted phrases
 * do not match: `edificio` finds `Edif. Norte`, but `"edificio norte"` does not.
 */
export const abbreviations: readonly string[] = [
  'plan pla',
  'partida ptda pda',
  'apartado apdo aptdo',
  'edificio edif',
  'vivienda viv vivs vvda',
  'manzana mza mzna manz mz',
  'distrito dto',
  'sector sect sec',
  'unidad ud uds unid',
  'ayuntamiento ayto aytos ayunt aytmto ayuntam',
  'expediente exp expte exptes expdte',
  'modificacion mod modif modific',
  'puntual ptual punt',
  'aprobacion aprob',
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
  'ampliacion ampl ampliac',
  'unifamiliar unif unifam',
  'barranco bco',
  'puente pte',
  'kilometro km kms',
  'esquina esq',
  'reparcelacion reparc',
  'ejecucion ejec',
  'ordenacion ordenac',
  'urbanistico urbanist',
  'subsidiario subs subsid',
  'complementario complem',
  'municipal mpal mcpal',
  'provincial proval',
  'especial espec esp',
  'industrial indust ind',
  'proyecto proy pyto',
  'articulo art arts',
  'departamento dpto depto',
  'duplicado dupl dpdo',
  'administracion admon',
  'compania cia',
  'ferrocarril ffcc',
  'ambiental ambtal',
  'detalle det',
  'norma norm',
  'proteccion protec prot',
  'correccion correc corr',
  'infraestructura infraestr infr',
]

/**
 * An acronym and its full forms. `PGOU` has, among others, the expansions `plan general de ordenación urbana` and
 * `plan general de ordenación urbanística` and the translation `pla general`. Which term finds which text:
 *
 * text                                | `pgou` | `plan general de ordenación urbanística` | `pla general`
 * `PGOU`                              | yes    | yes                                      | no
 * `Plan General de Ordenación Urbana` | yes    | no: another expansion                    | no
 * `Pla General`                       | yes    | yes                                      | yes: its own words
 *
 * A full form that is in both lists (`pla general metropolita`) counts as both: its words find a text with the acronym,
 * and the words of the other expansions find a text with the full form.
 */
export interface Acronym {
  readonly letters: string
  /** Other acronyms with the same full forms, such as the plural `uuee` of `ue`. */
  readonly variants: readonly string[]
  /**
   * The parts between spaces, if the acronym is also written with spaces: p, g, o and u for `P. G. O. U.`, nn and ss
   * for `NN. SS.` Otherwise empty.
   */
  readonly initials: readonly string[]
  /**
   * The full forms; several when regional laws differ. `nnssmm` also has the shorter acronym `nnss`, so that the term
   * `nnss` finds a text with `NNSSMM`.
   */
  readonly expansions: readonly string[]
  /** The full forms in other languages of Spain, and shortened ones (`plan parc`). A full form may be in both lists. */
  readonly translations: readonly string[]
  /**
   * Whether the letters and the variants stand for the full forms only in upper case or joined with a number (`ue-1`).
   * Elsewhere they may be another word: `Pau` is a Catalan name.
   */
  readonly isUpperCaseOnly: boolean
}

/**
 * One acronym per line: `letters variants: expansion | expansion ~ translation | translation`. An indented line
 * continues the line before. The letters have dots if the acronym is also written with spaces, and are in upper case if
 * it is upper case only (`isUpperCaseOnly`). An acronym of another language of Spain (`pxom`) has its full form in that
 * language as an expansion. The stop words of expansions are removed later (acronym-expansions.ts). Translations are
 * written without them (`pla millora urbana`), but with the `d` of `unitat d'execució`, which is no stop word.
 */
const acronymTable = `
p.g.o.u pgoum pgmou: plan general de ordenacion urbana | plan general de ordenacion urbanistica | plan general
  ~ plan orokorra
p.g.o.m: plan general de ordenacion municipal | plan xeral de ordenacion municipal | pxom
p.g.m: plan general municipal | plan general metropolitano | plan general metropolita ~ plan general metropolita
mpgm mppgm: modificacion del plan general metropolitano | modificacion del plan general metropolita
pgmo: plan general municipal de ordenacion
pxom: plan general de ordenacion municipal | plan xeral de ordenacion municipal | pgom
hapo: hiri antolamenduko plan orokorra
pge: plan general estructural
p.o.m: plan de ordenacion municipal
poum: plan de ordenacion urbanistica municipal ~ plan d ordenacion urbanistica municipal
N.S: normas subsidiarias
P.G: plan general
nn.ss: normas subsidiarias ~ normes subsidiaries | arau subsidiarioak
nnssmm: normas subsidiarias municipales | nnss
nn.uu: normas urbanisticas
P.P pppp: plan parcial ~ plan partzial | plan parc
P.E: plan especial ~ plan berezi
E.D: estudio de detalle ~ estudi detall | xehetasun azterlana | xehetasun azterketa
PMU: plan de mejora urbana | plan de millora urbana ~ plan millora urbana
peri: plan especial de reforma interior
pri: plan de reforma interior
ppri: plan parcial de reforma interior
pepri: plan especial de proteccion y reforma interior
pepch: plan especial de proteccion del conjunto historico | plan especial de proteccion del casco historico
pecuau: plan especial de control urbanistico ambiental de usos ~ pe control urbanistico ambiental usos
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
AOE: area de ordenacion especial
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
ee.uu: estados unidos
i.e.s: instituto de educacion secundaria
c.e.i.p: colegio de educacion infantil y primaria
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

/**
 * The acronyms of the table. A line `P.P pppp: plan parcial ~ pla parcial` has the letters `pp`, the variant `pppp`,
 * the initials `p` and `p`, one expansion and one translation, and is upper case only.
 */
export const acronyms: readonly Acronym[] = acronymTable
  .trim()
  .replaceAll('\n  ', ' ')
  .split('\n')
  .map((line) => {
    const [spellings = '', fullForms = ''] = line.split(': ')
    const [expansions = '', translations] = fullForms.split(' ~ ')
    const [spelling = '', ...variants] = spellings.split(' ')
    const lowerCase = spelling.toLowerCase()
    const initials = lowerCase.split('.')
    return {
      letters: initials.join(''),
      variants,
      initials: initials.length > 1 ? initials : [],
      expansions: expansions.split(' | '),
      translations: translations?.split(' | ') ?? [],
      isUpperCaseOnly: lowerCase !== spelling,
    }
  })

/**
 * The acronyms that label a plan or an area with a number. Such an acronym, or its full form, is a code together with
 * the number after it: `unidad de ejecución 4` is `UE-4`. General plans are not among them, because a number after
 * `PGOU` is that of a modification, or a year.
 */
export const labelAcronyms: ReadonlySet<string> = new Set(
  `pp pe ed pmu peri pri ppri pepri pau pai paa ue ua pu suc sunc sup sunp sau suz suo suro surs suns sund sg apr api
  ape apd aoe ari`.split(/\s+/),
)

/**
 * Words with an `fi` that may be printed as a ligature, as the letters before it (head) and after it (tail): `modi` and
 * `cacion` for `modificación`. Some PDFs do not map the ligature to letters, and their text has a space or nothing
 * instead (`modi cación`, `modicación`).
 */
export const ligatureWords: readonly (readonly [head: string, tail: string])[] = [
  ...'cali clasi reclasi certi edi especi identi justi modi noti plani recti veri zoni'
    .split(' ')
    .flatMap((head) => ['cable', 'cacion', 'cado', 'car'].map((tail) => [head, tail] as const)),
  // `bene|cio` is the head and the tail of `beneficio`.
  ...'bene|cio de|nicion de|nido de|nir de|nitivo edi|cabilidad edi|cio especi|co o|cial o|cina super|cie'
    .split(' ')
    .map((word) => word.split('|') as [string, string]),
]

/**
 * Abbreviations with a slash or an ordinal sign: as written, the full word, and in letters only. They have the stem of
 * the full word, so `"calle goya"` finds `C/ Goya`. A text with `Pº` gets the synonym `po`, so the term `po` finds it.
 */
export const symbols: readonly { readonly symbol: string; readonly word: string; readonly letters: string }[] = [
  { symbol: 'c/', word: 'calle', letters: 'c' },
  { symbol: 'pº', word: 'paseo', letters: 'po' },
  { symbol: 'cº', word: 'camino', letters: 'co' },
  { symbol: 'bº', word: 'barrio', letters: 'bo' },
  { symbol: 'mª', word: 'maria', letters: 'ma' },
  { symbol: 'dª', word: 'dona', letters: 'da' },
  { symbol: 'nª', word: 'nuestra', letters: 'na' },
  { symbol: 'sª', word: 'senora', letters: 'sa' },
  { symbol: 'stª', word: 'santa', letters: 'sta' },
]

/**
 * Each line is a word and a spelling of it with a ç, folded, which turns the ç into a c: `placa` for the Catalan
 * `plaça`. Without the ç it is another word (`placa` is a plate). A text with `plaça` gets the synonym `plaza`.
 */
export const cedillaSpellings: readonly string[] = ['plaza placa']

/** The ordinals from 1 on, in order, that are also written with digits (`2ª`). */
export const ordinals: readonly string[] = `primero segundo tercero cuarto quinto sexto septimo octavo noveno decimo
  undecimo duodecimo decimotercero decimocuarto decimoquinto decimosexto decimoseptimo decimoctavo decimonoveno`.split(
  /\s+/,
)

/** The Roman numerals from 1 on, in order, that number modifications and phases. */
export const romanNumerals: readonly string[] =
  'i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx xxi xxii xxiii xxiv xxv'.split(' ')
