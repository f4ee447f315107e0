// A fake npm registry on loopback that serves the given packages. Each contains only its manifest.
import { hash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { gzipSync } from 'node:zlib'

/**
 * Returns the address of the registry. `versionByName` has the packages that it serves. `tamper` changes the manifest
 * in the tarball of a package, so that the tarball differs although its name and version are the same.
 */
export async function startPackageRegistry(
  t: TestContext,
  versionByName: Readonly<Record<string, string>>,
  tamper: (manifest: object) => object = (manifest) => manifest,
): Promise<string> {
  let address = ''
  const server = createServer((request, response) => {
    const name = decodeURIComponent((request.url ?? '').slice(1)).replace(/\.tgz$/, '')
    const version = versionByName[name]
    const tarball = toTarball(JSON.stringify(tamper({ name, version })))
    if (version === undefined) {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{}')
    } else if (request.url?.endsWith('.tgz')) {
      response.end(tarball)
    } else {
      const integrity = `sha512-${hash('sha512', tarball, 'base64')}`
      const dist = { tarball: `${address}/${encodeURIComponent(name)}.tgz`, integrity }
      const versions = { [version]: { name, version, dist } }
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions }))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return address
}

/** A gzipped ustar archive (POSIX.1-1988) with one file, package/package.json. */
function toTarball(content: string): Buffer {
  const header = Buffer.alloc(512)
  // Fields at fixed offsets: name, mode, owner, group, size, time, checksum and type, magic and version. Numbers are
  // octal.
  header.write('package/package.json', 0)
  header.write('0000644\0', 100)
  header.write('0000000\0', 108)
  header.write('0000000\0', 116)
  header.write(`${Buffer.byteLength(content).toString(8).padStart(11, '0')}\0`, 124)
  header.write('00000000000\0', 136)
  // The checksum counts its own field as spaces. The type 0 after it is a regular file.
  header.write('        0', 148)
  // `ustar` and a null byte are the magic, and `00` is the version.
  header.write('ustar\x0000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  // The content fills whole blocks of 512 bytes, and two empty blocks end the archive.
  const padding = Buffer.alloc((512 - (Buffer.byteLength(content) % 512)) % 512)
  return gzipSync(Buffer.concat([header, Buffer.from(content), padding, Buffer.alloc(1024)]))
}
