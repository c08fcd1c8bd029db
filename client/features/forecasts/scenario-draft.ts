import {
  DRIVERS_MAX,
  driversOf,
  SCENARIOS_MAX,
  STEPS_MAX,
  THRESHOLDS_MAX,
  UNDO_MAX,
} from '../../../src/shared/forecasts'
import type { Scenario, ScenarioStep, Threshold } from '../../../src/shared/forecasts'
import { NAME_MAX_CHARS } from '../../../src/shared/limits'

/** What could be done, and the levels that matter: what is saved together. */
export interface Content {
  scenarios: readonly Scenario[]
  thresholds: readonly Threshold[]
}
export interface Saved {
  content: Content
  version: number
}
/** Work on scenarios that is not saved yet, with the way back. */
export interface Draft {
  /** What the work began from. */
  base: Saved
  present: Content
  past: readonly Content[]
  /** What was taken back, the next first. */
  future: readonly Content[]
  /** Changes of the same field after each other are one step. */
  merging: string | null
  /** What is on its way to the server. */
  sent: Content | null
  /** Somebody else saved something else in the meantime. */
  theirs: Saved | null
}

export type Edit =
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

export type DraftAction =
  | { do: 'edit'; edit: Edit; merge?: string }
  /** The field was left: what is typed next is a step of its own. */
  | { do: 'settle' }
  | { do: 'undo' }
  | { do: 'redo' }
  | { do: 'discard' }
  | { do: 'send' }
  /** What the server holds now. */
  | { do: 'hear'; saved: Saved }
  | { do: 'keepMine' }
  | { do: 'takeTheirs' }

export const startDraft = (saved: Saved): Draft => ({
  ...{ base: saved, present: saved.content, past: [], future: [] },
  ...{ merging: null, sent: null, theirs: null },
})

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) =>
    one !== null && typeof one === 'object' && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  )
const same = (one: Content, other: Content): boolean =>
  canonical([one.scenarios, one.thresholds]) === canonical([other.scenarios, other.thresholds])
export const isDirty = ({ present, base }: Draft): boolean => !same(present, base.content)

/** Every step of work, and back again; at most fifty are kept. */
export function draftReducer(draft: Draft, action: DraftAction): Draft {
  switch (action.do) {
    case 'edit':
      return edited(draft, action.edit, action.merge ?? null)
    case 'settle':
      return draft.merging === null ? draft : { ...draft, merging: null }
    case 'undo':
      return undone(draft)
    case 'redo':
      return redone(draft)
    case 'discard':
      return isDirty(draft) ? stepTo(draft, draft.base.content) : draft
    case 'send': {
      const sent = trimmed(draft.present)
      return { ...draft, present: sent, sent, merging: null }
    }
    case 'hear':
      return heard(draft, action.saved)
    case 'keepMine':
      return draft.theirs ? { ...draft, base: draft.theirs, theirs: null } : draft
    case 'takeTheirs':
      return draft.theirs ? { ...stepTo(draft, draft.theirs.content), base: draft.theirs, theirs: null } : draft
  }
}

const stepTo = (draft: Draft, present: Content): Draft => ({
  ...draft,
  ...{ present, past: [...draft.past, draft.present].slice(-UNDO_MAX), future: [], merging: null },
})

function edited(draft: Draft, edit: Edit, merge: string | null): Draft {
  const present = changed(draft.present, edit)
  if (present === draft.present) return draft
  if (merge !== null && merge === draft.merging) return { ...draft, present, future: [] }
  return { ...stepTo(draft, present), merging: merge }
}

function undone(draft: Draft): Draft {
  const before = draft.past.at(-1)
  if (!before) return draft
  const { past, future } = draft
  return { ...draft, present: before, past: past.slice(0, -1), future: [draft.present, ...future], merging: null }
}
function redone(draft: Draft): Draft {
  const [next, ...future] = draft.future
  return next ? { ...draft, present: next, past: [...draft.past, draft.present], future, merging: null } : draft
}

