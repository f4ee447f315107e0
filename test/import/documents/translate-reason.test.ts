// The reasons why documents were not read, as a report in Spanish (`--lang es`) has them: without an English sentence.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toSpanishReason } from '../../../src/domain/spanish-reason.ts'
import { translateReason } from '../../../src/import/documents/translate-reason.ts'
import { setLanguage } from '../../../src/language.ts'

/** The reasons that the report of an import can have, with numbers and names as examples. */
const reasons = [
  // The pages of a PDF.
  '1 of 1 pages are scans; use --ocr to read them',
  '2 of 6 pages may be scans; use --ocr to read them; page 3 is damaged; 1 attached file was not read',
  'at least 8 of 12 pages are scans and 4 more may be; use --ocr to read them',
  'no page has text: they are blank or images; use --ocr to read them',
  'pages 2 and 7 are too slow to read; the dynamic form (XFA) was not read',
  'pages 41 to 908 are past the limit of 10,000,000 characters',
  'the document is unreadable: the reader crashed',
  // Files that are no PDFs.
  'expected a PDF, got a TIFF image; convert it to PDF',
  'expected a PDF, got an RTF file; convert it to PDF',
  'expected a PDF, got a ZIP, Word or OpenDocument file; convert it to PDF',
  'expected a PDF, got an old Word or Excel file; convert it to PDF',
  'expected a PDF, got an empty file',
  'expected a PDF, got a gzip archive',
  'expected a PDF, got binary data of an unknown kind',
  'expected a PDF, got a web page; get a new copy',
  'larger than 256 MB',
  'encrypted with a password; replace it with an unprotected copy',
  'damaged or incomplete: not a valid PDF; get a new copy',
  'it changed while it was being read; import it again',
  // The folder.
  'no documents folder; give one with --documents',
  'not a valid file name',
  'an absolute path; use a path relative to the documents folder',
  'the name leads outside the documents folder',
  'no such file in the documents folder',
  'a link that leads outside the documents folder',
  'not a file',
  'the file was removed while it was being read',
  'the file cannot be opened (EACCES); check its permissions',
  // Downloads.
  'documents are fetched only with --fetch-documents',
  'the address leads to a web page, not to a document',
  'not a valid address; expected http://… or https://…',
  'ftp: is not supported, only http: and https:',
  'an address with a user name or password is not allowed',
  '127.0.0.1 is not a public address',
  'resolves to 10.0.0.1, which is not a public address',
  'the host is not allowed; allow it with --allow-host docs.example.org',
  'redirected to an invalid address',
  'redirected more than 5 times',
  'redirected to http://10.0.0.1/a: 10.0.0.1 is not a public address',
  'redirected to https://b.example/a: the host is not allowed; allow it with --allow-host b.example',
  'the host name does not exist',
  'the address cannot be requested',
  'the download took too long; the text of an earlier import is used',
  'the host cannot be reached (ECONNREFUSED)',
  'the host cannot be reached (connection failed)',
  'the host responded with 404',
  'the host responded with 503 and asks to wait 300 s',
  'the host responded with 304 to an unconditional request',
]

test('every reason of the report is in Spanish with --lang es, and in English without', (context) => {
  assert.deepEqual(reasons.map(translateReason), reasons)
  context.after(() => setLanguage('en'))
  setLanguage('es')
  for (const reason of reasons) {
    const english = new Set(reason.split('; '))
    const left = translateReason(reason)
      .split('; ')
      .filter((sentence) => english.has(sentence))
    assert.deepEqual(left, [])
    assert.doesNotMatch(translateReason(reason), /\b(?:the|is|are|of|read|limit|files?|and|more|got|with|to)\b/)
  }
  assert.equal(
    translateReason('at least 8 of 12 pages are scans and 4 more may be; use --ocr to read them'),
    'páginas escaneadas: al menos 8 de 12, y quizá 4 más; use --ocr para leerlas',
  )
  assert.equal(
    translateReason('expected a PDF, got a TIFF image; convert it to PDF'),
    'es una imagen TIFF, no un PDF; conviértalo a PDF',
  )
})

test('a sentence that the page shows too has the same translation in both places', (context) => {
  context.after(() => setLanguage('en'))
  setLanguage('es')
  const shared = ['larger than 256 MB', '2 attached files were not read', 'pages 2 and 7 are damaged']
  for (const reason of shared) assert.equal(translateReason(reason), toSpanishReason(reason))
})
