// Tests of the analyser: the words of a text, the words added to it, the clauses of a search term (its conditions), and
// which spellings of codes and abbreviations find each other. `finds(term, text)` tells whether a search for the term
// finds a record whose title is the text; `findsSideBySide`, whether the title also has the words of the term side by
// side, so that it comes first in the result.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { analyseTerm, analyseText, analyseTitle } from '../../src/analysis/analyser.ts'
import { finds, findsSideBySide } from './reference-matcher.ts'

/** The words of the text in their folded form: in lower case, without accents. */
const forms = (text: string): string[] => analyseText(text).words.map((word) => word.form)
/** Other spellings of what the text has, indexed with it: `ue1` for `UE-1`. */
const joinedForms = (text: string): string[] => analyseText(text).joinedForms.map((word) => word.form)
/** Other words with the same meaning, indexed with the text: `pp` for `Plan Parcial`. */
const synonyms = (text: string): string[] => analyseText(text).synonyms.map((word) => word.form)

describe('the words of a text', () => {
  test('are split between letters and digits, but not at the dots of thousands', () => {
    assert.deepEqual(forms('UE1 y 21b'), ['ue', '1', 'y', '21', 'b'])
    assert.deepEqual(forms('1.250.000m2, 20.07'), ['1250000', 'm', '2', '20', '07'])
  })

  test('include dotted acronyms as one word', () => {
    assert.deepEqual(forms('P.G.O.U. de 1998, NN.SS. y U.E.-1'), ['pgou', 'de', '1998', 'nnss', 'y', 'ue', '1'])
  })

  test('are joined when a hyphen breaks them at the end of a line', () => {
    assert.deepEqual(forms('suelo urbani-\n  zable'), ['suelo', 'urbanizable'])
    // U+00AD is the soft hyphen.
    assert.deepEqual(forms('suelo urbani\u00ad\nzable'), ['suelo', 'urbanizable'])
    // If the parts were not joined, `cap` would be the abbreviation of `capitán`.
    assert.deepEqual(forms('la cap\u00ad\ntación'), ['la', 'captacion'])
    // Before a digit, or between a lower-case and a capital letter, the two parts stay separate words.
    assert.deepEqual(forms('UE-\n1'), ['ue', '1'])
    assert.deepEqual(forms('Castilla-\nLa Mancha'), ['castilla', 'la', 'mancha'])
    // Between capitals, or before a space without a line end, the break is not certain: the whole word is added to the
    // two parts.
    assert.ok(finds('urbanización', 'PROYECTO DE URBANI-\nZACIÓN'))
    assert.ok(finds('urbanización', 'PROYECTO DE URBANI\u00ad\nZACIÓN'))
    assert.ok(finds('urbanización', 'proyecto de urbani- zación'))
  })

  test('are joined when a PDF has a space after `fi` or `fl`, or before an accent or an accented letter', () => {
    assert.deepEqual(forms('modiﬁ cación del ediﬁcio'), ['modificacion', 'del', 'edificio'])
    assert.ok(finds('modificación', 'la modifi cación del plan'))
    assert.ok(finds('conflicto', 'un confl icto'))
    assert.ok(finds('rehabilitación', 'la rehabilitaci ón del inmueble'))
    // `área` is a word of its own, not the rest of a word that starts with `subir`.
    assert.ok(!finds('subirá', 'subir área'))
    assert.ok(finds('artículo', 'el Arti \u0301culo 3'))
    assert.ok(finds('ámbito', 'del a \u0301mbito'))
    assert.ok(finds('fútbol', 'un campo de fu \u0301tbol'))
  })

  test('are found when a PDF has lost a ligature', () => {
    const text = 'la modi cación y cali cado del edi cio, de super cie de nitiva; modicaciones del edicio'
    for (const term of ['modificación', 'calificar', 'edificios', 'superficie', 'definitiva'])
      assert.ok(finds(term, text))
    assert.ok(finds('"modi cación"', text))
    // `edición` is a word of its own. `edicio` above is none.
    assert.ok(!finds('edificio', 'edición'))
    // `de nido` could be `definido`, but not `nido de`.
    assert.ok(!finds('definido', 'nido de cigüeña'))
  })

  test('are the same in every Unicode form, with invisible characters and with separate accents', () => {
    for (const text of [
      'ordenación',
      'ordenacio\u0301n',
      'ＯＲＤＥＮＡＣＩÓＮ',
      'orde\u00adnación',
      'orde\u200bnación',
      'ordenaci´on',
      'ordenaci`on',
    ]) {
      assert.deepEqual(forms(text), ['ordenacion'], text)
    }
    assert.deepEqual(forms('500 m²'), ['500', 'm', '2'])
  })

  test('may have a backtick or an acute accent as the apostrophe after an article', () => {
    for (const text of ["l'Alcudia", 'l`Alcudia', 'l`Alcúdia', 'l´Alcudia']) {
      assert.deepEqual(forms(text), ['l', 'alcudia'], text)
      assert.ok(finds(text, 'Alcúdia'), text)
    }
  })

  test('in other languages of Spain are split only at the apostrophe of an article', () => {
    assert.deepEqual(forms("l'Alcúdia, Xàbia, Añorbe, paral·lel"), ['l', 'alcudia', 'xabia', 'anorbe', 'parallel'])
  })

  test('that abbreviate "number" have one stem', () => {
    // The last two have stray accents.
    for (const spelling of ['nº 5', 'n.º 5', 'Nº5', 'núm. 5', 'NUM. 5', 'n° 5', '№ 5', 'n´º 5', 'ñ`º 5']) {
      const stems = analyseText(spelling).words.map((word) => word.stem)
      assert.deepEqual(stems, ['numero', '5'], spelling)
    }
  })

  test('are found in titles in the style of Madrid, abbreviated or in full', () => {
    for (const [term, title] of [
      ['pecuau', 'Plan Especial de Control Urbanístico-Ambiental de Usos para la finca'],
      ['plan especial de control urbanistico ambiental de usos', 'P.E.C.U.A.U. Infantas, 15'],
      ['area de ordenacion especial', 'AOE.00.08 Parque Olímpico'],
      ['mtez campos 12', 'Plan Especial C/ Gral. Martínez Campos, 12'],
      ['garcia noblejas', 'C/ Hnos. Gcia. Noblejas, 41'],
      ['glorieta de bilbao', 'Glor. Bilbao'],
      ['mz 14', 'Estudio de Detalle Manzana 14'],
      ['distrito de arganzuela', 'Colonia del Pico. Dto. Arganzuela'],
      ['donnell', 'C/ O´Donnell nº 48'],
    ] as const) {
      assert.ok(finds(term, title), `${term} in ${title}`)
    }
  })

  test('that number a phase are found in every spelling', () => {
    const titles = [
      '2ª fase',
      '2a fase',
      'Fase 2ª',
      'segunda fase',
      'Fase segunda',
      'Fase II',
      'Fase 2',
      'Fases I y II',
    ]
    const reversed = ['Polígono El Pla, II Fase', 'II FASE Y ACCESOS']
    const several = ['1ª y 2ª fases', 'Primera y segunda fase', '1a i 2a fase', '1ª/2ª fase', 'Segunda y última fase']
    for (const term of ['2ª fase', 'segunda fase', 'SEGUNDA FASE', 'fase ii', 'fase 2']) {
      for (const title of [...titles, ...reversed, ...several]) assert.ok(finds(term, title), `${term} in ${title}`)
      for (const title of ['Fase III', '3ª fase', 'Tercera y cuarta fase', 'Fases tercera y cuarta']) {
        assert.ok(!finds(term, title), `${term} in ${title}`)
      }
    }
    assert.ok(!finds('tercera fase', 'Segunda fase, tercera modificación'))
    // The numeral belongs to the word before it, not to the phase after it.
    for (const title of [
      'Sector II, Fase 3',
      'Benavente II. Fase III',
      'Sector II, fase norte',
      'Norte II, Fase nº 1',
      'Juan Pablo II, fase de obras',
      'Paso del sector 2 a fase de obras',
    ])
      assert.ok(!finds('segunda fase', title), title)
    // `Polígono Industrial` has the synonyms `p` and `i`, because it may be written `P. I.`: this `i` is no number.
    assert.ok(!finds('fase i', 'Polígono Industrial, segunda fase'))
  })

  test('that name the year of a general plan are found with two digits and with four', () => {
    const shortYears = [
      'PGOU 97',
      'PGOU del 97',
      'PGOU-97',
      'Plan General 97',
      'Plan General de Ordenación Urbana del 97',
    ]
    const longYears = ['PGOU de 1997', 'Plan General de 1997']
    for (const term of ['pgou 97', 'PGOU del 97', 'plan general 97', 'plan general del 97']) {
      for (const title of [...shortYears, ...longYears]) assert.ok(finds(term, title), `${term} in ${title}`)
    }
    for (const term of ['pgou 1997', 'PGOU de 1997', 'plan general 1997']) {
      for (const title of shortYears) assert.ok(finds(term, title), `${term} in ${title}`)
    }
    assert.ok(findsSideBySide('pgou 1997', 'PGOU 97'))
    for (const title of [
      'Plan General 98',
      'Plan Parcial 97',
      'UE 97',
      'Plan General, Sector 97',
      'Director General 97',
    ])
      assert.ok(!finds('1997', title), title)
    assert.ok(!finds('pgou 1975', 'Modificación del Plan General. 75 viviendas'))
  })

  test('are found in a heading with a space after each letter', () => {
    assert.ok(finds('memoria', 'M E M O R I A   D E S C R I P T I V A'))
    assert.ok(finds('descriptiva', 'M E M O R I A   D E S C R I P T I V A'))
    assert.ok(finds('memoria', '1 M E M O R I A'))
    assert.ok(finds('memoria', 'M E M O R I A 1'))
  })

  test('are truncated at 64 characters', () => {
    assert.equal(forms('x'.repeat(100_000))[0]?.length, 64)
    // The last character is a letter of two UTF-16 units. The cut leaves only the first, which U+FFFD replaces.
    assert.ok(forms(`${'a'.repeat(63)}\u{20000}`)[0]?.isWellFormed())
  })
})

