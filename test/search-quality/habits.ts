// Generated titles in the style of a city's register, and queries as people type them. A habit is a way of writing such
// a query, for example with the kind of street (`c/ Serrano 5`). Which titles are relevant follows from how they were
// generated, not from the analyser of the search. habits.test.ts measures how many queries find exactly the relevant
// titles, those of `HabitQuery.first` before the others.

/** A title with what it was generated from. */
interface Generated {
  readonly title: string
  readonly addresses: readonly Address[]
  /** The codes in the title, in one form whatever their spelling: `ED 16 202`, `UE 4`, `sector 3`. */
  readonly codes: readonly string[]
  /** The numbers inside a label such as `ED.16.202`, which a search for a number finds too. */
  readonly labelNumbers: readonly number[]
}

/** `Avenida de Alcalá, 5 y 7` has the kind `avenida`, the name `Alcalá` and two numbers. */
interface Address {
  /** A key of `kinds`; undefined if the address does not say it. */
  readonly kind: string | undefined
  readonly name: string
  readonly numbers: readonly number[]
}

/** A query, and what it must find. */
export interface HabitQuery {
  readonly habit: string
  readonly term: string
  /** The titles that must be found; no other title may be found. */
  readonly relevant: ReadonlySet<string>
  /** The relevant titles that must come first, because they have the words side by side. Empty: no order is judged. */
  readonly first: ReadonlySet<string>
}

const streetNames = `Infantas|Serrano|Lagasca|Orense|Embajadores|Bravo Murillo|Príncipe de Vergara|Marqués de Urquijo|
San Bernardo|Santa Engracia|Alcalá|Arturo Soria|Francos Rodríguez|Conde de Peñalver|Ríos Rosas|Fernando el Católico|
Hermanos Miralles|Ferraz|Fuencarral|Hortaleza|Duque de Alba|Cea Bermúdez|Los Madrazo|General Ricardos`
  .split('|')
  .map((name) => name.trim())

/** The kinds of street, with their spellings in titles and in terms. */
const kinds: Readonly<Record<string, { inTitles: readonly string[]; inTerms: readonly string[] }>> = {
  calle: { inTitles: ['C/', 'Calle', 'c/'], inTerms: ['calle', 'c/', 'Calle'] },
  avenida: { inTitles: ['Avda.', 'Avenida', 'Av.'], inTerms: ['avenida', 'avda', 'av.'] },
  plaza: { inTitles: ['Pza.', 'Plaza', 'Plza.'], inTerms: ['plaza', 'pza', 'pza.'] },
  paseo: { inTitles: ['Pº', 'Paseo'], inTerms: ['paseo', 'pº', 'Pº'] },
}

/** The spellings of the word "number" in terms. */
const numberWords = ['nº', 'núm.', 'número', 'n.º', 'Nº', 'num', 'n']

/**
 * The letters of labels and their full forms. A label is a code of letters and numbers that names a plan or an area,
 * such as `ED.16.202`. The labels of areas begin with AP.
 */
const labels: Readonly<Record<string, string>> = {
  ED: 'estudio de detalle',
  PE: 'plan especial',
  APR: 'área de planeamiento remitido',
  API: 'área de planeamiento incorporado',
}

const romanNumerals = ['I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX', 'X', 'XI', 'XII']

/** A linear congruential generator, so that every run has the same titles. */
class Random {
  /** Any number would do as the first state. */
  #state = 7

