// Fixture: the command `desk` in its own process, in a folder with a spreadsheet and PDFs, and a client that has used
// its token.
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { type RunningCommand, startCommand } from '../command.ts'
import { makePdf } from '../import/documents/pdf.ts'
import { makeFolder, type TestFolder } from '../import/folder.ts'
import { toSheetRow, toWorkbook } from '../import/workbook.ts'

/** A sheet with a title above its headings, dates as `24-3-07`, a repeated code, a wrong date and a row of totals. */
const sheet: readonly (readonly string[])[] = [
  ['Registro de planeamiento del Ayuntamiento'],
  ['Nº Expte', 'Asunto', 'F. entrada', 'Tipo', 'Promotor', 'PDF'],
  ['1/1991', 'Plan Parcial del Soto', '24-3-07', 'Plan Parcial', 'Ana Pérez', '1.pdf'],
  ['2/1992', 'Estudio de Detalle, calle Mayor', '1-4-08', 'Estudio de Detalle', 'Luis Gil', '2'],
  ['2/1992', 'Estudio de Detalle, calle Mayor', '1-4-08', 'Estudio de Detalle', 'Luis Gil', ''],
  ['4/1994', 'Plan Especial', '31-2-07', '', '', ''],
  ['5/1995', 'Convenio del río', '2-5-09', 'Convenio', '', ''],
  ['Total expedientes:', '5'],
]

/** Writes `expedientes.xlsx` and the folder `pdf`, and returns the path of the sheet. */
export async function writeOffice(folder: TestFolder): Promise<string> {
  await mkdir(join(folder.path, 'pdf'))
  for (const [name, word] of Object.entries({ '1.pdf': 'miradores', '2.pdf': 'tapias' }))
    await writeFile(join(folder.path, 'pdf', name), makePdf([{ lines: [`Memoria con ${word}.`] }]))
  const rows = sheet.map((cells, index) => toSheetRow(index + 1, cells))
  return await folder.write('expedientes.xlsx', toWorkbook({ rows: rows.join('') }))
}

export interface Desk {
  readonly folder: TestFolder
  /** `http://127.0.0.1:PORT` */
  readonly origin: string
  /** The printed address, with the token. */
  readonly address: string
  readonly running: RunningCommand
}

/** Starts the desk in a folder with the office's files. It is killed when the test ends. */
export async function startDesk(t: TestContext, ...flags: string[]): Promise<Desk> {
  const folder = await makeFolder(t)
  await writeOffice(folder)
  return { folder, ...(await openDesk(t, folder, ...flags)) }
}

/** Starts the desk again in the same folder. */
export async function openDesk(t: TestContext, folder: TestFolder, ...flags: string[]): Promise<Omit<Desk, 'folder'>> {
  const args = ['desk', folder.path, '--no-browser', '--lang', 'es', ...flags]
  // A home folder of its own, so that no test depends on that of the user.
  const running = startCommand(args, { cwd: '/', env: { HOME: folder.path } })
  const { child, output } = running
  const closed = once(child, 'close')
  t.after(async () => {
    if (child.exitCode === null) child.kill('SIGTERM')
    await closed
  })
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', () => {
      const [found] = /http:\S+/.exec(output.stdout) ?? []
      if (found !== undefined && output.stdout.endsWith('terminar.\n')) resolve(found)
    })
    closed.then(() => reject(new Error(`desk ended: ${output.stderr}`)))
  })
  return { running, address, origin: new URL(address).origin }
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

/** Sends a request with exactly these headers. `Host` is that of the address, unless they name another. */
export async function send(
  url: string,
  {
    method = 'GET',
    headers = {},
    body = '',
  }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  const sent = request(url, { method, headers, agent: false })
  sent.end(body)
  const [response] = await once(sent, 'response')
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) text += chunk
  return { status: response.statusCode, headers: response.headers, text }
}

/** A browser without a script: it has the cookie, follows redirects, and sends forms. */
export class DeskClient {
  readonly origin: string
  readonly cookie: string

  constructor(origin: string, cookie: string) {
    this.origin = origin
    this.cookie = cookie
  }

  /** Exchanges the token for the cookie. */
  static async enter({ address, origin }: Pick<Desk, 'address' | 'origin'>): Promise<DeskClient> {
    const { headers } = await send(address)
    const [cookie = ''] = headers['set-cookie'] ?? []
    return new DeskClient(origin, cookie.split(';')[0] ?? '')
  }

  async get(path: string): Promise<Answer> {
    const answer = await send(this.origin + path, { headers: { Cookie: this.cookie } })
    return await this.#follow(answer)
  }

  async post(path: string, answers: readonly (readonly [string, string])[]): Promise<Answer> {
    const headers = {
      Cookie: this.cookie,
      Origin: this.origin,
      'Content-Type': 'application/x-www-form-urlencoded',
    }
    const body = new URLSearchParams(answers.map(([name, value]) => [name, value])).toString()
    return await this.#follow(await send(this.origin + path, { method: 'POST', headers, body }))
  }

  /** Loads the page until its import has ended, as the page itself does. */
  async getEnded(path: string): Promise<string> {
    for (;;) {
      const { text } = await this.get(path)
      if (!text.includes('data-running')) return text
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }

  async #follow(answer: Answer): Promise<Answer> {
    const { location } = answer.headers
    return answer.status === 303 && typeof location === 'string' ? await this.get(location) : answer
  }
}

/** What a browser would send if the form were left as the page shows it, with some answers changed. */
export function readForm(
  html: string,
  action: string,
  changes: Readonly<Record<string, string>> = {},
): [string, string][] {
  const form = html.split(`action="${action}"`)[1]?.split('</form>')[0] ?? ''
  const answers: [string, string][] = []
  for (const [, name = '', select = ''] of form.matchAll(/<select[^>]* name="([^"]*)"[^>]*>(.*?)<\/select>/gs)) {
    const [, value = ''] = /<option value="([^"]*)" selected>/.exec(select) ?? []
    answers.push([name, value])
  }
  for (const [input] of form.matchAll(/<input[^>]*>/g)) {
    const attribute = (name: string): string => new RegExp(` ${name}="([^"]*)"`).exec(input)?.[1] ?? ''
    if (/type="(?:radio|checkbox)"/.test(input) && !input.includes(' checked')) continue
    answers.push([attribute('name'), attribute('value')])
  }
  const kept = answers.filter(([name]) => changes[name] === undefined)
  return [...kept, ...Object.entries(changes)].map(([name, value]) => [name, decodeHtml(value)])
}

function decodeHtml(text: string): string {
  return text.replaceAll(
    /&(quot|amp|lt|gt|#39);/g,
    (_, name) => ({ quot: '"', amp: '&', lt: '<', gt: '>', '#39': "'" })[name as string] ?? '',
  )
}
