// Why a document, or a part of it, could not be read: a code with values, and the sentence for it in English and
// Spanish. The import makes reasons (src/import/documents). Registry and service have the English sentences (`reason` of
// a document), which `toSpanishReason` translates for the page and for a report in Spanish.

/** Several reasons are joined by semicolons: `page 3 is damaged; 2 attached files were not read`. */
export interface Reason {
  readonly code: ReasonCode
  /** `fault`, `kind` and `reason` are reasons, any other value is a number or a text. */
  readonly values?: Readonly<Record<string, number | string | Reason>>
}

type Sentence = readonly [english: string, spanish: string]

/**
 * The sentences. Those with the prefix `fault.` stand for a value `fault`, those with `kind.` for a value `kind`. The
 * value `limit` is a number with separators, and `pages` a list such as `2, 4 to 7 and 3 more`.
 */
const sentences = {
  // What clients receive about a document.
  fileMissing: ['the file is missing', 'falta el archivo'],
  fileClosed: ['the file cannot be opened ({error})', 'no se puede abrir el archivo ({error})'],
  notFetched: ['the document could not be fetched', 'no se ha podido descargar el documento'],
  addressOfWebPage: [
    'the address leads to a web page, not to a document',
    'la dirección lleva a una página web, no a un documento',
  ],
  tooLarge: ['larger than {megabytes} MB', 'ocupa más de {megabytes} MB'],
  notPdf: ['expected a PDF, got {kind}', 'es {kind}, no un PDF'],
  encrypted: ['encrypted with a password', 'está protegido con contraseña'],
  incomplete: ['damaged or incomplete', 'está dañado o incompleto'],
  damaged: ['damaged', 'está dañado'],
  changed: ['it changed while it was being read', 'cambió mientras se leía'],
  unreadable: ['it cannot be read', 'no se puede leer'],
  noText: ['no page has text', 'ninguna página tiene texto'],
  document: ['the document is {fault}', '{fault}'],
  // What clients receive about pages and parts.
  scans: [
    '{count} of {total} pages are scans and were not recognised',
    'páginas escaneadas sin texto reconocido: {count} de {total}',
  ],
  probableScans: [
    '{count} of {total} pages are scans, or appear to be, and were not recognised',
    'páginas escaneadas, o que lo parecen, sin texto reconocido: {count} de {total}',
  ],
  page: ['page {page} is {fault}', 'página {page}: {fault}'],
  pages: ['pages {pages} are {fault}', 'páginas {pages}: {fault}'],
  end: ['the end of the text is {fault}', 'final del texto: {fault}'],
  rest: ['the text from page {page} on is {fault}', 'texto a partir de la página {page}: {fault}'],
  attachment: ['1 attached file was not read', 'no se ha leído 1 archivo adjunto'],
  attachments: ['{count} attached files were not read', 'no se han leído {count} archivos adjuntos'],
  dynamicForm: ['the dynamic form (XFA) was not read', 'no se ha leído el formulario dinámico (XFA)'],
  'fault.damaged': ['damaged', 'contenido dañado'],
  'fault.slow': ['too slow to read', 'la lectura tarda demasiado'],
  'fault.memory': ['too large to read in the memory allowed', 'la lectura necesita demasiada memoria'],
  'fault.unreadable': ['unreadable', 'contenido ilegible'],
  'fault.crashed': ['unreadable: the reader crashed', 'contenido ilegible'],
  'fault.long': ['too long to be read completely', 'demasiado texto para leerlo completo'],
  'fault.characters': ['past the limit of {limit} characters', 'fuera del límite de {limit} caracteres'],
  'fault.seconds': ['past the limit of {limit} seconds', 'fuera del límite de {limit} segundos'],
  'fault.pages': ['past the limit of {limit} pages', 'fuera del límite de {limit} páginas'],
  'fault.recordCharacters': [
    'past the limit of {limit} characters for a record',
    'fuera del límite de {limit} caracteres por expediente',
  ],
  'kind.html': ['a web page', 'una página web'],
  'kind.empty': ['an empty file', 'un archivo vacío'],
  'kind.zip': ['a ZIP, Word or OpenDocument file', 'un archivo ZIP, de Word o de OpenDocument'],
  'kind.office': ['an old Word or Excel file', 'un archivo de Word o Excel en formato antiguo'],
  'kind.rtf': ['an RTF file', 'un archivo RTF'],
  'kind.image': ['a {format} image', 'una imagen {format}'],
  'kind.archive': ['a {format} archive', 'un archivo comprimido {format}'],
  'kind.binary': ['binary data of an unknown kind', 'un archivo de tipo desconocido'],

  // What only the report of an import says: causes in more detail.
  invalidPdf: ['damaged or incomplete: not a valid PDF', 'está dañado o incompleto: no es un PDF válido'],
  damagedBy: ['damaged: {message}', 'está dañado: {message}'],
  unreadableBy: ['it cannot be read: {message}', 'no se puede leer: {message}'],
  blankOrImages: [
    'no page has text: they are blank or images',
    'ninguna página tiene texto: están en blanco o son imágenes',
  ],
  knownScans: ['{count} of {total} pages are scans', 'páginas escaneadas: {count} de {total}'],
  possibleScans: ['{count} of {total} pages may be scans', 'páginas que quizá estén escaneadas: {count} de {total}'],
  someScans: [
    'at least {count} of {total} pages are scans and {more} more may be',
    'páginas escaneadas: al menos {count} de {total}, y quizá {more} más',
  ],
  noFolder: ['no documents folder', 'no hay carpeta de documentos'],
  invalidName: ['not a valid file name', 'no es un nombre de archivo válido'],
  absolutePath: ['an absolute path', 'es una ruta absoluta'],
  pathOutside: ['the name leads outside the documents folder', 'el nombre apunta fuera de la carpeta de documentos'],
  noSuchFile: ['no such file in the documents folder', 'no existe ese archivo en la carpeta de documentos'],
  linkOutside: [
    'a link that leads outside the documents folder',
    'es un enlace que apunta fuera de la carpeta de documentos',
  ],
  notFile: ['not a file', 'no es un archivo'],
  removed: ['the file was removed while it was being read', 'el archivo se ha eliminado durante la lectura'],
  noDownloads: [
    'documents are fetched only with --fetch-documents',
    'los documentos solo se descargan con --fetch-documents',
  ],
  invalidAddress: ['not a valid address', 'no es una dirección válida'],
  scheme: ['{scheme} is not supported, only http: and https:', 'no se admite {scheme}, solo http: y https:'],
  credentials: [
    'an address with a user name or password is not allowed',
    'no se admite una dirección con nombre de usuario o contraseña',
  ],
  privateAddress: ['{address} is not a public address', '{address} no es una dirección pública'],
  resolvesToPrivate: [
    'resolves to {address}, which is not a public address',
    'el nombre corresponde a {address}, que no es una dirección pública',
  ],
  hostNotAllowed: ['the host is not allowed', 'el servidor no está autorizado'],
  redirectInvalid: ['redirected to an invalid address', 'la dirección remite a otra que no es válida'],
  redirects: ['redirected more than {count} times', 'la dirección remite a otra más de {count} veces'],
  redirected: ['redirected to {address}: {reason}', 'la dirección remite a {address}: {reason}'],
  unknownHost: ['the host name does not exist', 'no existe ningún servidor con ese nombre'],
  badRequest: ['the address cannot be requested', 'no se puede acceder a esa dirección'],
  slowDownload: ['the download took too long', 'la descarga ha tardado demasiado'],
  connectionFailed: ['the host cannot be reached (connection failed)', 'no se puede acceder al servidor'],
  unreachable: ['the host cannot be reached ({error})', 'no se puede acceder al servidor ({error})'],
  unexpected304: [
    'the host responded with 304 to an unconditional request',
    'el servidor ha dado una respuesta errónea (304)',
  ],
  statusAndWait: [
    'the host responded with {status} and asks to wait {seconds} s',
    'el servidor ha respondido {status} y pide esperar {seconds} s',
  ],
  status: ['the host responded with {status}', 'el servidor ha respondido {status}'],
  // What to do.
  useOcr: ['use --ocr to read them', 'use --ocr para leerlas'],
  convert: ['convert it to PDF', 'conviértalo a PDF'],
  newCopy: ['get a new copy', 'consiga otra copia'],
  unprotectedCopy: ['replace it with an unprotected copy', 'sustitúyalo por una copia sin protección'],
  filePermissions: ['check its permissions', 'compruebe sus permisos'],
  folderPermissions: ['check the permissions of its folder', 'compruebe los permisos de su carpeta'],
  importAgain: ['import it again', 'impórtelo de nuevo'],
  giveFolder: ['give one with --documents', 'indíquela con --documents'],
  relativePath: ['use a path relative to the documents folder', 'use una ruta relativa a la carpeta de documentos'],
  webAddress: ['expected http://… or https://…', 'debe empezar por http:// o https://'],
  allowHost: ['allow it with --allow-host {host}', 'autorícelo con --allow-host {host}'],
  earlierText: ['the text of an earlier import is used', 'se usa el texto de una importación anterior'],
} as const

