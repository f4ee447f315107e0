// Tests of the built files: size, caching, security policy and base path.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { startService } from '../service.ts'
import { startPageFixture, waitForHeading } from './page-fixture.ts'

const folder = join(import.meta.dirname, '../../dist/web')
// Limits after compression: the scripts, and a map.
const scriptBytesMax = 25 * 1024
const mapBytesMax = 25_000
/**
 * Functions that browsers of March 2024 lack. The build rewrites newer syntax for them, but adds no missing functions.
 * The second pattern finds methods of iterators, such as `.keys().map`.
 */
const newerFunctions: readonly RegExp[] = [
  /\b(?:Promise\.try|URL\.parse|RegExp\.escape|Error\.isError|Uint8Array\.from(?:Base64|Hex))\b/,
  /\.(?:values|keys|entries)\(\)\.(?!next\b)|\bIterator\./,
  /\.(?:union|intersection|difference|symmetricDifference|isSubsetOf|isSupersetOf|isDisjointFrom)\(/,
]

suite('the built page', () => {
  test('the scripts have at most 25 KB, compressed as for browsers', async () => {
    await using service = await startService([])
    const html = readFileSync(join(folder, 'index.html'), 'utf8')
    const paths = [...html.matchAll(/src="\.\/(assets\/[^"]+\.js)"/g)].map(([, path = '']) => path)
    assert.ok(paths.length >= 1)
    // The `Accept-Encoding` of Chromium and Firefox, and the `Accept-Encoding` of Safari.
    for (const accepted of ['gzip, deflate, br, zstd', 'gzip, deflate, br']) {
      let bytes = 0
      for (const path of paths) bytes += await countBytes(`${service.base}/${path}`, accepted)
      assert.ok(bytes <= scriptBytesMax, `${bytes} bytes with ${accepted}`)
    }
  })

  test('the map of Spain and the maps of its provinces are small files', () => {
    const maps = readdirSync(join(folder, 'assets')).filter((name) => /^map-.*\.svg$/.test(name))
    // Spain has 50 provinces and two autonomous cities.
    assert.equal(maps.length, 53)
    for (const name of maps) {
      assert.ok(gzipSync(readFileSync(join(folder, 'assets', name))).length <= mapBytesMax, name)
    }
  })

  test('the built index.html has no inline script or style, and every asset has a content hash', () => {
    const html = readFileSync(join(folder, 'index.html'), 'utf8')
    // This is the file as built. The service inserts the style sheet when it sends a page.
    assert.doesNotMatch(html, /<style|\sstyle=|\son\w+=/)
    assert.doesNotMatch(html, /<script(?![^>]*\ssrc=)/)
    for (const name of readdirSync(join(folder, 'assets'))) assert.match(name, /-[\w-]{8,}\.\w+(?:\.(?:br|gz|zst))?$/)
  })

  test('no script uses a function that browsers of March 2024 lack', () => {
    const fileNames = readdirSync(join(folder, 'assets')).filter((name) => name.endsWith('.js'))
    const found = fileNames.flatMap((name) => {
      const script = readFileSync(join(folder, 'assets', name), 'utf8')
      return newerFunctions.flatMap((pattern) => pattern.exec(script)?.[0] ?? [])
    })
    assert.deepEqual(found, [])
  })

  test('a browser without functions newer than March 2024 completes names and searches', async () => {
    await using registry = await startPageFixture()
    await using session = await registry.open('?search=zumacal', {
      before: (page) =>
        page.addInitScript(() => {
          const missing: [object: object, names: string[]][] = [
            [Promise, ['try']],
            [URL, ['parse']],
            [RegExp, ['escape']],
            [Set.prototype, ['union', 'intersection', 'difference', 'isSubsetOf', 'isSupersetOf']],
            [Object.getPrototypeOf(Object.getPrototypeOf([].values())), ['map', 'filter', 'take', 'toArray', 'some']],
          ]
          for (const [object, names] of missing) for (const name of names) Reflect.deleteProperty(object, name)
        }),
    })
    await session.page.getByRole('combobox', { name: 'Municipio' }).pressSequentially('avil')
    await session.page.getByRole('option', { name: 'Ávila' }).first().click()
    await waitForHeading(session.page, '3 expedientes con «zumacal» en Ávila')
  })

  // On a wide screen, a style rule with ::details-content keeps the charts open and hides the heading that opens them.
  test('a browser without ::details-content keeps the heading that opens the charts on a wide screen', async () => {
    await using registry = await startPageFixture()
    await using session = await registry.open('?search=zumacal', {
      before: (page) =>
        page.route('**/?search=zumacal', async (route) => {
          const response = await route.fetch()
          // The security policy has the hash of the style sheet, and would block the changed one.
          const { 'content-security-policy': _policy, ...headers } = response.headers()
          const html = await response.text()
          await route.fulfill({ status: 200, headers, body: html.replaceAll('::details-content', '::unknown-part') })
        }),
    })
    const chart = session.page.getByRole('heading', { name: 'Expedientes por año de entrada' })
    assert.equal(await chart.isVisible(), false)
    await session.page.locator('.charts summary').first().click()
    await chart.waitFor()
  })

  test('assets are cached for a year; the page itself is revalidated and has a security policy', async () => {
    await using service = await startService([])
    const html = await fetch(`${service.base}/`)
    assert.match(html.headers.get('cache-control') ?? '', /max-age=0/)
    assert.match(html.headers.get('content-security-policy') ?? '', /default-src 'none'; script-src 'self'/)
    const [, asset] = /src="\.\/(assets\/[^"]+\.js)"/.exec(await html.text()) ?? []
    const script = await fetch(`${service.base}/${asset}`)
    assert.equal(script.headers.get('cache-control'), 'public, max-age=31536000, immutable')
  })

  test('the page works under any base path', async () => {
    await using root = await startPageFixture({ basePath: '' })
    await using nested = await startPageFixture({ basePath: '/a/b' })
    for (const [registry, path] of [
      [root, '/'],
      [nested, '/a/b/'],
    ] as const) {
      await using session = await registry.open('?search=zumacal')
      // Four records of the fixture match `zumacal`.
      await waitForHeading(session.page, '4 expedientes')
      // The link to the municipality of a record searches there: the heading becomes `… expedientes … en …`.
      await session.page.locator('.record .about a').first().click()
      await waitForHeading(session.page, 'en ')
      assert.equal(new URL(session.page.url()).pathname, path)
    }
  })
})

/** The size of a body as it is sent, without decompression. */
async function countBytes(url: string, acceptEncoding: string): Promise<number> {
  const [response] = (await once(get(url, { headers: { 'accept-encoding': acceptEncoding } }), 'response')) as [
    IncomingMessage,
  ]
  assert.equal(response.statusCode, 200)
  let bytes = 0
  for await (const chunk of response) bytes += (chunk as Buffer).length
  return bytes
}
