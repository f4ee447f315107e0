// Tests of provinces and communities: which spellings find them, and to which ones a municipality belongs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readMunicipalityNames } from '../../src/domain/municipality-list.ts'
import { communities, findCommunity, findProvince, provinceOf, provinces } from '../../src/domain/province.ts'

test('a province is found by its official, bilingual and former names and by its code', () => {
  for (const [code, ...names] of [
    ['15', 'A Coruña', 'Coruña, A', 'Coruña (A)', 'la coruña', 'CORUÑA', '15'],
    ['03', 'Alicante', 'Alacant', 'Alicante/Alacant', 'alacant-alicante', 'Alacant/Alicante'],
    ['07', 'Balears, Illes', 'Islas Baleares', 'Baleares'],
    ['48', 'Bizkaia', 'Vizcaya', 'Bizkaia/Vizcaya', 'Vizcaya / Bizkaia'],
    ['31', 'Navarra/Nafarroa'],
    ['33', 'Asturias', 'Asturias, Principado de'],
    ['01', 'Álava', 'araba', '01'],
    ['46', 'Valencia', 'València'],
    ['52', 'Melilla'],
  ] as const) {
    for (const name of names) assert.equal(findProvince(name)?.code, code, name)
  }
})

test('a community is found by its official and short names and by its code', () => {
  for (const [code, ...names] of [
    ['07', 'Castilla y León', 'castilla y leon', '07'],
    ['08', 'Castilla-La Mancha', 'Castilla - La Mancha', 'castilla la mancha'],
    ['13', 'Madrid, Comunidad de', 'Comunidad de Madrid', 'Madrid'],
    ['15', 'Navarra, Comunidad Foral de', 'Navarra', 'Nafarroa'],
    ['16', 'País Vasco', 'Euskadi', 'País Vasco/Euskadi'],
    ['17', 'Rioja, La', 'La Rioja'],
    ['10', 'Comunitat Valenciana', 'comunidad valenciana'],
  ] as const) {
    for (const name of names) assert.equal(findCommunity(name)?.code, code, name)
  }
})

test('other names, islands and codes outside the list find no province and no community', () => {
  // `Getafe` is a municipality, and `Navarra/Vizcaya` joins the names of two provinces.
  for (const name of [
    'Atlantis',
    'Mallorca',
    'Tenerife',
    '00',
    '53',
    '1',
    '015',
    '',
    ',',
    '/',
    'Getafe',
    'Navarra/Vizcaya',
  ]) {
    assert.equal(findProvince(name), undefined, name)
    assert.equal(findCommunity(name), undefined, name)
  }
})

test('no two provinces and no two communities share a name', () => {
  // `lookupKeys` are the names that find an entry, folded. Two names of one entry may be equal when folded.
  for (const entries of [provinces, communities]) {
    const keys = entries.flatMap(({ lookupKeys }) => [...new Set(lookupKeys)])
    assert.equal(new Set(keys).size, keys.length)
  }
})

test('every municipality has a province and a community', () => {
  for (const { ineCode } of readMunicipalityNames()) assert.ok(provinceOf(ineCode)?.community.name, ineCode)
  // The province has no `lookupKeys`, unlike the entries of `provinces`.
  assert.deepEqual(provinceOf('05019'), {
    code: '05',
    name: 'Ávila',
    community: { code: '07', name: 'Castilla y León' },
  })
  assert.equal(provinceOf('99001'), undefined)
})
