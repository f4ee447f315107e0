// Why a document, or a part of it, could not be read: a code with values, and the sentence for it in English and
// Spanish. The import makes reasons (src/import/documents). The service sends the English sentences (`reason` of a
// document), and `toSpanishReason` turns them into codes again, for the page and for a report in Spanish.

/** Several reasons are joined by semicolons: `page 3 is damaged; 2 attached files were not read`. */
export interface Reason {
  readonly code: ReasonCode
  readonly values?: Readonly<Record<string, Value>>
}

/** `pages` is a list of ranges, `fault` and `kind` are reasons, and any other value is a number or a text. */
type Value = number | string | Reason | PageList

export interface PageList {
  /** The first and the last page of each range. */
  readonly ranges: readonly (readonly [first: number, last: number])[]
  /** How many pages are not listed. */
  readonly more: number
}

/**
 * The sentences. Those with the prefix `fault.` stand for a value `fault`, those with `kind.` for a value `kind`. The
 * value `limit` is a number with separators.
 */
const sentences = {
  // What clients receive about a document.
  fileMissing: { en: 'the file is missing', es: 'falta el archivo' },
  fileClosed: { en: 'the file cannot be opened ({error})', es: 'no se puede abrir el archivo ({error})' },
  notFetched: { en: 'the document could not be fetched', es: 'no se ha podido descargar el documento' },
  addressOfWebPage: {
    en: 'the address leads to a web page, not to a document',
    es: 'la dirección lleva a una página web, no a un documento',
  },
  tooLarge: { en: 'larger than {megabytes} MB', es: 'ocupa más de {megabytes} MB' },
  notPdf: { en: 'expected a PDF, got {kind}', es: 'es {kind}, no un PDF' },
  encrypted: { en: 'encrypted with a password', es: 'está protegido con contraseña' },
  incomplete: { en: 'damaged or incomplete', es: 'está dañado o incompleto' },
  damaged: { en: 'damaged', es: 'está dañado' },
  changed: { en: 'it changed while it was being read', es: 'cambió mientras se leía' },
  unreadable: { en: 'it cannot be read', es: 'no se puede leer' },
  noText: { en: 'no page has text', es: 'ninguna página tiene texto' },
  document: { en: 'the document is {fault}', es: '{fault}' },
  // What clients receive about pages and parts.
  scans: {
    en: '{count} of {total} pages are scans and were not recognised',
    es: 'páginas escaneadas sin texto reconocido: {count} de {total}',
  },
  probableScans: {
    en: '{count} of {total} pages are scans, or appear to be, and were not recognised',
    es: 'páginas escaneadas, o que lo parecen, sin texto reconocido: {count} de {total}',
  },
  page: { en: 'page {page} is {fault}', es: 'página {page}: {fault}' },
  pages: { en: 'pages {pages} are {fault}', es: 'páginas {pages}: {fault}' },
  end: { en: 'the end of the text is {fault}', es: 'final del texto: {fault}' },
  rest: { en: 'the text from page {page} on is {fault}', es: 'texto a partir de la página {page}: {fault}' },
  attachment: { en: '1 attached file was not read', es: 'no se ha leído 1 archivo adjunto' },
  attachments: { en: '{count} attached files were not read', es: 'no se han leído {count} archivos adjuntos' },
  dynamicForm: { en: 'the dynamic form (XFA) was not read', es: 'no se ha leído el formulario dinámico (XFA)' },
  'fault.damaged': { en: 'damaged', es: 'contenido dañado' },
  'fault.slow': { en: 'too slow to read', es: 'la lectura tarda demasiado' },
  'fault.memory': { en: 'too large to read in the memory allowed', es: 'la lectura necesita demasiada memoria' },
  'fault.unreadable': { en: 'unreadable', es: 'contenido ilegible' },
  'fault.crashed': { en: 'unreadable: the reader crashed', es: 'contenido ilegible' },
  'fault.long': { en: 'too long to be read completely', es: 'demasiado texto para leerlo completo' },
  'fault.characters': { en: 'past the limit of {limit} characters', es: 'fuera del límite de {limit} caracteres' },
  'fault.seconds': { en: 'past the limit of {limit} seconds', es: 'fuera del límite de {limit} segundos' },
  'fault.pages': { en: 'past the limit of {limit} pages', es: 'fuera del límite de {limit} páginas' },
  'fault.recordCharacters': {
    en: 'past the limit of {limit} characters for a record',
    es: 'fuera del límite de {limit} caracteres por expediente',
  },
  'kind.html': { en: 'a web page', es: 'una página web' },
  'kind.empty': { en: 'an empty file', es: 'un archivo vacío' },
  'kind.zip': { en: 'a ZIP, Word or OpenDocument file', es: 'un archivo ZIP, de Word o de OpenDocument' },
  'kind.office': { en: 'an old Word or Excel file', es: 'un archivo de Word o Excel en formato antiguo' },
  'kind.rtf': { en: 'an RTF file', es: 'un archivo RTF' },
  'kind.image': { en: 'a {format} image', es: 'una imagen {format}' },
  'kind.archive': { en: 'a {format} archive', es: 'un archivo comprimido {format}' },
  'kind.binary': { en: 'binary data of an unknown kind', es: 'un archivo de tipo desconocido' },

  // What only the report of an import says: causes in more detail.
  invalidPdf: { en: 'damaged or incomplete: not a valid PDF', es: 'está dañado o incompleto: no es un PDF válido' },
  damagedBy: { en: 'damaged: {message}', es: 'está dañado: {message}' },
  unreadableBy: { en: 'it cannot be read: {message}', es: 'no se puede leer: {message}' },
  blankOrImages: {
    en: 'no page has text: they are blank or images',
    es: 'ninguna página tiene texto: están en blanco o son imágenes',
  },
  knownScans: { en: '{count} of {total} pages are scans', es: 'páginas escaneadas: {count} de {total}' },
  possibleScans: {
    en: '{count} of {total} pages may be scans',
    es: 'páginas que quizá estén escaneadas: {count} de {total}',
  },
  someScans: {
    en: 'at least {count} of {total} pages are scans and {more} more may be',
    es: 'páginas escaneadas: al menos {count} de {total}, y quizá {more} más',
  },
  noFolder: { en: 'no documents folder', es: 'no hay carpeta de documentos' },
  invalidName: { en: 'not a valid file name', es: 'no es un nombre de archivo válido' },
  absolutePath: { en: 'an absolute path', es: 'es una ruta absoluta' },
  pathOutside: {
    en: 'the name leads outside the documents folder',
    es: 'el nombre apunta fuera de la carpeta de documentos',
  },
  noSuchFile: { en: 'no such file in the documents folder', es: 'no existe ese archivo en la carpeta de documentos' },
  linkOutside: {
    en: 'a link that leads outside the documents folder',
    es: 'es un enlace que apunta fuera de la carpeta de documentos',
  },
  notFile: { en: 'not a file', es: 'no es un archivo' },
  removed: { en: 'the file was removed while it was being read', es: 'el archivo se ha eliminado durante la lectura' },
  noDownloads: {
    en: 'documents are fetched only with --fetch-documents',
    es: 'los documentos solo se descargan con --fetch-documents',
  },
  invalidAddress: { en: 'not a valid address', es: 'no es una dirección válida' },
  scheme: { en: '{scheme} is not supported, only http: and https:', es: 'no se admite {scheme}, solo http: y https:' },
  credentials: {
    en: 'an address with a user name or password is not allowed',
    es: 'no se admite una dirección con nombre de usuario o contraseña',
  },
  privateAddress: { en: '{address} is not a public address', es: '{address} no es una dirección pública' },
  resolvesToPrivate: {
    en: 'resolves to {address}, which is not a public address',
    es: 'el nombre corresponde a {address}, que no es una dirección pública',
  },
  hostNotAllowed: { en: 'the host is not allowed', es: 'el servidor no está autorizado' },
  redirectInvalid: { en: 'redirected to an invalid address', es: 'la dirección remite a otra que no es válida' },
  redirects: { en: 'redirected more than {count} times', es: 'la dirección remite a otra más de {count} veces' },
  redirected: { en: 'redirected to {address}: {reason}', es: 'la dirección remite a {address}: {reason}' },
  unknownHost: { en: 'the host name does not exist', es: 'no existe ningún servidor con ese nombre' },
  badRequest: { en: 'the address cannot be requested', es: 'no se puede acceder a esa dirección' },
  slowDownload: { en: 'the download took too long', es: 'la descarga ha tardado demasiado' },
  connectionFailed: { en: 'the host cannot be reached (connection failed)', es: 'no se puede acceder al servidor' },
  unreachable: { en: 'the host cannot be reached ({error})', es: 'no se puede acceder al servidor ({error})' },
  unexpected304: {
    en: 'the host responded with 304 to an unconditional request',
    es: 'el servidor ha dado una respuesta errónea (304)',
  },
  statusAndWait: {
    en: 'the host responded with {status} and asks to wait {seconds} s',
    es: 'el servidor ha respondido {status} y pide esperar {seconds} s',
  },
  status: { en: 'the host responded with {status}', es: 'el servidor ha respondido {status}' },
  // What to do.
  useOcr: { en: 'use --ocr to read them', es: 'use --ocr para leerlas' },
  convert: { en: 'convert it to PDF', es: 'conviértalo a PDF' },
  newCopy: { en: 'get a new copy', es: 'consiga otra copia' },
  unprotectedCopy: { en: 'replace it with an unprotected copy', es: 'sustitúyalo por una copia sin protección' },
  filePermissions: { en: 'check its permissions', es: 'compruebe sus permisos' },
  folderPermissions: { en: 'check the permissions of its folder', es: 'compruebe los permisos de su carpeta' },
  importAgain: { en: 'import it again', es: 'impórtelo de nuevo' },
  giveFolder: { en: 'give one with --documents', es: 'indíquela con --documents' },
  relativePath: {
    en: 'use a path relative to the documents folder',
    es: 'use una ruta relativa a la carpeta de documentos',
  },
  webAddress: { en: 'expected http://… or https://…', es: 'debe empezar por http:// o https://' },
  allowHost: { en: 'allow it with --allow-host {host}', es: 'autorícelo con --allow-host {host}' },
  earlierText: { en: 'the text of an earlier import is used', es: 'se usa el texto de una importación anterior' },
}

