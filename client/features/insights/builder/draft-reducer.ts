import type { ChartKind, Viz } from '../../../../src/shared/insights'
import type { Column } from '../../../../src/shared/data-sources/data-sources'
import { findMetric, findColumn, isNumeric, isTemporal } from '../../../lib/query-builder/catalogue'
import {
  EMPTY_DIMENSION,
  EMPTY_PERIOD,
  newCountMeasure,
  CONDITIONS_MAX,
  FILTERS_MAX,
  MEASURES_MAX,
  DIMENSIONS_MAX,
} from './draft'
import type { ConditionDraft, MeasureDraft, PeriodDraft, PlanDraft, DimensionDraft } from './draft'
import { answersNumbers } from './measure-draft'
import { guessDirection } from './default-draft'
import { defaultKey } from '../../../lib/query-builder/name-keys'
import { timeChoiceOf } from '../../../lib/query-builder/time-column'
import { newFilterDraft, normalizeFilter, type FilterDraft } from '../../../lib/query-builder/filter-draft'

export type DraftAction =
  | { type: 'measure'; at: number; measure: MeasureDraft }
  | { type: 'addMeasure' }
  | { type: 'addEarlier' }
  | { type: 'removeMeasure'; at: number }
  | { type: 'split'; at: number; change: Partial<DimensionDraft> }
  | { type: 'addSplit' }
  | { type: 'removeSplit'; at: number }
  | { type: 'period'; change: Partial<PeriodDraft> }
  | { type: 'addPeriod' }
  | { type: 'removePeriod' }
  | { type: 'filter'; at: number; filter: FilterDraft }
  | { type: 'addFilter' }
  | { type: 'removeFilter'; at: number }
  | { type: 'condition'; at: number; condition: ConditionDraft }
  | { type: 'addCondition' }
  | { type: 'removeCondition'; at: number }
  | { type: 'chart'; chart: ChartKind | null }
  | { type: 'direction'; direction: Viz['direction'] }
  | { type: 'currency'; currency: PlanDraft['currency'] | null }

const removeAt = <T>(items: readonly T[], at: number): T[] => items.filter((_, index) => index !== at)
const replaceAt = <T>(items: readonly T[], at: number, next: T): T[] =>
  items.map((item, index) => (index === at ? next : item))
const appendUpTo = <T>(items: T[], next: T, max: number): T[] => (items.length < max ? [...items, next] : items)

/** A split over a date has a grain or a part and no top-N; over anything else the other way round. */
function normalizeDimension(draft: PlanDraft, given: DimensionDraft): DimensionDraft {
  const column = findColumn(draft.dataset, given.column)
  if (!column) return given
  const split = column.type === 'text' && !given.grouping ? given : withoutKey(given)
  if (!isNumeric(column) || split.grouping) return normalizeDateSplit(column, withoutBins(split))
  return { ...split, grain: null, part: null, ...(split.bins ? { topN: null } : {}) }
}

/** Conditions keep to their measures, and go with them. */
function withoutMeasure(draft: PlanDraft, at: number): PlanDraft {
  const { conditions, ...rest } = { ...draft, measures: removeAt(draft.measures, at) }
  const kept = (conditions ?? []).flatMap((one) =>
    one.measure === at ? [] : [{ ...one, measure: one.measure > at ? one.measure - 1 : one.measure }],
  )
  return kept.length > 0 ? { ...rest, conditions: kept } : rest
}

function conditionsAfter(
  { conditions = [], measures, dataset }: PlanDraft,
  action: Extract<DraftAction, { type: 'condition' | 'addCondition' | 'removeCondition' }>,
): ConditionDraft[] {
  if (action.type === 'condition') return replaceAt(conditions, action.at, action.condition)
  if (action.type === 'removeCondition') return removeAt(conditions, action.at)
  const measure = Math.max(
    0,
    measures.findIndex((one) => answersNumbers(one, dataset)),
  )
  return appendUpTo(conditions, { measure, op: 'gt', value: null }, CONDITIONS_MAX)
}

