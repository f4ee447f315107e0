// The pages of the desk as a Hono application. Every request passes the guard first; what it allows goes to the page of
// the registry or to a step. An answer is saved, and leads on by a redirect.
import { readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { html } from 'hono/html'
import { pageFolder } from '../api/page-files.ts'
import { UsageFault } from '../cli/config.ts'
import { readFiles } from '../http/files.ts'
import type { Log } from '../http/log.ts'
import { MissingColumns, SourceFault } from '../import/source-fault.ts'
import { StoreFault } from '../registry/contract.ts'
import { Draft } from './draft.ts'
import type { Guard, Refusal } from './guard.ts'
import { registryPath } from './import-pages.ts'
import { type PageOptions, type StepPath, toPage } from './page.ts'
import { say } from './say.ts'
import { toSourceMain } from './source-pages.ts'
import type { DeskState } from './state.ts'
import { type Answers, inspect, toSteps, withoutDocuments } from './steps.ts'

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

  app.use(async (c, next) => {
    await next()
    for (const [name, value] of Object.entries(headers)) {
      if (!c.res.headers.has(name)) c.res.headers.set(name, value)
    }
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
    const chosen = await state.folders.resolveFile((await readAnswers(c)).get('archivo')?.[0] ?? '')
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

  for (const { path, step, title, show: showStep, answer } of toSteps(state)) {
    app.get(path, async (c) => {
      if (state.draft === undefined) return c.redirect('/hoja', 303)
      return await show(c, { title, step, ...(await showStep(state.draft, (name) => c.req.query(name))) })
    })
    app.post(path, async (c) => {
      if (state.draft === undefined) return c.redirect('/hoja', 303)
      return c.redirect(await answer(state.draft, await readAnswers(c)), 303)
    })
  }

  app.post('/terminar', (c) => {
    setImmediate(onEnd)
    const main = html`<p>${say('El asistente ha terminado. Sus respuestas están guardadas; puede cerrar esta pestaña.', 'The desk has ended. Your answers are saved; you can close this tab.')}</p>`
    return show(c, { title: say('Terminado', 'Ended'), step: null, main })
  })

  // Kept by the browser, because the last page is shown when the desk has ended.
  const fileHeaders = (type: string) => ({ 'Content-Type': type, 'Cache-Control': 'private, max-age=3600' })
  for (const name of ['desk.css', 'desk.js']) {
    const body = readFileSync(new URL(name, import.meta.url))
    const type = name.endsWith('.css') ? 'text/css' : 'text/javascript'
    app.get(`/${name}`, (c) => c.body(body, 200, fileHeaders(`${type}; charset=utf-8`)))
  }
  for (const [name, { body, headers: given }] of files) {
    app.get(`/${name}`, (c) => c.body(new Uint8Array(body), 200, fileHeaders(given['Content-Type'] ?? '')))
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

async function readAnswers(c: Context): Promise<Answers> {
  const answers = new Map<string, string[]>()
  for (const [name, value] of new URLSearchParams(await c.req.text()))
    answers.set(name, [...(answers.get(name) ?? []), value])
  return answers
}
