import { ActionIcon, Text } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useState } from 'react'
import { GroupDialog } from './group-dialog'
import { GroupSwatch } from './group-mark'
import type { GroupingEditorContext } from './grouping-editor'
import { pluralize, describeRule } from './grouping-words'
import classes from './groupings.module.css'
import { DRAG_DATA_TYPE } from './value-row'
import { namedMembers } from '../../../src/shared/grouping-tree'
import type { GroupNode } from '../../../src/shared/groupings'

const INDENT_PX = 20

/** What belongs to a group: how many values are named, and its other rules in words. */
function describeMembers({ rules }: GroupNode): string {
  const named = namedMembers({ rules }).length
  const others = rules.filter(({ kind }) => kind !== 'in' && kind !== 'equals').map(describeRule)
  const parts = [...(named > 0 ? [pluralize(named, 'value', 'values')] : []), ...others]
  return parts.length === 0 ? 'Nothing yet' : parts.join(', ')
}

/** The values that were dragged here; null for anything else. */
function parseDroppedValues(text: string): string[] | null {
  try {
    const values: unknown = JSON.parse(text)
    return Array.isArray(values) ? values.filter((value) => typeof value === 'string') : null
  } catch {
    return null
  }
}

/** One group; values are dropped on it. */
export function GroupRow({ group, depth, ...editing }: GroupingEditorContext & { group: GroupNode; depth: number }) {
  const { at, act, may } = editing
  const [isDragOver, setDragOver] = useState(false)
  const [opened, setOpened] = useState(false)
  return (
    <li
      className={`${classes.group} ${isDragOver ? classes.over : ''}`}
      style={{ paddingLeft: 16 + depth * INDENT_PX }}
      onDragOver={(event) => {
        if (!may || !event.dataTransfer.types.includes(DRAG_DATA_TYPE)) return
        event.preventDefault()
        setDragOver(true)
      }}
      onDragLeave={() => setDragOver(false)}
      onDrop={(event) => {
        setDragOver(false)
        const values = parseDroppedValues(event.dataTransfer.getData(DRAG_DATA_TYPE))
        if (values) act({ kind: 'move', at, values, to: group.id })
      }}
    >
      <GroupSwatch color={group.color} />
      <div className={classes.name}>
        <Text size="sm" fw={600}>
          {group.name}
        </Text>
        <Text size="xs" c="dimmed">
          {describeMembers(group)}
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
