// File names in the documents folder: which are found, and which are refused.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { it } from 'node:test'
import { prepareDocuments } from '../../../src/import/documents/documents.ts'
import { makePdf } from './pdf.ts'
import { openWorkspace } from './workspace.ts'

const plan = makePdf([{ lines: ['Plan Parcial'] }])

it('a document may be in a subfolder', async (t) => {
  const { write, prepare } = await openWorkspace(t)
  await write('1987/plan.pdf', plan)
  const texts = await prepare(['1987/plan.pdf', '1987\\plan.pdf', './1987/plan.pdf'])
  assert.equal(texts.outcomes.text, 3)
})

it('a name is found with composed or decomposed accents', async (t) => {
  const { write, prepare } = await openWorkspace(t)
  await write('Ordenación.pdf'.normalize('NFD'), plan)
  const texts = await prepare(['Ordenación.pdf'.normalize('NFC')])
  assert.equal(await texts.readFile('Ordenación.pdf'.normalize('NFC')), 'Plan Parcial')
})

it('a name is found in another case if only one file matches', async (t) => {
  const { write, prepare } = await openWorkspace(t)
  await write('1987/Ordenación.pdf', plan)
  await write('1987/a.pdf', plan)
  await write('1987/A.pdf', plan)
  // a.PDF may be a.pdf or A.pdf, so it is missing.
  const texts = await prepare(['1987\\ORDENACIÓN.PDF', '1987/a.PDF', '1987/a.pdf'])
  assert.equal(await texts.readFile('1987\\ORDENACIÓN.PDF'), 'Plan Parcial')
  assert.deepEqual(texts.outcomes, { text: 2, scan: 0, unreadable: 0, missing: 1 })
  assert.equal(texts.reasonFor('1987/a.PDF'), 'no such file in the documents folder')
})

it('a folder is found in another case if only one matches', async (t) => {
  const { write, prepare } = await openWorkspace(t)
  await write('planes/Año 1987/memoria.pdf', plan)
  await write('normas/a.pdf', plan)
  await write('NORMAS/b.pdf', plan)
  const found = ['PLANES\\AÑO 1987\\MEMORIA.PDF', 'Planes/Año 1987/memoria.pdf', './planes//año 1987/Memoria.pdf']
  // Normas may be either folder.
  const texts = await prepare([...found, 'NORMAS/B.PDF', 'Normas/a.pdf', 'PLANES/1988/memoria.pdf'])
  for (const name of found) assert.equal(await texts.readFile(name), 'Plan Parcial', name)
  assert.deepEqual(texts.outcomes, { text: 4, scan: 0, unreadable: 0, missing: 2 })
})

it('a document whose name leads outside the folder is missing, with the reason, and nothing is read', async (t) => {
  const { root, folder, write, prepare } = await openWorkspace(t)
  const secret = join(root, 'secret.txt')
  await writeFile(secret, 'secreto')
  await symlink(secret, join(folder, 'link.txt'))
  await symlink(root, join(folder, 'up'))
  await write('1987/plan.pdf', plan)
  const outside = [
    '../secret.txt',
    '1987/../../secret.txt',
    '..\\secret.txt',
    secret,
    'C:\\secret.txt',
    'link.txt',
    'up/secret.txt',
    'LINK.TXT',
    'UP/SECRET.TXT',
  ]
  const texts = await prepare(outside)
  assert.deepEqual(texts.outcomes, { text: 0, scan: 0, unreadable: 0, missing: outside.length })
  assert.equal(texts.reasonFor('../secret.txt'), 'the name leads outside the documents folder')
  assert.match(texts.reasonFor(secret) ?? '', /^an absolute path; /)
  assert.equal(texts.reasonFor('up/secret.txt'), 'a link that leads outside the documents folder')
  for (const name of outside) assert.equal(await texts.readFile(name), '')
})

it('a symbolic link inside the folder is followed', async (t) => {
  const { folder, write, prepare } = await openWorkspace(t)
  await write('plan.pdf', plan)
  await symlink('plan.pdf', join(folder, 'copy.pdf'))
  const texts = await prepare(['copy.pdf'])
  assert.equal(await texts.readFile('copy.pdf'), 'Plan Parcial')
})

it('a folder, a pipe, an invalid name and a name without a file count as missing', async (t) => {
  const { folder, write, prepare } = await openWorkspace(t)
  await write('1987/plan.pdf', plan)
  execFileSync('mkfifo', [join(folder, 'pipe')])
  const texts = await prepare(['1987', 'pipe', '', '.', 'nothing.pdf', 'plan.pdf\0.txt', `${'x'.repeat(5000)}.pdf`])
  assert.deepEqual(texts.outcomes, { text: 0, scan: 0, unreadable: 0, missing: 7 })
})

it('without a documents folder every file is missing; a folder that does not exist is an error', async (t) => {
  const { cacheFolder, prepare, root } = await openWorkspace(t)
  const withoutFolder = { fetch: false, allowHosts: [], ocr: false, cacheFolder }
  const texts = await prepareDocuments([{ kind: 'file', name: 'plan.pdf' }], withoutFolder)
  t.after(() => texts.close())
  assert.equal(texts.problems[0]?.reason, 'no documents folder; give one with --documents')
  await assert.rejects(prepare(['plan.pdf'], { folder: join(root, 'nowhere') }), {
    name: 'DocumentFault',
    message: `Cannot read documents folder ${join(root, 'nowhere')}: there is no such folder`,
  })
})
