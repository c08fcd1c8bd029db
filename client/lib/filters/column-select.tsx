import { Select } from '@mantine/core'
import type { Grouped } from '../../../src/shared/query'
import { groupingOf, groupingsFor } from './catalogue'
import { readable } from './fields'
import type { DraftDataset, FieldChoice, FieldKey } from './fields'

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
  /** Offers the groupings of each column beside it. */
  groups?: {
    dataset: DraftDataset
    chosen: Grouped | null
    onChoose: (key: FieldKey, grouping: string) => void
  }
  /** Further choices that are no columns, under a heading of their own. */
  extra?: { group: string; items: { value: string; label: string }[]; onChoose: (value: string) => void }
}
const NONE = ''
interface Items {
  group: string
  items: { value: string; label: string }[]
}

const groupedValue = (key: FieldKey, grouping: string): string => `${key}~${grouping}`
interface GroupedItem {
  value: string
  label: string
  key: FieldKey
  grouping: string
}

/** What a column can be seen through; also what it is seen through now, wherever that was made for. */
function groupedItems(
  { key, column }: FieldChoice,
  { groups, value }: Pick<ColumnSelectProps, 'groups' | 'value'>,
): GroupedItem[] {
  if (!groups) return []
  const { dataset, chosen } = groups
  const offered = groupingsFor(dataset, key).map(({ id, name }) => ({ id, name }))
  const other = chosen && value === key && !offered.some(({ id }) => id === chosen.id) ? [chosen.id] : []
  const named = other.map((id) => ({ id, name: groupingOf(dataset.catalogue, id)?.name ?? 'A deleted grouping' }))
  return [...offered, ...named].map(({ id, name }) => ({
    ...{ value: groupedValue(key, id), key, grouping: id },
    label: `${name} (grouping of ${readable(column.label)})`,
  }))
}

/** Columns under the names of their datasets; a single dataset needs no heading. */
function listed(choices: readonly FieldChoice[], own: string, items: readonly GroupedItem[]): Items[] {
  const groups = new Map<string, Items>()
  for (const { key, column, group } of choices) {
    const name = group ?? own
    const found = groups.get(name) ?? { group: name, items: [] }
    found.items.push({ value: key, label: readable(column.label) })
    for (const item of items) if (item.key === key) found.items.push({ value: item.value, label: item.label })
    groups.set(name, found)
  }
  return [...groups.values()]
}

/** Picks a column by its readable name; typing finds it. */
export function ColumnSelect(props: ColumnSelectProps) {
  const { label, choices, value, onChange, own = 'Columns', none, hideLabel = false, extra } = props
  const through = choices.flatMap((choice) => groupedItems(choice, props))
  const groups = [...listed(choices, own, through), ...(extra && extra.items.length > 0 ? [extra] : [])]
  const [only, ...others] = groups
  const data = only && others.length === 0 ? only.items : groups.map(({ group, items }) => ({ group, items }))
  const choose = (key: string | null): void => {
    if (key !== null && extra?.items.some((one) => one.value === key)) return extra.onChoose(key)
    const seen = through.find((one) => one.value === key)
    if (seen) return props.groups?.onChoose(seen.key, seen.grouping)
    return onChange(choices.find((choice) => choice.key === key)?.key ?? null)
  }
  const chosen = value !== null && props.groups?.chosen ? groupedValue(value, props.groups.chosen.id) : value
  return (
    <Select
      {...(hideLabel ? { 'aria-label': label } : { label })}
      data={none === undefined ? data : [{ value: NONE, label: none }, ...data]}
      value={chosen ?? (none === undefined ? null : NONE)}
      placeholder={props.placeholder ?? 'Choose a column'}
      searchable={choices.length + through.length > 8}
      allowDeselect={false}
      nothingFoundMessage="No such column"
      onChange={choose}
      style={{ flexGrow: 1, minWidth: 0 }}
    />
  )
}
