// `npm run test:all release`: builds the download for this Linux and uses it in a bare Debian, in which nothing is
// installed. It needs root on Debian and takes minutes, so it is not part of
// `npm test`.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, mkdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { buildArchive, systems, toChecksums } from '../../scripts/archives.ts'
import { buildServicePackage } from '../../scripts/package.ts'
import { makeTemporaryFolder } from '../cli/temporary-folder.ts'

const root = join(import.meta.dirname, '../..')
const folder = await makeTemporaryFolder({ after })

test('in a bare Debian the download imports, serves, imports again while it serves, and opens the desk', async () => {
  const system = systems.find(({ name }) => name === `linux-${process.arch}`) ?? assert.fail(process.arch)
  const packaged = join(folder, 'package')
  await buildServicePackage(packaged, { page: join(root, 'dist/web') })
  const archive = await buildArchive(system, { package: packaged, target: folder })
  assert.match(await toChecksums([archive]), /^[0-9a-f]{64} {2}planning-registry-.*\.tar\.gz\n$/)
  if (!existsSync('/usr/bin/mmdebstrap')) {
    await run('apt-get', ['update'])
    await run('apt-get', ['install', '--yes', '--no-install-recommends', 'mmdebstrap'])
  }
  const debian = join(folder, 'debian')
  await run('mmdebstrap', ['--variant=minbase', '--mode=root', 'bookworm', debian])
  assert.ok(!existsSync(join(debian, 'usr/lib/x86_64-linux-gnu/libatomic.so.1')))
  await mkdir(join(debian, 'srv/download'))
  await run('tar', ['-xzf', archive, '-C', join(debian, 'srv/download')])
  await copyFile(join(root, 'test/release/archive-run.ts'), join(debian, 'srv/archive-run.ts'))
  const unpacked = `/srv/download/${basename(archive, '.tar.gz')}`
  const script = `
    mount --rbind /proc "$0/proc"
    mount --rbind /dev "$0/dev"
    exec chroot "$0" env -i PATH=/usr/bin:/bin "$1/node" /srv/archive-run.ts "$1"`
  const { stdout } = await run('unshare', ['--mount', 'sh', '-ec', script, debian, unpacked])
  assert.match(stdout, /the download works/)
})

async function run(command: string, args: readonly string[]): Promise<{ stdout: string }> {
  return await promisify(execFile)(command, args, { maxBuffer: 64 * 1024 * 1024 })
}
