// Property tests of the analyser: folding is idempotent, any text is accepted, and a record is found by every spelling
// of the words and codes in its title.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import naughtyStrings from 'big-list-of-naughty-strings' with { type: 'json' }
import fc from 'fast-check'
import { analyseTerm, analyseText } from '../../src/analysis/analyser.ts'
import { foldWord } from '../../src/analysis/fold.ts'
import { wordOf } from '../../src/analysis/lexicon.ts'
import { numberWord } from '../../src/analysis/number-words.ts'
import { stopWords } from '../../src/analysis/stop-words.ts'
import { isStreetKind } from '../../src/analysis/street-names.ts'
import { quotationMark } from '../../src/analysis/term-parser.ts'
import { habitTitles } from '../search-quality/habits.ts'
import { readRecords } from '../search-quality/judged-set.ts'
import { seed } from '../seed.ts'
import { createMatcher, finds } from './reference-matcher.ts'
import { titles, titleWords } from './titles.ts'

/** Any characters, or those that the analyser treats in a special way. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ unit: fc.constantFrom(...`abnoñÁ·'´\`ºª./-_,()"*«» 0159LU`), maxLength: 30 }),
)

const anyTitle = fc.oneof(
  fc.constantFrom(...titles),
  fc.array(fc.constantFrom(...titleWords), { minLength: 1, maxLength: 10 }).map((words) => words.join(' ')),
  anyText,
)
const anyTerm = fc.oneof(
  fc.array(fc.constantFrom(...titleWords), { minLength: 1, maxLength: 4 }).map((words) => words.join(' ')),
  anyText,
)
/**
 * Matches a term that ends with a word for the corner of two streets (`esq`, `c/v`, `con vuelta`), or has only stop
 * words after such a word.
 */
const cornerAtEnd = new RegExp(
  String.raw`(?:esq|esquina|c\P{L}*v|vuelta)\P{L}*(?:(?:${[...stopWords].join('|')})\P{L}*)*$`,
  'iu',
)

/** The seed and the number of the random examples of each property. */
const propertyOptions = { seed, numRuns: 2_000 }

describe('folding', () => {
  test('is idempotent', () => {
    fc.assert(
      fc.property(anyText, (text) => foldWord(foldWord(text)) === foldWord(text)),
      propertyOptions,
    )
  })

  test('is idempotent for every Unicode character', () => {
    for (let point = 0; point <= 0x10ffff; point++) {
      const character = String.fromCodePoint(point)
      // Four of five code points are surrogates, for private use, or not assigned. Folding leaves these as they are.
      if (/[\p{Cs}\p{Co}\p{Cn}]/u.test(character)) continue
      const folded = foldWord(character)
      if (foldWord(folded) !== folded) assert.fail(`U+${point.toString(16)}: ${folded}`)
    }
  })
})

/** The distance of a full-width form from its ASCII character. */
const fullWidthOffset = 0xfee0

/** Each spells a word in another way; the first leaves it as it is. */
const respellings: readonly ((word: string) => string)[] = [
  (word) => word,
  (word) => word.toUpperCase(),
  (word) => word.toLowerCase(),
  (word) => word.normalize('NFD'),
  (word) => word.normalize('NFC'),
  // Without accents. The Greek iota subscript (U+0345) is kept: in upper case it is a letter (ᾳ is ΑΙ), so a word
  // without it folds differently.
  (word) => word.normalize('NFD').replace(/[\u0300-\u0344\u0346-\u036f]/g, ''),
  (word) => word.toUpperCase().normalize('NFD'),
  // Full-width forms: `Ａ` for `A`.
  (word) => word.replace(/[!-~]/g, (character) => String.fromCharCode(character.charCodeAt(0) + fullWidthOffset)),
]

const toCompatibilityForm = (word: string): string => word.normalize('NFKD')

describe('a record is found by every word of its title', () => {
  for (const title of titles) {
    test(title.trim(), () => {
      for (const word of title.split(/\s+/)) {
        // NFKD turns `nº` into the word `no`, which does not mean "number".
        const isNumberSign = /[nN]\.?[º°]|№/u.test(word)
        const suitableRespellings = isNumberSign ? respellings : [...respellings, toCompatibilityForm]
        for (const respell of suitableRespellings) {
          const term = respell(word)
          if (analyseTerm(term).clauses.length > 0) assert.ok(finds(term, title), `${term} in ${title}`)
        }
      }
    })
  }

  test('without its punctuation', () => {
    for (const title of titles) {
      for (const word of title.match(/[\p{L}\p{M}\p{N}·]+/gu) ?? [])
        assert.ok(finds(word, title), `${word} in ${title}`)
    }
  })

  test('for random titles', () => {
    fc.assert(
      fc.property(anyTitle, fc.constantFrom(...respellings), fc.nat(), (title, respell, index) => {
        const words = title.split(/\s+/).filter((word) => analyseTerm(word).clauses.length > 0)
        const word = words[index % Math.max(words.length, 1)]
        // Leaves out words such as `a-1`, because in upper case the stop word `a` is the letter of a code: a respelling
        // may change what it means. An ordinal sign, as in `3ª1`, is no such letter, so it is removed before folding.
        fc.pre(!/(?<!\p{L})[aeouy]\P{L}*\d/iu.test(foldWord((word ?? '').replace(/[ºª]/g, ' '))))
        return word === undefined || finds(respell(word), title)
      }),
      propertyOptions,
    )
  })
})

