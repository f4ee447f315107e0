// Entry point: renders the page into the document.
import { render } from 'preact'
import { Page } from './page.tsx'

const root = document.getElementById('page')
if (root !== null) {
  root.replaceChildren()
  render(<Page />, root)
}
