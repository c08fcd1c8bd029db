import {
  DRIVERS_MAX,
  driverMetricIds,
  SCENARIOS_MAX,
  SCENARIO_STEPS_MAX,
  THRESHOLDS_MAX,
  SCENARIO_UNDO_MAX,
} from '../../../../src/shared/forecasts/forecasts'
import type { Scenario, ScenarioStep, Threshold } from '../../../../src/shared/forecasts/forecasts'
import { NAME_MAX_CHARS } from '../../../../src/shared/limits'

/** What could be done, and the levels that matter: what is saved together. */
export interface ScenarioContent {
  scenarios: readonly Scenario[]
  thresholds: readonly Threshold[]
}
export interface SavedScenarios {
  content: ScenarioContent
  version: number
}
/** Work on scenarios that is not saved yet, with the way back. */
export interface ScenarioDraft {
  /** What the work began from. */
  base: SavedScenarios
  present: ScenarioContent
  past: readonly ScenarioContent[]
  /** What was taken back, the next first. */
  future: readonly ScenarioContent[]
  /** Changes of the same field after each other are one step. */
  merging: string | null
  /** What is on its way to the server. */
  sent: ScenarioContent | null
  /** Somebody else saved something else in the meantime. */
  theirs: SavedScenarios | null
}

export type ScenarioEdit =
  | { kind: 'add'; scenario: Scenario }
  | { kind: 'rename'; id: string; name: string }
  | { kind: 'duplicate'; id: string; as: string }
  | { kind: 'remove'; id: string }
  | { kind: 'addStep'; id: string; step: ScenarioStep }
  | { kind: 'changeStep'; id: string; at: number; step: ScenarioStep }
  | { kind: 'removeStep'; id: string; at: number }
  | { kind: 'addThreshold'; threshold: Threshold }
  | { kind: 'changeThreshold'; at: number; threshold: Threshold }
  | { kind: 'removeThreshold'; at: number }

export type ScenarioDraftAction =
  | { do: 'edit'; edit: ScenarioEdit; merge?: string }
  /** The field was left: what is typed next is a step of its own. */
  | { do: 'settle' }
  | { do: 'undo' }
  | { do: 'redo' }
  | { do: 'discard' }
  | { do: 'send' }
  /** What the server holds now. */
  | { do: 'hear'; saved: SavedScenarios }
  | { do: 'keepMine' }
  | { do: 'takeTheirs' }

export const startDraft = (scenarios: SavedScenarios): ScenarioDraft => ({
  ...{ base: scenarios, present: scenarios.content, past: [], future: [] },
  ...{ merging: null, sent: null, theirs: null },
})

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) =>
    one !== null && typeof one === 'object' && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  )
const isSameContent = (one: ScenarioContent, other: ScenarioContent): boolean =>
  canonical([one.scenarios, one.thresholds]) === canonical([other.scenarios, other.thresholds])
export const isDirty = ({ present, base }: ScenarioDraft): boolean => !isSameContent(present, base.content)

/** Every step of work, and back again; at most fifty are kept. */
export function draftReducer(draft: ScenarioDraft, action: ScenarioDraftAction): ScenarioDraft {
  switch (action.do) {
    case 'edit':
      return applyEdit(draft, action.edit, action.merge ?? null)
    case 'settle':
      return draft.merging === null ? draft : { ...draft, merging: null }
    case 'undo':
      return undoEdit(draft)
    case 'redo':
      return redoEdit(draft)
    case 'discard':
      return isDirty(draft) ? pushState(draft, draft.base.content) : draft
    case 'send': {
      const sent = trimNames(draft.present)
      return { ...draft, present: sent, sent, merging: null }
    }
    case 'hear':
      return receiveSaved(draft, action.saved)
    case 'keepMine':
      return draft.theirs ? { ...draft, base: draft.theirs, theirs: null } : draft
    case 'takeTheirs':
      return draft.theirs ? { ...pushState(draft, draft.theirs.content), base: draft.theirs, theirs: null } : draft
  }
}

const pushState = (draft: ScenarioDraft, present: ScenarioContent): ScenarioDraft => ({
  ...draft,
  ...{
    present,
    past: [...draft.past, draft.present].slice(-SCENARIO_UNDO_MAX),
    future: [],
    merging: null,
  },
})

function applyEdit(draft: ScenarioDraft, edit: ScenarioEdit, merge: string | null): ScenarioDraft {
  const present = editContent(draft.present, edit)
  if (present === draft.present) return draft
  if (merge !== null && merge === draft.merging) return { ...draft, present, future: [] }
  return { ...pushState(draft, present), merging: merge }
}

function undoEdit(draft: ScenarioDraft): ScenarioDraft {
  const before = draft.past.at(-1)
  if (!before) return draft
  const { past, future } = draft
  return {
    ...draft,
    present: before,
    past: past.slice(0, -1),
    future: [draft.present, ...future],
    merging: null,
  }
}
function redoEdit(draft: ScenarioDraft): ScenarioDraft {
  const [next, ...future] = draft.future
  return next ? { ...draft, present: next, past: [...draft.past, draft.present], future, merging: null } : draft
}

