import { Select } from '@mantine/core'
import { readable } from './fields'
import type { FieldChoice, FieldKey } from './fields'

export interface ColumnSelectProps {
  label: string
  choices: readonly FieldChoice[]
  value: FieldKey | null
  onChange: (key: FieldKey | null) => void
  /** What the columns of the data itself are called beside those of joined datasets. */
  own?: string
  /** A first choice that is no column, such as counting rows. */
  none?: string
  hideLabel?: boolean
  placeholder?: string
  /** Further choices that are no columns, under a heading of their own. */
  extra?: { group: string; items: { value: string; label: string }[]; onChoose: (value: string) => void }
}
const NONE = ''
interface Items {
  group: string
  items: { value: string; label: string }[]
}

/** Columns under the names of their datasets; a single dataset needs no heading. */
function grouped(choices: readonly FieldChoice[], own: string): Items[] {
  const groups = new Map<string, Items>()
  for (const { key, column, group } of choices) {
    const name = group ?? own
    const found = groups.get(name) ?? { group: name, items: [] }
    found.items.push({ value: key, label: readable(column.label) })
    groups.set(name, found)
  }
  return [...groups.values()]
}

/** Picks a column by its readable name; typing finds it. */
export function ColumnSelect(props: ColumnSelectProps) {
  const { label, choices, value, onChange, own = 'Columns', none, hideLabel = false, extra } = props
  const groups = [...grouped(choices, own), ...(extra && extra.items.length > 0 ? [extra] : [])]
  const [only, ...others] = groups
  const data = only && others.length === 0 ? only.items : groups.map(({ group, items }) => ({ group, items }))
  const choose = (key: string | null): void => {
    if (key !== null && extra?.items.some((one) => one.value === key)) return extra.onChoose(key)
    return onChange(choices.find((choice) => choice.key === key)?.key ?? null)
  }
  return (
    <Select
      {...(hideLabel ? { 'aria-label': label } : { label })}
      data={none === undefined ? data : [{ value: NONE, label: none }, ...data]}
      value={value ?? (none === undefined ? null : NONE)}
      placeholder={props.placeholder ?? 'Choose a column'}
      searchable={choices.length > 8}
      allowDeselect={false}
      nothingFoundMessage="No such column"
      onChange={choose}
      style={{ flexGrow: 1, minWidth: 0 }}
    />
  )
}
