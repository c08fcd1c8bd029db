import type { ChartKind, Viz } from '../../../src/shared/insights'
import { findMetric } from '../../lib/filters/catalogue'
import { newCountMeasure, FILTERS_MAX, MEASURES_MAX, DIMENSIONS_MAX } from './draft'
import type { MeasureDraft, PeriodDraft, PlanDraft, DimensionDraft } from './draft'
import { defaultDraft, timeColumn } from './draft-defaults'
import type { DataRange } from './draft-defaults'
import { findColumn, isTemporal } from '../../lib/filters/fields'
import type { BuilderDataset } from '../../lib/filters/fields'
import { newFilterDraft, normalizeFilter } from '../../lib/filters/filter-draft'
import type { FilterDraft } from '../../lib/filters/filter-draft'

export type DraftAction =
  | { type: 'dataset'; dataset: BuilderDataset; dataRange: DataRange | null; today: string }
  | { type: 'load'; draft: PlanDraft }
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
  | { type: 'chart'; chart: ChartKind | null }
  | { type: 'direction'; direction: Viz['direction'] }
  | { type: 'currency'; currency: PlanDraft['currency'] | null }

const removeAt = <T>(items: readonly T[], at: number): T[] => items.filter((_, index) => index !== at)
const replaceAt = <T>(items: readonly T[], at: number, next: T): T[] =>
  items.map((item, index) => (index === at ? next : item))
const appendUpTo = <T>(items: T[], next: T, max: number): T[] => (items.length < max ? [...items, next] : items)

/** A split over a date has a grain and no top-N; over anything else the other way round. */
function normalizeDimension(draft: PlanDraft, split: DimensionDraft): DimensionDraft {
  const column = findColumn(draft.dataset, split.column)
  if (!column) return split
  if (!isTemporal(column) || split.grouping) return { ...split, grain: null }
  const grain = split.grain === 'hour' && column.type !== 'datetime' ? 'day' : split.grain
  return { ...split, grain: grain ?? 'month', topN: null }
}

/** With another metric first, which way is good comes from the catalogue. */
function withMeasure(draft: PlanDraft, at: number, measure: MeasureDraft): PlanDraft {
  const next = { ...draft, measures: replaceAt(draft.measures, at, measure) }
  const before = draft.measures[at]
  if (at > 0 || measure.kind !== 'metric' || (before?.kind === 'metric' && before.id === measure.id)) return next
  return { ...next, direction: findMetric(draft.dataset?.catalogue, measure.id)?.direction ?? draft.direction }
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
  const column = draft.dataset && timeColumn(draft.dataset)
  return column
    ? {
        column: column.key,
        range: { preset: 'last12Months' },
        preservedRange: null,
        compare: 'none',
        completeOnly: false,
      }
    : null
}

/** Every step of the builder. Pure; what it gives is always buildable or says what is missing. */
export function draftReducer(draft: PlanDraft, action: DraftAction): PlanDraft {
  switch (action.type) {
    case 'dataset':
      return defaultDraft(action.dataset, action.dataRange, action.today)
    case 'load':
      return action.draft
    case 'measure':
      return withMeasure(draft, action.at, action.measure)
    case 'addMeasure':
      return { ...draft, measures: appendUpTo(draft.measures, newCountMeasure(), MEASURES_MAX) }
    case 'addEarlier':
      return withPreviousPeriodMeasure(draft)
    case 'removeMeasure':
      return { ...draft, measures: removeAt(draft.measures, action.at) }
    case 'split': {
      const dimensions = draft.dimensions.map((split, at) =>
        at === action.at
          ? normalizeDimension(draft, {
              ...split,
              ...(action.change.column === undefined ? {} : { grouping: null }),
              ...action.change,
            })
          : split,
      )
      return { ...draft, dimensions }
    }
    case 'addSplit':
      return {
        ...draft,
        dimensions: appendUpTo(
          draft.dimensions,
          { column: null, grain: null, topN: 8, grouping: null },
          DIMENSIONS_MAX,
        ),
      }
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