  /** A whole number from 0 to `bound - 1`. */
  below(bound: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((this.#state / 2 ** 32) * bound)
  }

  /** One of the values. A value that is listed twice is twice as likely. */
  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T
  }
}

const random = new Random()

/** The kind of street is missing in one of three addresses. One of five addresses has two numbers. */
function drawAddress(): Address {
  const kind = random.below(3) === 0 ? undefined : random.pick(Object.keys(kinds))
  const first = 1 + random.below(60)
  const numbers = random.below(5) === 0 ? [first, first + 2] : [first]
  return { kind, name: random.pick(streetNames), numbers }
}

/** The address in one of its spellings. */
function writeAddress({ kind, name, numbers }: Address): string {
  const start = kind === undefined ? '' : `${random.pick(kinds[kind]?.inTitles ?? [])} ${random.pick(['', '', 'de '])}`
  const number = numbers.join(random.pick([' y ', '-']))
  return `${start}${name}${random.pick([', ', ' ', ', nº ', ' núm. '])}${number}`
}

/** The words between the two streets of a corner. `c/v` is `con vuelta a`. */
const cornerWords = ['c/v', 'c/v a', 'esq.', 'esquina', 'con vuelta a']

/** For example `Estudio de Detalle C/ Serrano, 69 c/v Avda. Alcalá 5`. One of six titles names a corner. */
function drawAddressTitle(): Generated {
  const addresses = random.below(6) === 0 ? [drawAddress(), drawAddress()] : [drawAddress()]
  const start = random.pick(['', '', '', 'Estudio de Detalle ', 'Plan Especial en '])
  const title = start + addresses.map(writeAddress).join(` ${random.pick(cornerWords)} `)
  return { title, addresses, codes: [], labelNumbers: [] }
}

/** For example `ED.16.202 Serrano` or `APR 06.02`. The numbers are a district of the city and a serial number. */
function drawLabelTitle(): Generated {
  const letters = random.pick(Object.keys(labels))
  const isArea = letters.startsWith('AP')
  const district = 1 + random.below(21)
  const serial = isArea ? 1 + random.below(20) : 200 + random.below(40)
  const districtText = String(district).padStart(2, '0')
  const serialText = String(serial).padStart(2, '0')
  const delimiter = random.pick(['.', '.', '.', ' '])
  // The label of an area is not followed by an address.
  const name = isArea ? '' : random.pick(['', ...streetNames])
  const title = `${letters}${delimiter}${districtText}.${serialText} ${name}`.trim()
  const addresses = name === '' ? [] : [{ kind: undefined, name, numbers: [] }]
  return { title, addresses, codes: [`${letters} ${district} ${serial}`], labelNumbers: [district, serial] }
}

/** For example `U.E. 4, parcela 7`, which `UE 7` must not find. */
function drawUnitTitle(): Generated {
  const number = 1 + random.below(12)
  const other = 1 + random.below(12)
  const unit = random.pick([`UE-${number}`, `U.E. ${number}`, `Unidad de Ejecución nº ${number}`, `UE ${number}`])
  const tail = random.pick(['', `, parcela ${other}`, `, manzana ${other}`, `. Modificación nº ${other}`])
  return { title: unit + tail, addresses: [], codes: [`UE ${number}`], labelNumbers: [] }
}

/** For example `Sector III c/v Carlos III`. */
function drawSectorTitle(): Generated {
  const number = 2 + random.below(11)
  const roman = romanNumerals[number - 1] as string
  const sector = random.pick([`Sector ${roman}`, `Sector ${number}`, `Sector nº ${number}`])
  // Some titles name a street of a king. Its numeral is not that of the sector: `sector III` must not find `Sector 5
  // c/v Carlos III`.
  const king = random.pick(['Carlos III', 'Alfonso XII', 'Juan XXIII', 'Felipe II'])
  const tail = random.pick(['', ` c/v ${king}`, `. Modificación nº ${1 + random.below(12)}`])
  // The V of `Sector V` may be a name or the number 5, and the X of `Sector X` likewise. So the titles of the sectors 5
  // and 10 have no code here, and no queries are made for these sectors.
  const codes = roman.length === 1 ? [] : [`sector ${number}`]
  return { title: sector + tail, addresses: [], codes, labelNumbers: [] }
}

function generate(count: number, drawTitle: () => Generated): Generated[] {
  return Array.from({ length: count }, drawTitle)
}

/** All titles, some of them more than once. */
const generated: readonly Generated[] = [
  ...generate(400, drawAddressTitle),
  ...generate(150, drawLabelTitle),
  ...generate(80, drawUnitTitle),
  ...generate(80, drawSectorTitle),
]

/** Each title once. Equal titles were generated from the same parts, so they are relevant to the same queries. */
export const habitTitles: readonly string[] = [...new Set(generated.map(({ title }) => title))]

/** The titles that fulfil the condition. */
function toTitles(isRelevant: (each: Generated) => boolean): Set<string> {
  return new Set(generated.filter(isRelevant).map(({ title }) => title))
}

/** A kind that is asked for must be the kind of the street, or be missing in the title. */
function hasKind(address: Address, asked: Address): boolean {
  return asked.kind === undefined || address.kind === undefined || address.kind === asked.kind
}

/**
 * A title is relevant if it has the street, with the kind that is asked for or without a kind, and the number: anywhere,
 * even inside a label, or, if a kind is asked for, at a street of this kind or without a kind. A title comes first if this
 * is the first number of the street, which stands next to its name.
 */
function toAddressQuery(habit: string, asked: Address, term: string): HabitQuery {
  const [number = 0] = asked.numbers
  const matches = (address: Address): boolean => address.name === asked.name && hasKind(address, asked)
  return {
    habit,
    term,
    relevant: toTitles(
      ({ addresses, labelNumbers }) =>
        addresses.some(matches) &&
        (addresses.some((each) => hasKind(each, asked) && each.numbers.includes(number)) ||
          (asked.kind === undefined && labelNumbers.includes(number))),
    ),
    first: toTitles(({ addresses }) => addresses.some((each) => matches(each) && each.numbers[0] === number)),
  }
}

/**
 * A title is relevant if it has the street, and one of its streets, this or the other, has both numbers. A title comes
 * first if both are numbers of the street that is asked for.
 */
function toRangeQuery(asked: Address, term: string): HabitQuery {
  const isStreet = ({ name }: Address): boolean => name === asked.name
  const hasRange = ({ numbers }: Address): boolean => numbers.join() === asked.numbers.join()
  return {
    habit: 'ranges of numbers',
    term,
    relevant: toTitles(({ addresses }) => addresses.some(isStreet) && addresses.some(hasRange)),
    first: toTitles(({ addresses }) => addresses.some((each) => isStreet(each) && hasRange(each))),
  }
}

/** A title is relevant if it has the code. */
function toCodeQuery(habit: string, code: string, term: string): HabitQuery {
  return { habit, term, relevant: toTitles(({ codes }) => codes.includes(code)), first: new Set() }
}

/** The queries for a corner, in either order of its streets. A title is relevant if it has both streets. */
function toCornerQueries(addresses: readonly Address[]): HabitQuery[] {
  const names = addresses.map(({ name }) => name)
  const relevant = toTitles((each) => names.every((name) => each.addresses.some((address) => address.name === name)))
  return [names, names.toReversed()].map((ordered) => {
    const term = ordered.map(toPlainName).join(` ${random.pick([...cornerWords, 'cv', 'c.v.'])} `)
    return { habit: 'corners', term, relevant, first: new Set() }
  })
}

/** The queries for every title, one or more for each habit that applies to it. */
export function toHabitQueries(): HabitQuery[] {
  return generated.flatMap(({ addresses, codes }) => [
    ...(addresses.length > 1 ? toCornerQueries(addresses) : []),
    ...addresses.filter(({ numbers }) => numbers.length > 0).flatMap((address) => toAddressQueries(address)),
    ...addresses.filter(({ numbers }) => numbers.length > 1).flatMap((address) => toRangeQueries(address)),
    ...codes.flatMap((code) => toCodeQueries(code)),
  ])
}

/** The name in lower case and without accents. */
function toPlainName(name: string): string {
  return name.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '')
}

