// `npm run release`: builds the package for npm in dist/, checks it and packs it, and stops short of publishing.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../package.json' with { type: 'json' }
import { findFaults, packPackage } from './check-package.ts'
import { buildPackage } from './package.ts'

const root = join(import.meta.dirname, '..')
const folder = join(root, 'dist/package')
const page = join(root, 'dist/web')

refuseUnless(
  execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' }) === '',
  'the working tree has changes; commit them',
)
refuseUnless(
  readFileSync(join(root, 'CHANGELOG.md'), 'utf8').includes(`\n## ${manifest.version}`),
  `CHANGELOG.md says nothing of ${manifest.version}; write what changed`,
)
refuseUnless(existsSync(join(page, 'index.html')), 'the page is not built; run npm run build')

await buildPackage(folder, { page })
const tarball = await packPackage(folder, join(root, 'dist'))
const faults = await findFaults(folder, tarball)
refuseUnless(faults.length === 0, faults.join('\n'))
process.stdout.write(`${tarball} is ready and checked. It is not published: npm publish ${tarball} would do that.\n`)

function refuseUnless(condition: boolean, reason: string): void {
  if (condition) return
  process.stderr.write(`Cannot release ${manifest.version}: ${reason}\n`)
  process.exit(1)
}
