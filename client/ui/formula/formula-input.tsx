import { Anchor, Combobox, Group, Stack, Text, Textarea, useCombobox } from '@mantine/core'
import { useEffect, useId, useRef, useState, type SyntheticEvent } from 'react'
import type { FormulaError } from '../../../src/shared/formula/parse'
import { complete, completionsAt, type Completion } from './completion'
import { functionAt, signatureOf, type FormulaOf } from './formula-completions'
import { FormulaHelp } from './formula-help'
import classes from './formula-input.module.css'

export interface FormulaInputProps {
  value: string
  onChange: (formula: string) => void
  /** Marked at their place and told below. */
  errors: readonly FormulaError[]
  completions: readonly Completion[]
  /** What it is worked out for: which functions there are. */
  of: FormulaOf
  label: string
  placeholder: string
  description?: string
  /** What is wrong besides the formula's own mistakes. */
  error?: string | undefined
  maxLength: number
}

/** The formula in pieces, in order, and which of them hold a mistake. */
function markedPieces(
  value: string,
  errors: readonly FormulaError[],
): { from: number; text: string; wrong: boolean }[] {
  const edges = [0, value.length, ...errors.flatMap(({ from, to }) => [from, to])].filter((at) => at <= value.length)
  const sorted = [...new Set(edges)].toSorted((a, b) => a - b)
  return sorted.slice(0, -1).map((from, at) => {
    const to = sorted[at + 1] ?? value.length
    return { from, text: value.slice(from, to), wrong: errors.some((error) => error.from <= from && error.to >= to) }
  })
}

const MarkedText = ({ value, errors }: Pick<FormulaInputProps, 'value' | 'errors'>) => (
  <>
    {markedPieces(value, errors).map(({ from, text, wrong }) =>
      wrong ? (
        <mark key={from} className={classes.mark}>
          {text}
        </mark>
      ) : (
        text
      ),
    )}
  </>
)

/** Where the caret is, and what may be meant there. */
function useCompletion({ value, onChange, completions, of }: FormulaInputProps) {
  const input = useRef<HTMLTextAreaElement>(null)
  const [caret, setCaret] = useState<number | null>(null)
  const list = caret === null ? null : completionsAt(value, caret, completions)
  const combobox = useCombobox()
  const follow = (event: SyntheticEvent<HTMLTextAreaElement>): void => {
    const { selectionStart, selectionEnd, value: typed } = event.currentTarget
    const next = selectionStart === selectionEnd ? selectionStart : null
    if (next === caret) return
    setCaret(next)
    if (next !== null && completionsAt(typed, next, completions)) {
      combobox.openDropdown()
    } else combobox.closeDropdown()
  }
  const offered = list?.items.map(({ text }) => text).join('\n')
  const { selectFirstOption } = combobox
  useEffect(() => {
    // Once the options are drawn: Enter takes the first.
    if (offered !== undefined) selectFirstOption()
  }, [offered, selectFirstOption])
  const insert = (text: string, { from, to }: { from: number; to: number }): void => {
    const done = complete(value, { from, to }, text)
    onChange(done.formula)
    combobox.closeDropdown()
    setCaret(done.caret)
    // After the new text is in the field.
    requestAnimationFrame(() => {
      input.current?.focus()
      input.current?.setSelectionRange(done.caret, done.caret)
    })
  }
  const take = (text: string): void => {
    if (list) insert(text, list)
  }
  /** Where the caret was last; at the end before it was anywhere. */
  const insertAtCaret = (text: string): void => {
    const at = input.current?.selectionEnd ?? value.length
    insert(text, { from: at, to: at })
  }
  const hint = caret === null ? null : functionAt(value, caret, of)
  return { input, list, combobox, follow, take, insertAtCaret, hint }
}

/** What may be meant at the caret, with what each is; null = no list. */
const CompletionList = ({ items }: { items: readonly Completion[] | null }) => (
  <Combobox.Dropdown hidden={items === null}>
    <Combobox.Options aria-label="Suggestions">
      {(items ?? []).map(({ kind, name, text, about }) => (
        <Combobox.Option key={`${kind} ${text}`} value={text}>
          <Group gap="xs" wrap="nowrap" justify="space-between">
            <Text size="sm" truncate={kind !== 'function'} style={kind === 'function' ? { flex: 'none' } : {}}>
              {kind === 'function' ? `${name}()` : name}
            </Text>
            <Text span className={classes.about} truncate={kind === 'function'}>
              {about}
            </Text>
          </Group>
        </Combobox.Option>
      ))}
    </Combobox.Options>
  </Combobox.Dropdown>
)

/** The editor of every formula: completes functions and names while it is typed, and marks mistakes where they are. */
export function FormulaInput(props: FormulaInputProps) {
  const { value, onChange, errors, label, placeholder, description, error, maxLength } = props
  const { input, list, combobox, follow, take, insertAtCaret, hint } = useCompletion(props)
  const marks = useRef<HTMLDivElement>(null)
  const errorsId = useId()
  return (
    <Stack gap={4}>
      <Combobox store={combobox} onOptionSubmit={take} position="bottom-start" width={320}>
        <Textarea
          label={label}
          description={description}
          error={error}
          required
          rows={3}
          inputContainer={(field) => (
            <Combobox.DropdownTarget>
              <div className={classes.box}>
                <div ref={marks} className={classes.marks} aria-hidden>
                  <MarkedText value={value} errors={errors} />
                </div>
                <Combobox.EventsTarget withKeyboardNavigation={list !== null} withAriaAttributes={false}>
                  {field}
                </Combobox.EventsTarget>
              </div>
            </Combobox.DropdownTarget>
          )}
          {...{ ref: input, value, placeholder, maxLength }}
          spellCheck={false}
          // Escape closes the suggestions first, then the dialog around them.
          data-mantine-stop-propagation={combobox.dropdownOpened && list !== null}
          aria-invalid={errors.length > 0 || undefined}
          aria-describedby={errors.length > 0 ? errorsId : undefined}
          onChange={(event) => onChange(event.currentTarget.value)}
          onSelect={follow}
          onBlur={() => combobox.closeDropdown()}
          onScroll={({ currentTarget }) => marks.current?.scrollTo(0, currentTarget.scrollTop)}
        />
        <CompletionList items={list?.items ?? null} />
      </Combobox>
      {hint && (
        <Text size="sm" className={classes.hint}>
          <code>{signatureOf(hint)}</code> {hint.summary}
        </Text>
      )}
      <FormulaErrors id={errorsId} errors={errors} value={value} onChange={onChange} />
      <FormulaHelp of={props.of} onInsert={insertAtCaret} />
    </Stack>
  )
}

interface FormulaErrorsProps extends Pick<FormulaInputProps, 'errors' | 'value' | 'onChange'> {
  id: string
}

function FormulaErrors({ id, errors, value, onChange }: FormulaErrorsProps) {
  return (
    <div id={id} role="status" aria-label="Formula errors">
      {errors.map(({ message, from, to, suggestion }) => (
        <Text size="sm" c="red" key={`${from} ${message}`}>
          {message}{' '}
          {suggestion !== undefined && (
            <Anchor
              {...{ component: 'button', type: 'button', size: 'sm' }}
              onClick={() => onChange(complete(value, { from, to }, suggestion).formula)}
            >
              Use {suggestion}
            </Anchor>
          )}
        </Text>
      ))}
    </div>
  )
}
