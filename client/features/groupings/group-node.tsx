import { ActionIcon, Text } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useState } from 'react'
import { GroupDialog } from './group-dialog'
import { GroupMark } from './group-mark'
import type { Editing } from './grouping-editor'
import { countWords, ruleWords } from './grouping-words'
import classes from './groupings.module.css'
import { DRAGGED } from './value-row'
import { membersOf } from '../../../src/shared/grouping-tree'
import type { GroupNode } from '../../../src/shared/groupings'

const INDENT_PX = 20

/** What belongs to a group: how many values are named, and its other rules in words. */
function holds({ rules }: GroupNode): string {
  const named = membersOf({ rules }).length
  const others = rules.filter(({ kind }) => kind !== 'in' && kind !== 'equals').map(ruleWords)
  const parts = [...(named > 0 ? [countWords(named, 'value', 'values')] : []), ...others]
  return parts.length === 0 ? 'Nothing yet' : parts.join(', ')
}

/** The values that were dragged here; null for anything else. */
function droppedValues(text: string): string[] | null {
  try {
    const values: unknown = JSON.parse(text)
    return Array.isArray(values) ? values.filter((value) => typeof value === 'string') : null
  } catch {
    return null
  }
}

/** One group; values are dropped on it. */
export function GroupNodeRow({ group, depth, ...editing }: Editing & { group: GroupNode; depth: number }) {
  const { at, act, may } = editing
  const [over, setOver] = useState(false)
  const [opened, setOpened] = useState(false)
  return (
    <li
      className={`${classes.group} ${over ? classes.over : ''}`}
      style={{ paddingLeft: 16 + depth * INDENT_PX }}
      onDragOver={(event) => {
        if (!may || !event.dataTransfer.types.includes(DRAGGED)) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false)
        const values = droppedValues(event.dataTransfer.getData(DRAGGED))
        if (values) act({ kind: 'move', at, values, to: group.id })
      }}
    >
      <GroupMark color={group.color} />
      <div className={classes.name}>
        <Text size="sm" fw={600}>
          {group.name}
        </Text>
        <Text size="xs" c="dimmed">
          {holds(group)}
        </Text>
      </div>
      {may && (
        <ActionIcon variant="subtle" color="gray" aria-label={`Edit ${group.name}`} onClick={() => setOpened(true)}>
          <IconPencil size={16} aria-hidden />
        </ActionIcon>
      )}
      {opened && <GroupDialog {...editing} group={group} onClose={() => setOpened(false)} />}
    </li>
  )
}
