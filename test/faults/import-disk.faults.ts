// A disk that is full or fails during an import. A scene (import/interrupted.ts) is a folder with a registry in
// service, and an import of `records` records that will replace it.
// `searchDuring` searches the registry until the import ends. `checkServed` checks the whole registry in service, and
// tells whether it is the old or the new one.
import assert from 'node:assert/strict'
import { mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { InterruptedImport } from '../import/interrupted.ts'
import { mountTmpfs, requireTool } from './tools.ts'

test('a disk that fills up during an import: exit status 2, and the old registry stays in service', async (t) => {
  const scene = await InterruptedImport.prepare(t, { records: 8000 })
  // The disk has room for the old registry (before.db), but not for the new one beside it.
  const { size } = await stat(join(scene.folder, 'before.db'))
  const megabytes = Math.ceil((size * 1.5) / 2 ** 20)
  const unmount = await mountTmpfs(join(scene.folder, 'service'), megabytes)
  try {
    await scene.restoreOld()
    const { status, stderr } = await scene.searchDuring(scene.importNew())
    assert.equal(status, 2, stderr)
    assert.match(stderr, /^planning-registry: Cannot [^\n]*(?:full|ENOSPC)[^\n]*$/m)
    assert.equal(await scene.checkServed(), 'old')
    const left = (await readdir(join(scene.folder, 'service'))).filter((name) => !name.includes('.lock'))
    assert.deepEqual(left, ['registry.db'], 'only the lock file is beside the registry')
  } finally {
    await unmount()
  }
})

test('a temporary folder that fills up during an import: exit status 2, the old registry is served', async (t) => {
  // The texts are long, so that the sorted runs of the import do not fit into a megabyte.
  const scene = await InterruptedImport.prepare(t, { records: 3000, padding: ' sector'.repeat(1500) })
  const temporary = join(scene.folder, 'temporary')
  await mkdir(temporary)
  const megabytes = 1
  const unmount = await mountTmpfs(temporary, megabytes)
  try {
    await scene.restoreOld()
    const env = { TMPDIR: temporary, SQLITE_TMPDIR: temporary }
    const { status, stderr } = await scene.searchDuring(scene.importNew({ env }))
    assert.equal(status, 2, stderr)
    assert.match(stderr, /^planning-registry: Cannot [^\n]*full[^\n]*$/m)
    assert.equal(await scene.checkServed(), 'old')
  } finally {
    await unmount()
  }
})

// Faults in the syntax of `strace -e inject`: system call, error, and which call of a thread fails (`5+`: the fifth
// and all later ones). Without `when` every call fails. ENOSPC is a full disk, EIO a failing one.
for (const fault of [
  'pwrite64:error=ENOSPC:when=5+',
  'pwrite64:error=EIO:when=4',
  'pread64:error=EIO:when=3+',
  'fsync:error=EIO',
  'fdatasync,fsync:error=EIO',
  'rename:error=EIO',
]) {
  test(`${fault}: nothing is published, and the next import succeeds`, async (t) => {
    await requireTool('strace')
    const scene = await InterruptedImport.prepare(t, { records: 2000 })
    await scene.restoreOld()
    const calls = fault.slice(0, fault.indexOf(':'))
    const wrapper = ['strace', '-f', '-qq', '-o', '/dev/null', '-e', `trace=${calls}`, '-e', `inject=${fault}`]
    const { status } = await scene.searchDuring(scene.importNew({ wrapper }))
    assert.notEqual(status, 0)
    assert.equal(await scene.checkServed(), 'old')
    await scene.checkNextImport()
  })
}