export type ReasonCode = keyof typeof sentences

export const reasonSentences: Readonly<Record<ReasonCode, { readonly en: string; readonly es: string }>> = sentences

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
    values: isReason(fault) ? { ...values, fault: toPublicReason(fault) } : values,
  }
}

/** Returns the sentences, joined by semicolons. */
export function toText(reasons: readonly Reason[], language: 'en' | 'es'): string {
  return reasons.map((reason) => toSentence(reason, language === 'en' ? english : spanish)).join('; ')
}

/** Translates English sentences of `toText`. One that is not in the table stays as it is. */
export function toSpanishReason(text: string): string {
  return text
    .split('; ')
    .map((sentence) => {
      const reason = parseReason(sentence)
      return reason === undefined ? sentence : toSentence(reason, spanish)
    })
    .join('; ')
}

/** British English has no comma before the last item of a list. */
const english = { column: 'en', locale: 'en-GB', to: 'to', more: 'more' } as const
const spanish = { column: 'es', locale: 'es', to: 'a', more: 'más' } as const
type Language = typeof english | typeof spanish

function toSentence({ code, values = {} }: Reason, language: Language): string {
  return sentences[code][language.column].replace(placeholder, (_, name: string) => {
    const value = values[name] ?? ''
    if (isReason(value)) return toSentence(value, language)
    if (typeof value === 'object') return toPageText(value, language)
    return name === 'limit' ? Number(value).toLocaleString(language.locale) : String(value)
  })
}