const withoutKey = ({ key: _key, ...split }: DimensionDraft): DimensionDraft => split
/** Another column has a key of its own, or none. */
function withKeyOf({ dataset }: PlanDraft, split: DimensionDraft, { column }: Partial<DimensionDraft>): DimensionDraft {
  if (column === undefined || !dataset) return split
  const key = defaultKey(dataset, column)
  return key === null ? withoutKey(split) : { ...split, key }
}

const withoutBins = ({ bins: _bins, ...split }: DimensionDraft): DimensionDraft => split

function normalizeDateSplit(column: Column, split: DimensionDraft): DimensionDraft {
  if (!isTemporal(column) || split.grouping) return { ...split, grain: null, part: null }
  const part = split.part === 'hourOfDay' && column.type !== 'datetime' ? null : (split.part ?? null)
  if (part !== null) return { ...split, grain: null, part, topN: null }
  const grain = split.grain === 'hour' && column.type !== 'datetime' ? 'day' : split.grain
  return { ...split, grain: grain ?? 'month', part, topN: null }
}

/** With another metric first, which way is good comes from the catalogue; with another column from its name, as long as nobody chose. */
function withMeasure(draft: PlanDraft, at: number, measure: MeasureDraft): PlanDraft {
  const next = { ...draft, measures: replaceAt(draft.measures, at, measure) }
  const before = draft.measures[at]
  if (at > 0 || !draft.dataset) return next
  if (measure.kind === 'metric') {
    if (before?.kind === 'metric' && before.id === measure.id) return next
    return { ...next, direction: findMetric(draft.dataset.catalogue, measure.id)?.direction ?? draft.direction }
  }
  const isGuess = draft.direction === guessDirection(before, draft.dataset)
  return isGuess ? { ...next, direction: guessDirection(measure, draft.dataset) } : next
}

/** The last figure once more, as it was a unit of time earlier: it takes the place of the compared period. */
function withPreviousPeriodMeasure(draft: PlanDraft): PlanDraft {
  const { measures, period } = draft
  const last = measures.at(-1) ?? newCountMeasure()
  const timeCalculation = { kind: 'prev' as const, steps: 1, label: '' }
  return {
    ...draft,
    measures: appendUpTo(measures, { ...last, timeCalculation }, MEASURES_MAX),
    period: period && { ...period, compare: 'none' },
  }
}

function defaultPeriodDraft(draft: PlanDraft): PeriodDraft | null {
  const time = draft.dataset && timeChoiceOf(draft.dataset)
  return time && { ...EMPTY_PERIOD, column: time.key, range: { preset: 'last12Months' } }
}

/** Every step of the builder. Pure; what it gives is always buildable or says what is missing. */
export function draftReducer(draft: PlanDraft, action: DraftAction): PlanDraft {
  switch (action.type) {
    case 'measure':
      return withMeasure(draft, action.at, action.measure)
    case 'addMeasure':
      return { ...draft, measures: appendUpTo(draft.measures, newCountMeasure(), MEASURES_MAX) }
    case 'addEarlier':
      return withPreviousPeriodMeasure(draft)
    case 'removeMeasure':
      return withoutMeasure(draft, action.at)
    case 'split': {
      const dimensions = draft.dimensions.map((split, at) =>
        at === action.at
          ? normalizeDimension(draft, {
              ...withKeyOf(draft, split, action.change),
              grouping: action.change.column === undefined ? split.grouping : null,
              ...action.change,
            })
          : split,
      )
      return { ...draft, dimensions }
    }
    case 'addSplit':
      return { ...draft, dimensions: appendUpTo(draft.dimensions, { ...EMPTY_DIMENSION, topN: 8 }, DIMENSIONS_MAX) }
    case 'removeSplit':
      return { ...draft, dimensions: removeAt(draft.dimensions, action.at) }
    case 'period':
      return { ...draft, period: draft.period && { ...draft.period, ...action.change } }
    case 'addPeriod':
      return { ...draft, period: draft.period ?? defaultPeriodDraft(draft) }
    case 'removePeriod':
      return { ...draft, period: null }
    case 'filter':
      return { ...draft, filters: replaceAt(draft.filters, action.at, normalizeFilter(draft.dataset, action.filter)) }
    case 'addFilter':
      return { ...draft, filters: appendUpTo(draft.filters, newFilterDraft(), FILTERS_MAX) }
    case 'removeFilter':
      return { ...draft, filters: removeAt(draft.filters, action.at) }
    case 'condition':
    case 'addCondition':
    case 'removeCondition':
      return { ...draft, conditions: conditionsAfter(draft, action) }
    case 'chart':
      return { ...draft, chart: action.chart }
    case 'direction':
      return { ...draft, direction: action.direction }
    case 'currency': {
      const { currency: _before, ...rest } = draft
      return action.currency ? { ...rest, currency: action.currency } : rest
    }
  }
}

