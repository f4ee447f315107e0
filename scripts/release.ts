// `npm run release`: builds the two npm packages and the downloads for each system in dist/release, checks them, and
// writes their checksums. It does not publish. docs/releases.md says what it needs.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../package.json' with { type: 'json' }
import { buildArchive, systems, toChecksums } from './archives.ts'
import { findFaults, packPackage } from './check-package.ts'
import { buildClientPackage, buildServicePackage } from './package.ts'

const root = join(import.meta.dirname, '..')
const page = join(root, 'dist/web')
const target = join(root, 'dist/release')

requireThat(
  execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' }) === '',
  'the working tree has changes; commit them',
)
requireThat(
  readFileSync(join(root, 'CHANGELOG.md'), 'utf8').includes(`\n## ${manifest.version}`),
  `CHANGELOG.md has no section ${manifest.version}; add one`,
)
requireThat(existsSync(join(page, 'index.html')), 'the page is not built; run npm run build')

rmSync(target, { recursive: true, force: true })
mkdirSync(target, { recursive: true })
const servicePackage = join(root, 'dist/package')
const files = [
  await pack(servicePackage, (folder) => buildServicePackage(folder, { page })),
  await pack(join(root, 'dist/client-package'), buildClientPackage),
]
for (const system of systems) {
  for (const ocr of [false, true]) {
    const archive = await buildArchive(system, { package: servicePackage, target, ocr })
    process.stdout.write(`Built ${archive}\n`)
    files.push(archive)
  }
}
writeFileSync(join(target, 'SHA256SUMS'), await toChecksums(files))
process.stdout.write(`Wrote the checksums to ${join(target, 'SHA256SUMS')}\n`)

/** Builds, packs and checks an npm package, and returns the path of its tarball. */
async function pack(folder: string, build: (folder: string) => Promise<void>): Promise<string> {
  await build(folder)
  const tarball = await packPackage(folder, target)
  const faults = await findFaults(folder, tarball)
  requireThat(faults.length === 0, faults.join('\n'))
  process.stdout.write(`Built and checked ${tarball}. To publish it, run: npm publish ${tarball}\n`)
  return tarball
}

function requireThat(condition: boolean, reason: string): void {
  if (condition) return
  process.stderr.write(`Cannot release ${manifest.version}: ${reason}\n`)
  process.exit(1)
}
