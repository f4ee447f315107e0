// The columns that an import reads, each declared once: the headings it is recognised by, whether it is needed, how its
// cells are read, how long they may be, and what a message says. Recognising headings, normalising rows, `--inspect`,
// the rejects file and the tables of docs/import.md follow from it.
import type { WireRecord } from '../../domain/record.ts'
import { repairMojibake } from './mojibake.ts'
import { recordCharactersMax } from './row.ts'

/** What a record is made of: the fields of the JSON that clients receive, and columns that only the import knows. */
export type Column = 'code' | 'prefix' | keyof WireRecord | 'content' | 'document'

/** How the cells of a column are read (normalise.ts). */
export type CellType = 'code' | 'part of a code' | 'text' | 'date' | 'address' | 'file names'

export interface ColumnRule {
  readonly type: CellType
  /** A source needs the column; `prefix` and `registration_number` may stand for `code`. */
  readonly isRequired?: true
  /** A row needs a value if its source has the column. A message expects this, such as `a title`; a key of es.json. */
  readonly expected?: string
  /** Whether Excel damages its values: it reads `1/3/2001` as a date, and shows a long number as `1,23457E+12`. */
  readonly isIdentifier?: true
  readonly charactersMax: number
  /**
   * Headings that offices use, in Castilian, Catalan, Galician and Basque, separated by commas. An earlier one is
   * preferred. Columns are assigned in the order of the table, and a heading goes to one column only: `Nº de expediente`
   * is the id if there is a `Código`, and the code otherwise.
   */
  readonly headings?: string
  /** The rule in docs/import.md. */
  readonly meaning: string
}

/** Limit of a code, an id, a registration number or a municipality, as for the parameters of the API. */
const nameCharactersMax = 200
const textCharactersMax = 10_000
const addressCharactersMax = 4000

const fileNumbers = `N expediente, Número expediente, Num expediente, Nro expediente, No expediente, N exp, Num exp,
  N expte, Num expte, Número expte, Expte, Expediente, Expedient, Núm expedient, Número d'expedient, N expedient,
  Espedientea, Espediente, Espediente zenbakia, Espediente zk`

export const columnRules: Readonly<Record<Column, ColumnRule>> = {
  code: {
    type: 'code',
    isRequired: true,
    isIdentifier: true,
    charactersMax: nameCharactersMax,
    headings: `Cod archivo, Código archivo, Código inscripción, Cod inscripción, Código registral, Código, Cod, Código
      expediente, Cod expediente, Cod exp, Código plan, Codi expedient, Codi, Codi pla, Espediente kodea, Kodea,
      ${fileNumbers}, Exp id, Id exp, Id expediente, Referencia expediente, Referencia, Referència, Erreferentzia`,
    meaning: '`<prefix>-<number>` or another form (1), unique; `a-1` is `A-1`',
  },
  prefix: {
    type: 'part of a code',
    isIdentifier: true,
    charactersMax: nameCharactersMax,
    meaning: 'the first part of the code, if there is no column `code`',
  },
  id: {
    type: 'text',
    expected: 'the id of the record',
    isIdentifier: true,
    charactersMax: nameCharactersMax,
    headings: `Identificador, Identifikatzailea, Id expediente, Exp id, Id exp, ${fileNumbers}, Código expediente, Cod
      expediente, Codi expedient, Espediente kodea, Referencia expediente, Referencia, Referència, Erreferentzia,
      objectid, recordid, gid, fid`,
    meaning: 'without it, the code',
  },
  registration_number: {
    type: 'part of a code',
    isIdentifier: true,
    charactersMax: nameCharactersMax,
    headings: `N registro, Número registro, Num registro, Nro registro, N inscripción, Número inscripción, Num
      inscripción, Registro, Núm registre, Número de registre, Número d'inscripció, Número de rexistro, N rexistro,
      Erregistro zenbakia`,
    meaning: 'without it, the number in `code`',
  },
  title: {
    type: 'text',
    isRequired: true,
    expected: 'a title',
    charactersMax: textCharactersMax,
    headings: `Título, Título expediente, Título plan, Denominación, Denominación plan, Denominación expediente,
      Denominación instrumento, Nombre plan, Nombre expediente, Nombre instrumento, Nombre, Asunto, Objeto, Descripción,
      Descripción expediente, Instrumento, Títol, Denominació, Nom del pla, Nom, Assumpte, Objecte, Descripció, Nome,
      Obxecto, Descrición, Izenburua, Izena, Izendapena, Gaia, Deskribapena`,
    meaning: 'text',
  },
  area: {
    type: 'text',
    charactersMax: textCharactersMax,
    headings: `Ámbito, Ámbito actuación, Ámbito territorial, Ámbito planeamiento, Área actuación, Zona, Sector,
      Emplazamiento, Ubicación, Situación, Localización, Àmbit, Àmbit d'actuació, Emplaçament, Ubicació, Situació,
      Localització, Emprazamento, Localización, Eremua, Sektorea, Kokapena`,
    meaning: 'text',
  },
  checkin_date: {
    type: 'date',
    isRequired: true,
    expected: 'a date (every record needs one)',
    charactersMax: nameCharactersMax,
    headings: `Fecha entrada, Fecha entrada registro, F entrada, Fec entrada, Fecha registro, F registro, Fec registro,
      Fecha presentación, Fecha solicitud, Fecha alta, Fecha inicio, Fecha expediente, Fecha, Data d'entrada, Data de
      registre, Data de presentació, Data de sol·licitud, Data d'inici, Data entrada, Data rexistro, Data presentación,
      Data solicitude, Data inicio, Sarrera data, Erregistro data, Aurkezpen data, Data`,
    meaning: 'a day that exists, in one of the forms below',
  },
  inscription_date: {
    type: 'date',
    charactersMax: nameCharactersMax,
    headings: `Fecha inscripción, Fecha inscripción registro, F inscripción, Fec inscripción, Data d'inscripció, Data
      inscrición, Inskripzio data`,
    meaning: 'the same, or empty',
  },
  municipality: {
    type: 'text',
    isRequired: true,
    expected: 'the name of a municipality',
    charactersMax: nameCharactersMax,
    headings: `Municipio, Nombre municipio, Nom municipio, Nom mun, Término municipal, Ayuntamiento, Municipi, Nom del
      municipi, Terme municipal, Ajuntament, Concello, Termo municipal, Udalerria, Udala, Localidad, Población, Localitat,
      Població, Localidade, Herria`,
    meaning: 'a name; unknown ones are listed, not rejected',
  },
  links: {
    type: 'address',
    charactersMax: addressCharactersMax,
    headings: `Enlace, Enlace documento, Enlace documentación, Enlace expediente, Enlace web, URL, URL documento, URL
      documentación, URL expediente, Link, Dirección web, Enlaces, Enllaç, Enllaç document, Adreça web, Ligazón, Esteka`,
    meaning: 'one `http` or `https` address, kept unchanged',
  },
  agreement_link: {
    type: 'address',
    charactersMax: addressCharactersMax,
    headings: `Enlace acuerdo, URL acuerdo, Link acuerdo, Acuerdo enlace, Acuerdo URL, Enllaç acord, URL acord, Ligazón
      acordo, URL acordo`,
    meaning: 'the same',
  },
  content: {
    type: 'text',
    charactersMax: recordCharactersMax,
    headings: 'Contenido, Texto, Texto completo, Contingut, Text, Contido, Edukia, Testua',
    meaning: 'text to search, besides that of the documents',
  },
  document: {
    type: 'file names',
    charactersMax: recordCharactersMax,
    headings: `Documento, Documentos, Fichero, Ficheros, Archivo, Archivos, Nombre fichero, Nombre archivo, PDF, Document,
      Documents, Fitxer, Fitxers, Arxiu, Ficheiro, Ficheiros, Arquivo, Dokumentua, Fitxategia`,
    meaning: 'file names under `--documents DIR`, separated by `;`, or a list in JSON',
  },
}

