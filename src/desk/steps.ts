// The steps of the desk after the spreadsheet is chosen: what each page shows, and what its answer changes in the plan.
import { basename } from 'node:path'
import { UsageFault } from '../cli/config.ts'
import { parseOcrLanguages } from '../import/documents/ocr-languages.ts'
import { type Inspection, inspectSource } from '../import/inspect.ts'
import { quoteForShell } from '../import/shell.ts'
import { MissingColumns } from '../import/source-fault.ts'
import { isSqliteAddress, showDatabase, toFilePath } from '../registry/open.ts'
import { columnNames } from './column-names.ts'
import { readColumns, toColumnsMain } from './column-pages.ts'
import type { Draft } from './draft.ts'
import { type Target, toPreviewMain, toPublishMain } from './import-pages.ts'
import type { PageOptions, StepPath } from './page.ts'
import { toDocumentsMain, toRowsMain } from './row-pages.ts'
import { checkRows } from './rows-check.ts'
import { say } from './say.ts'
import { toDocumentFolderMain } from './source-pages.ts'
import type { DeskState } from './state.ts'

export interface Step {
  readonly path: string
  /** The step in the list of steps that the page belongs to. */
  readonly step: StepPath
  readonly title: string
  /** `query` is the value of a parameter of the address. */
  readonly show: (
    draft: Draft,
    query: (name: string) => string | undefined,
  ) => Promise<Pick<PageOptions, 'main' | 'fault' | 'isRunning'>>
  /** Saves the answer, and returns the path of the next page. */
  readonly answer: (draft: Draft, answers: Answers) => Promise<string>
}

/** The values of a form by name. */
export type Answers = ReadonlyMap<string, readonly string[]>

/** A share of rejected rows that blocks no night, unless the user has accepted another. */
const defaultMaxRejects = '1%'

/** The answers that need a folder of documents, removed. */
export const withoutDocuments: Readonly<Record<string, undefined>> = {
  documents: undefined,
  'publish-documents': undefined,
  'documents-url': undefined,
  ocr: undefined,
}

/** A function, because the language is known when the command runs. */
export function toSteps(state: DeskState): readonly Step[] {
  const runOf = (purpose: 'preview' | 'publication') => (state.run?.purpose === purpose ? state.run : undefined)
  return [
    {
      path: '/carpeta',
      step: '/hoja',
      title: say('Elija la carpeta de los PDF', 'Choose the folder of the PDFs'),
      show: async (draft, query) => {
        const view = await state.folders.view(query('carpeta') ?? draft.toAbsolute(draft.json.documents ?? '.'))
        return { main: toDocumentFolderMain(view, state.folders.roots, basename(draft.source)) }
      },
      answer: async (draft, answers) => {
        const folder = first(answers, 'carpeta')
        if (folder === '') await draft.save(withoutDocuments)
        else await draft.save({ documents: draft.toPlanPath(await state.folders.resolve(folder)) })
        return '/columnas'
      },
    },
    {
      path: '/columnas',
      step: '/columnas',
      title: say('Compruebe las columnas', 'Check the columns'),
      show: async (draft, query) => {
        const inspection = await inspect(draft)
        const isWarned = query('aviso') !== undefined && inspection.missing.length > 0
        return {
          main: toColumnsMain(inspection, draft.json),
          fault: isWarned ? describeMissing(inspection) : undefined,
        }
      },
      answer: async (draft, answers) => {
        await draft.save(readColumns(answers, (await inspect(draft)).mapping))
        const { missing } = await inspect(draft)
        return missing.length === 0 ? '/filas' : '/columnas?aviso'
      },
    },
    {
      path: '/filas',
      step: '/filas',
      title: say('Compruebe las filas', 'Check the rows'),
      show: async (draft, query) => {
        const rows = await checkRows(await draft.read())
        const fault = say(
          'Corrija las filas, o marque que se publique sin ellas.',
          'Correct the rows, or tick that the others are published.',
        )
        const isWarned = query('aviso') !== undefined && rows.rejectedCount > 0
        return { main: toRowsMain(rows, draft.json), fault: isWarned ? fault : undefined }
      },
      answer: async (draft, answers) => {
        const rule = first(answers, 'duplicados')
        await draft.save({ duplicates: ['', 'refuse'].includes(rule) ? undefined : rule })
        const { rejectedCount } = await checkRows(await draft.read())
        const accepted =
          rejectedCount === 0 ? (draft.json['max-rejects'] ?? defaultMaxRejects) : answers.get('sin-filas')?.[0]
        await draft.save({ 'max-rejects': accepted })
        if (first(answers, 'accion') === 'comprobar') return '/filas'
        return accepted === undefined ? '/filas?aviso' : '/documentos'
      },
    },
    {
      path: '/documentos',
      step: '/documentos',
      title: say('Documentos', 'Documents'),
      show: async (draft) => {
        const { documents, mapping } = draft.json
        const folder = documents === undefined ? undefined : draft.toAbsolute(documents)
        const form = typeof mapping === 'object' ? mapping.document : undefined
        const facts = {
          folder,
          pdfCount: folder === undefined ? 0 : (await state.folders.view(folder)).pdfCount,
          hasNames: form !== undefined && JSON.stringify(form) !== '{"value":""}',
          canRecognise: typeof parseOcrLanguages('spa') !== 'string',
        }
        return { main: toDocumentsMain(facts, draft.json) }
      },
      answer: async (draft, answers) => {
        const { mapping, documents } = draft.json
        const isNamedByCode = answers.has('por-codigo') && typeof mapping === 'object'
        const isPublished = documents !== undefined && first(answers, 'publicar') === 'si'
        await draft.save({
          ...(isNamedByCode ? { mapping: { ...mapping, document: mapping.code } } : {}),
          ...(isPublished ? {} : { 'documents-url': undefined }),
          'publish-documents': isPublished ? true : undefined,
          ocr: answers.has('ocr') ? true : undefined,
        })
        await state.startPreview(draft)
        return '/vista'
      },
    },
    {
      path: '/vista',
      step: '/vista',
      title: say('Vista previa', 'Preview'),
      show: async () => {
        const run = runOf('preview')
        return { main: toPreviewMain(run), isRunning: run?.status === null }
      },
      answer: async (draft) => {
        await state.startPreview(draft)
        return '/vista'
      },
    },
    {
      path: '/publicar',
      step: '/publicar',
      title: say('Publicar', 'Publish'),
      show: async (draft) => {
        const run = runOf('publication')
        const { database, dataDir, export: exportFolder = '' } = await draft.read()
        const [shownDatabase, shownFolder] = [showDatabase(database), dataDir].map(quoteForShell)
        const facts = {
          run,
          isLossRefused: state.isLossRefused,
          database: isSqliteAddress(database) ? toFilePath(database) : '',
          exportFolder,
          importCommand: `planning-registry import --plan ${quoteForShell(draft.path)}`,
          serveCommand: `planning-registry serve --database ${shownDatabase} --data-dir ${shownFolder}`,
        }
        return { main: toPublishMain(facts, draft.json), isRunning: run?.status === null }
      },
      answer: async (draft, answers) => {
        // The import that is running reads the plan as it was.
        if (state.run?.status !== null) {
          await draft.save(toPublication(answers, draft))
          await state.startPublication(draft, answers.has('aunque-falten'))
        }
        return '/publicar'
      },
    },
  ]
}

