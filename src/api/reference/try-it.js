// The console of each operation on the reference page (src/api/reference.ts), a form: builds the address of the request
// from its fields, writes the address into the code examples, sends the request and shows the response.

/** After this many bytes no more of a response is fetched. A longer one is cut to at most as many characters. */
const shownBytesMax = 100_000

const texts = {
  en: { sending: 'sending…', noResponse: 'no response', outcome: (status, ms) => `${status} in ${ms} ms` },
  es: { sending: 'enviando…', noResponse: 'sin respuesta', outcome: (status, ms) => `${status} en ${ms} ms` },
}
/** The texts in the language of the page. */
const { sending, noResponse, outcome } = texts[document.documentElement.lang]

for (const section of document.querySelectorAll('.operation')) {
  const form = section.querySelector('form')
  const fields = [...form.querySelectorAll('input')]
  /** Writes the address into the code examples (snippets). */
  const updateSnippets = () => {
    const address = toAddress(section.dataset.path, fields)
    for (const span of section.querySelectorAll('.address')) span.textContent = address
  }
  form.addEventListener('input', updateSnippets)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    sendAndShow(toAddress(section.dataset.path, fields), form)
  })
  // After a reload, the browser may have kept values that were typed before.
  updateSnippets()
}

/** The address of the request: `path` is an OpenAPI template, which the fields of the form fill in. */
function toAddress(path, fields) {
  let filledPath = path
  const pairs = []
  for (const { name, value, dataset } of fields) {
    if (dataset.in === 'path') filledPath = filledPath.replace(`{${name}}`, encode(value))
    else if (value !== '') pairs.push(`${name}=${encode(value)}`)
  }
  const base = document.baseURI.replace(/\/$/, '')
  return base + filledPath + (pairs.length === 0 ? '' : `?${pairs.join('&')}`)
}

/** Encodes apostrophes too, because one would end the string in a snippet. */
function encode(value) {
  return encodeURIComponent(value).replaceAll("'", '%27')
}

async function sendAndShow(address, form) {
  const output = form.querySelector('output')
  const responseElement = form.querySelector('.response')
  output.textContent = sending
  const startedAt = performance.now()
  try {
    const response = await fetch(address)
    const { text, isWhole } = await readStart(response)
    const ms = Math.round(performance.now() - startedAt)
    output.textContent = outcome(response.status, ms)
    const link = response.headers.get('link')
    responseElement.textContent = (link === null ? '' : `Link: ${link}\n\n`) + (isWhole ? indent(text) : `${text}\n…`)
  } catch (error) {
    output.textContent = noResponse
    responseElement.textContent = String(error)
  }
  responseElement.hidden = false
}

/** Reads chunks until `shownBytesMax` bytes have arrived. `isWhole` tells whether the body ended before that. */
async function readStart(response) {
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (let bytes = 0; bytes < shownBytesMax; ) {
    const { done, value } = await reader.read()
    if (done) return { text, isWhole: true }
    bytes += value.byteLength
    text += decoder.decode(value, { stream: true })
  }
  await reader.cancel()
  return { text: text.slice(0, shownBytesMax), isWhole: false }
}

/** JSON with indentation; other text, such as CSV, unchanged. */
function indent(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
