import { VersionConflictAlert } from '../../ui/forms/version-conflict-dialog'
import { conflictingVersion, dependentsOf } from '../../lib/error-details'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { Alert, Button, Group, List } from '@mantine/core'
import type { GroupingDraft, GroupingDispatch } from './grouping-draft'
import { updateGrouping, useStoreSavedGrouping } from './queries'
import type { Grouping } from '../../../src/shared/groupings/groupings'
import { FormError } from '../../ui/forms/form-error'

const isGrouping = (value: object): value is Grouping => 'eras' in value && 'version' in value

/** Saves the draft; `over` a version that somebody else saved, `force` although insights name a group that is gone. */
export function useSaveGrouping(grouping: Grouping, { draft, act }: { draft: GroupingDraft; act: GroupingDispatch }) {
  const saved = useStoreSavedGrouping()
  const applySaved = (next: Grouping): void => {
    saved(next)
    act({ kind: 'start', grouping: next })
  }
  const saving = useMutation({
    mutationFn: ({ over, force }: { over?: number; force?: boolean }) =>
      updateGrouping(grouping.id, {
        ...draft,
        target: grouping.target,
        kind: grouping.kind,
        version: over ?? grouping.version,
        force: force ?? false,
      }),
    onSuccess: (next) => {
      applySaved(next)
      notifications.show({ color: 'green', message: 'Grouping saved' })
    },
  })
  const theirs = conflictingVersion(saving.error, isGrouping)
  const dependents = dependentsOf(saving.error)
  return {
    save: (how: { over?: number; force?: boolean } = {}) => saving.mutate(how),
    isSaving: saving.isPending,
    theirs,
    dependents,
    error: theirs || dependents ? null : saving.error,
    adopt: applySaved,
    reset: saving.reset,
  }
}
export type GroupingSaving = ReturnType<typeof useSaveGrouping>

/** Why it cannot be saved: what is wrong with it, who saved first, or what names a group that is gone. */
export function GroupingSaveProblems({ saving, problems }: { saving: GroupingSaving; problems: readonly string[] }) {
  const { theirs, dependents, error, save, adopt, reset } = saving
  if (problems.length > 0)
    return (
      <Alert color="yellow" title="Fix these before saving">
        <List size="sm">
          {[...new Set(problems)].map((problem) => (
            <List.Item key={problem}>{problem}</List.Item>
          ))}
        </List>
      </Alert>
    )
  if (theirs)
    return (
      <VersionConflictAlert
        onKeepMine={() => save({ over: theirs.version })}
        onTakeTheirs={() => {
          reset()
          adopt(theirs)
        }}
      >
        Choose a version to keep; the other is replaced.
      </VersionConflictAlert>
    )
  if (dependents)
    return (
      <Alert color="yellow" role="alert" title="Used by">
        <List size="sm">
          {dependents.map(({ id, name }) => (
            <List.Item key={id}>{name}</List.Item>
          ))}
        </List>
        <Group gap="sm" mt="sm">
          <Button size="xs" color="red" onClick={() => save({ force: true })}>
            Save anyway
          </Button>
          <Button size="xs" variant="default" onClick={reset}>
            Keep editing
          </Button>
        </Group>
      </Alert>
    )
  return error ? <FormError error={error} /> : null
}