describe('a record is found by its whole title, also in upper or in lower case', () => {
  const check = (title: string): void => {
    for (const text of new Set([title, title.toUpperCase()])) {
      const match = createMatcher([text])
      for (const term of new Set([text, text.toUpperCase(), text.toLowerCase()])) {
        assert.ok(match(term).found.has(text), `${term} in ${text}`)
      }
    }
  }

  test('for realistic titles', () => {
    // The titles on which the search quality is measured.
    const judgedTitles = readRecords().map((record) => record.title ?? '')
    for (const title of [...titles, ...judgedTitles, ...habitTitles]) check(title)
  })

  test('for codes, numbers, phases and years in the spellings of many sources', () => {
    const codes = ['U. E. 4', 'U E 4', 'U. A. 16', 'P. E. 97', 'U. E-4', 'P. P. 3', 'S U N C 2', 'UE N 3']
    // Some sources lose the sign of `nº`, or have `?` or U+FFFD in its place.
    const numbers = [
      'nº 3',
      'N 3',
      'n 3',
      'N. 3',
      'N.3',
      'No. 3',
      'No.3',
      'N? 3',
      'N\uFFFD 3',
      'N. -3',
      '(N.) (3)',
      'nº III',
    ]
    // These are searched for only together with the name before them.
    const numbersAfterNames = [
      'No. III',
      'N. IX',
      'N. V',
      'N 3/2004',
      'nº 3/2004',
      'No. 3.1',
      'N. 12-A',
      'N 12345/04',
      'N.340',
    ]
    const phases = [
      'II Fase',
      'II FASES',
      '2 ª Fase',
      'Fase 2ª',
      'Fases I y II',
      '2a fase, 3ª modificación',
      'XX Tramo',
    ]
    const years = ['PGOU 97', 'PGOU del 97', 'Plan General 97', 'Plan General de Ordenación Urbana del 97', 'PGOU/97']
    const addresses = ['Edificio en Infantas, 5', 'Hotel sito en C/ Infantas, 5', 'Carretera N 340', 'Colegio Mayor, 5']
    const names = ['Modificación', 'Modificación Puntual', 'Unidad de Ejecución', 'PAI U.E.', 'Plan Parcial', 'Serrano']
    const numbered = [...numbers, ...numbersAfterNames].flatMap((number) => names.map((name) => `${name} ${number}`))
    for (const title of [...codes, ...numbers, ...phases, ...years, ...addresses, ...numbered]) {
      for (const text of [title, `Proyecto ${title}`, `${title} del PGOU`, `Sector ${title}, Madrid`]) check(text)
    }
  })

  test('for random titles with labels, numbers and names', () => {
    const digits = fc.integer({ min: 1, max: 250 }).map(String)
    const concatenate = (...parts: fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
      fc.tuple(...parts).map((texts) => texts.join(''))
    const number = fc.oneof(
      digits,
      digits.map((text) => text.padStart(2, '0')),
      concatenate(digits, fc.constantFrom('.', '-', '/'), digits),
      concatenate(digits, fc.constantFrom('A', 'b', '-C', ' bis', 'ª', 'º')),
      fc.constantFrom('II', 'IV', 'V', 'A', 'B', '1985', '16.202', '08.342', '1.250'),
    )
    const link = fc.constantFrom(...[' ', ', ', '; ', ' (', ' - ', ' y ', ' e ', ' a ', ' o ', ' de ', ' Y ', ' A '])
    /** One to three of the texts, with a link between each two. */
    const joinSeveral = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
      fc.array(fc.tuple(link, text), { minLength: 1, maxLength: 3 }).map((parts) => parts.flat().slice(1).join(''))
    const name = fc.constantFrom(
      ...['UE', 'U.E.', 'UUEE', 'Unidad de Ejecución', 'Unidades de Ejecución', 'ED', 'Estudio de Detalle', 'APR'],
      ...['SUNC-R', 'SUNC', 'PP', 'Plan Parcial', 'PGOU', 'Sector', 'Sectores Norte', 'Sector "La Vega"', 'Fase'],
      ...['parcelas', 'Manzana', 'Modificación', 'nº', 'artículo', 'Autovía', 'Polígono «Norte 3»', 'cruces'],
      ...['C/ Mayor', 'Avda. de Europa', 'Serrano', "O'Donnell"],
    )
    const numberedName = concatenate(
      name,
      fc.constantFrom(' ', '-', ', ', '. ', ' nº ', ' núm. ', ' N ', ' N. ', ' No. ', ' n? ', ' de '),
      joinSeveral(number),
    )
    // This test has a seed of its own: the variable SEED (seed.ts) does not change its titles.
    fc.assert(fc.property(joinSeveral(numberedName), check), { ...propertyOptions, seed: 12 })
  })
})

describe('a code', () => {
  const delimiter = fc.constantFrom('', '-', ' ', '.', '/', '_', '–', ' - ')
  /** The delimiters before the second and the third part of the code. */
  const delimiters = fc.tuple(delimiter, delimiter)
  const code = fc.record({
    letters: fc.constantFrom('SUNC', 'SUP', 'SUZ', 'PP', 'UE', 'UA', 'SG', 'PERI', 'APR'),
    letter: fc.constantFrom(...'RITOAEVX'),
    number: fc.integer({ min: 1, max: 120 }).map(String),
  })

  test('is found in every spelling by every other spelling, and not with another number', () => {
    fc.assert(
      fc.property(code, delimiters, delimiters, ({ letters, letter, number }, inTerm, inText) => {
        const term = letters + inTerm[0] + letter + inTerm[1] + number
        const toText = (digits: string): string => `Sector ${letters}${inText[0]}${letter}${inText[1]}${digits}, Madrid`
        assert.ok(finds(term, toText(number)), `${term} in ${toText(number)}`)
        assert.ok(!finds(term, toText(`${number}7`)), `${term} in ${toText(`${number}7`)}`)
      }),
      propertyOptions,
    )
  })
})

describe('a text of random characters', () => {
  // The characters are code units of UTF-16 below `codeUnitEnd`.
  for (const [range, codeUnitEnd] of [
    ['Latin', 0x250],
    ['any', 0x10000],
  ] as const) {
    test(`is analysed within four seconds of processor time per megabyte (${range} characters)`, () => {
      // A linear congruential generator with a fixed seed gives the same text every time.
      let state = 1
      const units = Uint16Array.from({ length: 100_000 }, () => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0
        return Math.floor((state / 2 ** 32) * codeUnitEnd)
      })
      const text = Array.from(units, (unit) => String.fromCharCode(unit)).join('')
      const before = process.threadCpuUsage()
      analyseText(text)
      // Microseconds per byte are seconds per megabyte.
      const { user, system } = process.threadCpuUsage(before)
      const secondsPerMegabyte = (user + system) / Buffer.byteLength(text)
      // The limit is generous: on an idle machine it takes well below one second.
      assert.ok(secondsPerMegabyte < 4, `${secondsPerMegabyte} s per MB`)
    })
  }
})

