// The municipality field: an editable combobox with list autocomplete (ARIA Authoring Practices Guide, "Combobox"). The
// server finds the names and renders the list (municipality-options.tsx). A choice submits the form; so does a typed
// name on the start page, when the focus leaves the field.
import { closest, isSearchUrl, toPartUrl } from './page.ts'

/** Names are looked up when the user has not typed for this time. */
const typingPauseMs = 100

export function startMunicipalityField(): void {
  const input = document.querySelector<HTMLInputElement>('#municipality')
  const list = input?.parentElement?.querySelector<HTMLElement>('.completions')
  const status = input?.parentElement?.querySelector('[role=status]')
  if (input && list && status) new MunicipalityField(input, list, status)
}

class MunicipalityField {
  readonly #input: HTMLInputElement
  readonly #list: HTMLElement
  readonly #status: Element
  /** The option that the arrow keys have moved to; -1 for none. */
  #active = -1
  #timer: ReturnType<typeof setTimeout> | undefined
  #lookup = new AbortController()
  /** The name that the form was submitted with, or came with. */
  #chosen: string

  constructor(input: HTMLInputElement, list: HTMLElement, status: Element) {
    this.#input = input
    this.#list = list
    this.#status = status
    this.#chosen = input.defaultValue
    input.addEventListener('focus', () => {
      this.#chosen = input.value
    })
    input.addEventListener('input', () => {
      clearTimeout(this.#timer)
      if (input.value === '') this.#choose('', '')
      else this.#timer = setTimeout(() => this.#open(), typingPauseMs)
    })
    input.addEventListener('keydown', (event) => this.#handleKey(event))
    input.addEventListener('blur', () => this.#leave())
    // The focus stays in the field; losing it would choose the typed name before the click arrives.
    list.addEventListener('mousedown', (event) => event.preventDefault())
    list.addEventListener('click', (event) => this.#chooseOption(closest(event, '[role=option]')))
  }

  get #options(): HTMLElement[] {
    return [...this.#list.querySelectorAll<HTMLElement>('[role=option]')]
  }

  get #isOpen(): boolean {
    return !this.#list.hidden
  }

  async #open(): Promise<void> {
    this.#lookup.abort()
    this.#lookup = new AbortController()
    const text = this.#input.value.trim()
    if (text === '') return
    const url = new URL(document.baseURI)
    url.searchParams.set('text', text)
    const lang = new URL(location.href).searchParams.get('lang')
    if (lang !== null) url.searchParams.set('lang', lang)
    try {
      const response = await fetch(toPartUrl('municipios', url), { signal: this.#lookup.signal })
      const html = await response.text()
      // Without a list, the typed name is searched.
      if (!response.ok || document.activeElement !== this.#input) return
      this.#list.innerHTML = html
      this.#setActive(-1)
      this.#list.hidden = this.#options.length === 0
      this.#input.setAttribute('aria-expanded', String(this.#isOpen))
      this.#status.textContent = this.#list.querySelector<HTMLElement>('[role=listbox]')?.dataset.status ?? ''
    } catch {
      // The next letter asks again.
    }
  }

  #close(): void {
    clearTimeout(this.#timer)
    this.#lookup.abort()
    this.#list.hidden = true
    this.#status.textContent = ''
    this.#input.setAttribute('aria-expanded', 'false')
    this.#setActive(-1)
  }

  #setActive(index: number): void {
    this.#active = index
    const options = this.#options
    for (const [each, option] of options.entries()) option.setAttribute('aria-selected', String(each === index))
    const active = options[index]
    if (active === undefined) this.#input.removeAttribute('aria-activedescendant')
    else this.#input.setAttribute('aria-activedescendant', active.id)
    active?.scrollIntoView({ block: 'nearest' })
  }

  #handleKey(event: KeyboardEvent): void {
    switch (event.key) {
      case 'ArrowDown':
      case 'ArrowUp': {
        event.preventDefault()
        if (!this.#isOpen) {
          void this.#open().then(() => this.#setActive(0))
          return
        }
        // The arrows go in a circle: through the options, to the field (-1), and to the options again.
        const stops = this.#options.length + 1
        const step = event.key === 'ArrowDown' ? 1 : -1
        this.#setActive(((this.#active + 1 + step + stops) % stops) - 1)
        return
      }
      case 'Enter': {
        // Enter chooses the active option or the only one; without either, it submits the form with the typed name.
        const options = this.#options
        const option = this.#isOpen
          ? (options[this.#active] ?? (options.length === 1 ? options[0] : undefined))
          : undefined
        if (option !== undefined) event.preventDefault()
        if (option !== undefined) this.#chooseOption(option)
        else this.#chosen = this.#input.value
        this.#close()
        return
      }
      case 'Escape':
        // Closes the list; if it is closed, empties the field.
        event.preventDefault()
        if (this.#isOpen) this.#close()
        else this.#choose('', '')
    }
  }

  #chooseOption(option: HTMLElement | null): void {
    if (option !== null) this.#choose(option.dataset.name ?? '', option.dataset.province ?? '')
  }

  /** `province` tells municipalities of the same name apart; otherwise it is empty. */
  #choose(name: string, province: string): void {
    this.#close()
    const { form } = this.#input
    this.#input.value = name
    this.#chosen = name
    // The province of the municipality that the form showed does not apply to another one.
    for (const field of form?.querySelectorAll('[name=province], [name=form_municipality]') ?? []) field.remove()
    if (province !== '') form?.querySelector('#kept-filters')?.append(toHiddenField('province', province))
    // On other pages, emptying the field only changes the form.
    if (name !== '' || isSearchUrl(new URL(location.href))) form?.requestSubmit()
  }

  #leave(): void {
    this.#close()
    const typed = this.#input.value.trim()
    if (typed === this.#chosen.trim()) return
    this.#chosen = typed
    if (isSearchUrl(new URL(location.href))) this.#input.form?.requestSubmit()
  }
}

function toHiddenField(name: string, value: string): HTMLInputElement {
  const field = document.createElement('input')
  field.type = 'hidden'
  field.name = name
  field.value = value
  return field
}
