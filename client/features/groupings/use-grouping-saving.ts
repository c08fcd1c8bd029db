import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import type { GroupingDraft } from './draft'
import { updateGrouping, useStoreSavedGrouping } from './queries'
import type { GroupingDispatch } from './use-draft'
import { ApiError } from '../../lib/api'
import { dependentsOf } from '../../lib/dependents'
import type { Grouping } from '../../../src/shared/groupings'

const isGrouping = (value: unknown): value is Grouping =>
  typeof value === 'object' && value !== null && 'eras' in value && 'version' in value

/** What somebody else saved meanwhile, when that is why the server refused. */
export const conflictingGrouping = (error: unknown): Grouping | null => {
  if (!(error instanceof ApiError) || error.body.code !== 'version_conflict') return null
  const current: unknown = error.body['current']
  return isGrouping(current) ? current : null
}

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
      notifications.show({ color: 'green', message: 'Grouping saved.' })
    },
  })
  return {
    save: (how: { over?: number; force?: boolean } = {}) => saving.mutate(how),
    isSaving: saving.isPending,
    theirs: conflictingGrouping(saving.error),
    dependents: dependentsOf(saving.error),
    error: conflictingGrouping(saving.error) || dependentsOf(saving.error) ? null : saving.error,
    adopt: applySaved,
    reset: saving.reset,
  }
}
export type GroupingSaving = ReturnType<typeof useSaveGrouping>