/** For example `2, 4 to 7 and 3 more`. */
function toPageText({ ranges, more }: PageList, { locale, to, more: moreWord }: Language): string {
  const items = ranges.map(([first, last]) => (first === last ? `${first}` : `${first} ${to} ${last}`))
  return new Intl.ListFormat(locale).format(more === 0 ? items : [...items, `${more} ${moreWord}`])
}

const placeholder = /\{(\w+)\}/g

/** A pattern for each English sentence, made from the table: `^page (?<page>.+) is (?<fault>.+)$`. */
const patterns = Object.entries(sentences).map(([code, { en }]) => {
  const escaped = en
    .split(placeholder)
    .map((part, index) => (index % 2 === 0 ? RegExp.escape(part) : `(?<${part}>${part === 'address' ? '\\S+' : '.+'})`))
  return { code: code as ReasonCode, pattern: new RegExp(`^${escaped.join('')}$`) }
})

/** Returns the reason of an English sentence. `prefix` is that of the codes to look for: `fault.`, `kind.` or none. */
function parseReason(text: string, prefix = ''): Reason | undefined {
  for (const { code, pattern } of patterns) {
    if (!(prefix === '' ? !code.includes('.') : code.startsWith(prefix))) continue
    const match = pattern.exec(text)
    if (match === null) continue
    const values = Object.entries(match.groups ?? {}).map(([name, found]) => [name, parseValue(name, found)])
    return { code, values: Object.fromEntries(values) }
  }
  return undefined
}

function parseValue(name: string, text: string): Value {
  if (name === 'limit') return Number(text.replaceAll(',', ''))
  if (name === 'fault' || name === 'kind') return parseReason(text, `${name}.`) ?? text
  if (name === 'reason') return parseReason(text) ?? text
  return name === 'pages' ? parsePages(text) : text
}

function parsePages(text: string): PageList {
  const [, more = '0'] = /(\d+) more$/.exec(text) ?? []
  const ranges = [...text.matchAll(/(\d+)(?: to (\d+))?(?! more|\d)/g)].map(
    ([, first, last = first]) => [Number(first), Number(last)] as const,
  )
  return { ranges, more: Number(more) }
}

function isReason(value: Value | undefined): value is Reason {
  return typeof value === 'object' && 'code' in value
}
