import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import type { GroupingDraft } from './draft'
import { updateGrouping, useGroupingSaved } from './queries'
import type { Act } from './use-draft'
import { ApiError } from '../../lib/api'
import { dependentsOf } from '../../lib/dependents'
import type { Grouping } from '../../../src/shared/groupings'

const isGrouping = (value: unknown): value is Grouping =>
  typeof value === 'object' && value !== null && 'eras' in value && 'version' in value

/** What somebody else saved meanwhile, when that is why the server refused. */
export const theirsOf = (error: unknown): Grouping | null => {
  if (!(error instanceof ApiError) || error.body.code !== 'version_conflict') return null
  const current: unknown = error.body['current']
  return isGrouping(current) ? current : null
}

/** Saves the draft; `over` a version that somebody else saved, `force` although insights name a group that is gone. */
export function useGroupingSaving(grouping: Grouping, { draft, act }: { draft: GroupingDraft; act: Act }) {
  const saved = useGroupingSaved()
  const adopt = (next: Grouping): void => {
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
      adopt(next)
      notifications.show({ color: 'green', message: 'Grouping saved.' })
    },
  })
  return {
    save: (how: { over?: number; force?: boolean } = {}) => saving.mutate(how),
    isSaving: saving.isPending,
    theirs: theirsOf(saving.error),
    dependents: dependentsOf(saving.error),
    error: theirsOf(saving.error) || dependentsOf(saving.error) ? null : saving.error,
    adopt,
    reset: saving.reset,
  }
}
export type GroupingSaving = ReturnType<typeof useGroupingSaving>
