// The municipalities whose names contain a text, as options of the field in the form: the part of the page that
// browser/municipality.ts asks for while the user types.

import type { PageRegistry } from '../src/api/page-renderer.ts'
import { toReadableName } from '../src/domain/municipality-name.ts'
import type { JSX } from './jsx-runtime.ts'
import { completeName, foldForCompletion } from './name-completion.ts'
import { useLocale } from './site-context.ts'

export interface MunicipalityOptionsProps {
  /** What the user has typed. */
  readonly text: string
  readonly municipalities: PageRegistry['municipalities']
}

/** How many options are shown; a line below them says how many more there are. */
const optionsMax = 8

export function MunicipalityOptions({ text, municipalities }: MunicipalityOptionsProps): JSX.Element {
  const { strings, formatNumber } = useLocale()
  const matches = completeName(text, municipalities)
  const options = matches.slice(0, optionsMax)
  const folded = foldForCompletion(text)
  return (
    <>
      <div
        id="municipality-options"
        role="listbox"
        aria-label={strings.municipality}
        data-status={strings.municipalityCount(matches.length, formatNumber(matches.length))}
      >
        {options.map(({ name, ineCode, province, otherName, records }, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field (aria-activedescendant)
          <div
            key={`${ineCode ?? ''} ${name}`}
            id={`municipality-option-${index}`}
            role="option"
            aria-selected="false"
            data-name={toReadableName(name)}
            // The province is needed only to tell municipalities of the same name apart.
            data-province={province === null ? '' : (ineCode ?? '').slice(0, 2)}
            data-whole={foldForCompletion(toReadableName(name)) === folded}
          >
            <span class="name">
              {toReadableName(name)}
              {province !== null && <span class="other"> ({province})</span>}
              {otherName !== null && <span class="other"> {otherName}</span>}
            </span>
            <span class="count">{formatNumber(records)}</span>
          </div>
        ))}
      </div>
      {matches.length > options.length && (
        <p class="rest">{strings.municipalityMore(formatNumber(matches.length - options.length))}</p>
      )}
    </>
  )
}
