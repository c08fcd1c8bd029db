import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Insight } from '../../../src/shared/insights'
import { ApiError } from '../../lib/api'
import { createInsight, updateInsight } from './queries'

/** What a person saves: the insight without what the server adds. */
export type InsightContent = Pick<Insight, 'name' | 'description' | 'plan' | 'viz'>

const conflictingInsight = (error: unknown): Insight | null => {
  if (!(error instanceof ApiError) || error.body.code !== 'version_conflict') return null
  const current: unknown = error.body['current']
  return isInsight(current) ? current : null
}

/** The stored version that a conflict carries. The server sends the insight as every other answer does. */
function isInsight(value: unknown): value is Insight {
  return typeof value === 'object' && value !== null && 'version' in value && 'plan' in value && 'name' in value
}

/** Saves a new insight or a version of an existing one; a conflict is held until the person decides. */
export function useSaveInsight(insight: Insight | null, onSaved: (saved: Insight) => void) {
  const [conflict, setConflict] = useState<{ mine: InsightContent; theirs: Insight } | null>(null)
  const mutation = useMutation({
    mutationFn: ({ input, version }: { input: InsightContent; version: number | null }) =>
      insight && version !== null ? updateInsight(insight.id, { ...input, version }) : createInsight(input),
    onSuccess: (saved) => {
      setConflict(null)
      onSaved(saved)
    },
    onError: (error, { input }) => {
      const theirs = conflictingInsight(error)
      if (theirs) setConflict({ mine: input, theirs })
    },
  })
  const saveError = mutation.error && conflictingInsight(mutation.error) === null ? mutation.error : null
  return {
    saving: mutation.isPending,
    error: saveError,
    conflict,
    save: (input: InsightContent) => mutation.mutate({ input, version: insight?.version ?? null }),
    keepMine: () => conflict && mutation.mutate({ input: conflict.mine, version: conflict.theirs.version }),
    takeTheirs: () => {
      if (!conflict) return
      const { theirs } = conflict
      setConflict(null)
      onSaved(theirs)
    },
    close: () => setConflict(null),
  }
}
export type InsightSaving = ReturnType<typeof useSaveInsight>
