// Reads what the user has typed or chosen in the fields of the page before the scripts arrived. Hydration keeps it in
// the fields, but the state of the components lacks it, so their next rendering would overwrite it.
import type { Search, YearRange } from './search-url.ts'

/** The text of the field, if the user has changed it since the server rendered it; otherwise null. */
export function readEarlyText(field: HTMLInputElement | null): string | null {
  // `defaultValue` is the attribute in the HTML. It may have line breaks, which `value` never has.
  const isChanged = field !== null && field.value !== field.defaultValue.replace(/[\r\n]/g, '')
  return isChanged ? field.value : null
}

/** The municipality and the year that the user has chosen since the server rendered the form; null if none. */
export function readEarlyChoice(form: HTMLFormElement): Partial<Search> | null {
  // A name that is still being typed is chosen later, when the focus leaves the field.
  const municipality = readEarlyText(form.querySelector<HTMLInputElement>('#municipality:not(:focus)'))
  // The server has rendered the year of the search as the default selection.
  const option = form.querySelector<HTMLOptionElement>('#year option:checked')
  const year = option === null || option.defaultSelected ? null : option.value
  if (municipality === null && year === null) return null
  return {
    // The new municipality may be outside the province of the search.
    ...(municipality !== null && { municipality, province: '' }),
    ...(year !== null && { from: year, to: year }),
  }
}

/** The years in the fields `checkin_from` and `checkin_to` of the form; `from` may be the later one. */
export function readEarlyRange(form: HTMLFormElement): YearRange {
  const fields = new FormData(form)
  return { from: Number(fields.get('checkin_from')), to: Number(fields.get('checkin_to')) }
}
