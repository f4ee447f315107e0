// File names in the documents folder: which are found, and which are refused.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmod, mkdir, realpath, symlink, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { it, type TestContext } from 'node:test'
import { toText } from '../../../src/domain/document-reason.ts'
import { DocumentFolder } from '../../../src/import/documents/document-folder.ts'
import { prepareDocuments } from '../../../src/import/documents/documents.ts'
import { runUnprivileged } from '../folder.ts'
import { makePdf } from './pdf.ts'
import { openWorkspace } from './workspace.ts'

const plan = makePdf([{ lines: ['Plan Parcial'] }])
const decomposed = 'Ordenación.pdf'.normalize('NFD')

/** `found` is undefined if there is no such file, or several may be meant. */
const cases: [title: string, files: string[], names: string[], found?: string][] = [
  [
    'a document may be in a subfolder',
    ['1987/plan.pdf'],
    ['1987/plan.pdf', '1987\\plan.pdf', './1987/plan.pdf'],
    '1987/plan.pdf',
  ],
  ['a name may have composed accents, and its file decomposed ones', [decomposed], ['Ordenación.pdf'], decomposed],
  ['a name may be in another case', ['1987/Ordenación.pdf'], ['1987\\ORDENACIÓN.PDF'], '1987/Ordenación.pdf'],
  ['a name as it is written is preferred', ['1987/a.pdf', '1987/A.pdf'], ['1987/a.pdf'], '1987/a.pdf'],
  ['a name that may be one of two files is missing', ['1987/a.pdf', '1987/A.pdf'], ['1987/a.PDF']],
  [
    'a folder may be in another case',
    ['planes/Año 1987/memoria.pdf'],
    ['PLANES\\AÑO 1987\\MEMORIA.PDF', 'Planes/Año 1987/memoria.pdf', './planes//año 1987/Memoria.pdf'],
    'planes/Año 1987/memoria.pdf',
  ],
  ['a folder as it is written is preferred', ['normas/a.pdf', 'NORMAS/b.pdf'], ['NORMAS/B.PDF'], 'NORMAS/b.pdf'],
  ['a folder that may be one of two is missing', ['normas/a.pdf', 'NORMAS/b.pdf'], ['Normas/a.pdf']],
  ['another folder is missing', ['planes/1987/memoria.pdf'], ['PLANES/1988/memoria.pdf']],
  ['a name without an ending finds a PDF', ['2008/186-2008.pdf'], ['2008/186-2008'], '2008/186-2008.pdf'],
  ['another file that fits is preferred to the PDF', ['187-2008', '187-2008.pdf'], ['187-2008'], '187-2008'],
  ['only the last part of a name may lack the ending', ['2008.pdf/a.pdf'], ['2008/a']],
]
for (const [title, files, names, found] of cases) {
  it(title, async (t) => {
    const { write, locate } = await openFolder(t)
    for (const file of files) await write(file, plan)
    for (const name of names)
      assert.equal(await locate(name), found ?? 'missing: no such file in the documents folder', name)
  })
}

it('a document counts once, however records spell its name', async (t) => {
  const { folder, write, prepare } = await openWorkspace(t)
  await write('1101.pdf', plan)
  await write('2004/sub.pdf', Buffer.from('%PDF-'))
  await symlink('1101.pdf', join(folder, 'copia.pdf'))
  const readable = ['1101.pdf', '1101.PDF', './1101.pdf', 'copia.pdf']
  const names = [...readable, '2004\\sub.pdf', '2004/SUB.PDF', '.']
  const texts = await prepare(names)
  assert.deepEqual(texts.outcomes, { text: 1, scan: 0, unreadable: 1, missing: 1 })
  assert.deepEqual(texts.problems.map(({ document, reason }) => [document, reason.slice(0, 10)]).sort(), [
    ['.', 'not a file'],
    ['2004/sub.pdf', 'damaged or'],
  ])
  assert.equal(texts.referencesDone, names.length)
  for (const name of readable) assert.equal(await texts.readFile(name), 'Plan Parcial')
  assert.equal(await texts.unreadReason('2004/SUB.PDF'), 'damaged or incomplete')
})

