// The browser of the page tests: one installed on the machine, or one that `npm test` installs by running this file
// before the tests. Without a browser the tests fail with a message.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

/** Paths at which Chromium or Chrome may be installed. The headless shell, which has no window, takes half the time. */
const paths = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** Starts the browser without a window. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = findChromium()
  if (executablePath === undefined) {
    throw new Error(
      'Cannot test the page: no Chromium found and none could be installed; ' +
        'install it (Debian: apt-get install chromium) and run npm test again',
    )
  }
  // The last three flags keep the browser from making requests of its own.
  const args = ['--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync']
  // Chromium's sandbox does not run as root, which is the user of many containers.
  return await chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0, args })
}

/** The path of a browser; undefined if there is none. */
export function findChromium(): string | undefined {
  return [...paths, chromium.executablePath()].find((path) => existsSync(path))
}

/** Installs Debian's package if run as root where apt-get exists. Otherwise, or if that fails, Playwright's build. */
function installChromium(): void {
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    run('apt-get', ['update'])
    // Older releases of Debian, and Ubuntu, lack the headless shell.
    for (const name of ['chromium-headless-shell', 'chromium']) {
      run('apt-get', ['install', '--yes', '--no-install-recommends', name])
      if (findChromium() !== undefined) return
    }
  }
  const playwright = dirname(createRequire(import.meta.url).resolve('playwright-core/package.json'))
  run(process.execPath, [join(playwright, 'cli.js'), 'install', 'chromium'])
}

/** Runs a command, with its output on standard error. If it fails, `openBrowser` reports that there is no browser. */
function run(command: string, args: readonly string[]): void {
  spawnSync(command, args, { stdio: ['ignore', 2, 2], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
}

if (import.meta.main && findChromium() === undefined) installChromium()
