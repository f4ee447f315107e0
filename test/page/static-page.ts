// A browser without JavaScript, styles and layout, for tests of what the HTML says: it reads pages, follows links and
// sends forms. Its methods are named as those of Playwright, so that a test can move between the two.
import assert from 'node:assert/strict'
import { parseHTML } from 'linkedom'

type Name = string | RegExp

interface NameOptions {
  readonly name?: Name
  readonly exact?: boolean
  readonly level?: number
}

/** The elements that have a role, by selector. */
const roles = {
  link: 'a[href]',
  heading: 'h1, h2, h3',
  button: 'button',
  textbox: 'input[type=text]:not([role])',
  combobox: '[role=combobox]',
  alert: '[role=alert]',
  navigation: 'nav',
  table: 'table',
}

/** What a text must contain, without regard to case and white space; `exact` compares it as a whole. */
function hasText(text: string, expected: Name, exact = false): boolean {
  const plain = text.replace(/\s+/g, ' ').trim()
  if (expected instanceof RegExp) return expected.test(plain)
  return exact ? plain === expected : plain.toLowerCase().includes(expected.toLowerCase())
}

export class StaticLocator {
  readonly #page: StaticPage
  readonly elements: readonly Element[]

  constructor(page: StaticPage, elements: readonly Element[]) {
    this.#page = page
    this.elements = elements
  }

  get #one(): Element {
    const [element] = this.elements
    assert.ok(element, `there is no such element at ${this.#page.url()}`)
    return element
  }

  locator(selector: string, { hasText: text }: { readonly hasText?: Name } = {}): StaticLocator {
    const found = this.elements.flatMap((element) => [...element.querySelectorAll(selector)])
    const distinct = new StaticLocator(
      this.#page,
      [...new Set(found)].filter((element) => element.closest('template') === null),
    )
    return text === undefined ? distinct : distinct.filter({ hasText: text })
  }

  filter({ hasText: text }: { readonly hasText: Name }): StaticLocator {
    return new StaticLocator(
      this.#page,
      this.elements.filter(({ textContent }) => hasText(textContent ?? '', text)),
    )
  }

  getByRole(role: keyof typeof roles, { name = '', exact = false, level }: NameOptions = {}): StaticLocator {
    const found = this.locator(level === undefined ? roles[role] : `h${level}`).elements
    return new StaticLocator(
      this.#page,
      found.filter((element) => hasText(this.#page.nameOf(element), name, exact)),
    )
  }

  /** The innermost elements with the text. */
  getByText(text: Name): StaticLocator {
    const found = this.locator('*').elements.filter(
      (element) => !/^(?:SCRIPT|STYLE|TEMPLATE)$/.test(element.tagName) && hasText(element.textContent ?? '', text),
    )
    return new StaticLocator(
      this.#page,
      found.filter((element) => !found.some((other) => other !== element && element.contains(other))),
    )
  }

  getByLabel(label: string, { exact = false }: Pick<NameOptions, 'exact'> = {}): StaticLocator {
    const fields = this.locator('input:not([type=hidden]), select').elements
    return new StaticLocator(
      this.#page,
      fields.filter((field) => hasText(this.#page.nameOf(field), label, exact)),
    )
  }

  first(): StaticLocator {
    return this.nth(0)
  }

  last(): StaticLocator {
    return this.nth(-1)
  }

  nth(index: number): StaticLocator {
    return new StaticLocator(this.#page, this.elements.slice(index, index === -1 ? undefined : index + 1))
  }

  async count(): Promise<number> {
    return this.elements.length
  }

  async waitFor(): Promise<void> {
    assert.ok(this.#one)
  }

  async textContent(): Promise<string> {
    return this.#one.textContent ?? ''
  }

  async allTextContents(): Promise<string[]> {
    return this.elements.map(({ textContent }) => textContent ?? '')
  }

  async getAttribute(name: string): Promise<string | null> {
    return this.#one.getAttribute(name)
  }

  async inputValue(): Promise<string> {
    return toValue(this.#one)
  }

  async fill(value: string): Promise<void> {
    this.#one.setAttribute('value', value)
  }

  async selectOption(value: string): Promise<void> {
    for (const option of this.#one.querySelectorAll('option')) {
      option.toggleAttribute('selected', option.getAttribute('value') === value)
    }
  }

  /** Follows a link, or sends the form of a button. */
  async click(): Promise<void> {
    const href = this.#one.getAttribute('href')
    const form = this.#one.closest('form')
    if (href !== null) await this.#page.goto(href)
    else if (form !== null) await this.#page.goto(toFormAddress(form))
  }
}

/** The value of a field that its form would send. */
function toValue(field: Element): string {
  const chosen =
    field.tagName === 'SELECT' ? (field.querySelector('[selected]') ?? field.querySelector('option')) : field
  return chosen?.getAttribute('value') ?? ''
}

function toFormAddress(form: Element): string {
  const fields = [...form.querySelectorAll('input[name], select[name]')]
  const values = fields.map((field): [string, string] => [field.getAttribute('name') ?? '', toValue(field)])
  return `${form.getAttribute('action')}?${new URLSearchParams(values)}`
}

export class StaticPage {
  readonly #base: string
  #url = ''
  #status = 0
  #all: StaticLocator = new StaticLocator(this, [])

  /** `base` is the base URL of the service, without a slash at its end. */
  constructor(base: string) {
    this.#base = base
  }

  /** Addresses are relative to the base URL, as in the links of a page. */
  async goto(address: string): Promise<void> {
    this.#url = new URL(address, `${this.#base}/`).href
    const headers = { Accept: 'text/html', 'Accept-Language': 'es-ES' }
    const response = await fetch(this.#url, { headers })
    this.#status = response.status
    const { document } = parseHTML(await response.text())
    // The document is searched like an element.
    this.#all = new StaticLocator(this, [document as unknown as Element])
  }

  get status(): number {
    return this.#status
  }

  url(): string {
    return this.#url
  }

  async title(): Promise<string> {
    return await this.locator('title').textContent()
  }

  locator: StaticLocator['locator'] = (...args) => this.#all.locator(...args)
  getByRole: StaticLocator['getByRole'] = (...args) => this.#all.getByRole(...args)
  getByText: StaticLocator['getByText'] = (...args) => this.#all.getByText(...args)
  getByLabel: StaticLocator['getByLabel'] = (...args) => this.#all.getByLabel(...args)

  /** What a screen reader calls the element: its label or its text. */
  nameOf(element: Element): string {
    const label = element.getAttribute('aria-label')
    if (label !== null) return label
    if (element.tagName === 'TABLE') return element.querySelector('caption')?.textContent ?? ''
    const id = element.getAttribute('id')
    const labels = [
      element.closest('label'),
      id === null ? null : (this.locator(`label[for=${id}]`).elements[0] ?? null),
    ]
    return labels.find((each) => each !== null)?.textContent ?? element.textContent ?? ''
  }
}
