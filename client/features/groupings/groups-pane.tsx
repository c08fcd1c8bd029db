import { Button, Group, Text, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { GroupRow } from './group-node'
import type { GroupingEditorContext } from './grouping-editor'
import classes from './groupings.module.css'
import { newGroupId } from './new-group-id'
import { orderedGroups, groupPaths } from '../../../src/shared/grouping-tree'

/** The groups of a period, each with those within it; values are dropped on them. */
export function GroupsPane(groupingEditorContext: GroupingEditorContext) {
  const { validityPeriod, may } = groupingEditorContext
  const paths = groupPaths(validityPeriod.groups)
  const groups = orderedGroups(validityPeriod.groups)
  return (
    <section className={`surface ${classes.pane}`} aria-label="Groups">
      {may && <NewGroupForm {...groupingEditorContext} />}
      {groups.length === 0 && (
        <Text c="dimmed" p="md">
          {may
            ? 'No groups yet. Name the first one, or choose values and move them into a new group.'
            : 'There are no groups yet.'}
        </Text>
      )}
      <ul className={classes.values} aria-label="Groups, each above those within it">
        {groups.map((group) => (
          <GroupRow
            key={group.id}
            {...groupingEditorContext}
            group={group}
            depth={(paths.get(group.id)?.length ?? 1) - 1}
          />
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
          aria-label="Name of a new group"
          placeholder="Name of a new group"
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
