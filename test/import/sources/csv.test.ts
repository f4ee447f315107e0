// CSV sources: separators, encodings, quotes, line numbers, and rows that cannot be split reliably. `rows` of a source
// have their line numbers, and `cells` are the same rows by heading. Both include the rejected rows, whose faults
// `faultsOf` returns.
//
// The rule for faulty quotes: the line is rejected, and reading goes on at the next line, so that no other row is lost.
// If a quote is not closed, the next quote of the file may close it by chance. Then the text between both quotes
// contains the beginning of another row, which is recognised.
//
// The rule for fields after the last heading: they must be empty, and a row may have no more of them than most rows.
// Otherwise a separator in a text without quotes has probably split that text. If two numbers of further fields are
// equally frequent, the smaller one is allowed. Rows that are shorter than the headings do not count.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toMessage } from '../../../src/import/rows/row-fault.ts'
import { faultsOf, readContent } from '../read-source.ts'

const heading = 'code,id,title,municipality,checkin_date'
const row = '03082-1,1,Plan,Jávea,2004-05-18'
const semicolons = (text: string): string => text.replaceAll(',', ';')
const quotes = 'expected matching quotes: one at each end of a text, and doubled ones inside it, got'
const tooLong = 'fields (quote a field that contains a separator), got'

/** A text, the line and the title of each row, and the messages of the rows that are rejected. */
const readings: Readonly<Record<string, readonly [string, readonly (readonly [number, string])[], ...string[]]>> = {
  'a comma': [`${heading}\n${row.replace('Plan', '"A, b; c\td"')}\n`, [[2, 'A, b; c\td']]],
  'a semicolon': [`${semicolons(heading)}\n${semicolons(row)}\n`, [[2, 'Plan']]],
  'a tab': [`${heading}\n${row}\n`.replaceAll(',', '\t'), [[2, 'Plan']]],
  'a line such as sep=;': [`sep=;\r\n${semicolons(heading)}\r\n${semicolons(row)}\r\n`, [[3, 'Plan']]],
  'carriage returns alone': [`sep=;\r${semicolons(heading)}\r\r${semicolons(row)}\r`, [[4, 'Plan']]],
  'carriage returns alone, and a quoted line feed': [
    `${heading}\r${row.replace('Plan', '"Sector ""A""\nfase"')}\r${row}\r`,
    [
      [2, 'Sector "A"\nfase'],
      [4, 'Plan'],
    ],
  ],
  // Split at commas, the first line would give six headings too, but none that is known. Old programs end a file with
  // Ctrl-Z.
  'a separator with fewer, but known headings': [
    `${semicolons(heading)};obs (uso, m2, alturas, plantas, otros, etc)\n${semicolons(row)};x\n\u001a`,
    [[2, 'Plan']],
  ],
  // A zip archive begins with the letters PK.
  'a heading that begins with PK': [`PK_EXPEDIENTE,${heading}\n7,${row}\n`, [[2, 'Plan']]],
  'headings in brackets': [`[x],${heading}\n7,${row}\n`, [[2, 'Plan']]],
  'headings in braces': [`{x},${heading}\n7,${row}\n`, [[2, 'Plan']]],
  'many blank lines between title lines': [
    'Ayuntamiento de Jávea\n\n\n'.repeat(15) + semicolons(`${heading}\n${row}\n`),
    [[47, 'Plan']],
  ],
  'labels above the headings': [
    semicolons(`Municipio:,Jávea,Fecha:,12/03/2024\n\n${heading}\n${row}\n`),
    [[4, 'Plan']],
  ],
  'blank lines and rows of empty fields': [`\n${heading}\n\n,,,,\n${row}\n\n`, [[5, 'Plan']]],
  'quotes and line breaks in a quoted field': [
    `${heading}\r\n${row.replace('Plan', '"Sector ""A""\r\nsegunda\r\nfase"')}\r\n${row}\r\n`,
    [
      [2, 'Sector "A"\nsegunda\nfase'],
      [5, 'Plan'],
    ],
  ],
  'quotes in a field that does not begin with one': [
    `${heading}\n${row.replace('Plan', 'Plan "A"')}\n`,
    [[2, 'Plan "A"']],
  ],
  'quotes that are not doubled': [
    `${heading}\n${row.replace('Plan', '"Plan "A" bis"')}\n${row}\n`,
    [
      [2, '"Plan "A" bis"'],
      [3, 'Plan'],
    ],
    `line 2: ${quotes} "03082-1,1,\\"Plan \\"A\\" bis\\",Jávea,2004-05-18"`,
  ],
  'a quote that is not closed': [
    `${heading}\n${row}\n${row.replace('Plan', '"A')}\n${row}\n`,
    [
      [2, 'Plan'],
      [3, '"A'],
      [4, 'Plan'],
    ],
    `line 3: ${quotes} "03082-1,1,\\"A,Jávea,2004-05-18"`,
  ],
  'a comma in a text without quotes': [
    `${heading}\n${row.replace('Plan', 'Plan, fase 2')}\n`,
    [[2, 'Plan']],
    `line 2: expected 5 ${tooLong} "6 fields"`,
  ],
  // The first row has nine fields, and nine are usual: the second row has fewer than there are headings.
  'empty fields at the end of a row, added or omitted': [
    `${heading},area,links\n${row},,,,\n${row}\n`,
    [
      [2, 'Plan'],
      [3, 'Plan'],
    ],
  ],
  'a last line that was cut off': [
    `${heading},area\n${row},UE-1\n${row}`,
    [
      [2, 'Plan'],
      [3, 'Plan'],
    ],
    'line 3: expected 6 fields before the file ends, got "5 fields"',
  ],
  'a value under a blank heading at the end': [
    `${heading},area,,\n${row},UE-1,,\n${row},UE-1, UE-2 y UE-3,\n`,
    [
      [2, 'Plan'],
      [3, 'Plan'],
    ],
    `line 3: expected 6 ${tooLong} "8 fields"`,
  ],
}
for (const [name, [text, rows, ...messages]] of Object.entries(readings)) {
  test(`a file with ${name} is read`, async (t) => {
    const read = await readContent(t, 'records.csv', text)
    assert.deepEqual(faultsOf(read).map(toMessage), messages)
    assert.deepEqual(
      read.rows.map(({ line }, index) => [line, read.cells[index]?.title]),
      rows,
    )
  })
}