describe('the words added to a text', () => {
  test('include codes as one word', () => {
    assert.ok(joinedForms('SUNC-R-3').includes('suncr3'))
    assert.ok(joinedForms('S/SUNC/1').includes('ssunc1'))
    assert.ok(joinedForms('APR 20.07').includes('20.07'))
    const isJoinedForm = (form: string): boolean => joinedForms('SUNC-R-3').includes(form)
    assert.deepEqual(synonyms('SUNC-R-3').filter(isJoinedForm), [], 'a joined form is not a synonym too')
  })

  test('include a number of two parts without leading zeros', () => {
    const joinedStems = (text: string): string[] => analyseText(text).joinedForms.map(({ stem }) => stem)
    assert.deepEqual([...new Set(joinedStems('PECUAU.04.322'))], ['4.322', 'pecuau4.322', 'pecuau4'])
    // A decimal fraction is not the number of a label.
    assert.deepEqual(joinedStems('un coeficiente de 0.322'), [])
  })

  test('do not include dates, ranges with a hyphen or fractions', () => {
    assert.deepEqual(joinedForms('el 25/05/2018, de 2004-2008 y 0,35'), [])
    assert.deepEqual(synonyms('el 25/05/2018, de 2004-2008 y 0,35'), [])
  })

  test('include the ranges of a title: two ascending numbers with "and" or "to" between them', () => {
    const ranges = (title: string): string[] =>
      analyseTitle(title)
        .synonyms.map(({ stem }) => stem)
        .filter((stem) => stem.includes('-'))
    for (const title of ['Goya, 23 y 25', 'Goya, 23 a 25', 'GOYA 23 AL 25']) assert.deepEqual(ranges(title), ['23-25'])
    for (const title of ['Goya, 25 y 23', 'Goya, 23 y 23', 'Goya, 23, 25', 'Goya, 23-25', 'Goya 23 y Lagasca 25']) {
      assert.deepEqual(ranges(title), [], title)
    }
  })

  test('include the acronym of a phrase, also joined with its number or letter', () => {
    assert.ok(joinedForms('Unidad de Ejecución nº 2.1').includes('ue2.1'))
    assert.ok(synonyms('Planes Parciales').includes('pp'))
    assert.ok(joinedForms('Unidad de Ejecución A').includes('uea'))
    // `Plan General` has the synonym `pgou`. The word `a` after it is not the letter of a code.
    assert.ok(!joinedForms('Plan General a largo plazo').includes('pgoua'))
    // `y`, `e`, `o` and `u` before another word are conjunctions. As the letter of a code they would add a code, such
    // as `ppy`, and the word `numero`.
    for (const title of ['Plan Parcial y convenio', 'PLAN PARCIAL Y CONVENIO', 'Plan Parcial e informe']) {
      assert.deepEqual(joinedForms(title), [], title)
      assert.ok(!synonyms(title).includes('numero'), title)
    }
    assert.ok(joinedForms('Unidad de Ejecución Y').includes('uey'))
    assert.ok(joinedForms('Unidad de Ejecución E del Plan').includes('uee'))
    // The number and the date of a law may stand between the words of its name.
    assert.ok(synonyms('Ley 7/2002, de 17 de diciembre, de Ordenación Urbanística de Andalucía').includes('loua'))
  })

  test('are none when the text has no abbreviations or codes', () => {
    assert.deepEqual(synonyms('Acuerdo del Pleno sobre la ordenanza de vados'), [])
    assert.deepEqual(joinedForms('Acuerdo del Pleno sobre la ordenanza de vados'), [])
  })
})