/** A heading of an own column may be gone since the plan was saved; the own columns are then chosen again. */
export async function inspect(draft: Draft): Promise<Inspection> {
  const plan = await draft.read()
  try {
    return await inspectSource(draft.source, plan)
  } catch (error) {
    if (!(error instanceof MissingColumns)) throw error
    return await inspectSource(draft.source, { ...plan, rules: { ...plan.rules, fields: [] } })
  }
}

function describeMissing({ missing }: Inspection): string {
  const names = columnNames().flatMap(([column, name]) => (missing.includes(column) ? [name] : []))
  return say(
    `Falta: ${names.join(', ')}. Elija el encabezado; si la hoja no lo tiene, añada la columna. El municipio también puede escribirse.`,
    `Missing: ${names.join(', ')}. Choose the heading; if the spreadsheet has none, add the column. The municipality can be written too.`,
  )
}

/** What the last step says about where to publish. Throws `UsageFault` for a wrong address. */
function toPublication(answers: Answers, { json }: Draft): Record<string, unknown> {
  const target = first(answers, 'destino') as Target
  const database = String(json.database)
  const local = isSqliteAddress(database) ? database : 'sqlite:registro/registro.db'
  const url = first(answers, 'pdf-url')
  const isElsewhere = target === 'carpeta' || target === 'postgres'
  if (isElsewhere && json['publish-documents'] === true && url === '') {
    throw new UsageFault(
      say(
        'Escriba la dirección web en la que estarán los PDF, o elija en el paso 4 que el público no los abra.',
        'Write the web address of the PDFs, or choose in step 4 that the public does not open them.',
      ),
    )
  }
  const documentsUrl = { 'documents-url': isElsewhere && url !== '' ? url : undefined }
  if (target === 'carpeta') return { database: local, export: json.export ?? 'registro-web', ...documentsUrl }
  if (target !== 'postgres') return { database: local, export: undefined, ...documentsUrl }
  const address = first(answers, 'direccion')
  if (/^postgres(?:ql)?:\/\//.test(address)) return { database: address, export: undefined, ...documentsUrl }
  throw new UsageFault(
    say('La dirección de PostgreSQL empieza por postgres://', 'The address of PostgreSQL begins with postgres://'),
  )
}

/** The first value of a name, trimmed; empty if there is none. */
function first(answers: Answers, name: string): string {
  return answers.get(name)?.[0]?.trim() ?? ''
}
