// Running text is the text of a page without its line breaks. Words that are broken at the end of a line are joined.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { toRunningText } from '../../../src/import/documents/running-text.ts'

describe('the lines of a page become running text', () => {
  /**
   * Each case is a page, and its running text. A word "stands elsewhere" if the page, which is the whole document here,
   * also has it unbroken. Which rule for a hyphen comes first is in `joinBreak` (running-text.ts).
   */
  const cases: [name: string, lines: string, text: string][] = [
    ['line breaks are spaces', 'Plan\nParcial \n\n del  Sector', 'Plan Parcial del Sector'],
    ['a broken word is joined', 'la edificabi-\nlidad máxima', 'la edificabilidad máxima'],
    [
      'a word that is broken twice or more is joined',
      'la edifi-\ncabili-\ndad y la ur-\nba-\nni-\nzación',
      'la edificabilidad y la urbanización',
    ],
    ['a word broken by a soft hyphen is joined', 'la edificabi\u00ad\nlidad', 'la edificabilidad'],
    ['a word is joined if the second line is indented', 'la edificabi- \n   lidad', 'la edificabilidad'],
    ['a short last syllable is joined', 'una vivien-\nda', 'una vivienda'],
    [
      'capital letters are joined if the word stands elsewhere',
      'SUELO URBANI-\nZABLE y urbanizable',
      'SUELO URBANIZABLE y urbanizable',
    ],
    ['the ending of a word in capital letters is joined', 'PROYECTO DE URBANIZA-\nCIÓN', 'PROYECTO DE URBANIZACIÓN'],
    ['other capital letters keep the hyphen', 'SECTOR LAS-\nERAS', 'SECTOR LAS-ERAS'],
    ['a code keeps the hyphen', 'la UE-\n23 y la U-\nE', 'la UE-23 y la U-E'],
    ['years keep the hyphen', '1998-\n2004', '1998-2004'],
    ['a name keeps the hyphen', 'Castilla-\nLa Mancha', 'Castilla-La Mancha'],
    [
      'a compound that stands elsewhere keeps the hyphen',
      'físico-\nquímico, físico-químico',
      'físico-químico, físico-químico',
    ],
    [
      'a compound of two words of the document keeps the hyphen',
      'informe técnico y económico, técnico-\neconómico',
      'informe técnico y económico, técnico-económico',
    ],
    ['a compound that begins with an adjective keeps the hyphen', 'técnico-\neconómica', 'técnico-económica'],
    [
      'a compound that begins with an adjective in -ario or -tivo keeps the hyphen',
      'parcelario-\nregistral y normativo-\nlegal',
      'parcelario-registral y normativo-legal',
    ],
    [
      'a word whose first part ends like an adjective is joined if it stands elsewhere',
      'multico-\nlor multicolor',
      'multicolor multicolor',
    ],
    [
      'a word is joined if its first part is too short for an adjective (psico, vario), or no adjective (públi)',
      'psico-\nlógico, vario-\npinto, públi-\ncos',
      'psicológico, variopinto, públicos',
    ],
    [
      'an adverb in -mente or -ment is joined, although both parts are words of the document',
      'lo habitual, la mente, el usual ment, habitual-\nmente, usual-\nment',
      'lo habitual, la mente, el usual ment, habitualmente, usualment',
    ],
    [
      'a name with a capital letter inside is joined if it stands elsewhere, unless it also has a hyphen elsewhere',
      'Post-\nScript, PostScript, Vila-\nReal, Vila-Real, VilaReal',
      'PostScript, PostScript, Vila-Real, Vila-Real, VilaReal',
    ],
    ['a hyphen before a conjunction stays', 'pre-\ny postromano', 'pre- y postromano'],
    [
      'a word whose soft hyphen is lost is joined if the document has it elsewhere',
      'la edificabi\nlidad es la edificabilidad',
      'la edificabilidad es la edificabilidad',
    ],
    ['a stop word stays apart', 'en\ntorno al entorno', 'en torno al entorno'],
    [
      'two words that the document also has apart stay apart, although it has them as one word',
      'por\nque, porque por aquello que',
      'por que, porque por aquello que',
    ],
    ['a dash after a space stays', 'suelo -\nrural', 'suelo - rural'],
  ]
  for (const [name, lines, text] of cases) {
    it(name, () => assert.deepEqual(toRunningText([lines]), [text]))
  }

  it('in linear time, whatever the text', () => {
    // Each text has about a million characters, so quadratic time would take minutes.
    const texts = ['a'.repeat(1_000_000), 'a-\n'.repeat(300_000), `ab-${' '.repeat(1_000_000)}`, 'a\n'.repeat(500_000)]
    for (const text of texts) assert.equal(toRunningText([text]).length, 1)
  })

  it('with the words of all pages, which decide whether a word is joined', () => {
    assert.deepEqual(toRunningText(['URBANI-\nZABLE', 'urbanizable']), ['URBANIZABLE', 'urbanizable'])
  })
})