test('the remains of a zip archive are not read as CSV', async (t) => {
  // An archive that has lost its beginning may start with a later part: the central directory, its end, or the checksum
  // after a file. These are their signatures.
  for (const start of ['PK\x01\x02', 'PK\x05\x06', 'PK\x07\x08']) {
    const message = /the workbook is damaged or empty/
    await assert.rejects(readContent(t, 'records.csv', `${start},${heading}\n7,${row}\n`), { message })
  }
})

const accentedText = `${heading}\r\n03082-1,1,Ordenación “nueva” – 5 €,Peñíscola,2004-05-18\r\n`
const encodings: readonly [name: string, bytes: Buffer][] = [
  ['UTF-8', Buffer.from(accentedText)],
  ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${accentedText}`)],
  ['UTF-16 as Excel writes "Unicode text"', Buffer.from(`\uFEFF${accentedText}`, 'utf16le')],
  ['UTF-16 in network order', Buffer.from(`\uFEFF${accentedText}`, 'utf16le').swap16()],
  ['UTF-16 without a mark', Buffer.from(accentedText, 'utf16le')],
  ['Windows-1252', toWindows1252(accentedText)],
]
for (const [name, bytes] of encodings) {
  test(`the encoding ${name} is detected`, async (t) => {
    const { cells } = await readContent(t, 'records.csv', bytes)
    assert.deepEqual([cells[0]?.title, cells[0]?.municipality], ['Ordenación “nueva” – 5 €', 'Peñíscola'])
  })
}

/** Rows with consecutive numbers and the same non-ASCII characters, whose majority decides the encoding. */
const toRows = (from: number, count: number, title: string): string =>
  Array.from({ length: count }, (_, index) => `03082-${from + index},1,${title},Javea,2004-05-18\n`).join('')

test('the majority of non-ASCII characters decides the encoding, however late they come', async (t) => {
  for (const [utf8, windows, title, faults] of [
    [toRows(1, 20_000, 'Plan'), toRows(20_001, 1, 'Peñón'), 'Peñón', 0],
    [toRows(1, 20_000, 'Peñón'), toRows(20_001, 1_500, 'Peñón'), 'Pe\uFFFD\uFFFDn', 1_500],
  ] as const) {
    const bytes = Buffer.concat([Buffer.from(`${heading}\n${utf8}`), toWindows1252(windows)])
    const read = await readContent(t, 'records.csv', bytes)
    assert.equal(read.cells.at(-1)?.title, title)
    const messages = faultsOf(read).map(toMessage)
    assert.equal(messages.length, faults)
    if (faults > 0)
      assert.match(messages[0] ?? '', /^line 20002: expected text in UTF-8, like the rest of the file, got/)
  }
})

test('rows between a faulty quote and the next quote are not lost', async (t) => {
  const good = Array.from({ length: 40_000 }, (_, index) => `03082-${index + 9},1,"Plan, ${index}",Jávea,2004-05-18`)
  const bad = ['03082-1,1,"Los Olivos" sector 3,Jávea,2004-05-18', '03082-2,1,"Sin cerrar,Jávea,2004-05-18']
  const lines = [heading, ...good.slice(0, 5), bad[0], ...good.slice(5, 39_000), bad[1], ...good.slice(39_000), bad[0]]
  const read = await readContent(t, 'records.csv', `${lines.join('\n')}\n`)
  // Line 1 has the headings. Before the bad rows there are 5, 39,000 and 40,000 good ones, and 0, 1 and 2 bad ones.
  assert.deepEqual(
    faultsOf(read).map(({ line }) => line),
    [7, 39_003, 40_004],
  )
  assert.equal(read.rows.length, 40_003)
  assert.ok(read.rows.every(({ line }, index) => line === index + 2))
})

test('a file with faulty quotes on every line is rejected line by line', async (t) => {
  const text = `${heading}\n${'03082-1,1,"Los "Olivos" 3,Jávea,2004-05-18\n'.repeat(5000)}`
  assert.equal(faultsOf(await readContent(t, 'records.csv', text)).length, 5000)
})

test('a source with a quoted field that does not end is refused at the limit of a record', async (t) => {
  // 42 million characters. A record may have 8 * 1024 * 1024, so that it does not fill the memory.
  const filler = `${'x'.repeat(1023)}\n`.repeat(40 * 1024)
  await assert.rejects(readContent(t, 'records.csv', `${heading}\n03082-1,1,"${filler}`), {
    message: /: the record at line 2 is longer than 8388608 characters; close its quote, or shorten its text$/,
  })
})