export type ReasonCode = keyof typeof sentences

export const reasonSentences: Readonly<Record<ReasonCode, Sentence>> = sentences

/** The codes for clients, of sentences that say more than they may see. */
const publicCodes: Readonly<Partial<Record<ReasonCode, ReasonCode>>> = {
  invalidPdf: 'incomplete',
  damagedBy: 'damaged',
  unreadableBy: 'unreadable',
  'fault.crashed': 'fault.unreadable',
}

/** Returns the reason in words that clients may see. */
export function toPublicReason({ code, values = {} }: Reason): Reason {
  const { fault } = values
  return {
    code: publicCodes[code] ?? code,
    values: typeof fault === 'object' ? { ...values, fault: toPublicReason(fault) } : values,
  }
}

/** Returns the English sentences, joined by semicolons. */
export function toText(reasons: readonly Reason[]): string {
  return reasons.map(toSentence).join('; ')
}

function toSentence({ code, values = {} }: Reason): string {
  return reasonSentences[code][0].replace(placeholder, (_, name: string) => {
    const value = values[name] ?? ''
    if (typeof value === 'object') return toSentence(value)
    return name === 'limit' ? Number(value).toLocaleString('en') : String(value)
  })
}

/** Translates the sentences of `toText`. One that is not in the table stays as it is. */
export function toSpanishReason(text: string): string {
  return text
    .split('; ')
    .map((sentence) => translate(sentence))
    .join('; ')
}

