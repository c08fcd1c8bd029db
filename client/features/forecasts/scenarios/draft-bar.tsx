import { VersionConflictAlert } from '../../../ui/forms/version-conflict-dialog'
import { conflictingVersion } from '../../../lib/error-details'
import { useHotkeys } from '@mantine/hooks'
import { useEffect, useReducer, type Dispatch, type KeyboardEvent } from 'react'
import { ActionIcon, Button, Group, Text, Tooltip } from '@mantine/core'
import { IconArrowBackUp, IconArrowForwardUp } from '@tabler/icons-react'
import type { Forecast } from '../../../../src/shared/forecasts/forecasts'
import { useMayWrite } from '../../../lib/gate'
import { useSaveScenarios } from '../queries'
import { draftReducer, draftProblem, isDirty, startDraft } from './scenario-draft'
import type {
  ScenarioDraft,
  ScenarioDraftAction,
  ScenarioEdit,
  SavedScenarios,
  ScenarioContent,
} from './scenario-draft'
import { useUnsavedWork, type Address } from '../../../lib/writes/unsaved-input'
import { FormError } from '../../../ui/forms/form-error'

const toSavedScenarios = ({ scenarios, thresholds, version }: Forecast): SavedScenarios => ({
  content: { scenarios, thresholds },
  version,
})

const isForecast = (value: object): value is Forecast =>
  'scenarios' in value && 'thresholds' in value && 'version' in value

export interface ScenarioWork {
  draft: ScenarioDraft
  edit: (edit: ScenarioEdit, merge?: string) => void
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
    ...{ isSaving: saving.isPending, error: conflictingVersion(saving.error, isForecast) ? null : saving.error },
    save: (from) => {
      act({ do: 'send' })
      const { present } = draftReducer(draft, { do: 'send' })
      const content = { scenarios: [...present.scenarios], thresholds: [...present.thresholds] }
      saving.mutate(
        { id, version: from, ...content },
        {
          onError: (error) => {
            const theirs = conflictingVersion(error, isForecast)
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

/** Taking back, doing again, and keeping what was done. */
export function DraftBar({ work }: { work: ScenarioWork }) {
  const { draft, act, isDirty: changed, fault, mayKeep, isSaving, save } = work
  return (
    <Group gap="xs">
      <Tooltip label="Undo (Ctrl+Z)">
        <ActionIcon
          variant="default"
          size="md"
          aria-label="Undo"
          disabled={draft.past.length === 0}
          onClick={() => act({ do: 'undo' })}
        >
          <IconArrowBackUp size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <Tooltip label="Redo (Ctrl+Shift+Z)">
        <ActionIcon
          variant="default"
          size="md"
          aria-label="Redo"
          disabled={draft.future.length === 0}
          onClick={() => act({ do: 'redo' })}
        >
          <IconArrowForwardUp size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
      {changed && (
        <Button size="xs" variant="default" disabled={isSaving} onClick={() => act({ do: 'discard' })}>
          Discard changes
        </Button>
      )}
      {mayKeep && (
        <Button
          size="xs"
          loading={isSaving}
          disabled={!changed || fault !== null || draft.theirs !== null}
          onClick={() => save(draft.base.version)}
        >
          Save scenarios
        </Button>
      )}
    </Group>
  )
}

/** What stands in the way of keeping it, or that it is not kept yet. */
export function DraftNotices({ work }: { work: ScenarioWork }) {
  const { draft, isDirty: changed, fault, mayKeep, error } = work
  useUnsavedWork(mayKeep && changed, leavesPanel)
  return (
    <>
      {changed && fault !== null && (
        <Text size="sm" c="red" role="alert">
          {fault}
        </Text>
      )}
      {changed && fault === null && draft.theirs === null && (
        <Text size="sm" c="dimmed" role="status">
          {mayKeep ? 'Unsaved changes, visible only to you.' : 'Visible only to you; can’t be saved.'}
        </Text>
      )}
      <FormError error={error} />
      <ScenarioConflict work={work} />
    </>
  )
}

const describeContent = ({ scenarios, thresholds }: ScenarioContent): string =>
  [
    scenarios.length === 0 ? 'no scenarios' : scenarios.map(({ name }) => name).join(', '),
    thresholds.length === 0 ? 'no thresholds' : thresholds.map(({ name }) => name).join(', '),
  ].join('; ')

function ScenarioConflict({ work: { draft, act, save } }: { work: ScenarioWork }) {
  const { theirs } = draft
  if (!theirs) return null
  return (
    <VersionConflictAlert
      keepLabel="Save mine"
      onKeepMine={() => {
        act({ do: 'keepMine' })
        save(theirs.version)
      }}
      onTakeTheirs={() => act({ do: 'takeTheirs' })}
    >
      Theirs: {describeContent(theirs.content)}. Choose which version to keep; taking theirs can be undone.
    </VersionConflictAlert>
  )
}

/** The panel goes with the page, with an old run and with the form. */
const leavesPanel = ({ pathname, search }: Address, from: Address): boolean =>
  pathname !== from.pathname ||
  ('tab' in search && search.tab === 'edit') ||
  ('run' in search && search.run !== undefined)
