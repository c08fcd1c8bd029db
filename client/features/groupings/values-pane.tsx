import { SearchField } from '../../ui/forms/search-field'
import { QueryStatus } from '../../ui/query-view'
import { ShowMore } from '../../ui/buttons/show-more'
import {
  Combobox,
  InputBase,
  useCombobox,
  Checkbox,
  Text,
  Group,
  SegmentedControl,
  Skeleton,
  Stack,
} from '@mantine/core'
import { useState } from 'react'
import { useDebouncedValue } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { newGroupId, type GroupingEditorContext } from './grouping-draft'
import { nameKey } from '../../../src/shared/field-schemas'
import { groupPaths } from '../../../src/shared/groupings/groupings'
import type { GroupedValue, GroupNode } from '../../../src/shared/groupings/groupings'
import { GroupSwatch } from './group-colors'
import classes from './groupings.module.css'
import { useFormat } from '../../lib/format'
import { useCellFormatter } from '../../lib/cell-formatter'
import { amountColumn, NO_VALUE, type FormattedColumn } from '../../../src/shared/figures/cell-formatter'
import { valuesQuery } from './queries'
import { matchableText, createGroupLookup } from '../../../src/shared/groupings/matching'
import { MutedText } from '../../ui/muted-text'

const NEW_GROUP = 'new'
const NO_GROUP = 'none'