describe('a term', () => {
  test('searches for the stem of each word', () => {
    assert.deepEqual(analyseTerm('suelos URBANOS').clauses, [
      { kind: 'word', stem: 'suelo' },
      { kind: 'word', stem: 'urbano' },
    ])
  })

  test('drops unquoted stop words unless all its words are stop words', () => {
    assert.equal(analyseTerm('plan de la zona').clauses.length, 2)
    assert.equal(analyseTerm('de la').clauses.length, 2)
    assert.equal(analyseTerm('de "la"').clauses.length, 2)
  })

  test('searches for a code as consecutive subtokens or as one word', () => {
    for (const code of ['UE-1', 'UE1', 'U.E.-1', 'ue_1', 'UE–1', 'UE/1', 'UE-01']) {
      assert.deepEqual(analyseTerm(code).clauses, [{ kind: 'phrase', stems: ['ue', '1'], joinedCode: 'ue1' }], code)
    }
  })

  test('searches for quoted words as a phrase', () => {
    for (const term of ['"suelo de uso"', '“suelo de uso”', '«suelo de uso»', '„suelo de uso“', '＂suelo de uso＂']) {
      assert.deepEqual(analyseTerm(term).clauses, [{ kind: 'phrase', stems: ['suelo', 'de', 'uso'] }], term)
    }
  })

  test('searches for two ascending numbers with a hyphen or a slash also as a range', () => {
    for (const term of ['23-25', '23/25']) {
      assert.deepEqual(analyseTerm(term).clauses, [{ kind: 'phrase', stems: ['23', '25'], joinedCode: '23-25' }], term)
    }
    // The numbers descend, or the comma makes them a decimal fraction.
    for (const term of ['25-23', '23,25', '23/5'])
      assert.ok(!('joinedCode' in (analyseTerm(term).clauses[0] ?? {})), term)
  })

  test('reads the quoted number of a label as one word and as two', () => {
    // A text has the number as one word in `ED 16.202`, and as two in `ED.16.202`.
    const split = { kind: 'phrase', stems: ['ed', '16', '202'] }
    const joined = { kind: 'phrase', stems: ['ed', '16202'] }
    for (const term of ['"ED 16.202"', '"E.D. 16.202"']) {
      assert.deepEqual(analyseTerm(term).clauses, [{ ...joined, orPhrase: split }], term)
    }
    for (const term of ['"ED.16.202"', '"ED-16.202"']) {
      assert.deepEqual(analyseTerm(term).clauses, [{ ...split, orPhrase: joined }], term)
    }
    // After the single letter B the dot is that of thousands. A number with a leading zero is two words in any case.
    assert.deepEqual(analyseTerm('"B 1.250"').clauses, [{ kind: 'phrase', stems: ['b', '1250'] }])
    assert.deepEqual(analyseTerm('"ED 09.318"').clauses, [{ kind: 'phrase', stems: ['ed', '9', '318'] }])
  })

  test('takes other quotation marks between straight quotes as punctuation', () => {
    const clauses = [{ kind: 'phrase', stems: ['uso', 'b', 'suelo'] }]
    for (const term of ['"uso «B» suelo"', '"uso “B” suelo"', '"uso “B suelo"', '"uso B» suelo"']) {
      assert.deepEqual(analyseTerm(term).clauses, clauses, term)
    }
    // Outside straight quotes they enclose a phrase.
    assert.equal(analyseTerm('"uso" «B suelo»').clauses.length, 2)
  })

  test('finds a phrase in capitals and in lower case, also with the letter of a code before a number', () => {
    for (const text of ['RETRANQUEO A 3 METROS Y 5', 'Retranqueo a 3 metros y 5', 'retranqueo a 3 metros Y 5'])
      for (const phrase of ['retranqueo a 3 metros y 5', 'RETRANQUEO A 3 METROS Y 5', 'a 3 metros'])
        assert.ok(finds(`"${phrase}"`, text), `${phrase} in ${text}`)
    // The letter is the first word of the phrase: what stands before it in the text decides what it is.
    for (const text of ['de 5 A 31 de diciembre', 'Plazo: A 31 de diciembre', 'a 31 de diciembre'])
      for (const term of ['"A 31 de diciembre"', '"a 31 de diciembre"'])
        assert.ok(finds(term, text), `${term} in ${text}`)
    assert.ok(!finds('"retranqueo a 3 metros"', 'Retranqueo E 3 metros'))
    // A hyphen makes it certainly the letter of a code.
    assert.ok(!finds('"A-6"', 'Manzanas 1 a 6'))
  })

  test('finds a copied phrase with any number of letters before numbers in its own text', () => {
    for (const text of [
      'Parcelas A 1, A 2, A 3 y A 4',
      'Artículos 3 y 4, 5 y 6, 7 y 8 de la zona A 6',
      'MANZANAS 1, 2 Y 3, 4 Y 5, 6 A 9, A 10',
    ]) {
      assert.ok(finds(`"${text}"`, `Plan. ${text}. Fin`), text)
    }
  })

  test('finds a phrase that was copied with the hyphen of a line end inside a word', () => {
    const terms = ['"de urbani- zación del"', '"de urbani\u00ad zación del"', '"de urbani-\nzación del"']
    for (const term of terms) {
      for (const text of ['proyecto de urbanización del sector', 'proyecto de urbani-\nzación del sector'])
        assert.ok(finds(term, text), `${term} in ${text}`)
      assert.ok(!finds(term, 'urbanización del sector'), term)
    }
    assert.ok(finds('"pre- y posoperatorio"', 'pre- y posoperatorio'))
    // `no. 5` has a clause of its own besides the phrase.
    assert.ok(finds('"no. 5 urbani- zación"', 'no. 5 urbanización'))
    assert.ok(finds('"Getafe- calle Mayor"', 'Getafe - calle Mayor'))
  })

  test('ignores an unclosed quotation mark', () => {
    assert.deepEqual(analyseTerm('"suelo de uso'), analyseTerm('suelo de uso'))
    assert.deepEqual(analyseTerm('"suelo" "de uso').clauses, [
      { kind: 'phrase', stems: ['suelo'] },
      { kind: 'word', stem: 'uso' },
    ])
  })

  test('searches for a prefix when a star follows at least three letters', () => {
    assert.deepEqual(analyseTerm('Urbanís*').clauses, [{ kind: 'prefix', prefix: 'urbanis' }])
    assert.deepEqual(analyseTerm('xy*').clauses, [{ kind: 'word', stem: 'xy' }])
    // A star before or inside a word only separates words.
    assert.deepEqual(
      analyseTerm('*urb*ano').clauses.map((clause) => clause.kind),
      ['word', 'word'],
    )
    assert.deepEqual(analyseTerm('UE-nor*').clauses, [
      { kind: 'word', stem: 'ue' },
      { kind: 'prefix', prefix: 'nor' },
    ])
  })

  test('searches for a prefix of the whole code when its last part is too short for a prefix', () => {
    const matching: [term: string, texts: string[]][] = [
      ['S/SU*', ['S/SUNC/1', 'SSUNC1', 'S/SU']],
      ['sunc-r*', ['SUNC-R-3', 'SUNCR3', 'SUNC-R', 'SUNC R', 'SUNC R 3']],
      ['UE-1*', ['UE-1', 'UE-12', 'UE 1', 'Unidad de Ejecución 1', 'UE 12', 'U.E. 12', 'UE nº 12', 'UE 8, 9 y 12']],
      ['UE-01*', ['UE-01', 'UE 01', 'UE nº 01', 'Unidad de Ejecución 01']],
      // `P.G.O` is one word of three letters, long enough for a prefix.
      ['P.G.O*', ['P.G.O.U.', 'PGOU', 'P. G. O. U.']],
      ['"S/SU*"', ['S/SUNC/1']],
    ]
    for (const [term, texts] of matching) for (const text of texts) assert.ok(finds(term, text), `${term} in ${text}`)
    assert.ok(!finds('S/SU*', 'S/AB/1'))
    for (const text of ['UE-21', 'UE 21', 'UE 2, 21 y 31']) assert.ok(!finds('UE-1*', text), text)
    assert.ok(!finds('UE-01*', 'UE 10'))
  })

  test('matches a prefix with what is written, not with synonyms', () => {
    // The acronyms have the words of their full form as synonyms, such as `plan` and `urbana`; `Avda.` is `avenida`.
    for (const text of ['PAU3', 'PGOU', 'P.G.O.U.', 'Avda. Europa']) {
      for (const term of ['urb*', 'aveni*', 'plan*']) assert.ok(!finds(term, text), `${term} in ${text}`)
    }
    assert.ok(!finds('num*', 'nº 5'))
    assert.ok(finds('memor*', 'M E M O R I A'))
    assert.ok(finds('urbani*', 'proyecto de urbani-\nzación'))
    // The dot of a code does not separate its letters, unlike that of an unquoted abbreviation (`art.14`).
    for (const [prefix, text] of [
      ['SEC-3*', 'SEC.31'],
      ['UD.1*', 'UD.12'],
      ['art.1*', 'art.14'],
      ['exp.12*', 'Exp.123'],
    ] as const) {
      assert.ok(finds(prefix, text), `${prefix} in ${text}`)
    }
  })

  test('takes an upper-case stop word of one letter and the number after it as a code', () => {
    // A code is one clause. `DE` has two letters, so it is not the letter of a code but a stop word.
    assert.deepEqual(
      ['A 1', 'Y 3', 'DE 2', 'Sector A 1', 'SUNC A 1'].map((term) => analyseTerm(term).clauses.length),
      [1, 1, 1, 2, 2],
    )
    assert.ok(finds('A 1', 'Parcela A-1'))
    assert.ok(!finds('A 1', 'Parcela B-1'))
    for (const term of ['A-2', 'A 2', 'A-3']) assert.ok(finds(term, 'PARCELAS A 1, A 2 Y A 3'), term)
    // After a number without punctuation it is a preposition.
    assert.ok(!finds('A-6', 'MANZANAS 1 A 6'))
    // A stop word in lower case before a number is dropped: `de`.
    assert.equal(analyseTerm('plan de 1998').clauses.length, 2)
  })

  test('in capitals finds what it finds in lower case', () => {
    for (const [term, title] of [
      ['REPARCELACIÓN UE-1 Y 2', 'REPARCELACIÓN UE-1 Y 2'],
      ['REPARCELACIÓN UE-1 Y 2', 'Reparcelación UE-1 y 2'],
      ['PARCELAS 3.1 A 3.8', 'PARCELAS 3.1 A 3.8'],
      ['MANZANAS 1 A 6', 'Manzanas 1-6'],
      ['PGOU DE 1985', 'PGOU 1985'],
      ['SECTORES NORTE Y 2', 'Sectores Norte y 2'],
      ['PARCELAS 3 BIS Y 5', 'Parcelas 3 bis y 5'],
      ['CRUCES 5', 'Cruce 5'],
      ['SECTOR "UE-1" Y 2', 'Sector "UE-1" y 2'],
    ] as const) {
      for (const each of [term, term.toLowerCase()]) assert.ok(finds(each, title), `${each} in ${title}`)
    }
    // The `A` after another word in capitals is the letter of a code: a title without it is not found.
    for (const title of ['Parcela A-6', 'PARCELA A 6', 'Parcela A6']) assert.ok(finds('PARCELA A 6', title), title)
    // A phrase that ends with the letter finds it before a number too, even in another sentence.
    for (const text of ['La zona A = 5 viviendas', 'Zona A. 7 metros', 'Zona A', 'zona a 6 km'])
      for (const term of ['"zona A"', '"zona a"']) assert.ok(finds(term, text), `${term} in ${text}`)
    for (const text of ['Zona B = 5', 'Zona 5 A']) assert.ok(!finds('"zona A"', text), text)
    for (const title of ['Parcela B-6', 'Parcela 6']) assert.ok(!finds('PARCELA A 6', title), title)
    // The `A` of the term may also be the word `a`, so a title with `a 6` comes first too.
    for (const title of ['Parcela A-6', 'PARCELA A 6', 'Parcela a 6 km']) {
      assert.ok(findsSideBySide('PARCELA A 6', title), title)
    }
  })

  test('without words has no clauses', () => {
    for (const term of ['', ' ', '"', '""', '*', '-- ; %', '🏠', '\u0301', '\ud800']) {
      assert.deepEqual(analyseTerm(term).clauses, [], JSON.stringify(term))
    }
  })
})

