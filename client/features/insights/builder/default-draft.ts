import type { Grain } from '../../../../src/shared/query/date-range'
import type { Column } from '../../../../src/shared/data-sources/data-sources'
import { addDays, addMonths, bucketEnd, daysBetween } from '../../../../src/shared/figures/time-buckets'
import { columnInFormula } from './measure-formula'
import { EMPTY_DIMENSION, EMPTY_PERIOD, EMPTY_PLAN_DRAFT, newCountMeasure } from './draft'
import type { MeasureDraft, PeriodDraft, PlanDraft } from './draft'
import {
  findColumn,
  findMetric,
  isNumeric,
  visibleColumns,
  type BuilderDataset,
} from '../../../lib/query-builder/catalogue'
import { defaultKey } from '../../../lib/query-builder/name-keys'
import { timeChoiceOf, type DataRange } from '../../../lib/query-builder/time-column'
import {
  additiveMeasureColumns,
  directionAmong,
  isKeyColumn,
  isTechnicalMeasure,
} from '../../../../src/shared/data-sources/key-columns'
import { TERMS } from '../../../../src/shared/terms'

const DEFAULT_GROUPS_MAX = 12

/** The column whose sum is most likely asked for: an amount, else the first number that can be summed. */
export function defaultMeasure(dataset: BuilderDataset): MeasureDraft {
  const columns = visibleColumns(dataset)
  const [chosen] = additiveMeasureColumns(columns).filter((column) => !isTechnicalMeasure(column))
  if (chosen) return { kind: 'column', agg: 'sum', column: chosen.key, label: '', filters: [] }
  const rate = columns.find(
    (column) => column.role === 'measure' && isNumeric(column) && !isKeyColumn(column) && !isTechnicalMeasure(column),
  )
  return rate ? { kind: 'column', agg: 'avg', column: rate.key, label: '', filters: [] } : newCountMeasure()
}

/** Which way a measure is better: a metric knows, a column is guessed by its name and its table. Neither way where nothing says it. */
export function guessDirection(measure: MeasureDraft | undefined, dataset: BuilderDataset): PlanDraft['direction'] {
  if (measure?.kind === 'metric') return findMetric(dataset.catalogue, measure.id)?.direction ?? 'none'
  const column = measure?.kind === 'column' ? findColumn(dataset, measure.column) : null
  return (column && directionAmong(column, visibleColumns(dataset))) ?? 'none'
}

/** @param timed whether rows have a time of day */
export function grainFor(days: number, timed: boolean): Grain {
  if (timed && days <= 2) return 'hour'
  if (days <= 62) return 'day'
  if (days <= 190) return 'week'
  return days <= 366 * 6 ? 'month' : 'year'
}

const monthStart = (day: string): string => `${day.slice(0, 7)}-01`
/** A month that ends this few days after the last row counts as whole: weekends and holidays have no rows. */
const MONTH_END_TOLERANCE_DAYS = 6

/** The last day of the last whole month of the data; its own last day when there is no whole month. */
export function lastCompleteMonthEnd({ from, to }: DataRange): string {
  const end = bucketEnd(monthStart(to), 'month')
  if (daysBetween(to, end) <= MONTH_END_TOLERANCE_DAYS) return end
  const before = addDays(monthStart(to), -1)
  return before > from ? before : to
}

type DefaultPeriod = Pick<PeriodDraft, 'range' | 'preservedRange' | 'compare'> & { days: number }

/** With this many whole months, the same months of the year before can stand beside at least half a year. */
const YEAR_COMPARISON_MONTHS_MIN = 18
const HALF_PERIOD_DAYS_MIN = 7

/** How many whole months of data end on `to`. */
function countCompleteMonths(dataRange: DataRange, to: string): number {
  const start = monthStart(dataRange.from)
  const first = daysBetween(start, dataRange.from) <= MONTH_END_TOLERANCE_DAYS ? start : addMonths(start, 1)
  const [year = 0, month = 0] = first.split('-').map(Number)
  const [lastYear = 0, lastMonth = 0] = to.split('-').map(Number)
  return bucketEnd(monthStart(to), 'month') === to ? (lastYear - year) * 12 + lastMonth - month + 1 : 0
}

/** How many months to show of so many, so that as long a period of data comes before them. */
function monthsToShow(months: number): { show: number; compare: 'year' | 'previous' } {
  if (months >= YEAR_COMPARISON_MONTHS_MIN) return { show: Math.min(12, months - 12), compare: 'year' }
  return { show: Math.floor(months / 2), compare: 'previous' }
}

