import { IconButton } from '../../ui/buttons/icon-button'
import { Text, Button, Group, TextInput } from '@mantine/core'
import { IconPencil, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { GroupDialog } from './group-dialog'
import { GroupSwatch } from './group-colors'
import { pluralize, describeRule } from './describe-grouping'
import classes from './groupings.module.css'
import { DRAG_DATA_TYPE } from './values-pane'
import { namedMembers, orderedGroups, groupPaths, type GroupNode } from '../../../src/shared/groupings/groupings'
import { newGroupId, type GroupingEditorContext } from './grouping-draft'
import { MutedText } from '../../ui/muted-text'

const INDENT_PX = 20

/** What belongs to a group: how many values are named, and its other rules in words. */
function describeMembers({ rules }: GroupNode): string {
  const named = namedMembers({ rules }).length
  const others = rules.filter(({ kind }) => kind !== 'in' && kind !== 'equals').map(describeRule)
  const parts = [...(named > 0 ? [pluralize(named, 'value', 'values')] : []), ...others]
  return parts.length === 0 ? 'Empty' : parts.join(', ')
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
function GroupRow({ group, depth, ...editing }: GroupingEditorContext & { group: GroupNode; depth: number }) {
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
        <MutedText size="xs">{describeMembers(group)}</MutedText>
      </div>
      {may && <IconButton icon={IconPencil} label={`Edit ${group.name}`} onClick={() => setOpened(true)} />}
      {opened && <GroupDialog {...editing} group={group} onClose={() => setOpened(false)} />}
    </li>
  )
}

/** The groups of a period, each with those within it; values are dropped on them. */
export function GroupsPane(context: GroupingEditorContext) {
  const { validityPeriod, may } = context
  const paths = groupPaths(validityPeriod.groups)
  const groups = orderedGroups(validityPeriod.groups)
  return (
    <section className={`surface ${classes.pane}`} aria-label="Groups">
      {may && <NewGroupForm {...context} />}
      {groups.length === 0 && (
        <Text c="dimmed" p="md">
          {may ? 'No groups yet' : 'No groups yet'}
        </Text>
      )}
      <ul className={classes.values} aria-label="Groups">
        {groups.map((group) => (
          <GroupRow key={group.id} {...context} group={group} depth={(paths.get(group.id)?.length ?? 1) - 1} />
        ))}
      </ul>
    </section>
  )
}

function NewGroupForm({ at, act }: GroupingEditorContext) {
  const [name, setName] = useState('')
  const add = (): void => {
    if (name.trim() === '') return
    act({ kind: 'addGroup', at, id: newGroupId(), name: name.trim(), parentId: null, values: [] })
    setName('')
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        add()
      }}
    >
      <Group gap="sm" p="md" className={classes.head} wrap="nowrap">
        <TextInput
          size="xs"
          className={classes.search}
          aria-label="New group"
          placeholder="New group"
          maxLength={80}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button size="xs" variant="default" type="submit" leftSection={<IconPlus size={14} aria-hidden />}>
          Add group
        </Button>
      </Group>
    </form>
  )
}