const placeholder = /\{(\w+)\}/g

/** A pattern for each English sentence, made from the table: `^page (?<page>.+) is (?<fault>.+)$`. */
const patterns = Object.entries(reasonSentences).map(([code, [english, spanish]]) => {
  const escaped = english
    .split(placeholder)
    .map((part, index) => (index % 2 === 0 ? RegExp.escape(part) : `(?<${part}>${part === 'address' ? '\\S+' : '.+'})`))
  return { code, spanish, pattern: new RegExp(`^${escaped.join('')}$`) }
})

/** `prefix` is that of the codes to look for: `fault.`, `kind.` or none. */
function translate(text: string, prefix = ''): string {
  for (const { code, spanish, pattern } of patterns) {
    const match = (prefix === '' ? !code.includes('.') : code.startsWith(prefix)) ? pattern.exec(text) : null
    if (match === null) continue
    return spanish.replace(placeholder, (_, name: string) => translateValue(name, match.groups?.[name] ?? ''))
  }
  return text
}

function translateValue(name: string, text: string): string {
  if (name === 'limit') return Number(text.replaceAll(',', '')).toLocaleString('es')
  if (name === 'fault' || name === 'kind') return translate(text, `${name}.`)
  if (name === 'reason') return translate(text)
  if (name === 'pages') return text.replaceAll(' to ', ' a ').replace(' and ', ' y ').replace(/more$/, 'más')
  return text
}