/** The later half of a history without two whole months. */
function laterHalfPeriod({ from, to }: DataRange): DefaultPeriod {
  const half = Math.floor((daysBetween(from, to) + 1) / 2)
  if (half < HALF_PERIOD_DAYS_MIN)
    return { range: { preset: 'all' }, preservedRange: null, compare: 'none', days: half * 2 }
  const range = { preset: 'dates', from: addDays(to, 1 - half), to } as const
  return { range, preservedRange: null, compare: 'previous', days: half }
}

/**
 * The last 12 months of the data beside the year before; of a shorter history only as much as has its like before it,
 * so that the first chart says what changed.
 */
export function defaultPeriod(dataRange: DataRange, today: string): DefaultPeriod {
  const to = lastCompleteMonthEnd(dataRange)
  const months = countCompleteMonths(dataRange, to)
  if (months < 2) return laterHalfPeriod(dataRange)
  const { show, compare } = monthsToShow(months)
  const from = addMonths(addDays(to, 1), -show)
  const rest = { preservedRange: null, compare, days: daysBetween(from, to) }
  // Data that reaches into this month or the last one is alive: a moving period follows it.
  const isCurrentData = dataRange.to >= addMonths(monthStart(today), -1) && dataRange.to <= today
  if (isCurrentData && show === 12) return { ...rest, range: { preset: 'last12Months' } }
  return { ...rest, range: { preset: 'dates', from, to } }
}

/**
 * Debit and credit of a ledger add up to nothing, so that its sum says nothing: income less costs is asked for instead.
 * Null for other tables.
 */
function ledgerDefaults(
  dataset: BuilderDataset,
): Pick<PlanDraft, 'measures' | 'filters' | 'chart' | 'direction'> | null {
  const of = (label: string): Column | undefined => visibleColumns(dataset).find((column) => column.label === label)
  const [account, amount] = [of('account'), of('amount')]
  if (!of('voucher_key') || account?.type !== 'text' || !amount || !isNumeric(amount)) return null
  return {
    measures: [
      {
        kind: 'expression',
        // In the books income is negative: seen from the owner it is the other way round.
        formula: `sum(${columnInFormula(dataset, amount.key) ?? ''} * -1)`,
        label: TERMS.profitAfterFinancialItems,
        filters: [],
      },
    ],
    filters: [{ kind: 'edit', column: account.key, op: 'between', values: [], from: '3000', to: '8799' }],
    chart: 'bar',
    direction: 'up',
  }
}

/** Without dates: the groups of the first column that names things. */
function defaultDimension(dataset: BuilderDataset): Column | null {
  const columns = visibleColumns(dataset).filter((column) => column.type === 'text' || column.type === 'boolean')
  return columns.find((column) => column.role === 'dimension') ?? columns[0] ?? null
}

/** The draft that stands right after a dataset was chosen: already a chart that means something. */
export function defaultDraft(dataset: BuilderDataset, history: DataRange | null, today: string): PlanDraft {
  const measure = defaultMeasure(dataset)
  const base: PlanDraft = {
    ...EMPTY_PLAN_DRAFT,
    dataset,
    measures: [measure],
    direction: guessDirection(measure, dataset),
    ...ledgerDefaults(dataset),
  }
  const time = timeChoiceOf(dataset)
  if (!time) {
    const dimension = defaultDimension(dataset)
    if (!dimension) return base
    const key = defaultKey(dataset, dimension.key)
    const split = { ...EMPTY_DIMENSION, column: dimension.key, topN: DEFAULT_GROUPS_MAX - 2 }
    return { ...base, dimensions: [key === null ? split : { ...split, key }] }
  }
  if (!history)
    return {
      ...base,
      dimensions: [{ ...EMPTY_DIMENSION, column: time.key, grain: 'month' }],
      period: { ...EMPTY_PERIOD, column: time.key },
    }
  const isLedger = base.filters.length > 0
  // Books begin with a month, whenever the first entry of it was made.
  const covered = isLedger ? { ...history, from: monthStart(history.from) } : history
  const { days, ...period } = defaultPeriod(covered, today)
  const grain = grainFor(days, time.column.type === 'datetime')
  return {
    ...base,
    // Books are closed by month.
    dimensions: [{ ...EMPTY_DIMENSION, column: time.key, grain: isLedger ? 'month' : grain }],
    period: { column: time.key, ...period, completeOnly: false },
  }
}
