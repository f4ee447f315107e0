// The municipality field: an editable combobox with list autocomplete (ARIA Authoring Practices Guide, "Combobox"). A
// name that is not in the list is searched as typed, and the service suggests the nearest names.
import type { JSX } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { toReadableName } from '../src/domain/municipality-name.ts'
import { type Completion, completeName, foldForCompletion } from './completion.ts'
import { readEarlyText } from './early-input.ts'
import { CrossIcon } from './icons.tsx'
import { toProvinceCode } from './province-code.ts'
import { useLocale } from './site-context.ts'
import { useMunicipalities } from './use-municipalities.ts'

export interface MunicipalityFieldProps {
  /** The municipality of the search; empty if there is none. */
  readonly value: string
  /**
   * Called when the user chooses a municipality, presses Enter or empties the field. Except when the field is emptied
   * on a page other than the start page, a search follows at once. `province` is the INE code of the province, if
   * several municipalities have the name; otherwise it is empty.
   */
  readonly onChoose: (name: string, province: string) => void
  /**
   * Called when the focus leaves the field after another name was typed. The start page then searches it at once; any
   * other page keeps it in the form until the form is submitted.
   */
  readonly onLeave: (name: string) => void
}

interface Choice {
  /** Empty for no municipality. */
  readonly name: string
  /** As in `MunicipalityFieldProps`. */
  readonly province: string
}

const noMunicipality: Choice = { name: '', province: '' }

/** How many options are shown; a line below them says how many more there are. */
const optionsMax = 8
/** The service refuses a longer value. */
const nameCharactersMax = 200

export function MunicipalityField({ value, onChoose, onLeave }: MunicipalityFieldProps): JSX.Element {
  const { strings, formatNumber } = useLocale()
  /** How often the field has had the focus. The list is loaded at the first focus; if that fails, at the next. */
  const [focusCount, setFocusCount] = useState(0)
  /** The value as in running text: `A Coruña` for `Coruña, A`. */
  const shownValue = toReadableName(value)
  const [text, setText] = useState(shownValue)
  const [isOpen, setOpen] = useState(false)
  /** The index of the highlighted option; null for none. */
  const [activeIndex, setActiveIndex] = useState<number | null>(null)
  const inputElement = useRef<HTMLInputElement>(null)
  const listElement = useRef<HTMLDivElement>(null)
  const municipalities = useMunicipalities(focusCount)
  const matches = useMemo(() => completeName(text, municipalities ?? []), [text, municipalities])
  const options = matches.slice(0, optionsMax)
  // The field shows the chosen name, and no other name contains it: there is nothing to choose in a list.
  const isDecided = matches.length === 1 && text === shownValue
  const canComplete = municipalities !== null && text.trim() !== ''
  const isListShown = isOpen && canComplete && !isDecided
  const hasShownOptions = isListShown && options.length > 0
  const activeOption = isListShown && activeIndex !== null ? options[activeIndex] : undefined

  useLayoutEffect(() => setText(shownValue), [value])
  // Takes over what was typed before the scripts arrived. At the first rendering it runs after the effect above.
  useLayoutEffect(() => {
    setText(readEarlyText(inputElement.current) ?? shownValue)
    if (document.activeElement === inputElement.current) setFocusCount(1)
  }, [])
  useEffect(() => {
    if (activeIndex !== null) listElement.current?.children[activeIndex]?.scrollIntoView({ block: 'nearest' })
  }, [activeIndex])

  /** Whether the choice differs from `value`. With a province, the same name may be another municipality. */
  const isOther = ({ name, province }: Choice): boolean => name !== value || province !== ''
  /** Shows the choice in the field and closes the list. */
  const show = ({ name }: Choice): void => {
    setText(toReadableName(name))
    setOpen(false)
    setActiveIndex(null)
  }
  const choose = (choice: Choice): void => {
    show(choice)
    if (isOther(choice)) onChoose(choice.name, choice.province)
  }
  const readTyped = (): Choice => {
    const typed = text.trim()
    // A text that was not changed is only the readable form of `value`.
    if (typed === shownValue) return { name: value, province: '' }
    // If the registry has the name, its spelling there is used.
    const known = matches.find(({ name }) => foldForCompletion(name) === foldForCompletion(typed))
    return { name: known?.name ?? typed, province: '' }
  }
  const leave = (): void => {
    const typed = readTyped()
    show(typed)
    if (isOther(typed)) onLeave(typed.name)
  }
  const handleKey = (event: KeyboardEvent): void => {
    switch (event.key) {
      case 'ArrowDown':
      case 'ArrowUp': {
        event.preventDefault()
        setOpen(true)
        if (options.length === 0) return
        const step = event.key === 'ArrowDown' ? 1 : -1
        setActiveIndex(isListShown ? toNextIndex(activeIndex, step, options.length) : 0)
        return
      }
      case 'Enter': {
        // Enter chooses the highlighted option or the only one; without either, the typed name.
        const onlyOption = isListShown && options.length === 1 ? options[0] : undefined
        const option = activeOption ?? onlyOption
        const choice = option === undefined ? readTyped() : toChoice(option)
        // With the same municipality as before, Enter submits the form, as in any other field.
        if (isOther(choice)) event.preventDefault()
        choose(choice)
        return
      }
      case 'Escape':
        // Closes the list; if it is closed, empties the field.
        event.preventDefault()
        if (isListShown) setOpen(false)
        else choose(noMunicipality)
        setActiveIndex(null)
        return
    }
  }

  return (
    <div class="field municipality">
      <label for="municipality">{strings.municipality}</label>
      <div class="entry">
        <input
          id="municipality"
          ref={inputElement}
          name="municipality"
          type="text"
          role="combobox"
          autoComplete="off"
          spellcheck={false}
          maxLength={nameCharactersMax}
          placeholder={strings.municipalityHint}
          aria-autocomplete="list"
          aria-expanded={hasShownOptions}
          aria-controls="municipality-options"
          aria-activedescendant={activeOption === undefined ? undefined : `municipality-option-${activeIndex}`}
          value={text}
          onFocus={() => setFocusCount((count) => count + 1)}
          onInput={(event) => {
            setText(event.currentTarget.value)
            setOpen(true)
            setActiveIndex(null)
            if (event.currentTarget.value === '') choose(noMunicipality)
          }}
          onKeyDown={handleKey}
          onBlur={leave}
        />
        {text !== '' && (
          <button
            type="button"
            class="clear"
            aria-label={strings.clearMunicipality}
            onMouseDown={keepFocus}
            onClick={() => {
              // The button disappears, and the focus would be lost with it.
              inputElement.current?.focus()
              choose(noMunicipality)
            }}
          >
            <CrossIcon />
          </button>
        )}
        <div class="completions" hidden={!hasShownOptions}>
          <div id="municipality-options" role="listbox" aria-label={strings.municipality} ref={listElement}>
            {options.map((option, index) => (
              <Option
                key={`${option.ineCode ?? ''} ${option.name}`}
                option={option}
                index={index}
                isActive={index === activeIndex}
                onChoose={(chosen) => choose(toChoice(chosen))}
              />
            ))}
          </div>
          {matches.length > options.length && (
            <p class="rest">{strings.municipalityMore(formatNumber(matches.length - options.length))}</p>
          )}
        </div>
        <span class="visually-hidden" role="status">
          {isListShown ? strings.municipalityCount(matches.length, formatNumber(matches.length)) : ''}
        </span>
      </div>
    </div>
  )
}

