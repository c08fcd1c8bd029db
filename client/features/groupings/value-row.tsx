import { Checkbox, Text } from '@mantine/core'
import { GroupMark } from './group-mark'
import classes from './groupings.module.css'
import { useFormat } from '../../lib/format'
import { NO_VALUE, useFigureFormat } from '../../ui/chart/figure-format'
import type { GroupedValue, GroupNode, ValuesAnswer } from '../../../src/shared/groupings'

export interface ValueRowProps {
  item: GroupedValue
  group: GroupNode | null
  amount: ValuesAnswer['amount']
  picked: boolean
  /** Every chosen value: they are dragged together. */
  chosen: ReadonlySet<string>
  /** Null: nothing can be changed. */
  onPick: ((member: string) => void) | null
}

/** What is dragged, as text of this kind. */
export const DRAGGED = 'application/x-insikt-values'

/** One value: how many rows hold it, what they amount to, and its group. */
export function ValueRow({ item, group, amount, picked, chosen, onPick }: ValueRowProps) {
  const format = useFormat()
  const figures = useFigureFormat()
  const { member, value, rows } = item
  const text = member === null ? NO_VALUE : String(value)
  const mayMove = onPick !== null && member !== null
  return (
    <li
      className={classes.value}
      draggable={mayMove}
      onDragStart={(event) => {
        if (member === null) return
        const values = picked ? [...chosen] : [member]
        event.dataTransfer.setData(DRAGGED, JSON.stringify(values))
        event.dataTransfer.effectAllowed = 'move'
      }}
    >
      {mayMove ? (
        <Checkbox size="sm" label={text} checked={picked} onChange={() => onPick(member)} className={classes.name} />
      ) : (
        <Text size="sm" className={classes.name} {...(member === null ? { c: 'dimmed' } : {})}>
          {text}
        </Text>
      )}
      {group && (
        <Text size="xs" c="dimmed" className={classes.in}>
          <GroupMark color={group.color} /> {group.name}
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
