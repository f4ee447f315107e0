// Runs axe-core on a page in a browser.
import assert from 'node:assert/strict'
import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** The rules whose result depends on colours. Only these are tried again in dark mode. */
const colourRules = ['color-contrast', 'link-in-text-block']

/** Fails if axe finds a violation of any rule in light mode, or of a colour rule in dark mode. */
export async function assertAccessible(page: Page): Promise<void> {
  await page.evaluate(axe.source)
  await page.emulateMedia({ colorScheme: 'light' })
  assert.deepEqual(await findViolations(page), [])
  await page.emulateMedia({ colorScheme: 'dark' })
  assert.deepEqual(await findViolations(page, colourRules), [], 'dark')
}

/** The violations of these rules, by default of all rules of axe-core, with their elements. */
async function findViolations(page: Page, rules?: readonly string[]): Promise<string[]> {
  return await page.evaluate(async (runOnly) => {
    const options = runOnly === undefined ? {} : { runOnly: [...runOnly] }
    const { violations } = await window.axe.run(document, { resultTypes: ['violations'], ...options })
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 200)).join(' | ')}`)
  }, rules)
}

declare global {
  interface Window {
    axe: typeof axe
  }
}