describe('codes, numbers and abbreviations', () => {
  for (const spellings of [
    ['UE-1', 'U.E.-1', 'UE 1', 'UE1', 'U.E. 1', 'ue-01', 'UE.1', 'Unidad de Ejecución 1'],
    ['UE nº 1', 'U.E. nº1', 'UE núm. 1', 'Unidad de Ejecución nº 1', 'UE-1', 'U.E. 1', 'Unidad de Ejecución 1'],
    ['UUEE 14 y 16', 'UUEE nº 14 y 16', 'UE-14 y UE-16', 'Unidades de Ejecución 14 y 16', 'UE 14 y 16'],
    ['Modificación nº 4', 'Mod. 4', 'modificación núm. 4'],
    ['Plan Parcial Norte', 'P. Parcial Norte', 'P.P. Norte', 'PP Norte'],
    ['parcela 37', 'parc. 37', 'parc.37', 'PARC 37'],
    ['C/.Colón', 'c/. Colón', 'calle Colón', 'C/Colón'],
    ['C/de la Palma', 'C/la Palma', 'calle de la Palma', 'C/ Palma'],
    ["C/O'Donnell", "calle O'Donnell", 'C/ Odonnell'],
    ["C/l'Alcúdia", "carrer de l'Alcúdia"],
    ['C/ 12', 'calle 12'],
    ['art. 14', 'art.14', 'artículo 14', 'Art.14'],
    ['mza. 5', 'mza.5', 'manzana 5'],
    ["C/ O'Reilly", 'C/ O´Reilly'],
    // The second `C/` is `calle` too.
    ['C/ C/ 12', 'calle C/ 12'],
    ['SUNC-R-3', 'SUNC R 3', 'SUNCR3', 'SUNC R-3', 'SUNCR-3', 'SUNC.R.3', 'SUNC-R3', 'SUNC R3', 'SUNC-R 3', 'SUNCR 3'],
    ['SUNC-O-3', 'SUNC O 3', 'SUNCO3', 'S.U.N.C.-O-3', 'SUNC–O–03', 'SUNC/O/3'],
    ['UBZ-R6', 'UBZR6', 'UBZR-6', 'UBZ-R-6', 'UBZ R 6'],
    ['PP-R5', 'P.P. R-5', 'PPR5', 'P.P.R-5', 'PP R 5', 'Plan Parcial R-5'],
    ['S/SUNC/1', 'S-SUNC-1', 'SSUNC1', 'S/SUNC-1', 'S SUNC 1', 'S.SUNC.1', 'SSUNC-1'],
    ['APR 20.07', 'APR-20.07', 'A.P.R. 20.07', 'APR20.07', 'APR 20-07', 'APR 20/07', 'APR.20.07'],
    ['UE-2.1', 'U.E. 2.1', 'UE2.1', 'UE-2-1', 'Unidad de Ejecución 2.1'],
    ['1.250', '1250'],
    ['P.G.O.U.', 'PGOU', 'p.g.o.u', 'P. G. O. U.', 'Plan General de Ordenación Urbana'],
    ['NN.SS.', 'NNSS', 'NN. SS.', 'nnss', 'Normas Subsidiarias'],
    ['21b', '21 b', '21-B'],
    ['nº 5', 'núm. 5', 'n.º 5', 'número 5', 'nº5', 'No. 5', 'no.5', 'num 5', 'nº V'],
    ['2ª modificación', '2.ª modificación', '2a modificación', 'segunda modificación'],
  ]) {
    test(`${spellings[0]} is found in every spelling by every other`, () => {
      for (const text of spellings) {
        for (const term of spellings) assert.ok(finds(term, `Sector ${text}, Madrid`), `${term} in ${text}`)
      }
    })
  }

  test('a code whose acronym has spaces between its letters is found by every spelling', () => {
    for (const [letters, number, fullForm] of [
      ['U. E.', '4', 'unidad de ejecución'],
      ['U E', '4', 'unidad de ejecución'],
      ['U. A.', '16', 'unidad de actuación'],
      ['P. E.', '97', 'plan especial'],
    ] as const) {
      const title = `Sector ${letters} ${number}`
      const acronym = letters.replace(/[. ]/g, '')
      for (const term of [acronym, `${acronym}-${number}`, `${acronym} ${number}`, `${fullForm} ${number}`, title])
        assert.ok(finds(term, title), `${term} in ${title}`)
      assert.ok(!finds(`${acronym}-5`, title), title)
    }
    // The letters `U, A` may be the acronym `UA`, but the title must still be found by the code `A 6`.
    assert.ok(finds('A-6', 'Parcela U, A 6'))
  })

  test('the word `no` does not mean "number", and `No.` before a number means both', () => {
    assert.ok(!finds('suelo no urbano', 'suelo urbano nº 5'))
    for (const text of ['núm. 5', 'nº 5', 'nº5', 'n.º 5', 'número 5', '№ 5']) assert.ok(!finds('no', text), text)
    for (const text of ['no 5', 'suelo no urbano', 'que no. Cinco']) assert.ok(!finds('nº', text), text)
    for (const text of ['No. 5', 'no.5', 'dice que no.']) assert.ok(finds('no', text), text)
    assert.ok(finds('No. 5', 'núm. 5'))
    assert.ok(finds('dice que no.', 'dice que no.'))
  })

  test('N, `N.` and `No.` between a word and a number mean "number"', () => {
    // Some sources lose the sign of `nº`, or have `?` or U+FFFD in its place.
    for (const number of ['N. 9', 'N. IX', 'No. IX', 'N. -9', '(N.) (9)', 'N 9', 'n 9', 'N? 9', 'N\uFFFD 9']) {
      const title = `MODIFICACIÓN PUNTUAL ${number} DE LAS NNSS`
      for (const term of ['modificación nº 9', 'modificación nº IX', title, title.toLowerCase()])
        assert.ok(finds(term, title), `${term} in ${title}`)
      assert.ok(findsSideBySide('modificación puntual nº 9', title), title)
      assert.ok(!finds('modificación nº 8', title), title)
    }
    for (const title of ['UE N 3', 'Unidad de Ejecución n 3', 'UE N? 3']) {
      for (const term of ['UE-3', 'UE nº 3', title]) assert.ok(finds(term, title), `${term} in ${title}`)
    }
    for (const term of ['UE No. V', 'UE nº V', 'PAI U.E. No. V']) assert.ok(finds(term, 'PAI U.E. No. V'), term)
    assert.ok(finds('sector No. III', 'Sector 3'))
  })

  test('the N of a road, a plot or a code is found as a letter', () => {
    for (const text of ['N-5', 'N5']) assert.ok(!finds('nº', text), text)
    for (const title of ['Carretera N 340', 'Ctra. N. 340', 'Carretera N.340', 'Parcela N 340']) {
      assert.ok(finds('N-340', title), title)
      assert.ok(finds(title, title), title)
    }
    assert.ok(findsSideBySide('carretera N-340', 'Carretera N 340'))
    assert.ok(findsSideBySide('autovia N-340', 'Autovía N 340'))
    assert.ok(findsSideBySide('carretera N-VI', 'Carretera N. VI'))
    assert.ok(!finds('nº 340', 'variante de la N 340'))
    for (const title of ['Parcela N-5', 'N5', 'UA-N-5']) assert.ok(finds('N.5', title), title)
    assert.ok(finds('N-5', 'Parcela N.5'))
    assert.ok(!finds('nº', 'Carretera N 340'))
    // If N meant "number", the 5 of `N-5` would have the synonym `v`.
    assert.ok(!finds('V 5', 'N-5'))
  })

  test('letters are split after a known acronym, but only before a number', () => {
    assert.ok(finds('SUNC', 'SUNCR3'))
    assert.ok(finds('suelo urbano no consolidado', 'SUNCR3'))
    // `PARC` and `ZONA` contain no acronym, and no number follows `superficie` and `SUNCR`.
    for (const [term, text] of [
      ['C-5', 'PARC5'],
      ['A-3', 'ZONA3'],
      ['SUP', 'superficie'],
      ['SUNC', 'SUNCR'],
    ] as const) {
      assert.ok(!finds(term, text), `${term} in ${text}`)
    }
  })

  test('`Parc` without a number is the Catalan word for a park, not the abbreviation of `parcela`', () => {
    assert.ok(!finds('parcela', 'Parc Central'))
  })

  test('a phase is found by its Arabic or Roman numeral and by its ordinal', () => {
    const spellings = ['3ª fase', 'fase 3', 'Fase III', 'tercera fase', '3.ª FASE']
    for (const term of spellings) for (const text of spellings) assert.ok(finds(term, text), `${term} in ${text}`)
  })

  test('a Roman numeral after a name is found by its Arabic numeral if it has several letters', () => {
    assert.ok(finds('benavente 3', 'Polígono Benavente III'))
    // A single letter may be the name of the sector.
    assert.ok(!finds('sector 5', 'Sector V'))
  })

  test('`NÚM.` with its dot before a number means "number"; otherwise `NUM` is an acronym', () => {
    const title = 'MODIFICACIÓN PUNTUAL NÚM. 5 DEL PLAN PARCIAL'
    assert.ok(finds('modificación puntual nº 5', title))
    assert.ok(!finds('normas urbanísticas municipales', title))
    assert.ok(finds('normas urbanísticas municipales', 'NUM de Segovia'))
    assert.ok(finds('normas urbanísticas municipales', 'REVISIÓN DE LAS NUM 2010'))
    assert.ok(!finds('normas urbanísticas municipales', 'PARCELA NÚM.5'))
  })

  test('the term `NUM`, in capitals or with dots, is the acronym unless a number follows it', () => {
    for (const term of ['NUM', 'N.U.M.', 'n.u.m.', 'modificación NUM', 'NUM modificación']) {
      for (const text of [
        'Modificación NUM',
        'Modificación N.U.M.',
        'Modificación de las Normas Urbanísticas Municipales',
      ])
        assert.ok(finds(term, text), `${term} in ${text}`)
      for (const text of ['Modificación nº 5', 'Modificación núm. 5', 'MODIFICACIÓN NÚM. 5', 'Modificación 5'])
        assert.ok(!finds(term, text), `${term} in ${text}`)
    }
    for (const term of ['NUM 5', 'NUM. 5', 'NUM V', 'núm. 5', 'num 5', 'NÚM'])
      assert.ok(finds(term, 'Modificación nº 5'), term)
    // In lower case it may be either.
    for (const text of ['Modificación nº 5', 'Modificación NUM']) assert.ok(finds('modificación num', text), text)
    assert.ok(findsSideBySide('modificación NUM', 'Modificación de las Normas Urbanísticas Municipales'))
  })

  test('the term `NUM` may be "number" before a code, if it has a dot, and in a term of capitals', () => {
    for (const [term, text] of [
      ['PARCELA NUM A-5', 'Parcela nº A-5'],
      ['Parcela NUM A-5', 'Parcela nº A-5'],
      ['PARCELA NUM D', 'Parcela nº D'],
      ['PARCELA NUM A', 'Parcela nº A'],
      ['POLIGONO NUM UE-4', 'Polígono nº UE-4'],
      ['POLIGONO NUM UE 4', 'Polígono nº UE 4'],
      ['MODIFICACIÓN NUM. A2', 'Modificación nº A2'],
      ['MODIFICACION NUM. DOS', 'Modificación núm. dos del PGOU'],
      ['Modificación NUM. dos', 'Modificación núm. dos del PGOU'],
      ['EXPTE. NUM. E-12/05', 'Expediente núm. E-12/05'],
      ['NUM DE POLICIA 5', 'Número de policía 5'],
      ['NUM. CATASTRAL', 'Parcela nº catastral 5'],
    ] as const) {
      assert.ok(finds(term, text), `${term} in ${text}`)
    }
    assert.ok(findsSideBySide('PARCELA NUM A-5', 'Parcela nº A-5'))
    // Before a name, `NUM` may be the acronym, also in a term of capitals and with a dot.
    for (const term of ['NUM CUELLAR', 'NUM DE CUELLAR', 'NUM. CUELLAR', 'N.U.M. CUELLAR', 'NUM Cuéllar'])
      for (const text of ['NUM de Cuéllar', 'Normas Urbanísticas Municipales de Cuéllar'])
        assert.ok(findsSideBySide(term, text), `${term} in ${text}`)
    // Each of these is only the acronym: it has dots inside, the rest of the term is not in capitals, or the number is
    // that of the modification.
    for (const term of ['N.U.M. CUELLAR', 'NUM Cuéllar', 'NUM de Cuéllar', 'NUM MODIFICACION 3'])
      assert.ok(!finds(term, 'Cuéllar, nº 5. Modificación 3'), term)
  })

  test('an ordinal before a modification is its number', () => {
    for (const text of ['2ª Modificación del PGOU', '2a modificación puntual', 'PGOU. Segunda modificación']) {
      for (const term of ['modificación nº 2', 'modificación 2']) assert.ok(finds(term, text), `${term} in ${text}`)
      assert.ok(!finds('modificación nº 3', text), text)
    }
    for (const text of ['2.ª Modificación', '2ª. Modificación del PGOU', '2ª Mod. del PGOU', '2A MODIFICACION'])
      assert.ok(finds('modificación nº 2', text), text)
    const numbersByText: Record<string, number[]> = {
      '2ª y 3ª modificación': [2, 3],
      'Segunda y tercera modificación': [2, 3],
      '1ª, 2ª y 3ª Modificación del PGOU': [1, 2, 3],
      '1a i 2a modificació': [1, 2],
      // `2º` is masculine, so it is not the number of a `modificación`.
      'Planta 2º y 3ª modificación': [3],
    }
    for (const [text, numbers] of Object.entries(numbersByText)) {
      const found = [1, 2, 3, 4].filter((number) => finds(`modificación nº ${number}`, text))
      assert.deepEqual(found, numbers, text)
    }
  })

  test('an ordinal after a modification is its number if a stop word or nothing follows', () => {
    for (const text of ['Modificación 3ª del PGOU', 'Modificación tercera', 'Modificaciones 2ª y 3ª de las NNSS'])
      for (const term of ['modificación nº 3', 'modificación 3']) assert.ok(finds(term, text), `${term} in ${text}`)
    for (const text of [
      'Modificación 3ª planta',
      'Modificación tercera fase',
      'Modificación 3º del PGOU',
      'no requiere modificación. Tercera. La entidad',
      'procede su modificación.\nTercera.- El plazo',
      'la modificación; 3ª. La parcela',
    ])
      assert.ok(!finds('modificación nº 3', text), text)
  })

  test('an ordinal of another word is not the number of the modification after it', () => {
    for (const text of [
      // After a word that may have an ordinal.
      'Fase 2ª, modificación del PGOU',
      'Planta 2ª modificación de uso',
      // Before a comma or a full stop.
      'Reforma en Planta 2ª, modificación de uso',
      'Casa 2ª, modificación de uso',
      'Casa 2ª,modificación de uso',
      'Disposición final segunda. Modificación de la Ley',
      // Masculine.
      'C/ Mayor 5, 2º. Modificación de licencia',
      'Artículo 2º. Modificación',
      'Edificio 2º modificación',
      'Edificio segundo modificación',
      'Edificio 2o modificación',
      // Not just before the modification.
      'Casa 2ª y modificación',
    ]) {
      assert.ok(!finds('modificación nº 2', text), text)
    }
    assert.ok(!finds('modificación nº 1', 'vivienda 1º, modificación de fachada'))
  })

  test('an abbreviation in capitals that is joined with a number is a code', () => {
    // `Pca.` and `Pça.` abbreviate `plaza`.
    for (const text of ['Unidad PCA-3', 'SECTOR PCA-3', 'SECTOR PCA3', 'SECTOR PCA.3']) {
      assert.ok(!finds('plaza', text), text)
      for (const term of ['PCA-3', 'pca-3', 'PCA 3', 'pca 3', 'PCA3', '"PCA-3"', 'PCA*'])
        assert.ok(finds(term, text), `${term} in ${text}`)
    }
    for (const term of ['PCA-3', 'pca-3', 'PCA 3', 'pca 3']) assert.ok(finds(term, 'UNIDAD PCA 3'), term)
    assert.ok(!finds('PCA-3', 'Plaza, 3'))
    assert.ok(!finds('izquierda', 'IZQ-5'))
    assert.ok(!finds('derecha', 'DCHA-5'))
    for (const text of ['Pça. Major', 'PCA. MAYOR, 5', 'PCA.MAYOR,5', 'Pca. Mayor', 'PCA 5'])
      assert.ok(finds('plaza', text), text)
    for (const text of ['3º IZQ.', '3-IZQ']) assert.ok(finds('izquierda', text), text)
    // A numeral may follow a `polígono`, so the letters of `POL-3` are the abbreviation and no code.
    assert.ok(finds('polígono 3', 'POL-3'))
  })

  test('an abbreviation may lack the space after its dot', () => {
    for (const [term, text] of [
      ['san bernardo', 'C/ S.Bernardo, 5'],
      ['s.bernardo', 'Calle San Bernardo, 5'],
      ['capitán haya 3', 'Cap.Haya, 3'],
      ['don ramón de la cruz', 'D.Ramón de la Cruz, 10'],
      ['plan parcial los llanos', 'PL.PARCIAL LOS LLANOS'],
    ] as const) {
      assert.ok(finds(term, text), `${term} in ${text}`)
    }
    // The first letter of a code is not an abbreviation.
    for (const text of ['Sector S.UE-3', 'Suelo S.SUNC-2', 'S.UR-1', 'D.UE-4', 'Sector S.U.3']) {
      assert.ok(!finds('san', text) && !finds('don', text), text)
    }
  })

  test('the plural `nºs` means what `nº` means', () => {
    for (const text of ['Modificaciones Puntuales nºs 5 y 6', 'Modificaciones Puntuales n.ºs 5 y 6']) {
      assert.ok(finds('modificación puntual nº 5', text), text)
      assert.ok(finds('modificación nº 6', text), text)
    }
    assert.ok(finds('sector II', 'Sectores nºs II y III'))
  })

  test('a plot is found with and without the word "number"', () => {
    const plots = ['parcela 37', 'Parc. 37', 'Parcela nº 37', 'Parc. nº 37']
    for (const term of plots) for (const text of plots) assert.ok(finds(term, text), `${term} in ${text}`)
    assert.ok(!finds('parcela 37', 'Parc. nº 38'))
  })

  test('an ordinal next to `fase` is the number of the phase only', () => {
    assert.ok(finds('fase II', 'Fase 2ª'))
    assert.ok(!finds('sector II', 'Sector 5, 2ª fase'))
    assert.ok(!finds('modificación nº 2', 'Modificación nº 5, 2ª fase'))
    assert.ok(!finds('fase II', 'Fase 3ª'))
  })

  test('a sector is found by its Arabic or Roman numeral, abbreviated or not', () => {
    const spellings = ['Sector III', 'Sect. III', 'sect 3', 'Sec. 3', 'SECTOR 3']
    for (const term of spellings) for (const text of spellings) assert.ok(finds(term, text), `${term} in ${text}`)
    // A single letter may be the name of the sector.
    assert.ok(!finds('sector 5', 'Sect. V'))
    assert.ok(!finds('sector III', 'Sect. II, parcela 3'))
    for (const text of ['Sector UE-3', 'Sector UE 3', 'Sector Norte 3']) assert.ok(!finds('sector III', text), text)
    assert.ok(finds('sector III', 'Sector nº 3'))
  })

  test('a label whose number has several parts is found by the first part', () => {
    for (const text of ['UE-3-A', 'UE nº 3-A', 'Unidad de Ejecución 3-A', 'Unidad de Ejecución nº 3-bis']) {
      for (const term of ['UE-3', 'unidad de ejecución 3']) assert.ok(finds(term, text), `${term} in ${text}`)
      assert.ok(!finds('UE-4', text), text)
    }
    assert.ok(finds('plan parcial 5', 'Plan Parcial 5-bis'))
    assert.ok(!finds('UE-3', 'Unidad de Ejecución 13-A'))
  })

  test('the preposition `a` after the name of a plan is not the letter of a code', () => {
    assert.ok(!finds('PPA', 'Plan Parcial a desarrollar'))
    for (const text of ['Unidad de Ejecución A', 'Unidad de Ejecución A del Plan', 'unidad de ejecución a'])
      assert.ok(finds('UE-A', text), text)
  })

  test('each code of an enumeration is found', () => {
    for (const text of ['UE-1, 2 y 14', 'U.E. 1, 2 y 14', 'Unidades de Ejecución 1, 2 y 14', 'UE nº 1, 2 y 14']) {
      for (const term of ['UE-1', 'UE-2', 'UE-14', 'unidad de ejecución 2'])
        assert.ok(finds(term, text), `${term} in ${text}`)
      assert.ok(!finds('UE-4', text), text)
    }
    // These numbers are no further numbers of the code: a count, a date, a part of the number, a year.
    for (const text of ['UE-1, 25 viviendas y 3 locales', 'UE-3 y 2 de mayo', 'UE-1.25', 'UE-1 y 2018']) {
      for (const term of ['UE-25', 'UE-2', 'UE-2018']) assert.ok(!finds(term, text), `${term} in ${text}`)
    }
  })

  test('the number of a label is distinguished from another number next to it', () => {
    // Two numbers after a label may be the two parts of its number: `APR 06 02`. Or only the first one belongs to the
    // label: `UE 12, 24 viviendas`.
    for (const [term, title] of [
      ['Unidad de Ejecución 12, 24 viviendas', 'Unidad de Ejecución 12, 24 viviendas'],
      ['Unidad de Ejecución 12 24 viviendas', 'Unidad de Ejecución 12 24 viviendas'],
      ['UE nº 12 24 viviendas', 'UE nº 12 24 viviendas'],
      ['UE 12, 24 viviendas', 'UE-12 para 24 viviendas'],
      ['UE 12 (24 viviendas)', 'Unidad de Ejecución 12, 24 viviendas'],
      ['Estudio de Detalle 12, 14 y 16', 'Estudio de Detalle 12, 14 y 16'],
      ['Parcela B, 1.250 m²', 'Parcela B, 1.250 m²'],
      ['Bloque B nº 3', 'Bloque B nº 3'],
      ['APR 06 02', 'APR.06.02'],
      ['APR 06 02', 'Área de Planeamiento Remitido 06.02'],
      ['área de planeamiento remitido 06 02', 'APR.06.02'],
    ] as const) {
      assert.ok(finds(term, title), `${term} in ${title}`)
    }
    for (const term of ['APR 06 02', 'área de planeamiento remitido 06 02']) assert.ok(!finds(term, 'APR.02.06'), term)
    assert.ok(!finds('APR 06 02', 'APR.06.05, 2 parcelas'))
  })

  test('the year of a general plan in two digits is found by its four digits', () => {
    for (const text of ['PGOU 97', 'PGOUM-97', 'P.G.O.U. 97', "PGOU'97", 'PGOU 1997']) {
      for (const term of ['PGOU 1997', 'PGOUM 1997', 'plan general 1997'])
        assert.ok(finds(term, text), `${term} in ${text}`)
    }
    // The 12 of `PGOU 12` is not read as a year, because it is below 56: the first land act is of 1956. Only the number
    // next to the plan can be its year, so the 98 of the last text is not one.
    for (const text of ['UE 97', 'PE-97', 'PGOU nº 97', 'PGOU 12', 'PGOU. 97 viviendas en 5 bloques, UE 98']) {
      assert.ok(!finds('1998', text) && !finds('1912', text), text)
    }
    // After another acronym, or after `nº`, the number is not a year.
    for (const text of ['UE 97', 'PE-97', 'ED 97', 'PGOU nº 97']) assert.ok(!finds('1997', text), text)
  })

  test('an amount is found with and without its decimals, and a number with and without its dots', () => {
    for (const term of ['4350000', '4.350.000', '4.350.000,75']) assert.ok(finds(term, '4.350.000,75 €'), term)
    assert.ok(finds('1234/99', 'recurso nº 1.234/99'))
    assert.ok(!finds('4.350.000,75', '4.350.000 €'))
  })

  test('two numbers are not joined into one', () => {
    // If two numbers were joined without a dot, both texts of each row would be the same code or number.
    for (const [one, two] of [
      ['20.07', '2.007'],
      ['2007', 'APR 20.07'],
      ['UE-21', 'UE-2.1'],
      ['UE-21', 'Unidad de Ejecución nº 2.1'],
      ['CP123', 'CP-12-3'],
      ['CP123', 'C.P. 12 3'],
    ] as const) {
      assert.ok(!finds(one, two), `${one} in ${two}`)
      assert.ok(!finds(two, one), `${two} in ${one}`)
    }
  })

  test('1.250 does not find 1.250.000, 3-A does not find 3ª, and 0.250 does not find 250', () => {
    for (const term of ['1.250', '"1.250"', '1250']) assert.ok(!finds(term, '1.250.000 m²'), term)
    assert.ok(!finds('3-A', 'tercera fase, 3ª fase'))
    assert.ok(!finds('0.250', '250 viviendas'))
  })

  test('the C of a code with a slash does not mean `calle`', () => {
    for (const text of ['Sector C/UE 4', 'Parcela C/12', 'Parcela C/A']) assert.ok(!finds('calle', text), text)
    // Before a name it means `calle`, and no other kind of street.
    assert.ok(!finds('plaza palma', 'C/de la Palma, 19'))
    assert.ok(finds('"calle de la palma"', 'C/de la Palma, 19'))
  })

  test('`término municipal` does not find the units m²t/m²s', () => {
    // The `t` and the second `m` of these units (floor area by site area) are not the initials `T. M.`
    for (const text of ['0,45 m²t/m²s', '0,45 m2t/m2s', '0,45 m² t/m² s', '0,45 m2 t / m2 s']) {
      for (const term of ['municipal', 'término municipal']) assert.ok(!finds(term, text), `${term} in ${text}`)
    }
    assert.ok(finds('término municipal', 'T. M. de Ávila'))
  })

  test('UE-1 does not find UE-11, UE-2 or 1 UE', () => {
    for (const text of ['UE-11', 'UE-2 y PP-1', '1 UE']) assert.ok(!finds('UE-1', text), text)
  })
})