it('a document whose name leads outside the folder is missing and is not read', async (t) => {
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
  // How many documents had each outcome.
  assert.deepEqual(texts.outcomes, { text: 0, scan: 0, unreadable: 0, missing: outside.length })
  assert.equal(texts.reasonFor('../secret.txt'), 'the name leads outside the documents folder')
  assert.match(texts.reasonFor(secret) ?? '', /^an absolute path; /)
  assert.equal(texts.reasonFor('up/secret.txt'), 'a link that leads outside the documents folder')
  for (const name of outside) assert.equal(await texts.readFile(name), '')
})

it('a symbolic link inside the folder is followed', async (t) => {
  const { folder, write, locate } = await openFolder(t)
  await write('plan.pdf', plan)
  await symlink('plan.pdf', join(folder, 'copy.pdf'))
  assert.equal(await locate('copy.pdf'), 'plan.pdf')
})

it('a folder, a pipe, an empty or invalid name and a name that no file has count as missing', async (t) => {
  const { folder, write, prepare } = await openWorkspace(t)
  await write('1987/plan.pdf', plan)
  execFileSync('mkfifo', [join(folder, 'pipe')])
  // The name `.` is the documents folder itself. The last two are invalid: a NUL character, and too many letters.
  const names = ['1987', 'pipe', '', '.', 'nothing.pdf', 'plan.pdf\0.txt', `${'x'.repeat(5000)}.pdf`]
  const texts = await prepare(names)
  assert.deepEqual(texts.outcomes, { text: 0, scan: 0, unreadable: 0, missing: names.length })
})

it('without a documents folder every file is missing', async (t) => {
  const { cacheFolder } = await openWorkspace(t)
  const withoutFolder = { withDownloads: false, allowHosts: [], ocr: false, cacheFolder, registry: 'test' }
  const texts = await prepareDocuments([{ kind: 'file', name: 'plan.pdf' }], withoutFolder)
  t.after(async () => texts.close())
  assert.equal(texts.problems[0]?.reason, 'no documents folder; give one with --documents')
})

it('a documents folder that does not exist is an error', async (t) => {
  const { prepare, root } = await openWorkspace(t)
  await assert.rejects(prepare(['plan.pdf'], { folder: join(root, 'nowhere') }), {
    name: 'DocumentFault',
    message: `Cannot read documents from ${join(root, 'nowhere')}: there is no such folder`,
  })
})

it('a documents folder without permission is an error; in a subfolder without it, a document is unreadable', async (t) => {
  const { root, folder, write, locate } = await openFolder(t)
  await write('plan.pdf', plan)
  await mkdir(join(folder, 'closed'))
  await chmod(join(folder, 'closed'), 0)
  await chmod(root, 0o755)
  await runUnprivileged(async () => {
    const reason = 'the file cannot be opened (EACCES); check the permissions of its folder'
    for (const name of ['closed/plan.pdf', 'CLOSED\\PLAN.PDF'])
      assert.equal(await locate(name), `unreadable: ${reason}`)
    assert.equal(await locate('nothing.pdf'), 'missing: no such file in the documents folder')
  })
  // The permission to list a folder is not enough to open its files.
  await chmod(folder, 0o444)
  await runUnprivileged(async () => {
    await assert.rejects(locate('plan.pdf'), {
      name: 'DocumentFault',
      message: new RegExp(`^Cannot read documents from ${folder}: EACCES: permission denied`),
    })
  })
  // Without the permission to list the folder, a file is found only as its name is written.
  await chmod(folder, 0o311)
  await runUnprivileged(async () => {
    assert.equal(await locate('plan.pdf'), 'plan.pdf')
    assert.match(await locate('PLAN.pdf'), /^unreadable: /)
  })
  await chmod(folder, 0o755)
})

/** A workspace whose `locate` returns the path of a file in the documents folder, or the reason why it is not found. */
async function openFolder(t: TestContext) {
  const workspace = await openWorkspace(t)
  // `locate` refuses a larger file. Every file of these tests is `plan`.
  const bytesMax = plan.length
  const locate = async (name: string): Promise<string> => {
    const folder = await DocumentFolder.open(workspace.folder)
    const file = await folder.locate(name, bytesMax)
    if (file.kind === 'found') return relative(await realpath(workspace.folder), file.path)
    return `${file.kind}: ${toText(file.reasons)}`
  }
  return { ...workspace, locate }
}
