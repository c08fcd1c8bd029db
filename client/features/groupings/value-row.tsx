import { Checkbox, Text } from '@mantine/core'
import { GroupSwatch } from './group-mark'
import classes from './groupings.module.css'
import { useFormat } from '../../lib/format'
import { NO_VALUE, useCellFormatter } from '../../ui/chart/figure-format'
import type { GroupedValue, GroupNode, GroupedValuesPage } from '../../../src/shared/groupings'

export interface ValueRowProps {
  item: GroupedValue
  group: GroupNode | null
  amount: GroupedValuesPage['amount']
  isSelected: boolean
  /** Every chosen value: they are dragged together. */
  selectedValues: ReadonlySet<string>
  /** Null: nothing can be changed. */
  onToggle: ((member: string) => void) | null
}

/** What is dragged, as text of this kind. */
export const DRAG_DATA_TYPE = 'application/x-insikt-values'

/** One value: how many rows hold it, what they amount to, and its group. */
export function ValueRow({ item, group, amount, isSelected, selectedValues, onToggle }: ValueRowProps) {
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
        <Text size="xs" c="dimmed" className={classes.in}>
          <GroupSwatch color={group.color} /> {group.name}
        </Text>
      )}
      <Text size="sm" c="dimmed" className={classes.figure}>
        {format.count(rows)} {rows === 1 ? 'row' : 'rows'}
      </Text>
      {amount && (
        <Text size="sm" className={classes.figure}>
          {figures.round(item.amount, { type: 'number', kind: 'measure', format: amount.format })}
        </Text>
      )}
    </li>
  )
}