/** Work of one's own stands; what nobody changed here follows what others save. */
function receiveSaved(draft: ScenarioDraft, scenarios: SavedScenarios): ScenarioDraft {
  const { base, present, sent } = draft
  if (scenarios.version < base.version) return draft
  const { content } = scenarios
  const isMine = isSameContent(content, present) || (sent !== null && isSameContent(content, sent))
  if (isMine) return { ...draft, base: scenarios, sent: null, theirs: null }
  if (isSameContent(content, base.content)) return { ...draft, base: scenarios }
  return isDirty(draft) ? { ...draft, sent: null, theirs: scenarios } : startDraft(scenarios)
}

const trimNames = ({ scenarios, thresholds }: ScenarioContent): ScenarioContent => ({
  scenarios: scenarios.map((one) => ({ ...one, name: one.name.trim() })),
  thresholds: thresholds.map((one) => ({ ...one, name: one.name.trim() })),
})

const replaceAt = <T>(all: readonly T[], at: number, one: T): readonly T[] => {
  if (all[at] === undefined) return all
  return all.map((before, place) => (place === at ? one : before))
}
const removeAt = <T>(all: readonly T[], at: number): readonly T[] =>
  all[at] === undefined ? all : all.filter((_, place) => place !== at)

/** The same content where there is nothing to change, or no room. */
function editContent(content: ScenarioContent, edit: ScenarioEdit): ScenarioContent {
  if (edit.kind === 'addThreshold' || edit.kind === 'changeThreshold' || edit.kind === 'removeThreshold') {
    const thresholds = editThresholds(content.thresholds, edit)
    return thresholds === content.thresholds ? content : { ...content, thresholds }
  }
  const scenarios = editScenarios(content.scenarios, edit)
  return scenarios === content.scenarios ? content : { ...content, scenarios }
}

type ThresholdEdit = Extract<ScenarioEdit, { kind: 'addThreshold' | 'changeThreshold' | 'removeThreshold' }>
function editThresholds(all: ScenarioContent['thresholds'], edit: ThresholdEdit): ScenarioContent['thresholds'] {
  if (edit.kind === 'addThreshold')
    return all.length >= THRESHOLDS_MAX
      ? all
      : [...all, { ...edit.threshold, name: freeName(edit.threshold.name, all) }]
  return edit.kind === 'changeThreshold' ? replaceAt(all, edit.at, edit.threshold) : removeAt(all, edit.at)
}

function editScenarios(
  all: ScenarioContent['scenarios'],
  edit: Exclude<ScenarioEdit, ThresholdEdit>,
): ScenarioContent['scenarios'] {
  if (edit.kind === 'add') return addScenario(all, edit.scenario)
  const at = all.findIndex(({ id }) => id === edit.id)
  const one = all[at]
  if (!one) return all
  if (edit.kind === 'remove') return removeAt(all, at)
  if (edit.kind === 'duplicate') return addScenario(all, { ...one, id: edit.as })
  if (edit.kind === 'rename') return one.name === edit.name ? all : replaceAt(all, at, { ...one, name: edit.name })
  const steps = editSteps(one.steps, edit)
  return steps === one.steps ? all : replaceAt(all, at, { ...one, steps: [...steps] })
}
type StepEdit = Extract<ScenarioEdit, { kind: 'addStep' | 'changeStep' | 'removeStep' }>
function editSteps(all: readonly ScenarioStep[], edit: StepEdit): readonly ScenarioStep[] {
  if (edit.kind === 'addStep') return all.length >= SCENARIO_STEPS_MAX ? all : [...all, edit.step]
  return edit.kind === 'changeStep' ? replaceAt(all, edit.at, edit.step) : removeAt(all, edit.at)
}
const addScenario = (all: ScenarioContent['scenarios'], one: Scenario): ScenarioContent['scenarios'] =>
  all.length >= SCENARIOS_MAX ? all : [...all, { ...one, name: freeName(one.name, all) }]

/** The name, or with a number after it that no other has. */
function freeName(name: string, others: readonly { name: string }[]): string {
  const taken = new Set(others.map((one) => one.name))
  const plain = name.replace(/ \(\d+\)$/, '')
  let free = name
  for (let number = 2; taken.has(free); number += 1) {
    const end = ` (${number})`
    free = `${plain.slice(0, NAME_MAX_CHARS - end.length)}${end}`
  }
  return free
}

/** Why it cannot be saved as it stands, in words; null when it can. */
export function draftProblem({ scenarios, thresholds }: ScenarioContent): string | null {
  const [plans, levels] = [scenarios, thresholds].map((all) => all.map(({ name }) => name.trim()))
  const driven = driverMetricIds(scenarios).length
  if (driven > DRIVERS_MAX) return `Scenarios take figures of ${driven} metrics; ${DRIVERS_MAX} at most.`
  return nameProblem(plans ?? [], 'scenario') ?? nameProblem(levels ?? [], 'threshold')
}
function nameProblem(names: readonly string[], what: string): string | null {
  if (names.includes('')) return `Enter a name for each ${what}.`
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  return twice === undefined ? null : `Two ${what}s share the name “${twice}”.`
}