/** A source of three rows. The first row has an unclosed quote, which the next quote of the file seems to close. */
interface UnclosedQuote {
  readonly headings: string
  readonly unclosed: string
  /** Is inside the quotes, but sound by itself. */
  readonly second: string
  /** Sound, unless `isThirdUnclosed`: a field has a line break, and the text after it resembles a row, but is none. */
  readonly third: string
  readonly isThirdUnclosed?: true
}

test('an unclosed quote rejects its own line only', async (t) => {
  // The key says by what the second row is recognised inside the quotes.
  const sources: Readonly<Record<string, UnclosedQuote>> = {
    // The text in quotes has six fields, like the headings. In the third row, the second line of the title begins with
    // a code too (`7-1`), but the title has two fields only. The column `content` is not searched for rows.
    'a code and as many fields as headings': {
      headings: `${heading},content`,
      unclosed: '1-3,1,"Sector R-1,Elche,2001-02-03,x',
      second: '1-4,2,Sector R-1",Elche,2001-02-03,x',
      third: '1-5,3,"Sector R-2\n7-1, UE-2",Elche,2001-02-03,"UE-1\n1-2,a,b,c,d,e"',
    },
    // Without a column `code`, the second row is recognised by a prefix of five digits, like the prefix of the first.
    // `12` and `UE-10` have other forms.
    'a prefix of the same form': {
      headings: 'prefix,registration_number,id,title,municipality,checkin_date,area',
      unclosed: '03065,1,1,"Plan A sin cerrar,Elx,2001-01-01,UE-9',
      second: '03065,2,2,Conducto de 5",Elx,2001-01-01,UE-9',
      third: '03065,3,3,"Plan D\n12, 13",Elx,2001-01-01,"UE-9\nUE-10, UE-11"',
    },
    // The first row opens its quote in the column `area`, and the next quote is already in the title of the second row.
    // So the text in quotes has fewer fields than there are headings, and the second row is recognised by the prefix of
    // its code alone: five digits, like the prefix of the first row. The prefix of `UE-1` has another form.
    'a code of the same form': {
      headings: `${heading},area,remarks,more`,
      unclosed: '03065-1,1,Plan A,Elx,2001-01-01,"Sector B,,',
      second: '03065-2,2,Plan de 5",Elx,2001-01-01,,,',
      third: '03065-3,3,"Plan C\nUE-1, UE-2",Elx,2001-01-01,,,',
    },
    // The second row has no quote. The next quote opens the title of the third row and is not closed either, so that
    // row is rejected too.
    'a code, before a quote that opens another field': {
      headings: heading,
      unclosed: '03065-1,1,"Plan A,Elx,2001-01-01',
      second: '03065-2,2,Plan B,Elx,2001-01-01',
      third: '03065-3,3,",Elx,2001-01-01',
      isThirdUnclosed: true,
    },
  }
  for (const [name, { headings, unclosed, second, third, isThirdUnclosed }] of Object.entries(sources)) {
    // 40,000 rows before the quote are more than one chunk of the file.
    for (const rowsBefore of [0, 40_000]) {
      // Copies of the second row. The number at the end of its code or prefix is another one in each: `1-10`, `1-11`, …
      const before = Array.from({ length: rowsBefore }, (_, index) => second.replace(/\d,/, `${index + 10},`))
      const lines = [headings, ...before, unclosed, second, third]
      const read = await readContent(t, 'records.csv', `${lines.join('\n')}\n`)
      assert.equal(read.outcomes.length, rowsBefore + 3, name)
      const faults = faultsOf(read)
      assert.equal(faults.length, isThirdUnclosed ? 2 : 1, name)
      const [message] = faults.map(toMessage)
      assert.match(message ?? '', new RegExp(`^line ${rowsBefore + 2}: expected matching quotes: .*, got "`), name)
    }
  }
})

