// Builds the downloads: for each system one archive with Node, the service, its page and its dependencies, so that an
// office needs nothing else. With `ocr`, text recognition and its models are in it too. release.ts calls it on Linux
// with Debian's packages `zip` and
// `patchelf`, and its `apt-get`.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, copyFile, cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import manifest from '../package.json' with { type: 'json' }
import { bundledModel } from './package.ts'

const root = join(import.meta.dirname, '..')
const run = promisify(execFile)

/** A system with a download. */
export interface System {
  readonly name: 'linux-x64' | 'linux-arm64' | 'win-x64'
  /** What npm calls the operating system and the processor, for dependencies with native code. */
  readonly os: 'linux' | 'win32'
  readonly cpu: 'x64' | 'arm64'
  /** Debian's name of the processor. */
  readonly debian?: 'amd64' | 'arm64'
  /** The checksum of the npm package `node-NAME`, in the version that package.json names for `node`. */
  readonly nodeIntegrity: string
}

export const systems: readonly System[] = [
  {
    ...{ name: 'linux-x64', os: 'linux', cpu: 'x64', debian: 'amd64' },
    nodeIntegrity: 'sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==',
  },
  {
    ...{ name: 'linux-arm64', os: 'linux', cpu: 'arm64', debian: 'arm64' },
    nodeIntegrity: 'sha512-idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==',
  },
  {
    ...{ name: 'win-x64', os: 'win32', cpu: 'x64' },
    nodeIntegrity: 'sha512-GCIKoDIOUTgULKxFNlfumjEmEgIpBB/7csJ11w6WbFcC/dyZ9UH2YAFr1fuNsdEmPZOAVpT2Cv9QKPwluhOCIQ==',
  },
]

export interface ArchiveOptions {
  /** The built package of the service (package.ts). */
  readonly package: string
  /** Where the archive is written. */
  readonly target: string
  readonly ocr?: boolean
}

/** Builds the archive for the system, and returns its path. */
export async function buildArchive(system: System, options: ArchiveOptions): Promise<string> {
  const suffix = options.ocr === true ? '-ocr' : ''
  const name = `planning-registry-${manifest.version}-${system.name}${suffix}`
  const folder = join(options.target, name)
  await rm(folder, { recursive: true, force: true })
  await cp(options.package, join(folder, 'app'), { recursive: true })
  await addDependencies(system, join(folder, 'app'), options.ocr === true)
  await addNode(system, folder)
  await addStarters(system, folder)
  const archive = await pack(system, folder)
  await rm(folder, { recursive: true })
  return archive
}

/** The lines of SHA256SUMS for the files, as `sha256sum --check` reads them. */
export async function toChecksums(files: readonly string[]): Promise<string> {
  const lines = files.map(async (file) => {
    const sum = createHash('sha256').update(await readFile(file))
    return `${sum.digest('hex')}  ${basename(file)}\n`
  })
  return (await Promise.all(lines)).join('')
}

/** Installs the production dependencies of the lockfile as npm does on the system. */
async function addDependencies(system: System, app: string, ocr: boolean): Promise<void> {
  const installed = `${app}-dependencies`
  await mkdir(installed, { recursive: true })
  for (const file of ['package.json', 'package-lock.json', '.npmrc'])
    await copyFile(join(root, file), join(installed, file))
  const flags = ['--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline']
  const platform = [`--os=${system.os}`, `--cpu=${system.cpu}`, ...(system.os === 'linux' ? ['--libc=glibc'] : [])]
  await run('npm', ['ci', ...flags, ...platform, ...(ocr ? [] : ['--omit=optional'])], { cwd: installed })
  const modules = join(installed, 'node_modules')
  // The package has its own, smaller copy of pdfjs-dist, and one model of OCR.
  await rm(join(modules, 'pdfjs-dist'), { recursive: true })
  await rm(join(modules, '.bin'), { recursive: true, force: true })
  await rm(join(modules, '.package-lock.json'), { force: true })
  const models = join(modules, '@tesseract.js-data')
  if (ocr) {
    for (const model of await readdir(models)) {
      if (`@tesseract.js-data/${model}` !== bundledModel) await rm(join(models, model), { recursive: true })
    }
  }
  await run('find', [modules, '-name', '*.map', '-delete'])
  await cp(modules, join(app, 'node_modules'), { recursive: true })
  await rm(installed, { recursive: true })
}

/** Adds Node from its npm package, whose checksum npm and this function verify. */
async function addNode(system: System, folder: string): Promise<void> {
  const version = manifest.devDependencies.node
  const work = join(folder, 'node-package')
  await mkdir(work)
  const spec = `node-${system.name}@${version}`
  const { stdout } = await run('npm', ['pack', spec, '--json', '--loglevel=error', '--pack-destination', work])
  const [{ filename }] = JSON.parse(stdout)
  const tarball = join(work, filename)
  const found = `sha512-${createHash('sha512')
    .update(await readFile(tarball))
    .digest('base64')}`
  if (found !== system.nodeIntegrity) throw new Error(`The checksum of ${spec} is ${found}, not that of archives.ts`)
  await run('tar', ['-xzf', tarball, '-C', work])
  const file = system.os === 'win32' ? 'node.exe' : 'node'
  await rename(join(work, 'package/bin', file), join(folder, file))
  await rm(work, { recursive: true })
  if (system.debian === undefined) return
  await addLibatomic(system.debian, join(folder, 'lib'))
  // Node looks for libraries in the folder `lib` beside it, in child processes with an empty environment too.
  await run('patchelf', ['--set-rpath', '$ORIGIN/lib', join(folder, file)])
}

