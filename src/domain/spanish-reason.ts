// Why a document, or some of its pages, could not be read, in Spanish, for the page and for the report of an import.
// The service sends the reason in English (`reason` of a document): one or more sentences, joined by semicolons, that
// the import writes (src/import/documents).

/**
 * Translates each sentence of the reason. A sentence of a newer service, which has no translation, stays as it is. The
 * report of an import has further sentences, which are `added`.
 */
export function toSpanishReason(reason: string, added: readonly Translation[] = []): string {
  return reason
    .split('; ')
    .map((sentence) => translate(sentence, added) ?? translate(sentence, sentences) ?? sentence)
    .join('; ')
}

/**
 * A pattern of an English text, and a function that makes the Spanish text from its groups: `2 to 5` and `damaged` in
 * `pages 2 to 5 are damaged`. An optional group that does not occur is undefined.
 */
export type Translation = readonly [pattern: RegExp, toText: (...groups: string[]) => string]

const sentences: readonly Translation[] = [
  [/^the file is missing$/, () => 'falta el archivo'],
  [/^the file cannot be opened \((.+)\)$/, (code) => `no se puede abrir el archivo (${code})`],
  [/^the document could not be fetched$/, () => 'no se ha podido descargar el documento'],
  [
    /^the address leads to a web page, not to a document$/,
    () => 'la dirección lleva a una página web, no a un documento',
  ],
  [/^larger than (\d+) MB$/, (size) => `ocupa más de ${size} MB`],
  [/^expected a PDF, got (.+)$/, (found) => `es ${translate(found, fileKinds) ?? found}, no un PDF`],
  [/^encrypted with a password$/, () => 'está protegido con contraseña'],
  [/^damaged(?: or incomplete)?$/, () => 'está dañado o incompleto'],
  [/^it changed while it was being read$/, () => 'cambió mientras se leía'],
  [/^no page has text$/, () => 'ninguna página tiene texto'],
  [/^it cannot be read$/, () => 'contenido ilegible'],
  [/^the document is (.+)$/, translateFault],
  // Earlier versions of the import wrote no commas.
  [
    /^(\d+) of (\d+) pages are scans(,? or appear to be,?)? and were not recognised$/,
    (scans, pages, doubt) => {
      const kind = doubt === undefined ? 'escaneadas' : 'escaneadas, o que lo parecen,'
      return `páginas ${kind} sin texto reconocido: ${scans} de ${pages}`
    },
  ],
  [/^page (\d+) is (.+)$/, (page, fault) => `página ${page}: ${translateFault(fault)}`],
  [/^pages (.+) are (.+)$/, (pages, fault) => `páginas ${translatePages(pages)}: ${translateFault(fault)}`],
  [/^the end of the text is (.+)$/, (fault) => `final del texto: ${translateFault(fault)}`],
  [/^a part of the text is (.+)$/, (fault) => `parte del texto: ${translateFault(fault)}`],
  [
    /^the text from page (\d+) on is (.+)$/,
    (page, fault) => `texto a partir de la página ${page}: ${translateFault(fault)}`,
  ],
  [/^1 attached file was not read$/, () => 'no se ha leído 1 archivo adjunto'],
  [/^(\d+) attached files were not read$/, (count) => `no se han leído ${count} archivos adjuntos`],
  [/^the dynamic form \(XFA\) was not read$/, () => 'no se ha leído el formulario dinámico (XFA)'],
]

/** What a file is that was expected to be a PDF. */
const fileKinds: readonly Translation[] = [
  [/^a web page$/, () => 'una página web'],
  [/^an empty file$/, () => 'un archivo vacío'],
  [/^a ZIP, Word or OpenDocument file$/, () => 'un archivo ZIP, de Word o de OpenDocument'],
  [/^an old Word or Excel file$/, () => 'un archivo de Word o Excel en formato antiguo'],
  [/^an RTF file$/, () => 'un archivo RTF'],
  [/^a (\w+) image$/, (format) => `una imagen ${format}`],
  [/^a ([\w-]+) archive$/, (format) => `un archivo comprimido ${format}`],
  [/^binary data of an unknown kind$/, () => 'un archivo de tipo desconocido'],
]

/** What is wrong with a document, with some of its pages or with a part of its text. The Spanish fits after each. */
const faults: readonly Translation[] = [
  [/^damaged$/, () => 'contenido dañado'],
  [/^too slow to read$/, () => 'la lectura tarda demasiado'],
  [/^too large to read in the memory allowed$/, () => 'la lectura necesita demasiada memoria'],
  // A cause may follow, which is left out: `unreadable: the reader crashed`.
  [/^unreadable/, () => 'contenido ilegible'],
  [/^too long to be read completely$/, () => 'demasiado texto para leerlo completo'],
  [
    /^past the limit of ([\d.,]+) (characters|seconds|pages)( for a record)?$/,
    (limit, unit, forRecord) => {
      const suffix = forRecord === undefined ? '' : ' por expediente'
      // Spanish groups digits by full stops.
      return `fuera del límite de ${limit.replaceAll(',', '.')} ${units.get(unit)}${suffix}`
    },
  ],
]

const units: ReadonlyMap<string, string> = new Map([
  ['characters', 'caracteres'],
  ['seconds', 'segundos'],
  ['pages', 'páginas'],
])

/** The text of the first pattern that matches; undefined if none does. */
export function translate(text: string, translations: readonly Translation[]): string | undefined {
  for (const [pattern, toText] of translations) {
    const match = pattern.exec(text)
    if (match !== null) return toText(...match.slice(1))
  }
  return undefined
}

/** The Spanish text of a fault; an unknown one stays in English. */
function translateFault(fault: string): string {
  return translate(fault, faults) ?? fault
}

/** `2, 4 a 7 y 3 más` for `2, 4 to 7 and 3 more`. */
function translatePages(pages: string): string {
  return pages.replaceAll(' to ', ' a ').replace(' and ', ' y ').replace(' more', ' más')
}