/** In the order in which they are assigned to headings. */
export const columns = Object.keys(columnRules) as readonly Column[]

export const requiredColumns: readonly Column[] = columns.filter((column) => columnRules[column].isRequired)

export const identifierColumns: readonly Column[] = columns.filter((column) => columnRules[column].isIdentifier)

/** The headings of a column as written in the table. */
export function listedHeadings(column: Column): string[] {
  return (columnRules[column].headings ?? '').split(',').map((heading) => heading.replace(/\s+/g, ' ').trim())
}

/**
 * Returns the form in which headings are compared: `checkin_date` for `Checkin-Date ` and `CHECKIN DATE`. Invisible
 * characters are removed, and accents are kept.
 */
export function foldHeading(heading: string): string {
  return heading
    .normalize('NFC')
    .replace(/\p{Cf}/gu, '')
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, '_')
}

/** Objects in which GeoJSON, ArcGIS and two versions of OpenDataSoft wrap the fields of a record. */
const wrappers = /^(?:properties|attributes|fields|record\.fields)\./

/** Returns `EXP_ID` for `properties.EXP_ID`, and any other heading unchanged. */
export function withoutWrapper(heading: string): string {
  return heading.replace(wrappers, '')
}

/** Words that a heading key leaves out. */
const stopWords = new Set(['de', 'del', 'la', 'el', 'los', 'las', 'en', 'y', 'o', 'd', 'l', 'dels', 'i', 'do', 'da'])

/**
 * Returns the heading key, by which headings are recognised: words in lower case, without accents and stop words.
 * `Nº de Expediente`, `N_EXPEDIENTE` and `nExpediente` have the key `n_expediente`.
 */
export function toHeadingKey(heading: string): string {
  const words = withoutWrapper(repairMojibake(heading))
    // Splits camel case: `fechaEntrada` has two words.
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    // This comes before the decomposition, which would turn º into the letter o.
    .replace(/[ºª°]/g, ' ')
    .normalize('NFKD')
    // Removes accents, which the decomposition has made characters of their own, and invisible characters.
    .replace(/\p{M}|\p{Cf}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !stopWords.has(word))
  return words.join('_')
}

/** The keys of the headings that each column is recognised by, in the order of `columns`. */
export const recognisedHeadings: readonly (readonly [column: Column, headingKeys: readonly string[]])[] = columns
  .filter((column) => columnRules[column].headings !== undefined)
  .map((column) => [column, listedHeadings(column).map(toHeadingKey)])