/** Adds the library that Node needs and that a small Linux lacks, from Debian's package, whose signature apt verifies. */
async function addLibatomic(architecture: string, folder: string): Promise<void> {
  const work = `${folder}-download`
  await mkdir(join(work, 'lists/partial'), { recursive: true })
  // The lists of another architecture go to a folder of their own; those of the system stay as they are.
  const apt = ['-o', `APT::Architecture=${architecture}`, '-o', `APT::Architectures=${architecture}`]
  const lists = ['-o', `Dir::State::Lists=${work}/lists`, '-o', `Dir::Cache=${work}`, '-o', 'APT::Sandbox::User=']
  await run('apt-get', [...apt, ...lists, 'update'])
  await run('apt-get', [...apt, ...lists, 'download', 'libatomic1'], { cwd: work })
  const [file = ''] = (await readdir(work)).filter((name) => name.endsWith('.deb'))
  await run('dpkg-deb', ['--extract', join(work, file), join(work, 'files')])
  await mkdir(folder)
  const { stdout } = await run('find', [join(work, 'files'), '-name', 'libatomic.so.1.*'])
  await copyFile(stdout.trim(), join(folder, 'libatomic.so.1'))
  await writeFile(
    join(folder, 'LICENSE.txt'),
    'libatomic.so.1 is part of GCC, from the Debian package libatomic1: GPL 3 with the GCC Runtime Library Exception.\n',
  )
  await rm(work, { recursive: true })
}

/** A starter of the desk for a double click, one for a terminal, and a text that says how to begin. */
async function addStarters(system: System, folder: string): Promise<void> {
  const isWindows = system.os === 'win32'
  const starters = isWindows ? windowsStarters : linuxStarters
  for (const [name, text] of Object.entries(starters)) {
    await writeFile(join(folder, name), isWindows ? toWindowsText(text) : text)
    await chmod(join(folder, name), 0o755)
  }
  const readMe = isWindows
    ? toReadMe('.\\planning-registry', 'Haga doble clic en Asistente.cmd.')
    : toReadMe('./planning-registry', 'Haga doble clic en Asistente (o ejecute ./asistente.sh en un terminal).')
  await writeFile(join(folder, 'LEEME.txt'), isWindows ? toWindowsText(readMe) : readMe)
}

const linuxStarters: Readonly<Record<string, string>> = {
  'planning-registry': `#!/bin/sh
# Runs planning-registry with the Node of this folder.
here=$(dirname "$(readlink -f "$0")")
exec "$here/node" "$here/app/bin/planning-registry.js" "$@"
`,
  'asistente.sh': `#!/bin/sh
# Opens the desk, in Spanish.
exec "$(dirname "$(readlink -f "$0")")/planning-registry" desk --lang es "$@"
`,
  // The desktop replaces %k by the path of this file; a relative path would be that of the user's folder.
  'Asistente.desktop': `[Desktop Entry]
Type=Application
Name=Publicar el registro
Comment=Asistente de publicación del registro de planeamiento
Exec=sh -c "exec \\\\"\\\\$(dirname \\\\"\\\\$1\\\\")/asistente.sh\\\\"" asistente %k
Terminal=true
Icon=text-html
`,
}

const windowsStarters: Readonly<Record<string, string>> = {
  'planning-registry.cmd': `@echo off
rem Runs planning-registry with the Node of this folder.
"%~dp0node.exe" "%~dp0app\\bin\\planning-registry.js" %*
`,
  // If it fails, the window stays, so that its message can be read.
  'Asistente.cmd': `@echo off
rem Opens the desk, in Spanish.
chcp 65001 >nul
"%~dp0node.exe" "%~dp0app\\bin\\planning-registry.js" desk --lang es %*
if errorlevel 1 pause
`,
}

function toReadMe(command: string, start: string): string {
  return `planning-registry ${manifest.version}

Convierte la hoja de cálculo y los PDF de una oficina de urbanismo en una página de búsqueda pública.
No hay que instalar nada. ${start}
Se abre en el navegador un asistente que pregunta por la hoja y los PDF, muestra qué filas
están bien y publica el registro. Sus respuestas quedan guardadas para la próxima vez.

También puede abrir un terminal en esta carpeta:

  ${command} serve --lang es
      muestra un registro ficticio en http://127.0.0.1:8080/registry
  ${command} import --plan CARPETA/registro.json --lang es
      repite la publicación con las respuestas del asistente
  ${command} --help
      muestra las demás órdenes

Turns the spreadsheet and PDFs of a planning office into a public search page and API.
Nothing needs to be installed; the commands above work with --lang en too, as does
${command} desk --lang en, the page that leads from the spreadsheet to the registry.
Licence: MIT (app/LICENSE). The licences of dependencies are in app/node_modules.
`
}

function toWindowsText(text: string): string {
  return text.replaceAll('\n', '\r\n')
}

/** Packs the folder. Files have the time of the commit and no owner, so that the same commit gives the same archive. */
async function pack(system: System, folder: string): Promise<string> {
  const { stdout } = await run('git', ['log', '-1', '--format=%cI'], { cwd: root })
  const time = stdout.trim()
  const [parent, name] = [join(folder, '..'), basename(folder)]
  if (system.os === 'win32') {
    const archive = `${folder}.zip`
    await rm(archive, { force: true })
    await run('sh', ['-c', 'find "$1" -exec touch -d "$2" {} +', 'sh', folder, time])
    await run('sh', ['-c', 'find "$1" -type f | LC_ALL=C sort | TZ=UTC zip -q -X -9 "$1.zip" -@', 'sh', name], {
      cwd: parent,
    })
    return archive
  }
  const archive = `${folder}.tar.gz`
  const flags = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', `--mtime=${time}`]
  await run('tar', ['-C', parent, ...flags, '--use-compress-program=gzip -n9', '-cf', archive, name])
  return archive
}
