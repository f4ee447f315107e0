// Tests of municipality names: by which spellings a municipality is found, how namesakes are told apart, and which
// names are suggested for a misspelt one. The second argument of `toMunicipality` is the inscription code of a record.
// `X-1` does not begin with an INE code, so it does not tell which of several namesakes the municipality is.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  findInNationalList,
  foldName,
  type Municipality,
  suggestNames,
  toMunicipality,
} from '../../src/domain/municipality.ts'
import { toReadableName } from '../../src/domain/municipality-name.ts'
import { communities, provinces } from '../../src/domain/province.ts'
import { seed } from '../seed.ts'

/** The rows of the list of municipalities: INE code, official name, other names. */
const listedRows = readFileSync(new URL('../../src/domain/data/municipalities.txt', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((row) => row.split('|'))

/** All municipalities of the list, under their official names. */
const allMunicipalities: Municipality[] = listedRows.map(([code = '', name = '']) => toMunicipality(name, `${code}-1`))

/** The names of the municipalities that a query for `name` matches, of all municipalities or of the given ones. */
function findNames(name: string, municipalities: readonly Municipality[] = allMunicipalities): string[] {
  const key = foldName(name)
  return municipalities.filter(({ lookupKeys }) => lookupKeys.includes(key)).map((municipality) => municipality.name)
}

describe('a municipality is found', () => {
  /** The official name, and the names that find the municipality. */
  const spellings: [official: string, alternatives: string[]][] = [
    ['Coruña, A', ['Coruña, A', 'Coruña (A)', 'A Coruña', 'a coruna', 'LA CORUÑA', 'Coruña', 'Coruña A']],
    ['Alicante/Alacant', ['Alicante', 'Alacant', 'Alacant/Alicante', 'Alicante / Alacant', 'ALICANTE-ALACANT']],
    ['Laudio/Llodio', ['Llodio', 'Laudio', 'Llodio/Laudio']],
    ['Ejido, El', ['El Ejido', 'Ejido (El)', 'Ejido', 'ejido, el']],
    ["Alcúdia, l'", ["l'Alcúdia", 'L’Alcudia', 'L´Alcúdia', "Alcúdia (l')", 'l alcudia', 'La Alcudia']],
    ["Alfàs del Pi, l'", ["l'Alfàs del Pi", "L'ALFAS DEL PI", 'Alfaz del Pi']],
    ['Jávea/Xàbia', ['Jávea', 'Xàbia', 'xabia', 'Xàbia/Jávea']],
    ['Donostia/San Sebastián', ['San Sebastián', 'Donostia', 'Donostia-San Sebastián', 'san sebastian/donostia']],
    ['Vitoria-Gasteiz', ['Vitoria', 'Gasteiz', 'VITORIA-GASTEIZ', 'Gasteiz-Vitoria', 'Gasteiz/Vitoria']],
    [
      'Benitachell/Poble Nou de Benitatxell, el',
      ['Benitachell', 'el Poble Nou de Benitatxell', 'Poble Nou de Benitatxell (el)'],
    ],
    ['Fondó de les Neus, el/Hondón de las Nieves', ['Hondón de las Nieves', 'el Fondó de les Neus']],
    ['Vila-real', ['Vila-real', 'Vila Real', 'Vilareal', 'Villarreal', 'Villarreal/Vila-real']],
    ['Palma de Mallorca', ['Palma', 'Palma de Mallorca']],
    ['Maó-Mahón', ['Mahón', 'Maó', 'Mao', 'Mahón-Maó', 'Mahón/Maó']],
    ['Valencia', ['València', 'Valencia/València', 'VALENCIA / VALÈNCIA']],
    ['Girona', ['Gerona', 'GIRONA']],
    ['Pamplona/Iruña', ['Pamplona', 'Iruña', 'Iruna']],
    // The last two have a combining accent and a full-width letter.
    ['Ávila', ['avila', 'ÁVILA', 'A\u0301vila', 'Ａvila']],
    ['Santa Cruz de Tenerife', ['Sta. Cruz de Tenerife']],
    ['Puerto de Santa María, El', ['El Puerto de Sta. Mª', 'Puerto de Santa María']],
    ['Villanueva de la Serena', ['Vva. de la Serena']],
    ["Hospitalet de Llobregat, L'", ["L'Hospitalet", 'Hospitalet']],
    ['San Cristóbal de La Laguna', ['La Laguna']],
    ['Palmas de Gran Canaria, Las', ['Las Palmas de Gran Canaria', 'Las Palmas', 'Palmas de Gran Canaria (Las)']],
  ]
  for (const [official, alternatives] of spellings) {
    test(`by ${alternatives.join(', ')}`, () => {
      for (const name of alternatives) assert.deepEqual(findNames(name), [official], name)
    })
  }

  test('by every listed name, also in upper case, without accents and with the article in front', () => {
    const codesByKey = new Map<string, Set<string>>()
    for (const { lookupKeys, ineCode } of allMunicipalities) {
      for (const key of lookupKeys) codesByKey.set(key, (codesByKey.get(key) ?? new Set()).add(ineCode ?? ''))
    }
    for (const [code = '', ...names] of listedRows) {
      for (const name of names) {
        const withoutAccents = name.normalize('NFD').replace(/\p{M}/gu, '')
        for (const spelling of [name, name.toUpperCase(), withoutAccents, toReadableName(name)]) {
          assert.ok(codesByKey.get(foldName(spelling))?.has(code), spelling)
        }
      }
    }
  })

  test('together with its namesakes', () => {
    // Cieza is a municipality of Murcia (30019) and one of Cantabria (39021). The code of a record tells them apart.
    assert.deepEqual(findNames('cieza'), ['Cieza', 'Cieza'])
    assert.deepEqual(new Set(['30019-1', '39021-1'].map((code) => toMunicipality('Cieza', code).ineCode)).size, 2)
  })

  test('by a name of the registry that is not in the list', () => {
    const unknown = toMunicipality('Nueva Aldea, La/Vila Nova', 'X-1')
    assert.equal(unknown.ineCode, null)
    for (const name of ['La Nueva Aldea', 'vila nova', 'Vila Nova/La Nueva Aldea', 'Nueva Aldea (La) / Vila Nova']) {
      assert.deepEqual(findNames(name, [unknown]), ['Nueva Aldea, La/Vila Nova'], name)
    }
  })
})

describe('a municipality is not found', () => {
  test('by part of its name', () => {
    for (const name of ['Alcalá', 'Villanueva', 'Santa', 'Las', 'de', 'San'])
      assert.deepEqual(findNames(name), [], name)
  })

  test('by punctuation, patterns or SQL', () => {
    for (const name of ["x' OR 1=1--", '%', '_', '*', "'", '', ' ', '()', '\u0301', '"']) {
      assert.deepEqual(findNames(name), [], JSON.stringify(name))
    }
    assert.deepEqual(toMunicipality('...', 'X-1').lookupKeys, [])
  })

  test('by a short form that is ambiguous', () => {
    // Two municipalities are called `Zarza, La`.
    assert.deepEqual(findNames('Zarza'), [])
  })
})

describe('the municipality of a record', () => {
  test('has its INE code', () => {
    assert.equal(toMunicipality('Jávea', '03082-1101').ineCode, '03082')
    assert.equal(toMunicipality('XÀBIA', 'X-1').ineCode, '03082')
  })

  test('is recognised by two of its names with any separator', () => {
    for (const name of ['Gerona-Girona', 'Girona / Gerona', 'Villarreal-Vila-real', 'Villarreal/Vila-real']) {
      assert.notEqual(toMunicipality(name, 'X-1').ineCode, null, name)
    }
    assert.equal(toMunicipality('Valencia/València', 'X-1').ineCode, '46250')
    // The names of two different municipalities.
    assert.equal(toMunicipality('Girona-Valencia', 'X-1').ineCode, null)
  })

  test('is distinguished from its namesakes by the inscription code or the province', () => {
    assert.equal(toMunicipality('Cieza', 'X-1').ineCode, null)
    assert.equal(toMunicipality('Cieza', '30019-7').ineCode, '30019')
    assert.equal(toMunicipality('Cieza (Murcia)', 'X-1').ineCode, '30019')
    assert.equal(toMunicipality('Cieza (Cantabria)', 'X-1').ineCode, '39021')
    assert.ok(toMunicipality('Cieza (Murcia)', 'X-1').lookupKeys.includes('cieza'))
  })

  test('is recognised by the name of its council, and by its name with its province or island', () => {
    const spellings: [name: string, ineCode: string][] = [
      ['Ayuntamiento de Segovia', '40194'],
      ['AYTO. DE ALCOY', '03009'],
      ["Ajuntament d'Elx", '03065'],
      ['Excmo. Ayuntamiento de El Ejido', '04902'],
      ['Excelentísimo Ayuntamiento de Sevilla', '41091'],
      // `Dos` belongs to the name; only in Galician it is a preposition.
      ['Ayuntamiento Dos Hermanas', '41038'],
      ['Concello da Coruña', '15030'],
      ['Getxoko Udala', '48044'],
      ['Irungo Udala', '20045'],
      ['Ayuntamiento de Cieza (Murcia)', '30019'],
      ['Tazacorte (La Palma)', '38045'],
    ]
    for (const [name, ineCode] of spellings) assert.equal(toMunicipality(name, 'X-1').ineCode, ineCode, name)
    assert.equal(toMunicipality('Ayuntamiento', 'X-1').ineCode, null)
    for (const ineCode of ['30019', '39021'])
      assert.equal(toMunicipality('Ayuntamiento de Cieza', `${ineCode}-1`).ineCode, ineCode)
    assert.equal(toMunicipality('Ayuntamiento de Cieza', 'X-1').ineCode, null)
  })

  test('lists its other names, and not its own in another spelling', () => {
    assert.deepEqual(toMunicipality('Alicante', 'X-1').otherNames, ['Alacant'])
    assert.deepEqual(toMunicipality('Ejido, El', 'X-1').otherNames, [])
    assert.deepEqual(toMunicipality('Llodio', 'X-1').otherNames, ['Laudio'])
    assert.deepEqual(toMunicipality('Vitoria-Gasteiz', 'X-1').otherNames, ['Vitoria', 'Gasteiz'])
  })
})

/** The most names that are suggested. */
const suggestionsMax = 5

describe('a misspelt, incomplete or too long name', () => {
  const misspelt: [input: string, nearest: string][] = [
    ['Saragoza', 'Zaragoza'],
    ['Zargoza', 'Zaragoza'],
    ['Zaragosa', 'Zaragoza'],
    ['Barselona', 'Barcelona'],
    ['Madird', 'Madrid'],
    ['Bayadolid', 'Valladolid'],
    ['Guadalajra', 'Guadalajara'],
    ['Cordova', 'Córdoba'],
    ['Havila', 'Ávila'],
    ['Xabea', 'Jávea/Xàbia'],
    ['Alcala de Enares', 'Alcalá de Henares'],
    ['Sevila', 'Sevilla'],
    ['Torremolino', 'Torremolinos'],
    ['Huesqa', 'Huesca'],
    ['Arroyo Encomienda', 'Arroyo de la Encomienda'],
    ['Ayuntamiento de Sevilla', 'Sevilla'],
    ['Gijon Asturias', 'Gijón'],
  ]
  for (const [input, nearest] of misspelt) {
    test(`${input} gets the suggestion ${nearest}`, () => {
      assert.deepEqual(findNames(input), [])
      assert.equal(suggestNames(input, allMunicipalities)[0], nearest)
    })
  }

  test('that is part of a name gets the names that contain it', () => {
    const names = suggestNames('Alcalá', allMunicipalities)
    assert.equal(names.length, suggestionsMax)
    for (const name of names) assert.match(name, /Alcal[áà]/)
  })

  test('that is not finished gets the name with most records first', () => {
    // `Ecoru Nuevo` is invented. It is not suggested for `coru`, which is inside its first word but starts none.
    // `Coria` comes last: it does not begin with `coru`, but differs from it by two edits.
    const withRecords = ['Corullón', 'Coruña, A', 'Coria', 'Ecoru Nuevo'].map((name) => ({
      ...toMunicipality(name, 'X-1'),
      records: name === 'Coruña, A' ? 60 : 5,
    }))
    assert.deepEqual(suggestNames('coru', withRecords), ['Coruña, A', 'Corullón', 'Coria'])
    assert.equal(suggestNames('a coru', withRecords)[0], 'Coruña, A')
    assert.equal(suggestNames('nue', withRecords)[0], 'Ecoru Nuevo')
  })

  test('that is the start of a longer name with one error gets that name', () => {
    assert.equal(suggestNames('Castila', communities)[0], 'Castilla y León')
    assert.equal(suggestNames('Comunidat', communities)[0], 'Comunidad de Madrid')
    assert.equal(suggestNames('Santa Crus', provinces)[0], 'Santa Cruz de Tenerife')
  })

  test('that is similar to no name gets the least different names', () => {
    const few = ['Madrid', 'Toro', 'Alcalá de Henares'].map((name) => toMunicipality(name, 'X-1'))
    assert.equal(suggestNames('Toledo', few)[0], 'Toro')
    for (const name of ['qwertyuiop', 'zzzzzzzz', 'x'.repeat(5_000)]) {
      assert.equal(suggestNames(name, few).length, few.length, name)
      assert.equal(suggestNames(name, allMunicipalities).length, suggestionsMax, name)
    }
    // A text of fewer than three letters that is similar to no name gets none.
    for (const name of ['%', '', 'x']) assert.deepEqual(suggestNames(name, few), [], name)
    assert.deepEqual(suggestNames('Toledo', []), [])
  })
})

test('a municipality without records is found in the list by name or code', () => {
  const codesOf = (name: string): string[] => findInNationalList(name).map(({ ineCode }) => ineCode)
  // There is a Mieres in Girona and another one in Asturias.
  assert.deepEqual(codesOf('mieres'), ['17105', '33037'])
  assert.deepEqual(codesOf('A CORUÑA'), ['15030'])
  // The official name is `Font-rubí`.
  assert.deepEqual(codesOf('Fontrubí'), ['08085'])
  assert.deepEqual(codesOf('Alacant/Alicante'), ['03014'])
  assert.deepEqual(codesOf('05019'), ['05019'])
  // A name may lack its article, or be one half of a name with a hyphen.
  assert.deepEqual(codesOf('Ejido'), ['04902'])
  assert.deepEqual(codesOf('Gasteiz'), ['01059'])
  // An unknown name, the beginning of `Mieres`, and texts that are no names.
  for (const name of ['Forest', 'Mier', '', '%', '99999', 'a']) assert.deepEqual(codesOf(name), [], name)
})

test('a name in running text has the article of each half in front', () => {
  for (const [name, readable] of [
    ['Ejido, El', 'El Ejido'],
    ['Ejido (El)', 'El Ejido'],
    ["Lorcha/Orxa, l'", "Lorcha/l'Orxa"],
    ['Campo de Mirra/Camp de Mirra, el', 'Campo de Mirra/el Camp de Mirra'],
    ['Fondó de les Neus, el/Hondón de las Nieves', 'el Fondó de les Neus/Hondón de las Nieves'],
    ['Alicante/Alacant', 'Alicante/Alacant'],
  ] as const) {
    assert.equal(toReadableName(name), readable)
  }
})

describe('folding a name', () => {
  test('is idempotent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => foldName(foldName(name)) === foldName(name)),
      { seed },
    )
    for (const [, ...names] of listedRows)
      for (const name of names) assert.equal(foldName(foldName(name)), foldName(name))
    // A second folding must not change these either: the last name of `X/A` looks like an article, which is moved to
    // the front, and `ẞ` becomes `ß` and then `ss`.
    for (const name of ['X/A', 'ẞ']) assert.equal(foldName(foldName(name)), foldName(name))
  })

  test('accepts any text, and gives a lookup key of the municipality unless the result is empty', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (name, code) => {
        const { lookupKeys } = toMunicipality(name, code)
        assert.ok(lookupKeys.every((key) => key !== ''))
        assert.ok(foldName(name) === '' || lookupKeys.includes(foldName(name)))
      }),
      { seed },
    )
  })
})
