// `npm run release`: builds the two npm packages in dist/, checks and packs them. It does not publish.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../package.json' with { type: 'json' }
import { findFaults, packPackage } from './check-package.ts'
import { buildClientPackage, buildServicePackage } from './package.ts'

const root = join(import.meta.dirname, '..')
const page = join(root, 'dist/web')

requireThat(
  execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' }) === '',
  'the working tree has changes; commit them',
)
requireThat(
  readFileSync(join(root, 'CHANGELOG.md'), 'utf8').includes(`\n## ${manifest.version}`),
  `CHANGELOG.md has no section ${manifest.version}; add one`,
)
requireThat(existsSync(join(page, 'index.html')), 'the page is not built; run npm run build')

await release(join(root, 'dist/package'), (folder) => buildServicePackage(folder, { page }))
await release(join(root, 'dist/client-package'), buildClientPackage)

async function release(folder: string, build: (folder: string) => Promise<void>): Promise<void> {
  await build(folder)
  const tarball = await packPackage(folder, join(root, 'dist'))
  const faults = await findFaults(folder, tarball)
  requireThat(faults.length === 0, faults.join('\n'))
  process.stdout.write(`Built and checked ${tarball}. To publish it, run: npm publish ${tarball}\n`)
}

function requireThat(condition: boolean, reason: string): void {
  if (condition) return
  process.stderr.write(`Cannot release ${manifest.version}: ${reason}\n`)
  process.exit(1)
}
