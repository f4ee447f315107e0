// Builds the image with buildah and runs its programs in a chroot on a read-only file system, for image.ts. This needs
// no container service. The base image is made by mmdebstrap, so that no image registry is needed either.
import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '../..')
const baseImage = 'docker.io/library/debian:trixie-slim'
/** Settings with which buildah also runs inside a container. */
const environment = { ...process.env, BUILDAH_ISOLATION: 'chroot', STORAGE_DRIVER: 'vfs' }

/** The part of an image's configuration that decides how its programs run. */
export interface ImageConfig {
  readonly User: string
  readonly Env: readonly string[]
  readonly Entrypoint: readonly string[]
  readonly Cmd: readonly string[]
  readonly WorkingDir: string
  readonly Volumes: Readonly<Record<string, unknown>>
  readonly Labels: Readonly<Record<string, string>>
  readonly StopSignal: string
  readonly Healthcheck: { readonly Test: readonly string[] }
}

/** Builds the image; `folder` is for temporary files. */
export async function buildImage(name: string, folder: string): Promise<void> {
  if (!existsSync('/usr/bin/buildah') || !existsSync('/usr/bin/mmdebstrap')) {
    await run('apt-get', ['update'])
    await run('apt-get', ['install', '--yes', '--no-install-recommends', 'buildah', 'mmdebstrap'])
  }
  const images = await buildah('images', '--format', '{{.Name}}:{{.Tag}}')
  if (!images.split('\n').includes(baseImage)) await makeBaseImage(folder)
  // Downloads during the build may pass a proxy whose certificate authority only the machine knows.
  const certificates = ['--secret', 'id=ca,src=/etc/ssl/certs/ca-certificates.crt']
  // The image format of Docker has health checks; the format of OCI has none.
  await buildah('build', '--format', 'docker', '--pull-never', '--layers', ...certificates, '--tag', name, root)
}

/** Makes the base image without manuals, documentation and translations, like Debian's own `slim` images. */
async function makeBaseImage(folder: string): Promise<void> {
  const tarball = join(folder, 'base.tar')
  const excluded = ['man', 'doc', 'info', 'locale'].map((name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`)
  await run('mmdebstrap', [
    ...['--variant=minbase', '--mode=root', ...excluded],
    ...['--customize-hook=rm -rf "$1"/var/lib/apt/lists/* "$1"/var/cache/apt/*.bin', 'trixie', tarball],
  ])
  const container = await buildah('from', 'scratch')
  await buildah('add', container, tarball, '/')
  await buildah('commit', container, baseImage)
  await buildah('rm', container)
  await rm(tarball)
}

async function readConfig(image: string): Promise<ImageConfig> {
  const { Docker } = JSON.parse(await buildah('inspect', '--type', 'image', image))
  return Docker.config
}

/** A container of the image, whose programs run in a chroot. `await using` removes it. */
export class Container implements AsyncDisposable {
  readonly config: ImageConfig
  /** The folder in which the file system of the container is mounted. */
  readonly files: string
  readonly #name: string
  readonly #volume: string

  private constructor(name: string, config: ImageConfig, files: string, volume: string) {
    this.#name = name
    this.config = config
    this.files = files
    this.#volume = volume
  }

  /** `volume` is the folder of the machine that becomes the volume. The image declares one volume. */
  static async create(image: string, volume: string): Promise<Container> {
    const name = await buildah('from', '--pull-never', image)
    return new Container(name, await readConfig(image), await buildah('mount', name), volume)
  }

  /** Starts a program as the image's user. The volume and /tmp are writable, everything else is not. */
  spawn(command: readonly string[], variables: readonly string[]): ChildProcessByStdio<null, Readable, Readable> {
    const { User, Env, WorkingDir, Volumes } = this.config
    const [mountPoint = ''] = Object.keys(Volumes)
    // `sh` passes the first three arguments as $0, $1 and $2; the others are the arguments of chroot. The first `mount`
    // binds the folder to itself, because only a mount can be made read-only. The mounts inside it stay writable.
    const script = `
      files=$0 volume=$1 mount_point=$2; shift 2
      mount --bind "$files" "$files"
      mount --bind "$volume" "$files$mount_point"
      mount --rbind /proc "$files/proc"
      mount --rbind /dev "$files/dev"
      mount -t tmpfs tmpfs "$files/tmp"
      mount -o remount,bind,ro "$files"
      exec chroot "$@"`
    const chroot = [`--userspec=${User}`, this.files, 'env', '-i', '-C', WorkingDir, ...Env, ...variables, ...command]
    const args = ['--mount', 'sh', '-ec', script, this.files, this.#volume, mountPoint, ...chroot]
    return spawn('unshare', args, { stdio: ['ignore', 'pipe', 'pipe'] })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await buildah('rm', this.#name)
  }
}

/** Runs buildah and returns what it prints. */
async function buildah(...args: string[]): Promise<string> {
  return await run('buildah', args)
}

async function run(command: string, args: readonly string[]): Promise<string> {
  const options = { env: environment, maxBuffer: 64 * 1024 * 1024 }
  const { stdout } = await promisify(execFile)(command, args, options)
  return stdout.trim()
}
