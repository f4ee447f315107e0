// The table that `search` prints: highlighted words, links, widths, and hostile text in records.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plainStyle, terminalStyle, toTerminalText } from '../../src/cli/style.ts'
import { toTableHeader, toTableLine } from '../../src/cli/table.ts'
import type { ClientRecord } from '../../src/client/client.ts'
import { toQuoted } from '../../src/import/rows/quote.ts'

const record: ClientRecord = {
  id: '1',
  registration_number: '1',
  title: 'Plan Parcial Sector UE-1 del P.G.O.U.',
  area: 'S/1',
  checkin_date: '2004-05-17',
  inscription_date: null,
  municipality: 'Ávila',
  links: 'https://documents.example/a.pdf',
  cod_archivo: '05019-PU-20040517-202255',
}

test('matching words are bold in every form, as in passages', () => {
  const style = { bold: (text: string) => `<${text}>`, link: (text: string) => text }
  for (const [search, marked] of [
    ['parcial SECTOR', '<Plan Parcial Sector> UE-1 del P.G.O.U.'],
    ['sectores', 'Plan Parcial <Sector> UE-1 del P.G.O.U.'],
    ['PGOU', 'Plan Parcial Sector UE-1 del <P.G.O.U>.'],
    ['ue1', 'Plan Parcial Sector <UE-1> del P.G.O.U.'],
    ['parc*', 'Plan <Parcial> Sector UE-1 del P.G.O.U.'],
    ['"plan parcial"', '<Plan Parcial> Sector UE-1 del P.G.O.U.'],
    [undefined, record.title],
  ] as const) {
    assert.ok(toTableLine(record, { width: 140, style, search }).includes(`  ${marked}  `), marked)
  }
})

test('on a terminal the title is a link with matching words in bold', () => {
  const line = toTableLine(record, { width: 100, style: terminalStyle, search: 'sectores' })
  // `ESC ]8;;ADDRESS ESC \` begins a link, `ESC [1m` begins bold, `ESC [22m` ends it.
  assert.ok(line.includes('\x1b]8;;https://documents.example/a.pdf\x1b\\Plan Parcial \x1b[1mSector\x1b[22m UE-1'), line)
})

test('lines fit the width of the terminal', () => {
  const options = { width: 90, style: plainStyle, search: 'plan' }
  const long = { ...record, title: 'Ordenación '.repeat(30), area: 'área '.repeat(30), municipality: 'M'.repeat(60) }
  for (const each of [record, long, { ...long, agreement_link: 'https://documents.example/b.pdf' }]) {
    assert.ok(Array.from(toTableLine(each, options)).length <= 90)
  }
  // Columns of 10 and 20 characters, with a gap of two after each.
  assert.match(toTableHeader(options), /^ENTERED {5}MUNICIPALITY {10}TITLE +CODE$/)
})

test('a terminal of 80 columns shows the whole code but not the area, and one of 120 columns shows both', () => {
  for (const width of [80, 120]) {
    const options = { width, style: plainStyle }
    assert.equal(toTableHeader(options).includes('AREA'), width === 120)
    const line = toTableLine(record, options)
    assert.equal(line.includes('S/1'), width === 120)
    assert.ok(line.endsWith('05019-PU-20040517-202255') && line.length <= width)
  }
})

test('control characters in a record do not reach the terminal', () => {
  const hostile = {
    ...record,
    title: '\x1b]0;owned\x07Plan\r\n\x9b31m\u202eParcial',
    area: '\x1b[2J',
    municipality: '\u2066Ávila\n',
    links: 'https://x.example/\x1b\\\x1b[31m',
    cod_archivo: 'A\x1b[2J-1',
    agreement_link: 'javascript:alert(1)',
  }
  // The width is undefined if the output is no terminal. Then tabs separate the columns.
  for (const width of [80, undefined]) {
    const line = toTableLine(hostile, { width, style: terminalStyle })
    assert.doesNotMatch(line.replaceAll('\t', ''), /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u)
    // On a terminal the title is a link, but only to an http or https address. In a pipe each address is text.
    assert.ok(width === undefined || !line.includes('javascript'))
  }
})

test('control characters become spaces, but line breaks stay; in a quoted value they become escapes', () => {
  // U+0085 and U+009B are control characters above ASCII (C1); U+009B begins a sequence as `ESC [` does.
  assert.equal(toTerminalText('a\u009b31mb\u0085\nc\u001b[1m\n'), 'a 31mb \nc [1m\n')
  assert.equal(toQuoted('x\u009by'), '"x\\u009by"')
})
