// The reference page (`docs`, the documentation of the API) in a browser: the console (a form that sends a request),
// the snippets (code in three languages that sends the same request) and accessibility. The fixture also fails a test
// if the page violates its content security policy.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { operations } from '../../src/api/operations.ts'
import { assertAccessible } from '../page/axe.ts'
import { usePageFixture } from '../page/page-fixture.ts'

suite('the reference', () => {
  const fixture = usePageFixture()

  test('the console of every operation shows a response of the service', async () => {
    await using visitor = await fixture.open('docs?lang=en')
    for (const { description } of operations) {
      const section = visitor.page.locator(`#${description.operationId}`)
      await section.getByRole('button', { name: 'Try it' }).click()
      await section.locator('output', { hasText: /^200 in \d+ ms$/ }).waitFor()
      const shown = (await section.locator('.response').textContent()) ?? ''
      // The Link header is shown above the body.
      const [, body = ''] = /^(?:Link: .+\n\n)?([\s\S]+)$/.exec(shown) ?? []
      if (description.operationId === 'exportRecords') assert.match(body, /^\ufeff?id;registration_number;/)
      else assert.equal(typeof JSON.parse(body), 'object')
    }
  })

  test('the fields change the address in every snippet', async () => {
    await using visitor = await fixture.open('docs?lang=en')
    const section = visitor.page.locator('#searchRecords')
    await section.getByRole('textbox', { name: 'municipality' }).fill(`L'Alfàs & "co"`)
    await section.getByRole('textbox', { name: 'search' }).fill('')
    await section.getByRole('textbox', { name: 'limit' }).fill('3')
    const expected = `${fixture.service.base}/record?municipality=L%27Alf%C3%A0s%20%26%20%22co%22&limit=3`
    assert.deepEqual(await section.locator('.address').allTextContents(), [expected, expected, expected])
  })

  test('the console shows a problem with its status', async () => {
    await using visitor = await fixture.open('docs?lang=en')
    const section = visitor.page.locator('#getRecord')
    await section.getByRole('textbox', { name: 'cod_archivo' }).fill('NOWHERE-1')
    const responded = visitor.page.waitForResponse((response) => response.status() === 404)
    await section.getByRole('button', { name: 'Try it' }).click()
    await responded
    await section.locator('.response', { hasText: 'unknown-record' }).waitFor()
    assert.match((await section.locator('output').textContent()) ?? '', /^404 in/)
  })

  for (const path of ['docs', 'problems', 'problems/no-match']) {
    test(`axe finds no accessibility violation in ${path}, in light and dark mode`, async () => {
      await using visitor = await fixture.open(path)
      await assertAccessible(visitor.page)
    })
  }
})