describe('abbreviations in addresses and names', () => {
  for (const [abbreviated, full] of [
    ['Pl. Olavide, 10', 'Plaza de Olavide, 10'],
    ['Praza do Obradoiro', 'Plaza del Obradoiro'],
    ['Pça. de Catalunya', 'Plaza Catalunya'],
    ['Passeig de Gràcia', 'Pº de Gracia'],
    ['Travessera de Gràcia', 'Travesía de Gracia'],
    ['3º Izda.', '3º izquierda'],
    ['3º Izqda.', '3º izq.'],
    ['2º Dcha.', '2º derecha'],
    ['Cº Hormigueras', 'Camino de Hormigueras'],
    ['Cjón. Puigcerdá', 'Callejón de Puigcerdá'],
    ['Tva. Mellado', 'Travesía de Mellado'],
    ['Boulevard Prat', 'Bulevar Prat'],
    ['Tte. Cnel. Noreña', 'Teniente Coronel Noreña'],
    ['Cdte. Zorita', 'Comandante Zorita'],
    ['Marq. Cubas', 'Marqués de Cubas'],
    ['Fdez. de la Hoz', 'Fernández de la Hoz'],
    ['Dña. Urraca', 'Doña Urraca'],
    ['Dª Urraca', 'Dña. Urraca'],
    ['Dres. Peset', 'Doctores Peset'],
    ['Cap. Haya', 'Capitán Haya'],
    ['Cap Haya', 'CAPITAN HAYA'],
    ['Prof. Waksman', 'Profesor Waksman'],
    ['Col. del Retiro', 'Colonia Retiro'],
    ['Pto. Canfranc', 'Puerto de Canfranc'],
    ['S. Bernardo', 'San Bernardo'],
    ['D. Ramón', 'Don Ramón'],
    ['Pl. Parcial Norte', 'Plan Parcial Norte'],
    ['PL ESPECIAL NORTE', 'P.E. Norte'],
  ] as const) {
    test(`${abbreviated} and ${full} find each other`, () => {
      assert.ok(findsSideBySide(abbreviated, full))
      assert.ok(findsSideBySide(full, abbreviated))
      for (const term of [abbreviated, abbreviated.toUpperCase(), abbreviated.toLowerCase()]) {
        assert.ok(finds(term, abbreviated), term)
        assert.ok(finds(`"${term}"`, abbreviated), term)
      }
    })
  }

  test('`plaça` is `plaza`, but `placa` is not', () => {
    for (const plaça of ['Plaça', 'PLAÇA', 'Plaça'.normalize('NFD')]) {
      const title = `${plaça} Europa, 5`
      for (const term of ['plaza europa', 'plaça europa', 'PLAÇA EUROPA', 'pza. europa', 'placa europa']) {
        assert.ok(finds(term, title), `${term} in ${title}`)
        assert.ok(findsSideBySide(term, title), `${term} in ${title}`)
      }
      assert.ok(findsSideBySide(`${plaça} Europa`, 'Plaza de Europa'))
      assert.ok(!finds('calle europa', title))
    }
    // A title without a kind of street, or one that has lost the ç.
    for (const title of ['Europa, 5', 'PLACA EUROPA']) assert.ok(finds('plaça europa', title), title)
    for (const term of ['"plaça europa"', '"placa europa"']) assert.ok(finds(term, 'Plaça Europa'), term)
    assert.ok(!finds('plaza', 'Placas solares'))
    assert.ok(!finds('placas solares', 'Plazas solares'))
    assert.ok(!finds('placa solar', 'Plaza Solar'))
  })

  test('a Catalan kind of street is another kind than the others', () => {
    assert.ok(!finds('travesia gracia', 'Passeig de Gràcia, 20'))
    assert.ok(!finds('calle gracia', 'Travessera de Gràcia, 20'))
  })

  test('`Est` is a study with a dot before most words, and without it only before words such as `Detalle`', () => {
    // The Catalan word for east, a station (`Est. de Servicio`), or `Est` before a number or a code.
    for (const text of [
      'PRI "Benimaclet Est"',
      'Façana Est del barri',
      'Sector Est, detalle de viales',
      'Sector Est. Modificació puntual',
      'Est-Oest',
      'Est. Servicio',
      'Est. de Servicio',
      'Est.de Servicio',
      'Est. Autobuses',
      'Est. 3',
      'Est. VIII',
      'EST-3',
      'EST.UE-3',
    ]) {
      assert.ok(!finds('estudio', text), text)
    }
    assert.ok(finds('benimaclet est', 'PRI "Benimaclet Est"'))
    for (const text of [
      'Est. Detalle',
      'EST. DE DETALLE',
      'Est Det. Manzana 4',
      'EST.DET.',
      'Est. Impacto Ambiental',
      'Est. acústico'.normalize('NFD'),
      'Est acústico'.normalize('NFD'),
      'Est. de Inundabilidad',
      'Est. Tráfico',
      'Est Tráfico',
      'Est. Movilidad',
      'Est. Volumétrico',
      'Est. Volúmenes',
      'Est. Hídrico',
      'Est. Viario',
      'Est.Viario',
      'Est. de Ordenación',
      'Est. del Impacto',
      "Est. d'Impacte Ambiental",
      "Est.d'Impacte Ambiental",
      "Est. de l'Impacte Ambiental",
      'Est. d’Integració Paisatgística',
      'Est. Paisatge',
    ]) {
      assert.ok(finds('estudio', text), text)
      assert.ok(finds('est', text), text)
    }
    for (const text of [
      'Est. de Detalle',
      'Est. de   Detalle',
      'Est.de Detalle',
      'EST.DE DETALLE',
      'Est-Detalle',
      'EST.-DETALLE',
      'Est. "Detalle"',
      'Est. (Detalle)',
      'Est: Detalle',
    ]) {
      assert.ok(findsSideBySide('estudio detalle', text), text)
      assert.ok(finds('ED', text), text)
    }
    for (const term of ['est. detalle', 'est de detalle', 'Est.de Detalle', 'EST.DET.', 'Est-Detalle'])
      assert.ok(findsSideBySide(term, 'Estudio de Detalle'), term)
    assert.ok(finds('est. volumétrico', 'Estudio Volumétrico'))
  })

  test('mean something else in other contexts, such as before a number or in a code', () => {
    for (const [term, text] of [
      ['capitán', 'Ordenanza, cap. 3'],
      ['capitán', 'Cap. IV'],
      ['colonia', 'col. 2 de la tabla'],
      ['puerto', 'pto. 3 del orden del día'],
      ['profesor', 'prof. 1,20 m'],
      ['san', 'Parcela S'],
      ['san', 'Parcela S, Bernardo'],
      ['san', 'Promociones S. A.'],
      ['don', 'Manzana D-3'],
      ['camino', 'Carretera CO-3'],
      // The Galician `praza` is a square, `prazo` is a period.
      ['plaza', 'prazo de execución'],
      // `Pl.` means `plan` before `Parcial`, and `plaza` before `Mayor`.
      ['plaza', 'Pl. Parcial Norte'],
      ['plan', 'Pl. Mayor'],
    ] as const) {
      assert.ok(!finds(term, text), `${term} in ${text}`)
    }
    // A single letter with a dot may also name a plot or belong to an acronym.
    for (const term of ['estudio de detalle manzana 17', 'ED manzana 17', 'E. D. Manzana 17']) {
      for (const text of ['E. de D. Manzana 17', 'E. D. Manzana 17', 'E.D. Manzana 17']) {
        assert.ok(finds(term, text), `${term} in ${text}`)
      }
    }
    assert.ok(finds('normas subsidiarias', 'Modificación de las N. S. de Planeamiento'))
    assert.ok(finds('parcela S', 'Parcela S. Modificación'))
    assert.ok(finds('UE-D', 'Unidad de Ejecución D. Modificación'))
  })

  test('tell the kind of street', () => {
    // `Pl.` is a square and `Cº` a road (`camino`), so neither is a `calle`.
    assert.ok(!finds('calle ángel 10', 'Pl. del Ángel, 10'))
    assert.ok(!finds('calle perales 5', 'Cº de Perales, 5'))
    assert.ok(finds('"plaza del ángel"', 'Pl. del Ángel, 10'))
    // A title without a kind of street may be a `calle`.
    assert.ok(finds('calle san bernardo 107', 'S. Bernardo, 107'))
  })

  test('a name with `y` is one name, unless a kind of street precedes it', () => {
    for (const title of ['José Ortega y Gasset, 31', 'Plan Especial José Ortega y Gasset, 31']) {
      for (const term of ['calle ortega y gasset 31', 'c/ josé ortega y gasset', 'calle ortega gasset']) {
        assert.ok(finds(term, title), `${term} in ${title}`)
      }
    }
    assert.ok(finds('calle clavel 5', 'Plaza de las Infantas y Clavel, 5'))
    assert.ok(!finds('calle infantas', 'Plaza de las Infantas y Clavel, 5'))
  })

  test('the name of a street may follow `en`, but not after another street', () => {
    for (const thing of ['Edificio', 'Hotel', 'Parcela', 'Plan Especial para el edificio situado']) {
      assert.ok(finds('calle infantas 5', `${thing} en Infantas, 5`), thing)
      assert.ok(!finds('calle infantas 5', `${thing} en la Plaza de las Infantas, 5`), thing)
    }
    for (const street of ['Plaza Mayor', 'Plaza del Mercado'])
      assert.ok(!finds('calle sol', `${street} en Sol, 5`), street)
  })

  test('a name after `Colegio` is not the name of a street', () => {
    assert.ok(!finds('calle mayor', 'Colegio Mayor, 5'))
    assert.ok(!finds('calle ortega', 'Colegio Ortega y Gasset, 31'))
  })
})

