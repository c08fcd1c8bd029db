import type { Grain } from '../../../src/shared/query'
import type { Column } from '../../../src/shared/sources'
import { addDays, addMonths, bucketEnd, daysBetween } from '../../ui/chart/time-buckets'
import { countMeasure, EMPTY_DRAFT, isNumeric, isTemporal, visible } from './draft'
import type { DraftDataset, MeasureDraft, PeriodDraft, PlanDraft } from './draft'

/** First and last day that a dataset's time column holds. */
export interface History {
  from: string
  to: string
}

/** Sums of these say nothing: they are rates, prices, places or marks, not amounts. */
const NO_SUM =
  /price|rate|percent|pct|%|discount|margin|ratio|latitude|longitude|\blat\b|\blon\b|\blng\b|year|\bage\b|kurs|pris|procent|rabatt/i
/** What owners look at first. */
const AMOUNT = /amount|revenue|sales|turnover|total|\bnet\b|belopp|summa|oms[äa]ttning|int[äa]kt/i
const FEW_VALUES = 12

/** The column whose sum is most likely asked for: an amount, else the first number that can be summed. */
export function firstMeasure(dataset: DraftDataset): MeasureDraft {
  const measures = visible(dataset).filter((column) => column.role === 'measure' && isNumeric(column))
  const summable = measures.filter((column) => !NO_SUM.test(column.label))
  const money = summable.find((column) => column.format.style === 'currency')
  const chosen = money ?? summable.find((column) => AMOUNT.test(column.label)) ?? summable[0]
  if (chosen) return { kind: 'column', agg: 'sum', column: chosen.key, label: '', filters: [] }
  const rate = measures[0]
  return rate ? { kind: 'column', agg: 'avg', column: rate.key, label: '', filters: [] } : countMeasure()
}

/** The column that says when: one with the role of time, else the first date. */
export const timeColumn = (dataset: DraftDataset): Column | null => {
  const temporal = visible(dataset).filter(isTemporal)
  return temporal.find((column) => column.role === 'time') ?? temporal[0] ?? null
}

/** A grain that gives a readable number of points over so many days. */
export function grainFor(days: number): Grain {
  if (days <= 62) return 'day'
  if (days <= 190) return 'week'
  return days <= 366 * 6 ? 'month' : 'year'
}

const monthStart = (day: string): string => `${day.slice(0, 7)}-01`
/** A month that ends this few days after the last row counts as whole: weekends and holidays have no rows. */
const TAIL_DAYS = 6

/** The last day of the last whole month of the data; its own last day when there is no whole month. */
export function lastWholeMonthEnd({ from, to }: History): string {
  const end = bucketEnd(monthStart(to), 'month')
  if (daysBetween(to, end) <= TAIL_DAYS) return end
  const before = addDays(monthStart(to), -1)
  return before > from ? before : to
}

type Chosen = Pick<PeriodDraft, 'range' | 'keptRange' | 'compare'> & { days: number }

/** The last 12 months of the data, beside the year before where history reaches that far. */
export function defaultPeriod(history: History, today: string): Chosen {
  const span = daysBetween(history.from, history.to)
  const to = lastWholeMonthEnd(history)
  const yearBack = addDays(addMonths(addDays(to, 1), -12), 0)
  const from = yearBack > history.from ? yearBack : monthStart(history.from)
  const days = daysBetween(from, to)
  const enough = addMonths(from, -12) >= addDays(monthStart(history.from), 0)
  const compare = enough ? 'year' : 'none'
  if (span <= 31) return { range: { preset: 'all' }, keptRange: null, compare: 'none', days: span }
  // Data that reaches into this month or the last one is alive: a moving period follows it.
  const alive = history.to >= addDays(monthStart(addDays(monthStart(today), -1)), 0) && history.to <= today
  const moving = alive && span >= 366
  return moving
    ? { range: { preset: 'last12Months' }, keptRange: null, compare, days }
    : { range: { preset: 'dates', from, to }, keptRange: null, compare, days }
}

/** Without dates: the groups of the first column that names things. */
function firstDimension(dataset: DraftDataset): Column | null {
  const columns = visible(dataset).filter((column) => column.type === 'text' || column.type === 'boolean')
  return columns.find((column) => column.role === 'dimension') ?? columns[0] ?? null
}

/** The draft that stands right after a dataset was chosen: already a chart that means something. */
export function defaultDraft(dataset: DraftDataset, history: History | null, today: string): PlanDraft {
  const base: PlanDraft = { ...EMPTY_DRAFT, dataset, measures: [firstMeasure(dataset)] }
  const time = timeColumn(dataset)
  if (!time) {
    const dimension = firstDimension(dataset)
    return { ...base, splits: dimension ? [{ column: dimension.key, grain: null, topN: FEW_VALUES - 2 }] : [] }
  }
  if (!history)
    return {
      ...base,
      splits: [{ column: time.key, grain: 'month', topN: null }],
      period: { column: time.key, range: { preset: 'all' }, keptRange: null, compare: 'none', completeOnly: false },
    }
  const { days, ...period } = defaultPeriod(history, today)
  return {
    ...base,
    splits: [{ column: time.key, grain: grainFor(days), topN: null }],
    period: { column: time.key, ...period, completeOnly: false },
  }
}