/** The queries of people who look for the first number of the address. */
function toAddressQueries(address: Address): HabitQuery[] {
  const { name, numbers } = address
  const [number = 0] = numbers
  const withoutKind: Address = { kind: undefined, name, numbers: [number] }
  const plainName = toPlainName(name)
  // A street whose title does not say its kind is looked for as a `calle`.
  const kind = address.kind ?? 'calle'
  const withKind: Address = { ...withoutKind, kind }
  const kindText = random.pick(kinds[kind]?.inTerms ?? [])
  const numberWord = random.pick(numberWords)
  return [
    toAddressQuery('street and number', withoutKind, `${plainName} ${number}`),
    toAddressQuery('the word number', withoutKind, `${plainName} ${numberWord} ${number}`),
    toAddressQuery('kind of street', withKind, `${kindText} ${plainName} ${number}`),
    toAddressQuery('kind of street', withKind, `${kindText} de ${name}, ${numberWord} ${number}`),
  ]
}

/** The queries of people who look for both numbers. */
function toRangeQueries(address: Address): HabitQuery[] {
  const { name, numbers } = address
  return ['-', '/'].map((delimiter) => toRangeQuery(address, `${name.toLowerCase()} ${numbers.join(delimiter)}`))
}

/** The code is in the form of `Generated.codes`: letters and one or two numbers. */
function toCodeQueries(code: string): HabitQuery[] {
  const [letters = '', first = '', second] = code.split(' ')
  const lower = letters.toLowerCase()
  // `sector 3`.
  if (letters === 'sector') {
    const roman = romanNumerals[Number(first) - 1] ?? ''
    return [`sector ${roman}`, `Sector nº ${roman}`, `sector ${roman.toLowerCase()}`].map((term) =>
      toCodeQuery('Roman numerals', code, term),
    )
  }
  // `UE 4`.
  if (second === undefined) {
    const full = 'unidad de ejecución'
    return [`UE ${first}`, `ue ${first}`, `U.E. nº ${first}`, `${full} ${first}`, `${full} nº ${first}`].map((term) =>
      toCodeQuery('codes with spaces', code, term),
    )
  }
  // `ED 16 202`.
  const padded = `${first.padStart(2, '0')}.${second.padStart(2, '0')}`
  const dotted = [...letters].map((letter) => `${letter}.`).join('')
  const terms = [`${letters} ${padded}`, `${dotted} ${padded}`, `${labels[letters]} ${padded}`, `${lower} ${padded}`]
  const spaced = `${letters} ${padded.replace('.', ' ')}`
  // Without the leading zero of the district, but with that of the serial number: `APR 6.02`.
  const withoutFirstZero = `${letters} ${first}.${second.padStart(2, '0')}`
  return [...terms, spaced, withoutFirstZero, `${letters}.${padded}`].map((term) => toCodeQuery('labels', code, term))
}
