import { queryService, type QueryContext } from './query-service'
import { reportingCurrency } from './currency/reporting-currency'
import type { ColumnFormat } from '../shared/data-sources/files'
import type { Cell, CurrencyConversion, QueryResult } from '../shared/query/result'
import type { QueryPlan } from '../shared/query/plan'
import { seriesPlan, type SeriesQuery, type MonitoredMetric } from '../shared/monitored-metric'

/** Figures by the first day of their period; of the whole range under ''. */
export interface MemberSeries {
  member: Cell
  label: string | null
  values: Map<string, number>
}
export interface MetricSeries {
  total: MemberSeries
  /** Empty when no dimension was named. */
  members: MemberSeries[]
  /** Only the largest members are among them. */
  isCut: boolean
  /** First days of the periods that the rows begin or end in the middle of. */
  partial: ReadonlySet<string>
  format: ColumnFormat
  /** When the oldest of the rows that it is from were loaded. */
  dataAsOf: string | null
  /** Ids of the datasets that it is from. */
  datasets: string[]
  /** How amounts were brought to one currency; null where none were. */
  conversion: CurrencyConversion | null
}

const toFiniteNumber = (cell: Cell | undefined): number | null => {
  const number = typeof cell === 'string' && cell !== '' ? Number(cell) : cell
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

/** Tells members apart: the text 1 from the number 1. */
export const memberKey = (member: Cell): string => `${typeof member}:${String(member)}`

/**
 * A followed figure by period, of the whole and of each member.
 * @throws ProductError what the question is refused for
 */
export async function readMetricSeries(
  { deps, scope, calendar }: QueryContext,
  metric: MonitoredMetric,
  ask: SeriesQuery,
): Promise<MetricSeries> {
  const figures = queryService(deps, { scope, calendar })
  const followed = await inReportingCurrency({ deps, scope, calendar }, metric)
  const whole = await figures.answer(seriesPlan(followed, { ...ask, by: null }))
  const [total] = parseSeries(whole, { grained: ask.grain !== undefined, split: false })
  const parts = ask.by ? await figures.answer(seriesPlan(followed, ask)) : null
  const measure = whole.columns.find(({ kind }) => kind === 'measure')
  return {
    total: total ?? { member: null, label: null, values: new Map() },
    members: parts ? parseSeries(parts, { grained: ask.grain !== undefined, split: true }) : [],
    isCut: parts !== null && (parts.truncated || otherRowIndexes(parts).size > 0),
    partial: new Set(ask.grain === undefined ? [] : (whole.columns[0]?.partial ?? []).map(({ start }) => start)),
    format: metric.format ?? measure?.format ?? { style: 'plain' },
    dataAsOf: whole.dataAsOf,
    datasets: whole.datasets.map(({ id }) => id),
    conversion: whole.conversion ?? null,
  }
}

/** Asked once for all questions about one figure. */
const reportingCurrencies = new WeakMap<MonitoredMetric, Promise<QueryPlan['currency']>>()
async function inReportingCurrency(at: QueryContext, metric: MonitoredMetric): Promise<MonitoredMetric> {
  const asked = reportingCurrencies.get(metric) ?? reportingCurrency(at, metric)
  reportingCurrencies.set(metric, asked)
  return { ...metric, currency: await asked }
}

function parseSeries(result: QueryResult, { grained, split }: { grained: boolean; split: boolean }): MemberSeries[] {
  const at = result.columns.findIndex(({ kind }) => kind === 'measure')
  const memberAt = grained ? 1 : 0
  const others = otherRowIndexes(result)
  const found = new Map<string, MemberSeries>()
  result.rows.forEach((row, index) => {
    if (split && others.has(index)) return
    const member = split ? (row[memberAt] ?? null) : null
    const series: MemberSeries = found.get(memberKey(member)) ?? {
      member,
      label: split ? memberLabel(result, memberAt, member) : null,
      values: new Map(),
    }
    found.set(memberKey(member), series)
    const value = toFiniteNumber(row[at])
    const period = grained ? row[0] : ''
    if (value !== null && typeof period === 'string') series.values.set(period, value)
  })
  return [...found.values()]
}

/** Indexes of rows in which the members beyond the largest are put together. */
function otherRowIndexes({ otherCells = [], otherRow }: QueryResult): Set<number> {
  return new Set([...otherCells.map(({ row }) => row), ...(otherRow === null ? [] : [otherRow])])
}

function memberLabel(result: QueryResult, at: number, member: Cell): string {
  const group = result.columns[at]?.groups?.find(({ id }) => id === member)
  if (group) return group.name
  if (member === null || member === '') return 'No value'
  return typeof member === 'boolean' ? (member ? 'Yes' : 'No') : String(member)
}