/** Puts chosen values into a group: one that is there, a new one by the name that is typed, or none. */
function MoveToGroup({
  validityPeriod,
  at,
  act,
  values,
  onMoved,
}: GroupingEditorContext & { values: string[]; onMoved: () => void }) {
  const combobox = useCombobox()
  const [text, setText] = useState('')
  const wanted = nameKey(text)
  const paths = [...groupPaths(validityPeriod.groups).entries()].map(([id, path]) => ({
    id,
    label: path.map(({ name }) => name).join(' › '),
    name: path.at(-1)?.name ?? '',
  }))
  const found = paths.filter(({ label }) => nameKey(label).includes(wanted))
  const isNew = wanted !== '' && !paths.some(({ name }) => nameKey(name) === wanted)
  const move = (to: string): void => {
    const id = to === NEW_GROUP ? newGroupId() : to
    if (to === NEW_GROUP) act({ kind: 'addGroup', at, id, name: text.trim(), parentId: null, values })
    else act({ kind: 'move', at, values, to: to === NO_GROUP ? null : to })
    setText('')
    combobox.closeDropdown()
    onMoved()
  }
  const disabled = values.length === 0
  return (
    <Combobox store={combobox} onOptionSubmit={move}>
      <Combobox.Target>
        <InputBase
          size="xs"
          aria-label="Move to group"
          placeholder="Move to group"
          value={text}
          disabled={disabled}
          onChange={(event) => {
            setText(event.currentTarget.value)
            combobox.openDropdown()
            combobox.selectFirstOption()
          }}
          onFocus={() => combobox.openDropdown()}
          onBlur={() => combobox.closeDropdown()}
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Options mah={260} style={{ overflowY: 'auto' }}>
          {found.map(({ id, label }) => (
            <Combobox.Option key={id} value={id}>
              {label}
            </Combobox.Option>
          ))}
          {isNew && <Combobox.Option value={NEW_GROUP}>New group “{text.trim()}”</Combobox.Option>}
          {wanted === '' && <Combobox.Option value={NO_GROUP}>No group</Combobox.Option>}
          {wanted === '' && paths.length === 0 && <Combobox.Empty>Enter a group name</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}

interface ValueRowProps {
  item: GroupedValue
  group: GroupNode | null
  /** How the amounts of all values are written; null without any. */
  column: FormattedColumn | null
  isSelected: boolean
  /** Every chosen value: they are dragged together. */
  selectedValues: ReadonlySet<string>
  /** Null: nothing can be changed. */
  onToggle: ((member: string) => void) | null
}

/** What is dragged, as text of this kind. */
export const DRAG_DATA_TYPE = 'application/x-insikt-values'

/** One value: how many rows hold it, what they amount to, and its group. */
function ValueRow({ item, group, column, isSelected, selectedValues, onToggle }: ValueRowProps) {
  const format = useFormat()
  const figures = useCellFormatter()
  const { member, value, rows } = item
  const text = member === null ? NO_VALUE : String(value)
  const mayMove = onToggle !== null && member !== null
  return (
    <li
      className={classes.value}
      draggable={mayMove}
      onDragStart={(event) => {
        if (member === null) return
        const values = isSelected ? [...selectedValues] : [member]
        event.dataTransfer.setData(DRAG_DATA_TYPE, JSON.stringify(values))
        event.dataTransfer.effectAllowed = 'move'
      }}
    >
      {mayMove ? (
        <Checkbox
          size="sm"
          label={text}
          checked={isSelected}
          onChange={() => onToggle(member)}
          className={classes.name}
        />
      ) : (
        <Text size="sm" className={classes.name} {...(member === null ? { c: 'dimmed' } : {})}>
          {text}
        </Text>
      )}
      {group && (
        <MutedText size="xs" className={classes.in}>
          <GroupSwatch color={group.color} /> {group.name}
        </MutedText>
      )}
      <MutedText className={classes.figure}>
        {format.count(rows)} {rows === 1 ? 'row' : 'rows'}
      </MutedText>
      {column && (
        <Text size="sm" className={classes.figure}>
          {figures.full(item.amount, column)}
        </Text>
      )}
    </li>
  )
}

/** Values of the data with what they weigh, and where each would belong by what is edited. */
export function ValuesPane(context: GroupingEditorContext) {
  const { grouping, validityPeriod, may } = context
  const format = useFormat()
  const [onlyUngrouped, setOnlyUngrouped] = useState(true)
  const [text, setText] = useState('')
  const [q] = useDebouncedValue(text.trim(), 300)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  // What a rule of the draft gives a group is told at once: stored or not, all values are asked for then.
  const list = useInfiniteQuery(
    valuesQuery({ id: grouping.id, version: grouping.version, unmatched: onlyUngrouped && grouping.groupCount > 0, q }),
  )
  const { groupOf } = createGroupLookup(validityPeriod)
  const valuesWithGroup = (list.data?.pages ?? []).flatMap(({ items }) =>
    items.map((item) => ({ ...item, groupId: item.member === null ? null : groupOf(matchableText(item.member)) })),
  )
  const shown = valuesWithGroup.filter(({ groupId }) => !onlyUngrouped || groupId === null)
  const first = list.data?.pages[0]
  const column = first?.amount
    ? amountColumn(
        first.amount.format,
        valuesWithGroup.map(({ amount }) => amount),
      )
    : null
  const toggleSelected = (member: string): void => {
    const next = new Set(selected)
    if (!next.delete(member)) next.add(member)
    setSelected(next)
  }
  const choosable = shown.flatMap(({ member }) => (member === null ? [] : [member]))
  const all = choosable.length > 0 && choosable.every((member) => selected.has(member))
  return (
    <section className={`surface ${classes.pane}`} aria-label="Values">
      <Group gap="sm" p="md" className={classes.head}>
        <SegmentedControl
          size="xs"
          aria-label="Values shown"
          value={onlyUngrouped ? 'loose' : 'all'}
          data={[
            { value: 'loose', label: 'Ungrouped' },
            { value: 'all', label: 'All values' },
          ]}
          onChange={(value) => setOnlyUngrouped(value === 'loose')}
        />
        <SearchField label="Search values" size="xs" className={classes.search} value={text} onChange={setText} />
      </Group>
      {may && shown.length > 0 && (
        <Group gap="sm" px="md" py="xs" className={classes.tools}>
          <Checkbox
            size="sm"
            label={selected.size === 0 ? 'All shown' : `${format.count(selected.size)} selected`}
            checked={all}
            indeterminate={!all && selected.size > 0}
            onChange={() => setSelected(all ? new Set() : new Set(choosable))}
          />
          <MoveToGroup {...context} values={[...selected]} onMoved={() => setSelected(new Set())} />
          {first?.amount && (
            <MutedText size="xs" ml="auto">
              Rows and {first.amount.label}
            </MutedText>
          )}
        </Group>
      )}
      <QueryStatus query={list} skeleton={<ValuesSkeleton />} />
      {first && shown.length === 0 && <NoMatchingValues loose={onlyUngrouped} q={q} />}
      <ul className={classes.values} aria-label="Values">
        {shown.map((item) => (
          <ValueRow
            key={valueKey(item)}
            item={item}
            group={validityPeriod.groups.find(({ id }) => id === item.groupId) ?? null}
            column={column}
            isSelected={item.member !== null && selected.has(item.member)}
            selectedValues={selected}
            onToggle={may ? toggleSelected : null}
          />
        ))}
      </ul>
      <ShowMore query={list} p="sm" size="xs" />
    </section>
  )
}

const valueKey = ({ value, member }: GroupedValue): string => `${member === null ? 'empty' : 'is'} ${String(value)}`

function NoMatchingValues({ loose, q }: { loose: boolean; q: string }) {
  const words = q !== '' ? `No values match “${q}”` : loose ? 'No ungrouped values' : 'No values yet'
  return (
    <Text c="dimmed" p="md">
      {words}
    </Text>
  )
}

const ValuesSkeleton = () => (
  <Stack gap="sm" p="md" aria-hidden>
    {[70, 52, 61, 44, 58].map((width) => (
      <Skeleton key={width} h={14} w={`${width}%`} />
    ))}
  </Stack>
)