test('a term with `s/n` finds the address with or without a spelling of `s/n`, but not with a house number', () => {
  const spellings = ['s/n', 'S/N', 's/nº', 's/núm.', 'sin número', 'sin nº']
  for (const spelling of spellings) {
    for (const title of ['Avda. de Daroca', ...spellings.map((other) => `Avda. Daroca ${other}`)]) {
      assert.ok(findsSideBySide(`avenida daroca ${spelling}`, title), `${spelling} in ${title}`)
    }
    assert.ok(!finds(`avenida daroca ${spelling}`, 'Avda. Daroca, 5'), spelling)
    assert.ok(finds(spelling, 'Avda. de Daroca, sin número'), spelling)
    assert.ok(!finds(spelling, 'Avda. de Daroca'), spelling)
    assert.ok(findsSideBySide('daroca mercado', `Avda. Daroca ${spelling}. Mercado`), spelling)
    assert.ok(finds('calle daroca', `Plan Especial Daroca ${spelling}`), spelling)
  }
  assert.ok(finds('s/n', 'Daroca s/n'))
  assert.ok(!finds('s/n', 'Daroca, 5'))
  // Neither a number after `s/n` or `sin número` nor the number of a code is a house number.
  for (const title of ['Calle Alcalá s/n, 28027 Madrid', 'Calle Alcalá sin número, 12 viviendas']) {
    assert.ok(finds('calle alcala s/n', title), title)
  }
  // The `s n` of the acronym is not `s/n`.
  assert.ok(finds('s n u', 'Parcela 3 en S.N.U.'))
  assert.ok(!finds('s n u', 'Plan Parcial'))
  // The `s n` of `s n-340` is not `s/n` either: its N is part of a code.
  assert.ok(!finds('sector s n-340', 'Sector S'))
  // The words of a term that do not mean "without a number" are required.
  assert.ok(!finds('sector S nº 3', 'Sector R nº 3'))
  assert.ok(!finds('solar sin edificar', 'Solar edificado'))
  assert.ok(!finds('sector S-N-3', 'Sector 3'))
})

