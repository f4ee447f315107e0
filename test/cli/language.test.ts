// The language of messages: every message has a translation, and `--lang` and the locale choose it.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { setLanguage, t, toCount, toQuantity } from '../../src/language.ts'
import { spanish } from '../../src/spanish.ts'
import { makeFolder } from '../import/folder.ts'
import { runCommand } from '../import/run.ts'

/** The messages marked with `t` in the sources. Templates may be nested. */
function readMessages(): Set<string> {
  const messages = new Set<string>()
  for (const file of globSync('src/**/*.ts')) {
    const source = readFileSync(file, 'utf8').replace(/^\s*(?:\/\/|\/?\*).*$/gm, '')
    for (const { index } of source.matchAll(/(?<![\w$.])t`/g)) messages.add(readTemplate(source, index + 2).key)
  }
  return messages
}

/** Reads a template from behind its opening backtick. `end` is the index of the closing one. */
function readTemplate(source: string, start: number): { key: string; end: number } {
  let key = ''
  let values = 0
  for (let index = start; ; index++) {
    const character = source[index] ?? assert.fail('a template is not closed')
    if (character === '`') return { key, end: index }
    if (character === '\\') {
      const [escaped = ''] = /^\\(?:u[\da-f]{4}|.)/.exec(source.slice(index)) ?? []
      key += escaped.length > 2 ? String.fromCharCode(Number.parseInt(escaped.slice(2), 16)) : escaped.slice(1)
      index += escaped.length - 1
    } else if (source.startsWith('${', index)) {
      key += `{${values++}}`
      index = endOfValue(source, index + 2)
    } else key += character
  }
}

/** The index of the brace that closes a value in a template. */
function endOfValue(source: string, start: number): number {
  let depth = 1
  for (let index = start; ; index++) {
    const character = source[index]
    if (character === '`') index = readTemplate(source, index + 1).end
    else if (character === "'") index = source.indexOf("'", index + 1)
    else if (character === '{') depth += 1
    else if (character === '}' && --depth === 0) return index
  }
}

function placeholdersOf(text: string): string[] {
  return [...new Set(text.match(/\{\d\}/g) ?? [])].sort()
}

test('every message has a Spanish translation with the same values, and every translation is used', () => {
  const marked = readMessages()
  const sources = globSync('src/**/*.ts').filter((file) => !file.endsWith('spanish.ts'))
  const text = sources.map((file) => readFileSync(file, 'utf8')).join('')
  assert.deepEqual(
    [...marked].filter((message) => spanish[message] === undefined),
    [],
  )
  for (const [message, translation] of Object.entries(spanish)) {
    assert.ok(marked.has(message) || text.includes(`'${message}'`), `not used: ${message}`)
    assert.deepEqual(placeholdersOf(translation), placeholdersOf(message), message)
  }
})

test('messages, numbers and plurals follow the language', (context) => {
  context.after(() => setLanguage('en'))
  const describe = () => t`${toQuantity(1, 'row')}, saved in ${'{0}'}`
  assert.equal(describe(), '1 row, saved in {0}')
  setLanguage('es')
  assert.equal(describe(), '1 fila, guardadas en {0}')
  assert.equal(toQuantity(2, 'record'), '2 expedientes')
  assert.equal(toCount(20_000), '20.000')
})

test('--lang and the locale choose the language of a command', async (context) => {
  const folder = await makeFolder(context)
  const source = await folder.write('r.csv', 'code,id,title,municipality,checkin_date\nx,1,,Ibi,31/02/1999\n')
  const run = (flags: string[], env: Record<string, string> = {}) =>
    runCommand(['import', source, '--dry-run', '--database', `sqlite:${folder.path}/r.db`, ...flags], { env })
  const english =
    /code: expected <prefix>-<number>.*; title: expected a title, .*; checkin_date: there is no 31 February/
  const inSpanish =
    /línea 2, code: se esperaba <prefijo>-<número>.*; checkin_date: no existe el 31 de febrero; es "31\/02/
  assert.match((await run(['--lang', 'es'])).stdout, inSpanish)
  assert.match((await run([], { LANG: 'es_ES.UTF-8' })).stdout, inSpanish)
  assert.match((await run(['--lang=en'], { LANG: 'es_ES.UTF-8' })).stdout, english)
  assert.match((await run([], { LANG: 'C' })).stdout, english)
  const wrong = await run(['--lang', 'fr'])
  assert.equal(wrong.status, 2)
  assert.match(wrong.stderr, /Cannot read --lang: expected es or en, got "fr"/)
})
