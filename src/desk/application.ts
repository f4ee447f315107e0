// The pages of the desk as a Hono application. Every request passes the guard first; what it allows goes to the page of
// the registry or to a step. An answer is saved, and leads on by a redirect.
import { readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { basename } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { html } from 'hono/html'
import { pageFolder } from '../api/page-files.ts'
import { UsageFault } from '../cli/config.ts'
import { readFiles } from '../http/files.ts'
import type { Log } from '../http/log.ts'
import { parseOcrLanguages } from '../import/documents/ocr-languages.ts'
import { type Inspection, inspectSource } from '../import/inspect.ts'
import { quoteForShell } from '../import/shell.ts'
import { MissingColumns, SourceFault } from '../import/source-fault.ts'
import { StoreFault } from '../registry/contract.ts'
import { isSqliteAddress, showDatabase, toFilePath } from '../registry/open.ts'
import { columnNames } from './column-names.ts'
import { readColumns, toColumnsMain } from './column-pages.ts'
import { Draft } from './draft.ts'
import type { Guard, Refusal } from './guard.ts'
import { registryPath, type Target, toPreviewMain, toPublishMain } from './import-pages.ts'
import { type PageOptions, type StepPath, toPage } from './page.ts'
import { toDocumentsMain, toRowsMain } from './row-pages.ts'
import { checkRows } from './rows-check.ts'
import { say } from './say.ts'
import { toDocumentFolderMain, toSourceMain } from './source-pages.ts'
import type { DeskState } from './state.ts'

/** More than the answers of any page. */
const answerBytesMax = 1024 * 1024

const headers: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
  // `no-referrer` would make the `Origin` of forms `null`.
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

/** `onEnd` is called when the user ends the desk. */
export function buildDesk(state: DeskState, guard: Guard, log: Log, onEnd: () => void): RequestListener {
  const app = buildApplication(state, log, onEnd)
  const listener = getRequestListener((request) => app.fetch(request), { overrideGlobalObjects: false })
  return (request, response) => {
    const verdict = guard.judge(request)
    if (verdict.kind === 'redirect') {
      response
        .writeHead(303, {
          ...headers,
          Location: '/',
          ...(verdict.cookie === undefined ? {} : { 'Set-Cookie': verdict.cookie }),
        })
        .end()
    } else if (verdict.kind === 'refused') {
      response
        .writeHead(403, { ...headers, 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' })
        .end(describeRefusal(verdict.reason))
    } else if (state.registry !== undefined && `${request.url}/`.startsWith(`${registryPath}/`)) {
      state.registry.handle(request, response)
    } else void listener(request, response)
  }
}

function describeRefusal(reason: Refusal): string {
  const how = say(
    'Cierre el asistente y ábralo de nuevo: su dirección sirve una sola vez.',
    'Close the desk and open it again: its address works only once.',
  )
  return `${reason === 'key' ? say('Este navegador no tiene acceso al asistente.', 'This browser has no access to the desk.') : say('El asistente no admite peticiones de otras páginas.', 'The desk takes no requests of other pages.')} ${how}\n`
}

function buildApplication(state: DeskState, log: Log, onEnd: () => void): Hono {
  const app = new Hono()
  const files = readFiles(pageFolder)
  const reachedStep = (): StepPath => {
    if (state.draft === undefined) return '/hoja'
    return state.draft.json.mapping === undefined ? '/columnas' : '/publicar'
  }
  const show = async (c: Context, options: Omit<PageOptions, 'reached'>): Promise<Response> =>
    await c.html(toPage({ ...options, reached: reachedStep() }))
  /** A page or an answer of a step that needs the plan; without one, the first step comes first. */
  const withDraft =
    (handle: (c: Context, draft: Draft) => Promise<Response>) =>
    async (c: Context): Promise<Response> =>
      state.draft === undefined ? c.redirect('/hoja', 303) : await handle(c, state.draft)

  app.use(async (c, next) => {
    await next()
    for (const [name, value] of Object.entries(headers)) c.res.headers.set(name, value)
  })
  app.use(async (c, next) => {
    const isTooLong = Number(c.req.header('content-length') ?? 0) > answerBytesMax
    if (isTooLong || c.req.header('transfer-encoding') !== undefined) return c.text('', 413)
    return await next()
  })
  app.get('/', (c) => c.redirect(state.draft === undefined ? '/hoja' : '/columnas', 303))

  app.get('/hoja', async (c) => {
    const view = await state.folders.view(c.req.query('carpeta') ?? state.folders.start)
    const main = toSourceMain(view, state.folders.roots)
    return show(c, { title: say('Elija la hoja de cálculo', 'Choose the spreadsheet'), step: '/hoja', main })
  })
  app.post('/hoja', async (c) => {
    const chosen = await state.folders.resolveFile(await readAnswer(c, 'archivo'))
    const isPlan = chosen.endsWith('registro.json')
    const draft = await Draft.open(isPlan ? await state.folders.resolveFile(await Draft.readSource(chosen)) : chosen)
    const { documents } = draft.json
    const isFolderGone = documents !== undefined && !(await state.folders.has(draft.toAbsolute(documents)))
    if (isFolderGone) await draft.save(withoutDocuments)
    // Saved before anything is asked, so that a folder without permission to write is noticed here.
    else if (draft.json.mapping === undefined) await draft.save({})
    await inspect(draft)
    await state.use(draft)
    return c.redirect(isPlan && !isFolderGone ? '/columnas' : '/carpeta', 303)
  })

  app.get(
    '/carpeta',
    withDraft(async (c, draft) => {
      const { documents = '.' } = draft.json
      const view = await state.folders.view(c.req.query('carpeta') ?? draft.toAbsolute(documents))
      const main = toDocumentFolderMain(view, state.folders.roots, basename(draft.source))
      return show(c, {
        title: say('Elija la carpeta de los PDF', 'Choose the folder of the PDFs'),
        step: '/hoja',
        main,
      })
    }),
  )
  app.post(
    '/carpeta',
    withDraft(async (c, draft) => {
      const folder = await readAnswer(c, 'carpeta')
      if (folder === '') await draft.save(withoutDocuments)
      else await draft.save({ documents: draft.toPlanPath(await state.folders.resolve(folder)) })
      return c.redirect('/columnas', 303)
    }),
  )

  app.get(
    '/columnas',
    withDraft(async (c, draft) => {
      const inspection = await inspect(draft)
      const main = toColumnsMain(inspection, draft.json)
      const names = columnNames().flatMap(([column, name]) => (inspection.missing.includes(column) ? [name] : []))
      const fault =
        c.req.query('aviso') === undefined || names.length === 0
          ? undefined
          : say(
              `Falta: ${names.join(', ')}. Elija el encabezado; si la hoja no lo tiene, añada la columna. El municipio también puede escribirse.`,
              `Missing: ${names.join(', ')}. Choose the heading; if the spreadsheet has none, add the column. The municipality can be written too.`,
            )
      return show(c, { title: say('Compruebe las columnas', 'Check the columns'), step: '/columnas', main, fault })
    }),
  )
  app.post(
    '/columnas',
    withDraft(async (c, draft) => {
      const inspection = await inspect(draft)
      await draft.save(readColumns(await readAnswers(c), inspection.mapping))
      const { missing } = await inspect(draft)
      return c.redirect(missing.length === 0 ? '/filas' : '/columnas?aviso', 303)
    }),
  )

  app.get(
    '/filas',
    withDraft(async (c, draft) => {
      const rows = await checkRows(await draft.read())
      const fault =
        c.req.query('aviso') === undefined || rows.rejectedCount === 0
          ? undefined
          : say(
              'Corrija las filas, o marque que se publique sin ellas.',
              'Correct the rows, or tick that the others are published.',
            )
      return show(c, {
        title: say('Compruebe las filas', 'Check the rows'),
        step: '/filas',
        main: toRowsMain(rows, draft.json),
        fault,
      })
    }),
  )
  app.post(
    '/filas',
    withDraft(async (c, draft) => {
      const answers = await readAnswers(c)
      const duplicates = answers.get('duplicados')?.[0]
      await draft.save({
        duplicates: duplicates === 'refuse' ? undefined : duplicates,
        'max-rejects': answers.get('sin-filas')?.[0],
      })
      if (answers.get('accion')?.[0] === 'comprobar') return c.redirect('/filas', 303)
      const { rejectedCount } = await checkRows(await draft.read())
      const isAccepted = rejectedCount === 0 || draft.json['max-rejects'] !== undefined
      return c.redirect(isAccepted ? '/documentos' : '/filas?aviso', 303)
    }),
  )

  app.get(
    '/documentos',
    withDraft(async (c, draft) => {
      const { documents, mapping } = draft.json
      const folder = documents === undefined ? undefined : draft.toAbsolute(documents)
      const facts = {
        folder,
        pdfCount: folder === undefined ? 0 : (await state.folders.view(folder)).pdfCount,
        hasNames:
          typeof mapping === 'object' &&
          mapping.document !== undefined &&
          JSON.stringify(mapping.document) !== '{"value":""}',
        canRecognise: typeof parseOcrLanguages('spa') !== 'string',
      }
      return show(c, {
        title: say('Documentos', 'Documents'),
        step: '/documentos',
        main: toDocumentsMain(facts, draft.json),
      })
    }),
  )
  app.post(
    '/documentos',
    withDraft(async (c, draft) => {
      const answers = await readAnswers(c)
      const { mapping, documents } = draft.json
      const isNamedByCode = answers.get('por-codigo') !== undefined && typeof mapping === 'object'
      await draft.save({
        ...(isNamedByCode ? { mapping: { ...mapping, document: mapping.code } } : {}),
        // What was published elsewhere needs an address, which step 6 asks for.
        'publish-documents': documents !== undefined && answers.get('publicar')?.[0] === 'si' ? true : undefined,
        ...(answers.get('publicar')?.[0] === 'si' ? {} : { 'documents-url': undefined }),
        ocr: answers.get('ocr') === undefined ? undefined : true,
      })
      await state.startPreview(draft)
      return c.redirect('/vista', 303)
    }),
  )

  app.get(
    '/vista',
    withDraft(async (c) => {
      const run = state.run?.purpose === 'preview' ? state.run : undefined
      return show(c, {
        title: say('Vista previa', 'Preview'),
        step: '/vista',
        main: toPreviewMain(run),
        isRunning: run?.status === null,
      })
    }),
  )
  app.post(
    '/vista',
    withDraft(async (c, draft) => {
      await state.startPreview(draft)
      return c.redirect('/vista', 303)
    }),
  )

  app.get(
    '/publicar',
    withDraft(async (c, draft) => {
      const run = state.run?.purpose === 'publication' ? state.run : undefined
      const { database, dataDir, export: exportFolder = '' } = await draft.read()
      const facts = {
        run,
        isLossRefused: state.isLossRefused,
        database: isSqliteAddress(database) ? toFilePath(database) : '',
        exportFolder,
        importCommand: `planning-registry import --plan ${quoteForShell(draft.path)}`,
        serveCommand: `planning-registry serve --database ${quoteForShell(showDatabase(database))} --data-dir ${quoteForShell(dataDir)}`,
      }
      return show(c, {
        title: say('Publicar', 'Publish'),
        step: '/publicar',
        main: toPublishMain(facts, draft.json),
        isRunning: run?.status === null,
      })
    }),
  )
  app.post(
    '/publicar',
    withDraft(async (c, draft) => {
      const answers = await readAnswers(c)
      await draft.save(toPublication(answers, draft))
      await state.startPublication(draft, answers.get('aunque-falten') !== undefined)
      return c.redirect('/publicar', 303)
    }),
  )

  app.post('/terminar', (c) => {
    setImmediate(onEnd)
    const main = html`<p>${say('El asistente ha terminado. Sus respuestas están guardadas; puede cerrar esta pestaña.', 'The desk has ended. Your answers are saved; you can close this tab.')}</p>`
    return show(c, { title: say('Terminado', 'Ended'), step: null, main })
  })

  for (const name of ['desk.css', 'desk.js']) {
    const body = readFileSync(new URL(name, import.meta.url))
    const type = name.endsWith('.css') ? 'text/css' : 'text/javascript'
    app.get(`/${name}`, (c) => c.body(body, 200, { 'Content-Type': `${type}; charset=utf-8` }))
  }
  for (const [name, { body, headers: fileHeaders }] of files) {
    app.get(`/${name}`, (c) => c.body(new Uint8Array(body), 200, { 'Content-Type': fileHeaders['Content-Type'] ?? '' }))
  }

  app.notFound((c) => {
    c.status(404)
    return show(c, {
      title: say('No existe esa página', 'There is no such page'),
      step: null,
      main: html`<p><a href="/">${say('Volver', 'Back')}</a></p>`,
    })
  })
  app.onError((error, c) => {
    if (!isForUser(error)) log.error({ err: error, path: c.req.path }, 'internal error')
    c.status(isForUser(error) ? 422 : 500)
    const fault = isForUser(error) ? error.message : say('Error interno del asistente.', 'Internal error of the desk.')
    // Columns are corrected in the step before.
    const back = error instanceof MissingColumns ? '/columnas' : (backPaths[c.req.path] ?? c.req.path)
    const main = html`<p><a class="button secondary" href="${back}">${say('Volver', 'Back')}</a></p>`
    return show(c, { title: say('No se ha podido continuar', 'Cannot continue'), step: null, main, fault })
  })
  return app
}

/** Where a page leads back to that would only show the same fault again. */
const backPaths: Readonly<Record<string, string>> = { '/columnas': '/hoja', '/filas': '/columnas' }

function isForUser(error: Error): boolean {
  return error instanceof UsageFault || error instanceof SourceFault || error instanceof StoreFault
}

/** The answers that need a folder of documents, removed. */
const withoutDocuments = {
  documents: undefined,
  'publish-documents': undefined,
  'documents-url': undefined,
  ocr: undefined,
}

/** A heading of an own column may be gone since the plan was saved; the own columns are then chosen again. */
async function inspect(draft: Draft): Promise<Inspection> {
  const plan = await draft.read()
  try {
    return await inspectSource(draft.source, plan)
  } catch (error) {
    if (!(error instanceof MissingColumns)) throw error
    return await inspectSource(draft.source, { ...plan, rules: { ...plan.rules, fields: [] } })
  }
}

/** What the last step says about where to publish. Throws `UsageFault` for a wrong address. */
function toPublication(answers: ReadonlyMap<string, readonly string[]>, { json }: Draft): Record<string, unknown> {
  const target = (answers.get('destino')?.[0] ?? 'aqui') as Target
  const database = String(json.database)
  const local = isSqliteAddress(database) ? database : 'sqlite:registro/registro.db'
  const url = answers.get('pdf-url')?.[0]?.trim() ?? ''
  if (target !== 'aqui' && json['publish-documents'] === true && url === '') {
    throw new UsageFault(
      say(
        'Escriba la dirección web en la que estarán los PDF, o elija en el paso 4 que el público no los abra.',
        'Write the web address of the PDFs, or choose in step 4 that the public does not open them.',
      ),
    )
  }
  const documentsUrl = { 'documents-url': target === 'aqui' || url === '' ? undefined : url }
  if (target === 'carpeta') return { database: local, export: json.export ?? 'registro-web', ...documentsUrl }
  if (target !== 'postgres') return { database: local, export: undefined, ...documentsUrl }
  const address = answers.get('direccion')?.[0]?.trim() ?? ''
  if (/^postgres(?:ql)?:\/\//.test(address)) return { database: address, export: undefined, ...documentsUrl }
  throw new UsageFault(
    say('La dirección de PostgreSQL empieza por postgres://', 'The address of PostgreSQL begins with postgres://'),
  )
}

async function readAnswers(c: Context): Promise<ReadonlyMap<string, readonly string[]>> {
  const answers = new Map<string, string[]>()
  for (const [name, value] of new URLSearchParams(await c.req.text()))
    answers.set(name, [...(answers.get(name) ?? []), value])
  return answers
}

async function readAnswer(c: Context, name: string): Promise<string> {
  return (await readAnswers(c)).get(name)?.[0] ?? ''
}