describe('words that people write in several ways', () => {
  const found: readonly (readonly [term: string, title: string])[] = [
    ['"gran via 3"', 'Gran Vía nº 3'],
    ['"gran via nº 3"', 'Gran Vía, 3'],
    ['dos de mayo', 'Plaza 2 de Mayo'],
    ['12 de octubre', 'Hospital Doce de Octubre'],
    ['24 de julio', 'Sesiones de 24 y 25 de julio de 2008'],
    ['1º de mayo', 'Avda. Primero de Mayo'],
    ['goya c v lagasca', 'Goya c/v Lagasca'],
    ['c v lagasca', 'Goya c/v Lagasca'],
    ['c mayor 55', 'Calle Mayor, 55'],
    ['c. infantas 5', 'Infantas, 5'],
    ['proyecto de urbanizacion', 'P. Urbanización UZP'],
    ['plan parcial', 'P. P. Urbanización Sur'],
    ['manzana p', 'Manzana P. Urbanización Las Lomas'],
    ['pgoum-97', 'PGOUM 1997'],
    ['pgou-1997', 'PGOUM-97'],
    ['plan general de madrid', 'PGOUM 97'],
    ['plan general 1997', 'PG 97'],
    ['fuencarral 12-14-16', 'Fuencarral 12, 14 y 16'],
    ['PE 08.34*', 'PE.08.342'],
    ['PE.08.34*', 'P.E. 08.342'],
    ['PE 8.34*', 'PE.08.342'],
    ['APR 08.0*', 'Área de Planeamiento Remitido 08.03'],
    ['UE 123*', 'UE 1234'],
    ['pecuau', 'P.E. de Control Urbanístico-Ambiental de Usos'],
    ['embajada de estados unidos', 'Embajada de EE.UU.'],
    ['decimoquinta modificacion', '15ª modificación'],
    ['gl. bilbao', 'Glorieta de Bilbao'],
  ]
  const notFound: readonly (readonly [term: string, title: string])[] = [
    ['"gran via 3"', 'Gran Vía nº 33'],
    // `c/v` is one word, so it has no `v`.
    ['carlos v', 'Carlos III, 5 c/v Amnistía'],
    // The numbers of a date and of a list must be side by side.
    ['3/5/1997', 'Sector 3, parcela 5, PGOU 1997'],
    ['fuencarral 12-14-16', 'Fuencarral 14, Sector 12, UE-16'],
    // `GL-3` is a code.
    ['glorieta', 'Zona GL-3'],
    ['plan general de madrid', 'PGOU de Toledo'],
    ['PE 08.34*', 'PE.08.42'],
  ]
  for (const [term, title] of found) test(`${term} finds ${title}`, () => assert.ok(finds(term, title)))
  for (const [term, title] of notFound) test(`${term} does not find ${title}`, () => assert.ok(!finds(term, title)))
})