/** The bytes of a text in Windows-1252; only for the characters in these tests. */
function toWindows1252(text: string): Buffer {
  const differentFromLatin1: Record<string, number> = {
    '’': 0x92,
    '“': 0x93,
    '”': 0x94,
    '–': 0x96,
    '—': 0x97,
    '€': 0x80,
  }
  return Buffer.from([...text].map((letter) => differentFromLatin1[letter] ?? letter.charCodeAt(0)))
}

test('title lines above the headings are skipped and reported, in any encoding', async (t) => {
  const text =
    'Ayuntamiento de Jávea;;;;\r\n\r\nRelación de expedientes, a 1 de mayo;;;;\r\n' +
    'Nº de expediente;Denominación;Municipio;Fecha de entrada;Observaciones\r\n03082-1;Plan;Jávea;18/05/2004;\r\n'
  for (const bytes of [Buffer.from(text, 'latin1'), Buffer.from(text)]) {
    const { layout, rows, outcomes } = await readContent(t, 'records.csv', bytes)
    assert.deepEqual(layout.notes, [
      '2 lines above the headings skipped: "Ayuntamiento de Jávea", "Relación de expedientes, a 1 de mayo"',
    ])
    assert.equal(rows[0]?.line, 5)
    assert.ok(outcomes[0] !== undefined && 'record' in outcomes[0])
  }
})

