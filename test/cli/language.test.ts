// The language of messages: every message has a translation, and `--lang` or the locale chooses the language. The
// messages are in English in the sources, most of them in templates with the tag `t`, which translates them.
import assert from 'node:assert/strict'
import { globSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { commands } from '../../src/cli/commands.ts'
import { parseInvocation } from '../../src/cli/config.ts'
import { toCommandHelp } from '../../src/cli/help.ts'
import { runMcp } from '../../src/cli/mcp.ts'
import { runSearch } from '../../src/cli/search.ts'
import translations from '../../src/es.json' with { type: 'json' }
import { runCheck } from '../../src/import/check.ts'
import { setLanguage, t, toCount, toQuantity } from '../../src/language.ts'
import { runSample } from '../../src/sample/command.ts'
import { parseServeSettings } from '../../src/server/settings.ts'
import { serve } from '../api/process.ts'
import { runCommand } from '../command.ts'
import { makeFolder } from '../import/folder.ts'
import { publishRecords } from '../service.ts'

const spanish: Readonly<Record<string, string>> = translations.texts

/** The messages marked with `t` in the sources, with `{0}` for their first value. Templates may be nested. */
function readMessages(): Set<string> {
  const messages = new Set<string>()
  for (const file of globSync('src/**/*.ts')) {
    const withoutComments = readFileSync(file, 'utf8').replace(/^\s*(?:\/\/|\/?\*).*$/gm, '')
    // The tag `t` before a template, but not the end of another name such as `format`.
    for (const { index } of withoutComments.matchAll(/(?<![\w$.])t`/g)) {
      messages.add(readTemplate(withoutComments, index + 't`'.length).message)
    }
  }
  return messages
}

/** Reads a template. `start` is the index after its opening backtick, `end` the index of its closing backtick. */
function readTemplate(source: string, start: number): { message: string; end: number } {
  let message = ''
  let valueCount = 0
  for (let index = start; ; index++) {
    const character = source[index] ?? assert.fail('a template is not closed')
    if (character === '`') return { message, end: index }
    if (character === '\\') {
      // Messages have no other escapes than `\uXXXX` and characters that stand for themselves.
      const [escaped = ''] = /^\\(?:u[\da-f]{4}|.)/.exec(source.slice(index)) ?? []
      const isUnicode = escaped.length > 2
      message += isUnicode ? String.fromCharCode(Number.parseInt(escaped.slice(2), 16)) : escaped.slice(1)
      index += escaped.length - 1
    } else if (source.startsWith('${', index)) {
      message += `{${valueCount++}}`
      index = findEndOfValue(source, index + 2)
    } else message += character
  }
}

/** The index of the brace that closes a value in a template. */
function findEndOfValue(source: string, start: number): number {
  let depth = 1
  for (let index = start; ; index++) {
    const character = source[index]
    if (character === '`') index = readTemplate(source, index + 1).end
    // A text in quotes is skipped.
    else if (character === "'") index = source.indexOf("'", index + 1)
    else if (character === '{') depth += 1
    else if (character === '}' && --depth === 0) return index
  }
}

/** The placeholders in the text, such as `{0}` and `{1}`, sorted and each once. */
function placeholdersOf(text: string): string[] {
  return [...new Set(text.match(/\{\d\}/g) ?? [])].sort()
}

test('every message has a Spanish translation with the same placeholders, and every translation is used', () => {
  const marked = readMessages()
  // A message without the tag is a string in one of these files, which `translate` gets later.
  const text = globSync('src/**/*.ts')
    .map((file) => readFileSync(file, 'utf8'))
    .join('')
  assert.deepEqual(
    [...marked].filter((message) => spanish[message] === undefined),
    [],
  )
  for (const [message, translation] of Object.entries(spanish)) {
    assert.ok(
      marked.has(message) || text.includes(`'${message}'`) || text.includes(`"${message}"`),
      `not used: ${message}`,
    )
    assert.deepEqual(placeholdersOf(translation), placeholdersOf(message), message)
  }
})

test('every fault that a command reports is marked for translation', () => {
  // An error whose first argument is a text without the tag `t`.
  const unmarked =
    /new (?:UsageFault|StoreFault|StoreUnavailable|SourceFault|MissingColumns|DocumentFault)\(\s*['"`].*/g
  const found = globSync('src/**/*.ts').flatMap((file) => readFileSync(file, 'utf8').match(unmarked) ?? [])
  assert.deepEqual(found, [])
})

test('messages, numbers and plurals are those of the chosen language', (context) => {
  context.after(() => setLanguage('en'))
  // The second value looks like a placeholder, but is not replaced by the first.
  const describe = () => t`${toQuantity(1, 'row')}, saved in ${'{0}'}`
  assert.equal(describe(), '1 row, saved in {0}')
  setLanguage('es')
  assert.equal(describe(), '1 fila, en {0}')
  assert.equal(toQuantity(2, 'record'), '2 expedientes')
  assert.equal(toCount(20_000), '20.000')
})

test('Spanish texts with a number are right for one and for several', (context) => {
  context.after(() => setLanguage('en'))
  setLanguage('es')
  // Only the noun depends on the number. A verb or participle would have to agree with it, so it stands before a colon,
  // always in the plural, or is avoided.
  assert.equal(t`${toQuantity(1, 'row')} would be rejected`, 'se rechazarían: 1 fila')
  assert.equal(t`${toQuantity(2, 'row')} would be rejected`, 'se rechazarían: 2 filas')
  assert.equal(
    t`${toQuantity(1, 'record')} searchable by title and area only`,
    '1 expediente (búsqueda solo por el título y el ámbito)',
  )
  assert.equal(
    t`${toQuantity(1, 'row')} merged into the record with the same code`,
    'unidas al expediente del mismo código: 1 fila',
  )
  // In the message about a row with a wrong number of fields, this is the value that was read.
  assert.equal(toQuantity(1, 'field'), '1 campo')
})

test('--lang and the locale choose the language of a command', async (context) => {
  const folder = await makeFolder(context)
  const source = await folder.write('r.csv', 'code,id,title,municipality,checkin_date\nx,1,,Ibi,31/02/1999\n')
  /** Imports a row with three faults. */
  const run = (flags: string[], env: Record<string, string> = {}) =>
    runCommand(['import', source, '--dry-run', '--database', `sqlite:${folder.path}/r.db`, ...flags], { env })
  const english =
    /code: expected <prefix>-<number>.*; title: expected a title, .*; checkin_date: there is no 31 February/
  const inSpanish =
    /línea 2, code: se esperaba <prefijo>-<número>.*; checkin_date: no existe el 31 de febrero; se ha leído "31\/02/
  assert.match((await run(['--lang', 'es'])).stdout, inSpanish)
  assert.match((await run([], { LANG: 'es_ES.UTF-8' })).stdout, inSpanish)
  assert.match((await run(['--lang=en'], { LANG: 'es_ES.UTF-8' })).stdout, english)
  // An empty variable is as if it were not set.
  assert.match((await run([], { LC_ALL: '', LANG: 'es_ES.UTF-8' })).stdout, inSpanish)
  assert.match((await run([], { LANG: 'C' })).stdout, english)
  const wrong = await run(['--lang', 'fr'])
  assert.equal(wrong.status, 2)
  assert.match(wrong.stderr, /Cannot read --lang: expected es or en, got "fr"/)
  const wrongInSpain = await run(['--lang', 'fr'], { LANG: 'es_ES.UTF-8' })
  assert.match(wrongInSpain.stderr, /--lang debe ser «es» o «en»; se ha indicado «fr»/)
})

test('every command other than import, which is tested above, speaks Spanish with --lang es', async (context) => {
  const folder = await makeFolder(context)
  const database = `sqlite:${folder.path}/registry.db`
  await publishRecords(database, [{ code: 'A-1', title: 'Plan parcial', municipality: 'Ibi' }])
  /** Everything that a command prints with `--lang es`. */
  const speak = async (...args: string[]): Promise<string> => {
    const { stdout, stderr } = await runCommand([...args, '--lang', 'es'])
    return stdout + stderr
  }
  assert.match(await speak('--help'), /Uso: planning-registry ORDEN \[OPCIONES\][\s\S]*Comprueba un registro/)
  assert.match(await speak('check', '--database', database), /está en buen estado\n {2}publicación +\w+, publicada el/)
  assert.match(await speak('search', 'parcial', '--database', database), /^ENTRADA\tMUNICIPIO\tTÍTULO/)
  assert.match(
    await speak('search', '--municipality', 'Ivi', '--database', database),
    /--municipality «Ivi»: Ningún municipio con expedientes tiene ese nombre o código INE \(¿quiso decir Ibi\?\)/,
  )
  assert.match(await speak('search', 'molino', '--database', database), /Ningún expediente coincide con todos los/)
  assert.match(
    await speak('search', '--code', 'x', '--database', database),
    /--code «x»: El código de inscripción no tiene la forma de los códigos/,
  )
  // Nothing listens on port 1.
  assert.match(await speak('search', '--url', 'http://127.0.0.1:1'), /No se puede acceder a .*; compruebe la dirección/)
  // The fault of a worker reaches its primary, which prints it.
  const missing = ['--database', `sqlite:${folder.path}/missing.db`]
  assert.match(
    await speak('serve', ...missing, '--workers', '2', '--port', '0'),
    /No se puede abrir .*missing\.db: no existe ese archivo; créelo con planning-registry import/,
  )
  assert.match(await speak('sample', `${folder.path}/demo`, '--records', '2', '--documents', '1'), /2 expedientes fict/)
})

test('the faults of every command, and the help of a command, are in Spanish', async (context) => {
  const folder = await makeFolder(context)
  const damaged = await folder.write('damaged.db', 'this is not a database, but a text that is long enough to be one')
  const missing = ['--database', `sqlite:${folder.path}/missing.db`]
  const noFile = /^No se puede abrir .*missing\.db: no existe ese archivo; créelo con planning-registry import/
  context.after(() => setLanguage('en'))
  setLanguage('es')
  const runners = { check: runCheck, search: runSearch, mcp: runMcp, sample: runSample }
  const faults: readonly [command: keyof typeof runners, args: string[], message: RegExp][] = [
    ['check', missing, /^No se puede comprobar .*: no existe ese archivo/],
    ['check', ['--database', `sqlite:${damaged}`], /está dañado o no es una base de datos; recup/],
    ['check', ['--database', 'postgres://127.0.0.1:1/x'], /conexión rechazada; inicie la base de/],
    ['search', missing, noFile],
    ['mcp', missing, noFile],
    ['sample', [], /indique una carpeta, planning-registry sample CARPETA/],
  ]
  for (const [command, args, message] of faults) {
    await assert.rejects(async () => runners[command](parseInvocation(command, args)), { message })
  }
  assert.throws(() => parseServeSettings(parseInvocation('serve', ['--port', 'x'])), {
    message: /--port debe ser un número entero de 0 a 65535; se ha indicado «x»/,
  })
  const sample = commands.find(({ name }) => name === 'sample') ?? assert.fail()
  assert.match(toCommandHelp(sample), /sample CARPETA \[OPCIONES\][\s\S]*--lang IDIOMA +Idioma de los mensajes: es/)
})

test('the log of a service stays in English', async (context) => {
  const folder = await makeFolder(context)
  await publishRecords(`sqlite:${folder.path}/registry.db`, [{ code: 'A-1', title: 'Plan parcial' }])
  await using served = await serve(['--database', `sqlite:${folder.path}/registry.db`, '--lang', 'es'])
  // Scripts wait for these words, so they are the same in every language. The log is on standard error.
  assert.match(served.output.stdout, /^listening on http/)
  // The service notices that its file was replaced, and rejects the new one.
  writeFileSync(`${folder.path}/new.db`, 'this is not a database')
  renameSync(`${folder.path}/new.db`, `${folder.path}/registry.db`)
  while (!served.output.stderr.includes('new registry rejected')) {
    if (served.child.exitCode !== null) assert.fail(served.output.stderr)
    await new Promise((resolve) => served.child.stderr?.once('data', resolve))
  }
  assert.match(served.output.stderr, /Cannot open .*registry\.db: file is not a database; restore it from a backup/)
})