describe('the two streets of a corner', () => {
  const titles = ['Serrano, 105 c/v Maldonado', 'Serrano, 105 esq. a Maldonado', 'Serrano, 105 con vuelta a Maldonado']

  test('are found with each of the words for a corner, with `y` and without a word', () => {
    for (const words of [
      'c/v',
      'C/V a',
      'cv',
      'c.v.',
      'esq.',
      'esq',
      'esquina',
      'esquina a',
      'con vuelta a',
      'y',
      '',
    ]) {
      const term = `serrano 105 ${words} maldonado`
      for (const title of titles) assert.ok(findsSideBySide(term, title), `${term} in ${title}`)
    }
    assert.ok(!finds('serrano 105 c/v maldonado', 'Serrano, 105 c/v Goya'))
  })

  test('may both leave out their kind of street', () => {
    for (const title of titles) for (const term of ['calle serrano', 'calle maldonado']) assert.ok(finds(term, title))
    assert.ok(finds('calle bordadores 8', 'Plaza Mayor c/v Bordadores, 8'))
    assert.ok(!finds('calle mayor', 'Plaza Mayor c/v Bordadores, 8'))
    assert.ok(!finds('calle colón', 'Serrano, 105 c/v Plaza de Colón'))
    // `CV-35` is a road, and the V of `C/ V Centenario` is a numeral.
    assert.ok(!finds('calle llíria', 'Carretera CV-35 Llíria'))
    assert.ok(!finds('plaza centenario', 'C/ V Centenario, 5'))
  })

  test('a word for a corner is required unless it is between two streets', () => {
    for (const term of ['esquina', 'c/v', 'esquina maldonado', 'serrano esquina', 'serrano c/v']) {
      assert.ok(!finds(term, 'Serrano, 105 y Maldonado'), term)
    }
    // These are no words for a corner: a road, the letter of a code, and a `vuelta` without `con`.
    assert.ok(!finds('carretera cv 35', 'Carretera 35'))
    assert.ok(!finds('serrano 5 c v-2 goya', 'Serrano, 5 c/v Goya'))
    assert.ok(!finds('etapa vuelta ciclista', 'Etapa ciclista'))
  })
})

test('titles are found by the full words of their abbreviations', () => {
  for (const [title, term] of [
    ['PLAN ESP. DE PROTEC. DEL CASCO', 'plan especial protección'],
    ['PLAN PARC. R-3', 'plan parcial'],
    ['EST. DETALLE C/ MAYOR', 'estudio detalle'],
    ['EST.DET. MANZANA 4', 'estudio de detalle'],
    ['NORM. SUBSID. DE PLANEAMIENTO', 'normas subsidiarias'],
    ['MODIF. N.S. APROB. DEFIN.', 'modificación normas subsidiarias aprobación definitiva'],
    ['P.G. DE ELCHE', 'plan general'],
    ['HOM. SEC. 3', 'homologación sector 3'],
    ['CORREC. DE ERRORES', 'corrección'],
    ['INFRAESTR. Y 12 VIV. UNIFAM. EN PLZ. MAYOR', 'infraestructuras viviendas unifamiliares plaza'],
    ['Bravo Murillo, 39 dupl.', 'bravo murillo 39 duplicado'],
    ['Bravo Murillo, 39 dpdo.', 'bravo murillo 39 duplicado'],
  ] as const) {
    assert.ok(finds(term, title), `${term}: ${title}`)
  }
})