test('no row is lost if a line above the headings has a faulty quote', async (t) => {
  const rowsWith = (count: number, titleOfFifth: string): string[] =>
    Array.from({ length: count }, (_, index) => {
      const code = index + 1
      return `A-${code};${code};${code === 5 ? titleOfFifth : 'Plan'};Jávea;2004-05-18`
    })
  // A line with an unclosed quote, and one with a quote that is not doubled.
  for (const titleLine of ['"Registro de planeamiento de Jávea', '"Registro" de Jávea']) {
    // The text is read in chunks of 16 KB. 2,000 rows are several chunks.
    for (const rowCount of [6, 2000]) {
      // If the title of the fifth row is quoted, its quote closes the unclosed one by chance.
      for (const titleOfFifth of ['"Plan; fase 2"', 'Plan']) {
        const lines = [titleLine, heading.replaceAll(',', ';'), ...rowsWith(rowCount, titleOfFifth)]
        const read = await readContent(t, 'records.csv', `${lines.join('\n')}\n`)
        assert.deepEqual(faultsOf(read), [])
        assert.deepEqual(
          read.rows.map(({ line, cells }) => [line, cells[0]]),
          Array.from({ length: rowCount }, (_, index) => [index + 3, `A-${index + 1}`]),
        )
        assert.match(read.layout.notes.join(), /^one line above the headings skipped: "/)
      }
    }
  }
})

test('a row with one field more than the others is rejected, even if that field is empty', async (t) => {
  const headings = 'code;id;municipality;checkin_date;title;area'
  // The title is split at its separator, so the empty area is the seventh field.
  const divided = '03082-1;1;Jávea;12/03/2004;Modificación; sector 3;'
  const sound = '03082-2;2;Jávea;12/03/2004;Plan;'
  // The first two sources have one row of six fields and one of seven: the smaller number is allowed. Some programs add
  // empty fields to every row. In the third source they have added two, so eight fields are usual and nine too many. In
  // the last one, a row lacks the empty field of the others.
  for (const [lines, ...faults] of [
    [[sound, divided], 'line 3', 7],
    [[divided, sound], 'line 2', 7],
    [[`${sound};;`, `${divided};;`, `${sound};;`], 'line 3', 9],
    [[`${sound};`, `${sound};`, sound]],
  ] as const) {
    const read = await readContent(t, 'records.csv', `${[headings, ...lines].join('\n')}\n`)
    const [line, count] = faults
    const expected = line === undefined ? [] : [`${line}: expected 6 ${tooLong} "${count} fields"`]
    assert.deepEqual(faultsOf(read).map(toMessage), expected)
    assert.equal(read.rows.length, lines.length)
  }
})

// The file is larger than the buffers for reading, so that rows, quotes and characters lie across their ends.
test('a file of more than a megabyte gives the same records and the same faults in every encoding', async (t) => {
  // One row has a word instead of a date, and some have a title with quotes and a line break.
  const rows = Array.from({ length: 5_000 }, (_, index) => {
    const date = index === 3000 ? 'ayer' : `20${String(10 + (index % 9))}-0${1 + (index % 8)}-1${index % 9}`
    // An entity such as `&quot;` is no quote of CSV: it is decoded after the row was split into fields.
    const title =
      index % 500 === 0 ? `"Plan, ""parcial""\nnº ${index}"` : `Modificación puntual nº ${index} &quot;del plan`
    return [
      `A-${index}`,
      index,
      title,
      ['Jávea', 'Ávila', 'Ibi'][index % 3],
      date,
      'suelo urbanizable '.repeat(16),
    ].join()
  })
  // The quote of B-1 is not closed, and that of B-3 closes it by chance: a comma follows it. The reader notices this,
  // because the row B-2 would be inside the quotes. In reverse order no quote closes another: text follows the quote of
  // B-1.
  const unclosed = ['B-1,1,"Plan,Ibi,2004-05-18,', 'B-2,1,Otro plan,Ibi,2004-05-18,', 'B-3,1,",Ibi,2004-05-18,']
  // Inserted from the end of the file to its beginning, so that the indexes are those of `rows`.
  const lines = rows
    .toSpliced(4_600, 0, ...unclosed.toReversed())
    .toSpliced(4_100, 0, ...unclosed)
    .toSpliced(3_600, 0, 'B-4,1,"Plan" parcial,Ibi,2004-05-18,')
  // Line 1 has the headings. Before the row with the index 3,000 there are 3,000 rows, six of them with two lines, so
  // it is line 3008. Before B-4 there are 3,600 rows, eight of them with two lines: line 3610. Before the first B-1
  // there are B-4 and 4,100 rows, nine of them with two lines: line 4112.
  const faults = [
    /line 3008, checkin_date: /,
    /line 3610: expected matching quotes/,
    /line 4112: expected matching quotes/,
  ]
  const text = [`${heading},area`, ...lines].join('\r\n')
  const read = (encoding: 'utf8' | 'latin1' | 'utf16le') =>
    readContent(t, 'records.csv', Buffer.from(encoding === 'latin1' ? text : `\uFEFF${text}`, encoding))
  const inUtf16 = await read('utf16le')
  const messages = faultsOf(inUtf16).map(toMessage).join('\n')
  for (const fault of faults) assert.match(messages, fault)
  for (const encoding of ['utf8', 'latin1'] as const) {
    assert.deepEqual((await read(encoding)).outcomes, inUtf16.outcomes)
  }
})

test('an error value of Excel or LibreOffice is rejected, in Spanish and in English', async (t) => {
  const errors =
    '#N/D #N/A #¡VALOR! #VALUE! #¡REF! #REF! #¿NOMBRE? #NAME? #¡DIV/0! #DIV/0! #¡NUM! #NUM! #¡NULO! #NULL! ' +
    '#¡CALC! #CAMPO! #¡DESBORDAMIENTO! Err:502 ########'
  for (const error of errors.split(' ')) {
    // The column `Notas` is not imported, so its error value is no fault. Excel ends lines with a carriage return too,
    // which is then part of the last cell.
    const text = `code,id,checkin_date,municipality,Notas,title\r\n03082-1,1,2004-05-18,Jávea,#N/D,${error}\r\n`
    const faults = faultsOf(await readContent(t, 'records.csv', text))
    assert.deepEqual(faults.map(toMessage), [`line 2: expected a value in title, got "${error}"`])
  }
})

test('a number sign before other text is not an error value', async (t) => {
  const read = await readContent(t, 'records.csv', `${heading}\n03082-1,1,#N/D del Plan # 3,Jávea,2004-05-18\n`)
  assert.deepEqual(faultsOf(read), [])
})

test('a cell such as ="03082-1", which keeps zeros in Excel, is its text', async (t) => {
  /** The formula as a quoted cell of CSV. `text` has each quote four times: doubled in the formula and again in CSV. */
  const cell = (text: string): string => `"=""${text}"""`
  const rows = [
    [cell('03082-1'), cell('01'), cell('Plan """"A""""'), 'Jávea', cell('2004-05-18')].join(','),
    // Without quotes around the cell.
    '="03082-2",="02",="",Jávea,="2004-05-18"',
    // A formula of another form stays as it is.
    '03082-3,03,"=""A""&""B""",Jávea,2004-05-18',
  ]
  const headings = heading.split(',').map(cell).join(',')
  const { cells } = await readContent(t, 'records.csv', `${headings}\r\n${rows.join('\r\n')}\r\n`)
  assert.deepEqual(
    // A cell at the end of a line may keep the carriage return. The import trims it later.
    cells.map(({ code, id, title, checkin_date }) => [code, id, title, checkin_date?.trim()]),
    [
      ['03082-1', '01', 'Plan "A"', '2004-05-18'],
      ['03082-2', '02', '', '2004-05-18'],
      ['03082-3', '03', '="A"&"B"', '2004-05-18'],
    ],
  )
})

test('a code or number that Excel has shortened to 1,23457E+12 is rejected', async (t) => {
  const headings = 'code;id;registration_number;title;municipality;checkin_date'
  for (const [cells, column] of [
    ['1,23457E+12;1;1', 'code'],
    ['A-1;1.23457E+12;1', 'id'],
    ['A-1;1;1,2E+05', 'registration_number'],
    ['A-1;-1,2E+15;1', 'id'],
  ] as const) {
    // The number in the title is no fault.
    const text = `${headings}\n${cells};Plan 1,23457E+12;Jávea;2004-05-18\n`
    const [fault, ...others] = faultsOf(await readContent(t, 'records.csv', text)).map(toMessage)
    assert.match(fault ?? '', new RegExp(`^line 2: expected text in ${column}, because so long a number loses digits`))
    assert.deepEqual(others, [])
  }
})

test('a code or number that Excel shows as a day and a month, or a month and a year, is rejected', async (t) => {
  const headings = 'code;id;title;municipality;checkin_date'
  for (const cells of ['mar-01;1', '03-ene;1', 'A-1;12-dic']) {
    // The same text in the title is no fault.
    const text = `${headings}\n${cells};mar-01;Jávea;2004-05-18\n`
    const faults = faultsOf(await readContent(t, 'records.csv', text)).map(toMessage)
    assert.match(faults.join(), /^line 2: expected text in (?:code|id), of which Excel has made a date/)
  }
  // Excel shows months in lower case, so `MAR-01` is a code.
  const inCapitals = await readContent(t, 'records.csv', `${headings}\nMAR-01;1;Plan;Jávea;2004-05-18\n`)
  assert.deepEqual(faultsOf(inCapitals), [])
})

test('a file of DOS or of an old Macintosh, whose letters are wrong in Windows-1252, gives a warning', async (t) => {
  const encode = (text: string, bytes: Readonly<Record<string, number>>): Buffer =>
    Buffer.from(Array.from(text, (letter) => bytes[letter] ?? letter.charCodeAt(0)))
  const text = `${heading}\nA-1,1,Ordenación del área,Jávea,2004-05-18\n`
  // The bytes of the letters, and the word as it is read in Windows-1252.
  for (const [bytes, word] of [
    // DOS (code page 850).
    [{ á: 0xa0, ó: 0xa2 }, 'Ordenaci¢n'],
    // Macintosh (Mac OS Roman).
    [{ á: 0x87, ó: 0x97 }, 'Ordenaci—n'],
  ] as const) {
    const { layout } = await readContent(t, 'records.csv', encode(text, bytes))
    assert.equal(layout.warnings.length, 1)
    assert.match(layout.warnings[0] ?? '', new RegExp(`records.csv are probably wrong, such as in "${word}": if`))
  }
})

test('a text in Windows-1252 with money, dashes and Catalan words gives no warning', async (t) => {
  const words = 'ordenació—annex de l’àrea, 5¢ i 3£, ¡Ojo! µm ¥ SANT ANDREU DEL PALAU çà'
  const { layout } = await readContent(t, 'records.csv', toWindows1252(`${heading}\nA-1,1,"${words}",X,2004-05-18\n`))
  assert.deepEqual(layout.warnings, [])
})
