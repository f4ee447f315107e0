// A disk that is full or fails during an import. `fixture` is an `InterruptedImport` (test/import/interrupted.ts):
// `prepare` builds an old and a new registry of `records` records each, to learn the content of both. `restoreOld` puts
// the old one in service, and `importNew` runs the import that will replace it. `searchDuring` searches the registry in
// service until the import ends. `checkServed` checks the whole registry in service, and tells which of the two it is.
import assert from 'node:assert/strict'
import { mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { InterruptedImport } from '../import/interrupted.ts'
import { mountTmpfs, requireTool } from './tools.ts'

test('a disk that fills up during an import: exit status 2, and the old registry stays in service', async (t) => {
  const fixture = await InterruptedImport.prepare(t, { records: 8000 })
  // A file system for the registry in service, with the size of one and a half registries. The old registry, a copy of
  // before.db, fits into it. The new one, which the import writes next to the old one, does not.
  const { size } = await stat(join(fixture.folder, 'before.db'))
  const megabytes = Math.ceil((size * 1.5) / 2 ** 20)
  const unmount = await mountTmpfs(join(fixture.folder, 'service'), megabytes)
  try {
    await fixture.restoreOld()
    const { status, stderr } = await fixture.searchDuring(fixture.importNew())
    assert.equal(status, 2, stderr)
    assert.match(stderr, /^planning-registry: Cannot [^\n]*(?:full|ENOSPC)[^\n]*$/m)
    assert.equal(await fixture.checkServed(), 'old')
    const left = (await readdir(join(fixture.folder, 'service'))).filter((name) => !name.includes('.lock'))
    assert.deepEqual(left, ['registry.db'], 'the import leaves no file but its lock file')
  } finally {
    await unmount()
  }
})

test('a temporary folder that fills up during an import: exit status 2, the old registry is served', async (t) => {
  // The import keeps sorted runs, parts of the new index, in the temporary folder until it merges them. The texts are
  // long, so that the runs do not fit into a megabyte.
  const fixture = await InterruptedImport.prepare(t, { records: 3000, padding: ' sector'.repeat(1500) })
  const temporary = join(fixture.folder, 'temporary')
  await mkdir(temporary)
  const megabytes = 1
  const unmount = await mountTmpfs(temporary, megabytes)
  try {
    await fixture.restoreOld()
    const env = { TMPDIR: temporary, SQLITE_TMPDIR: temporary }
    const { status, stderr } = await fixture.searchDuring(fixture.importNew({ env }))
    assert.equal(status, 2, stderr)
    assert.match(stderr, /^planning-registry: Cannot [^\n]*full[^\n]*$/m)
    assert.equal(await fixture.checkServed(), 'old')
  } finally {
    await unmount()
  }
})

// strace makes system calls of the import fail. The syntax is that of `strace -e inject`: system call, error, and which
// call of a thread fails (`5+`: the fifth and all later ones). The calls before it succeed, so that files are partly
// written or read. Without `when` every call fails. ENOSPC is the error of a full disk, and EIO that of a failing one.
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
    const fixture = await InterruptedImport.prepare(t, { records: 2000 })
    await fixture.restoreOld()
    const calls = fault.slice(0, fault.indexOf(':'))
    const wrapper = ['strace', '-f', '-qq', '-o', '/dev/null', '-e', `trace=${calls}`, '-e', `inject=${fault}`]
    const { status } = await fixture.searchDuring(fixture.importNew({ wrapper }))
    assert.notEqual(status, 0)
    assert.equal(await fixture.checkServed(), 'old')
    await fixture.checkNextImport()
  })
}