describe('analysis', () => {
  test('accepts any text and any term', () => {
    const check = (text: string): void => {
      for (const clause of analyseTerm(text).clauses) {
        if (clause.kind === 'phrase') assert.ok(clause.stems.length > 0 && clause.stems.every((stem) => stem !== ''))
        else assert.notEqual(clause.kind === 'word' ? clause.stem : clause.prefix, '')
      }
      const { words, joinedForms, synonyms } = analyseText(text)
      for (const word of [...words, ...joinedForms, ...synonyms]) assert.ok(word.form !== '' && word.stem !== '')
    }
    for (const text of naughtyStrings) check(text)
    fc.assert(fc.property(anyText, check), propertyOptions)
  })

  test('finds no more records for a term with an additional word', () => {
    fc.assert(
      fc.property(anyTitle, anyTerm, fc.constantFrom(...titleWords), (title, term, word) => {
        // Each `fc.pre` leaves out terms whose meaning a further word may change.
        // A later quotation mark may close an open one.
        fc.pre(!quotationMark.test(term + word))
        // A word for a corner is required at the end of a term, but not before another word.
        fc.pre(!cornerAtEnd.test(term))
        // `s/n` is required only if it is alone.
        fc.pre(!/s\/n/i.test(term))
        const { clauses } = analyseTerm(term)
        // A stop word, an elided article (`l'`) and the word "number" are required only without other words.
        const isOptional = (stem: string): boolean =>
          stopWords.has(stem) || /^[dlmnst]$/.test(stem) || stem === numberWord.stem
        fc.pre(clauses.some((clause) => clause.kind !== 'word' || !isOptional(clause.stem)))
        // A kind of street is required at the end of a term. Before a name it is not, because the title may lack it.
        const last = clauses.at(-1)
        fc.pre(last?.kind !== 'word' || !isStreetKind(wordOf(last.stem)))
        return !finds(`${term} ${word}`, title) || finds(term, title)
      }),
      propertyOptions,
    )
  })

  test('finds no more records for a term in quotes than for the same term without quotes', () => {
    fc.assert(
      fc.property(anyTitle, anyTerm, (title, term) => {
        const unquoted = term.split(quotationMark).join(' ')
        return !finds(`"${unquoted}"`, title) || finds(unquoted, title)
      }),
      propertyOptions,
    )
  })

  test('finds a title by the whole title in quotes', () => {
    for (const title of titles) {
      const unquoted = title.split(quotationMark).join(' ')
      assert.ok(finds(`"${unquoted}"`, unquoted), title)
    }
  })

  test('finds a word by the prefix that is the whole word', () => {
    for (const title of titles) {
      for (const { form } of analyseText(title).words) {
        // A shorter prefix is searched as a whole word.
        if (form.length >= 3) assert.ok(finds(`${form}*`, title), form)
      }
    }
  })
})