export const UNDO_STEPS_MAX = 50

/** A draft with the ones before it, and those that were taken back. */
export interface DraftHistory {
  past: PlanDraft[]
  present: PlanDraft
  future: PlanDraft[]
  /** What was typed into last: more of it belongs to the same step. */
  typing: string | null
}
/** What a browser keeps of a draft: its data comes from the server. */
export type UnsavedPlanDraft = Omit<PlanDraft, 'dataset'>
export type DraftHistoryAction =
  | DraftAction
  | { type: 'undo' }
  | { type: 'redo' }
  | { type: 'restore'; draft: UnsavedPlanDraft }
  | { type: 'reset' }

export const initialDraftHistory = (present: PlanDraft): DraftHistory => ({
  past: [],
  present,
  future: [],
  typing: null,
})

/** Which text an action goes on with: a name, or the value of a filter; null for every other step. */
function typingTarget({ present }: DraftHistory, action: DraftHistoryAction): string | null {
  if (action.type === 'measure') {
    const before = present.measures[action.at]
    const bare = (one: typeof before): string => JSON.stringify(one, (key, value) => (key === 'label' ? null : value))
    return before && bare(before) === bare(action.measure) ? `name of ${action.at}` : null
  }
  if (action.type === 'condition') {
    const before = present.conditions?.[action.at]
    const { measure, op } = action.condition
    return before?.measure === measure && before.op === op ? `condition ${action.at}` : null
  }
  if (action.type !== 'filter' || action.filter.kind !== 'edit') return null
  const before = present.filters[action.at]
  const { column, op } = action.filter
  const continuesTyping =
    before?.kind === 'edit' && before.column === column && before.op === op && op !== 'in' && op !== 'notIn'
  return continuesTyping ? `value of ${action.at}` : null
}

/** The data of a draft is large, and kept as it is by every step but the one that changes it. */
const isSameDraft = ({ dataset, ...rest }: PlanDraft, { dataset: data, ...others }: PlanDraft): boolean =>
  dataset === data && JSON.stringify(rest) === JSON.stringify(others)

/** Every step of the builder, with the way back and forth. */
export function draftHistoryReducer(steps: DraftHistory, action: DraftHistoryAction): DraftHistory {
  const { past, present, future } = steps
  if (action.type === 'undo') {
    const before = past.at(-1)
    return before ? { past: past.slice(0, -1), present: before, future: [present, ...future], typing: null } : steps
  }
  if (action.type === 'redo') {
    const [next, ...rest] = future
    return next ? { past: [...past, present], present: next, future: rest, typing: null } : steps
  }
  if (action.type === 'reset') return initialDraftHistory(past[0] ?? present)
  const next = action.type === 'restore' ? { dataset: present.dataset, ...action.draft } : draftReducer(present, action)
  if (isSameDraft(next, present)) return steps
  const typing = typingTarget(steps, action)
  const isSame = typing !== null && typing === steps.typing
  return { past: isSame ? past : [...past, present].slice(-UNDO_STEPS_MAX), present: next, future: [], typing }
}
