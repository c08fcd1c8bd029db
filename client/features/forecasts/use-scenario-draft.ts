import { useHotkeys } from '@mantine/hooks'
import { useEffect, useReducer } from 'react'
import type { Dispatch, KeyboardEvent } from 'react'
import type { Forecast } from '../../../src/shared/forecasts'
import { ApiError } from '../../lib/api'
import { useMayWrite } from '../../lib/gate'
import { useSaveScenarios } from './queries'
import { draftReducer, draftProblem, isDirty, startDraft } from './scenario-draft'
import type { ScenarioDraft, ScenarioDraftAction, ScenarioEdit, SavedScenarios } from './scenario-draft'

const toSavedScenarios = ({ scenarios, thresholds, version }: Forecast): SavedScenarios => ({
  content: { scenarios, thresholds },
  version,
})

const isForecast = (value: unknown): value is Forecast =>
  typeof value === 'object' && value !== null && 'scenarios' in value && 'thresholds' in value && 'version' in value
/** What somebody else saved meanwhile, when that is why the server refused. */
function conflictingVersion(error: unknown): Forecast | null {
  if (!(error instanceof ApiError) || error.body.code !== 'version_conflict') return null
  const current: unknown = error.body['current']
  return isForecast(current) ? current : null
}

export interface ScenarioWork {
  draft: ScenarioDraft
  edit: (scenarioEdit: ScenarioEdit, merge?: string) => void
  act: Dispatch<ScenarioDraftAction>
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
export function useScenarioDraft(forecast: Forecast): ScenarioWork {
  const [draft, act] = useReducer(draftReducer, toSavedScenarios(forecast), startDraft)
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
    ...{ draft, act, isDirty: isDirty(draft), fault: draftProblem(draft.present) },
    edit: (edit, merge) => act({ do: 'edit', edit, ...(merge === undefined ? {} : { merge }) }),
    mayKeep: useMayWrite('edit:forecast'),
    ...{ isSaving: saving.isPending, error: conflictingVersion(saving.error) ? null : saving.error },
    save: (from) => {
      act({ do: 'send' })
      const { present } = draftReducer(draft, { do: 'send' })
      const content = { scenarios: [...present.scenarios], thresholds: [...present.thresholds] }
      saving.mutate(
        { id, version: from, ...content },
        {
          onError: (error) => {
            const theirs = conflictingVersion(error)
            if (theirs) act({ do: 'hear', saved: toSavedScenarios(theirs) })
          },
        },
      )
    },
  }
}

/** The same keys within a field: every letter typed there is a step of the work already. */
export function undoKeyHandler(act: Dispatch<ScenarioDraftAction>) {
  return (event: KeyboardEvent): void => {
    if (!(event.target instanceof HTMLInputElement) || !(event.ctrlKey || event.metaKey) || event.altKey) return
    const key = event.key.toLowerCase()
    if (key !== 'z' && key !== 'y') return
    event.preventDefault()
    act({ do: key === 'y' || event.shiftKey ? 'redo' : 'undo' })
  }
}
