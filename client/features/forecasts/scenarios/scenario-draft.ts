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

export const startDraft = (savedScenarios: SavedScenarios): ScenarioDraft => ({
  ...{ base: savedScenarios, present: savedScenarios.content, past: [], future: [] },
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
export function draftReducer(scenarioDraft: ScenarioDraft, action: ScenarioDraftAction): ScenarioDraft {
  switch (action.do) {
    case 'edit':
      return applyEdit(scenarioDraft, action.edit, action.merge ?? null)
    case 'settle':
      return scenarioDraft.merging === null ? scenarioDraft : { ...scenarioDraft, merging: null }
    case 'undo':
      return undoEdit(scenarioDraft)
    case 'redo':
      return redoEdit(scenarioDraft)
    case 'discard':
      return isDirty(scenarioDraft) ? pushState(scenarioDraft, scenarioDraft.base.content) : scenarioDraft
    case 'send': {
      const sent = trimNames(scenarioDraft.present)
      return { ...scenarioDraft, present: sent, sent, merging: null }
    }
    case 'hear':
      return receiveSaved(scenarioDraft, action.saved)
    case 'keepMine':
      return scenarioDraft.theirs ? { ...scenarioDraft, base: scenarioDraft.theirs, theirs: null } : scenarioDraft
    case 'takeTheirs':
      return scenarioDraft.theirs
        ? { ...pushState(scenarioDraft, scenarioDraft.theirs.content), base: scenarioDraft.theirs, theirs: null }
        : scenarioDraft
  }
}

const pushState = (scenarioDraft: ScenarioDraft, present: ScenarioContent): ScenarioDraft => ({
  ...scenarioDraft,
  ...{
    present,
    past: [...scenarioDraft.past, scenarioDraft.present].slice(-SCENARIO_UNDO_MAX),
    future: [],
    merging: null,
  },
})

function applyEdit(scenarioDraft: ScenarioDraft, scenarioEdit: ScenarioEdit, merge: string | null): ScenarioDraft {
  const present = editContent(scenarioDraft.present, scenarioEdit)
  if (present === scenarioDraft.present) return scenarioDraft
  if (merge !== null && merge === scenarioDraft.merging) return { ...scenarioDraft, present, future: [] }
  return { ...pushState(scenarioDraft, present), merging: merge }
}

function undoEdit(scenarioDraft: ScenarioDraft): ScenarioDraft {
  const before = scenarioDraft.past.at(-1)
  if (!before) return scenarioDraft
  const { past, future } = scenarioDraft
  return {
    ...scenarioDraft,
    present: before,
    past: past.slice(0, -1),
    future: [scenarioDraft.present, ...future],
    merging: null,
  }
}
function redoEdit(scenarioDraft: ScenarioDraft): ScenarioDraft {
  const [next, ...future] = scenarioDraft.future
  return next
    ? { ...scenarioDraft, present: next, past: [...scenarioDraft.past, scenarioDraft.present], future, merging: null }
    : scenarioDraft
}

/** Work of one's own stands; what nobody changed here follows what others save. */
function receiveSaved(scenarioDraft: ScenarioDraft, savedScenarios: SavedScenarios): ScenarioDraft {
  const { base, present, sent } = scenarioDraft
  if (savedScenarios.version < base.version) return scenarioDraft
  const { content } = savedScenarios
  const isMine = isSameContent(content, present) || (sent !== null && isSameContent(content, sent))
  if (isMine) return { ...scenarioDraft, base: savedScenarios, sent: null, theirs: null }
  if (isSameContent(content, base.content)) return { ...scenarioDraft, base: savedScenarios }
  return isDirty(scenarioDraft) ? { ...scenarioDraft, sent: null, theirs: savedScenarios } : startDraft(savedScenarios)
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
function editContent(scenarioContent: ScenarioContent, scenarioEdit: ScenarioEdit): ScenarioContent {
  if (
    scenarioEdit.kind === 'addThreshold' ||
    scenarioEdit.kind === 'changeThreshold' ||
    scenarioEdit.kind === 'removeThreshold'
  ) {
    const thresholds = editThresholds(scenarioContent.thresholds, scenarioEdit)
    return thresholds === scenarioContent.thresholds ? scenarioContent : { ...scenarioContent, thresholds }
  }
  const scenarios = editScenarios(scenarioContent.scenarios, scenarioEdit)
  return scenarios === scenarioContent.scenarios ? scenarioContent : { ...scenarioContent, scenarios }
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
  return nameProblem(plans ?? [], 'scenario') ?? nameProblem(levels ?? [], 'level')
}
function nameProblem(names: readonly string[], what: string): string | null {
  if (names.includes('')) return `A ${what} has no name.`
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  return twice === undefined ? null : `Two ${what}s are called ${twice}.`
}