/** Work of one's own stands; what nobody changed here follows what others save. */
function heard(draft: Draft, saved: Saved): Draft {
  const { base, present, sent } = draft
  if (saved.version < base.version) return draft
  const { content } = saved
  const isMine = same(content, present) || (sent !== null && same(content, sent))
  if (isMine) return { ...draft, base: saved, sent: null, theirs: null }
  if (same(content, base.content)) return { ...draft, base: saved }
  return isDirty(draft) ? { ...draft, sent: null, theirs: saved } : startDraft(saved)
}

const trimmed = ({ scenarios, thresholds }: Content): Content => ({
  scenarios: scenarios.map((one) => ({ ...one, name: one.name.trim() })),
  thresholds: thresholds.map((one) => ({ ...one, name: one.name.trim() })),
})

const replaced = <T>(all: readonly T[], at: number, one: T): readonly T[] => {
  if (all[at] === undefined) return all
  return all.map((before, place) => (place === at ? one : before))
}
const without = <T>(all: readonly T[], at: number): readonly T[] =>
  all[at] === undefined ? all : all.filter((_, place) => place !== at)

/** The same content where there is nothing to change, or no room. */
function changed(content: Content, edit: Edit): Content {
  if (edit.kind === 'addThreshold' || edit.kind === 'changeThreshold' || edit.kind === 'removeThreshold') {
    const thresholds = changedThresholds(content.thresholds, edit)
    return thresholds === content.thresholds ? content : { ...content, thresholds }
  }
  const scenarios = changedScenarios(content.scenarios, edit)
  return scenarios === content.scenarios ? content : { ...content, scenarios }
}

type ThresholdEdit = Extract<Edit, { kind: 'addThreshold' | 'changeThreshold' | 'removeThreshold' }>
function changedThresholds(all: Content['thresholds'], edit: ThresholdEdit): Content['thresholds'] {
  if (edit.kind === 'addThreshold')
    return all.length >= THRESHOLDS_MAX
      ? all
      : [...all, { ...edit.threshold, name: freeName(edit.threshold.name, all) }]
  return edit.kind === 'changeThreshold' ? replaced(all, edit.at, edit.threshold) : without(all, edit.at)
}

function changedScenarios(all: Content['scenarios'], edit: Exclude<Edit, ThresholdEdit>): Content['scenarios'] {
  if (edit.kind === 'add') return added(all, edit.scenario)
  const at = all.findIndex(({ id }) => id === edit.id)
  const one = all[at]
  if (!one) return all
  if (edit.kind === 'remove') return without(all, at)
  if (edit.kind === 'duplicate') return added(all, { ...one, id: edit.as })
  if (edit.kind === 'rename') return one.name === edit.name ? all : replaced(all, at, { ...one, name: edit.name })
  const steps = changedSteps(one.steps, edit)
  return steps === one.steps ? all : replaced(all, at, { ...one, steps: [...steps] })
}
type StepEdit = Extract<Edit, { kind: 'addStep' | 'changeStep' | 'removeStep' }>
function changedSteps(all: readonly ScenarioStep[], edit: StepEdit): readonly ScenarioStep[] {
  if (edit.kind === 'addStep') return all.length >= STEPS_MAX ? all : [...all, edit.step]
  return edit.kind === 'changeStep' ? replaced(all, edit.at, edit.step) : without(all, edit.at)
}
const added = (all: Content['scenarios'], one: Scenario): Content['scenarios'] =>
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
export function faultOf({ scenarios, thresholds }: Content): string | null {
  const [plans, levels] = [scenarios, thresholds].map((all) => all.map(({ name }) => name.trim()))
  const driven = driversOf(scenarios).length
  if (driven > DRIVERS_MAX) return `Scenarios take figures of ${driven} metrics; ${DRIVERS_MAX} at most.`
  return nameFault(plans ?? [], 'scenario') ?? nameFault(levels ?? [], 'level')
}
function nameFault(names: readonly string[], what: string): string | null {
  if (names.includes('')) return `A ${what} has no name.`
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  return twice === undefined ? null : `Two ${what}s are called ${twice}.`
}
