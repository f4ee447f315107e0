// The headings that Spanish offices use for the columns of a record. They are recognised without a mapping
// (`--mapping`); the report of the import names each one, so that a wrong guess is seen.
import type { Column } from './columns.ts'
import { repairMojibake } from './mojibake.ts'

/**
 * The headings of each column, as heading keys (`toHeadingKey`). An earlier key is preferred. Columns are assigned in
 * this order, and a heading goes to one column only: `Nº de expediente` is the id if there is a `Código`, and the code
 * otherwise.
 */
export const recognisedHeadings: readonly (readonly [column: Column, headingKeys: readonly string[]])[] = [
  [
    'code',
    [
      'cod_archivo',
      'codigo_archivo',
      'codigo_inscripcion',
      'cod_inscripcion',
      'codigo_registral',
      'codigo',
      'cod',
      'codigo_expediente',
      'cod_expediente',
      'cod_exp',
      'codigo_plan',
      'n_expediente',
      'numero_expediente',
      'num_expediente',
      'nro_expediente',
      'no_expediente',
      'n_exp',
      'num_exp',
      'n_expte',
      'num_expte',
      'numero_expte',
      'expte',
      'expediente',
      'exp_id',
      'id_exp',
      'id_expediente',
      'referencia_expediente',
      'referencia',
    ],
  ],
  [
    'id',
    [
      'identificador',
      'id_expediente',
      'exp_id',
      'id_exp',
      'n_expediente',
      'numero_expediente',
      'num_expediente',
      'nro_expediente',
      'no_expediente',
      'n_exp',
      'num_exp',
      'n_expte',
      'num_expte',
      'numero_expte',
      'expte',
      'expediente',
      'codigo_expediente',
      'cod_expediente',
      'referencia_expediente',
      'referencia',
      'objectid',
      'recordid',
      'gid',
      'fid',
    ],
  ],
  [
    'registration_number',
    [
      'n_registro',
      'numero_registro',
      'num_registro',
      'nro_registro',
      'n_inscripcion',
      'numero_inscripcion',
      'num_inscripcion',
      'registro',
    ],
  ],
  [
    'title',
    [
      'titulo',
      'titulo_expediente',
      'titulo_plan',
      'denominacion',
      'denominacion_plan',
      'denominacion_expediente',
      'denominacion_instrumento',
      'nombre_plan',
      'nombre_expediente',
      'nombre_instrumento',
      'nombre',
      'asunto',
      'objeto',
      'descripcion',
      'descripcion_expediente',
      'instrumento',
    ],
  ],
  [
    'municipality',
    [
      'municipio',
      'nombre_municipio',
      'nom_municipio',
      'nom_mun',
      'termino_municipal',
      'ayuntamiento',
      'municipi',
      'concello',
      'localidad',
      'poblacion',
    ],
  ],
  [
    'area',
    [
      'ambito',
      'ambito_actuacion',
      'ambito_territorial',
      'ambito_planeamiento',
      'area_actuacion',
      'zona',
      'sector',
      'emplazamiento',
      'ubicacion',
      'situacion',
      'localizacion',
    ],
  ],
  [
    'checkin_date',
    [
      'fecha_entrada',
      'fecha_entrada_registro',
      'f_entrada',
      'fec_entrada',
      'fecha_registro',
      'f_registro',
      'fec_registro',
      'fecha_presentacion',
      'fecha_solicitud',
      'fecha_alta',
      'fecha_inicio',
      'fecha_expediente',
      'fecha',
    ],
  ],
  ['inscription_date', ['fecha_inscripcion', 'fecha_inscripcion_registro', 'f_inscripcion', 'fec_inscripcion']],
  [
    'links',
    [
      'enlace',
      'enlace_documento',
      'enlace_documentacion',
      'enlace_expediente',
      'enlace_web',
      'url',
      'url_documento',
      'url_documentacion',
      'url_expediente',
      'link',
      'direccion_web',
      'enlaces',
    ],
  ],
  ['agreement_link', ['enlace_acuerdo', 'url_acuerdo', 'link_acuerdo', 'acuerdo_enlace', 'acuerdo_url']],
  ['content', ['contenido', 'texto', 'texto_completo']],
  [
    'document',
    [
      'documento',
      'documentos',
      'fichero',
      'ficheros',
      'archivo',
      'archivos',
      'nombre_fichero',
      'nombre_archivo',
      'pdf',
    ],
  ],
]

/** Objects in which GeoJSON, ArcGIS and two versions of OpenDataSoft wrap the fields of a record. */
const wrappers = /^(?:properties|attributes|fields|record\.fields)\./

/** Words that a heading key leaves out. */
const stopWords = new Set(['de', 'del', 'la', 'el', 'los', 'las', 'en', 'y', 'o'])

/** Returns `EXP_ID` for `properties.EXP_ID`, and any other heading unchanged. */
export function withoutWrapper(heading: string): string {
  return heading.replace(wrappers, '')
}

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
