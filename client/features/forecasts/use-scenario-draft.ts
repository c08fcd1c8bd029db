import { useHotkeys } from '@mantine/hooks'
import { useEffect, useReducer } from 'react'
import type { Dispatch, KeyboardEvent } from 'react'
import type { Forecast } from '../../../src/shared/forecasts'
import { ApiError } from '../../lib/api'
import { useMayNow } from '../../lib/gate'
import { useSaveScenarios } from './queries'
import { draftReducer, faultOf, isDirty, startDraft } from './scenario-draft'
import type { Draft, DraftAction, Edit, Saved } from './scenario-draft'

const savedOf = ({ scenarios, thresholds, version }: Forecast): Saved => ({
  content: { scenarios, thresholds },
  version,
})

const isForecast = (value: unknown): value is Forecast =>
  typeof value === 'object' && value !== null && 'scenarios' in value && 'thresholds' in value && 'version' in value
/** What somebody else saved meanwhile, when that is why the server refused. */
function theirsIn(error: unknown): Forecast | null {
  if (!(error instanceof ApiError) || error.body.code !== 'version_conflict') return null
  const current: unknown = error.body['current']
  return isForecast(current) ? current : null
}

export interface Work {
  draft: Draft
  edit: (edit: Edit, merge?: string) => void
  act: Dispatch<DraftAction>
  isDirty: boolean
  /** Why it cannot be saved as it stands. */
  fault: string | null
  /** Nobody else is told of what this reader tries. */
  mayKeep: boolean
  isSaving: boolean
  /** A refusal, save that somebody else was first. */
  error: unknown
  save: (version: number) => void
}

/** Work on the scenarios and levels of a forecast: all of it local until it is saved as one. */
export function useScenarioDraft(forecast: Forecast): Work {
  const [draft, act] = useReducer(draftReducer, savedOf(forecast), startDraft)
  const saving = useSaveScenarios()
  const { scenarios, thresholds, version, id } = forecast
  useEffect(
    () => act({ do: 'hear', saved: { content: { scenarios, thresholds }, version } }),
    [scenarios, thresholds, version],
  )
  useHotkeys([
    ['mod+Z', () => act({ do: 'undo' })],
    ['mod+shift+Z', () => act({ do: 'redo' })],
    ['mod+Y', () => act({ do: 'redo' })],
  ])
  return {
    ...{ draft, act, isDirty: isDirty(draft), fault: faultOf(draft.present) },
    edit: (edit, merge) => act({ do: 'edit', edit, ...(merge === undefined ? {} : { merge }) }),
    mayKeep: useMayNow('edit:forecast'),
    ...{ isSaving: saving.isPending, error: theirsIn(saving.error) ? null : saving.error },
    save: (from) => {
      act({ do: 'send' })
      const { present } = draftReducer(draft, { do: 'send' })
      const content = { scenarios: [...present.scenarios], thresholds: [...present.thresholds] }
      saving.mutate(
        { id, version: from, ...content },
        {
          onError: (error) => {
            const theirs = theirsIn(error)
            if (theirs) act({ do: 'hear', saved: savedOf(theirs) })
          },
        },
      )
    },
  }
}

/** The same keys within a field: every letter typed there is a step of the work already. */
export function undoInFields(act: Dispatch<DraftAction>) {
  return (event: KeyboardEvent): void => {
    if (!(event.target instanceof HTMLInputElement) || !(event.ctrlKey || event.metaKey) || event.altKey) return
    const key = event.key.toLowerCase()
    if (key !== 'z' && key !== 'y') return
    event.preventDefault()
    act({ do: key === 'y' || event.shiftKey ? 'redo' : 'undo' })
  }
}
