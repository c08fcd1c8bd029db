import { Group, Select, type SelectProps } from '@mantine/core'
import type { ColumnMask } from '../../../src/shared/data-access/rules'
import { MaskMark } from '../../ui/data-table/mask-mark'
import type { GroupingReference } from '../../../src/shared/query/plan'
import { humanizeLabel } from '../../../src/shared/text'
import { findGrouping, groupingsFor } from './catalogue'
import type { BuilderDataset, FieldOption, FieldKey } from './catalogue'

export interface ColumnSelectProps {
  label: string
  choices: readonly FieldOption[]
  value: FieldKey | null
  onChange: (key: FieldKey | null) => void
  /** What the columns of the data itself are called beside those of joined datasets. */
  ownLabel?: string
  /** A first choice that is no column, such as counting rows. */
  noneLabel?: string
  hideLabel?: boolean
  placeholder?: string
  /** Narrower it does not get, px: what is beside it goes below. */
  minWidth?: number
  /** Offers the groupings of each column beside it. */
  groups?: {
    dataset: BuilderDataset
    chosen: GroupingReference | null
    onChoose: (key: FieldKey, grouping: string) => void
  }
  /** Further choices that are no columns, under a heading of their own. */
  extra?: { group: string; items: { value: string; label: string }[]; onChoose: (value: string) => void }
}
const NONE_VALUE = ''
interface OptionGroup {
  group: string
  items: { value: string; label: string }[]
}

const groupingOptionValue = (key: FieldKey, grouping: string): string => `${key}~${grouping}`
interface GroupingOption {
  value: string
  label: string
  key: FieldKey
  grouping: string
}

/** What a column can be seen through; also what it is seen through now, wherever that was made for. */
function groupingOptions(
  { key, column }: FieldOption,
  { groups, value }: Pick<ColumnSelectProps, 'groups' | 'value'>,
): GroupingOption[] {
  if (!groups) return []
  const { dataset, chosen } = groups
  const offered = groupingsFor(dataset, key).map(({ id, name }) => ({ id, name }))
  const other = chosen && value === key && !offered.some(({ id }) => id === chosen.id) ? [chosen.id] : []
  const named = other.map((id) => ({ id, name: findGrouping(dataset.catalogue, id)?.name ?? 'A deleted grouping' }))
  return [...offered, ...named].map(({ id, name }) => ({
    value: groupingOptionValue(key, id),
    key,
    grouping: id,
    label: `${name} (grouping of ${humanizeLabel(column.label)})`,
  }))
}

/** Columns under the names of their datasets; a single dataset needs no heading. */
function optionGroups(choices: readonly FieldOption[], own: string, items: readonly GroupingOption[]): OptionGroup[] {
  const groups = new Map<string, OptionGroup>()
  for (const { key, column, group } of choices) {
    const name = group ?? own
    const found = groups.get(name) ?? { group: name, items: [] }
    found.items.push({ value: key, label: humanizeLabel(column.label) })
    for (const item of items) if (item.key === key) found.items.push({ value: item.value, label: item.label })
    groups.set(name, found)
  }
  return [...groups.values()]
}

/** A choice with the mark of its mask. */
const maskedOption =
  (maskOf: (key: string) => ColumnMask | undefined): NonNullable<SelectProps['renderOption']> =>
  ({ option }) => {
    const mask = maskOf(option.value)
    return (
      <Group gap={6} wrap="nowrap">
        {option.label}
        {mask && <MaskMark mask={mask} />}
      </Group>
    )
  }

export function ColumnSelect(props: ColumnSelectProps) {
  const { label, choices, value, onChange, ownLabel = 'Columns', noneLabel, hideLabel = false, extra } = props
  const { minWidth = 0 } = props
  const groupings = choices.flatMap((choice) => groupingOptions(choice, props))
  const groups = [...optionGroups(choices, ownLabel, groupings), ...(extra && extra.items.length > 0 ? [extra] : [])]
  const [only, ...others] = groups
  const data = only && others.length === 0 ? only.items : groups.map(({ group, items }) => ({ group, items }))
  const choose = (key: string | null): void => {
    if (key !== null && extra?.items.some((one) => one.value === key)) return extra.onChoose(key)
    const grouped = groupings.find((one) => one.value === key)
    if (grouped) return props.groups?.onChoose(grouped.key, grouped.grouping)
    return onChange(choices.find((choice) => choice.key === key)?.key ?? null)
  }
  const maskOf = (key: string) => choices.find((choice) => choice.key === key)?.column.mask
  const chosen = value !== null && props.groups?.chosen ? groupingOptionValue(value, props.groups.chosen.id) : value
  return (
    <Select
      {...(hideLabel ? { 'aria-label': label } : { label })}
      data={noneLabel === undefined ? data : [{ value: NONE_VALUE, label: noneLabel }, ...data]}
      value={chosen ?? (noneLabel === undefined ? null : NONE_VALUE)}
      placeholder={props.placeholder ?? 'Choose a column'}
      searchable={choices.length + groupings.length > 8}
      nothingFoundMessage="No match"
      {...(choices.some(({ column }) => column.mask) ? { renderOption: maskedOption(maskOf) } : {})}
      onChange={choose}
      style={{ flexGrow: 1, minWidth, flexBasis: minWidth || 'auto' }}
    />
  )
}