/** The province is needed only to tell municipalities of the same name apart. */
function toChoice({ name, ineCode, province }: Completion): Choice {
  return { name, province: province === null || ineCode === null ? '' : toProvinceCode(ineCode) }
}

/**
 * The index that an arrow key leads to; `step` is 1 or -1. The arrows go in a circle: through the options, to the
 * field, where no option is highlighted (null), and to the options again.
 */
function toNextIndex(index: number | null, step: number, optionCount: number): number | null {
  // The field counts as a stop after the last option.
  const stops = optionCount + 1
  const next = ((index ?? optionCount) + step + stops) % stops
  return next === optionCount ? null : next
}

/** Keeps the focus in the field. Losing it would choose the typed name before the click arrives. */
function keepFocus(event: MouseEvent): void {
  event.preventDefault()
}

interface OptionProps {
  readonly option: Completion
  readonly index: number
  readonly isActive: boolean
  readonly onChoose: (option: Completion) => void
}

function Option({ option, index, isActive, onChoose }: OptionProps): JSX.Element {
  const { formatNumber } = useLocale()
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field (aria-activedescendant)
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
    <div
      id={`municipality-option-${index}`}
      role="option"
      aria-selected={isActive}
      onMouseDown={keepFocus}
      onClick={() => onChoose(option)}
    >
      <span class="name">
        {toReadableName(option.name)}
        {option.province !== null && <span class="other"> ({option.province})</span>}
        {option.otherName !== null && <span class="other"> {option.otherName}</span>}
      </span>
      <span class="count">{formatNumber(option.records)}</span>
    </div>
  )
}
