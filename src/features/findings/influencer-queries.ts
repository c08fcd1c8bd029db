import { breakdownKey, type ChosenBreakdown } from './breakdowns'
import type { AnalysisWindow } from './analysis-window'
import type { CandidateMetric } from './candidate-metrics'
import { findInfluencers, type Factor, type FactorCell, type Influencer } from './model/influencers'
import { outcomeFinding } from './model/influencer-finding'
import { orNullIfRefused } from './refusals'
import { componentsOf } from './series'
import type { QueryService } from '../../semantic/query-service'
import type { DetectedFinding } from '../../shared/findings'
import { PLAN_MEASURES_MAX } from '../../shared/limits'
import type { Column } from '../../shared/data-sources/data-sources'
import {
  expectedDirection,
  isCostAmount,
  isMoneyFigure,
  isKeyColumn,
  isTotalAmount,
  type JoinColumns,
} from '../../shared/data-sources/key-columns'
import type { Dimension, FieldFilter, Measure, QueryPlan } from '../../shared/query/plan'
import type { Field } from '../../shared/query/field'
import type { Cell } from '../../shared/query/result'
import type { CatalogueDataset } from '../../warehouse/contract'

/** What is asked which rows go with: rows at a loss of a figure, or rows that are late, returned and so on. */
interface Outcome {
  metric: CandidateMetric
  /** "Profit below zero", "Returned". */
  label: string
  filter: FieldFilter
}
export interface RowQuestion {
  home: CatalogueDataset
  /** Figures that are looked at, in their order, over the same window. */
  metrics: readonly CandidateMetric[]
  window: AnalysisWindow
  splits: readonly ChosenBreakdown[]
  joins: JoinColumns
}

const OUTCOMES_MAX = 3
/** Beside the count of all rows, as many as a plan has room for. */
const OUTCOMES_ASKED_MAX = PLAN_MEASURES_MAX - 1
/** Shares of all rows that an outcome must have: of what nearly never or nearly always happens little can be said. */
const OUTCOME_SHARE = { least: 0.01, most: 0.6 }
const YES = [
  'Yes',
  'yes',
  'YES',
  'Y',
  'y',
  'Ja',
  'ja',
  'J',
  'True',
  'true',
  '1',
  'Returned',
  'returned',
  'Late',
  'late',
]

/** Values of a split that are looked at, columns of numbers, and splits that make pairs. */
const VALUES_MAX = 60
const PAIR_VALUES_MAX = 12
const STEPS = 20
/** Many rows cost more a question: fewer are asked. */
const MANY_ROWS = 200_000
const LIMITS = { few: { splits: 10, ranges: 6, pairs: 10 }, many: { splits: 4, ranges: 2, pairs: 2 } }
const ROWS_MAX = 9_900

function outcomesOf({ home, metrics }: RowQuestion): Outcome[] {
  const [first] = metrics
  const own = metrics.flatMap((metric): Outcome[] => {
    const { total, under } = componentsOf(metric.measure)
    if (under || total.kind !== 'column' || total.agg !== 'sum' || total.field?.dataset !== home.id) return []
    // Costs and numbers of things below nothing are the same rows as amounts below nothing.
    if (metric.direction === 'down' || !isMoneyMetric(metric, home)) return []
    return [
      { metric, label: `${metric.label} below zero`, filter: { field: total.field, any: [{ op: 'lt', value: 0 }] } },
    ]
  })
  const flags = home.columns.flatMap((column): Outcome[] => {
    if (!first || !isUsable(column) || expectedDirection(column.label) !== 'down') return []
    const field: Field = { dataset: home.id, column: column.key }
    if (column.type === 'boolean')
      return [{ metric: first, label: column.label, filter: { field, any: [{ op: 'eq', value: true }] } }]
    if (column.type !== 'text') return []
    return [{ metric: first, label: column.label, filter: { field, any: [{ op: 'in', values: YES }] } }]
  })
  return [...own, ...flags]
}
/** Whether a metric is money by the column that it adds up, or by its own name. */
function isMoneyMetric({ label, measure }: CandidateMetric, { columns }: CatalogueDataset): boolean {
  const key = measure.kind === 'column' ? measure.field?.column : undefined
  const column = columns.find((each) => each.key === key)
  return isMoneyFigure(
    column ? { ...column, scale: column.scale ?? null } : { label, format: { style: 'plain' }, scale: null },
  )
}
const isUsable = ({ hidden, mask }: Column): boolean => !hidden && mask === undefined

const countOf = (dataset: string, filter?: FieldFilter): Measure => ({
  kind: 'column',
  agg: 'count',
  dataset,
  ...(filter ? { filter: [filter] } : {}),
})

/** Counts of rows and of rows with each outcome, in these groups. */
const countPlan = (
  { home, window, metrics }: RowQuestion,
  outcomes: readonly Outcome[],
  dimensions: Dimension[],
): QueryPlan => ({
  v: 3,
  kind: 'aggregate',
  dataset: home.id,
  measures: [countOf(home.id), ...outcomes.map(({ filter }) => countOf(home.id, filter))],
  dimensions,
  filters: metrics[0]?.filters ?? [],
  ...(metrics[0]
    ? {
        period: {
          field: metrics[0].time,
          range: { kind: 'absolute', from: window.from, to: window.to },
          compare: 'none',
          completeOnly: false,
        },
      }
    : {}),
})

/** Findings of rows: asked over all outcomes of a dataset at once, one question a column. */
export async function queryInfluencers(service: QueryService, asked: RowQuestion): Promise<DetectedFinding[]> {
  const outcomes = await frequentOutcomes(service, asked)
  const [first] = asked.metrics
  if (outcomes.length === 0 || !first) return []
  const factors = await queryFactors(service, asked, outcomes)
  const names = namesOf(asked)
  return outcomes.flatMap(({ metric, label, filter }, n) => {
    const decided = new Set(factors.flatMap(({ keys, of }) => (decides(of[n] ?? []) ? keys : [])))
    const own = factors.filter(
      ({ keys }) => !keys.some((key) => key === breakdownKey(filter.field) || decided.has(key)),
    )
    const found = findInfluencers(own.map(({ of, ...factor }): Factor => ({ ...factor, cells: of[n] ?? [] })))
    return found
      .slice(0, INFLUENCERS_TOLD_MAX)
      .map((one: Influencer) => outcomeFinding(one, { subject: metric.key, label, window: asked.window, names }))
  })
}
const INFLUENCERS_TOLD_MAX = 5

/** Whether each of its values has the outcome always or never: it says the same by another name, as "Return" says of amounts below nothing. */
const decides = (cells: readonly FactorCell[]): boolean =>
  cells.length > 1 &&
  cells.every(({ values, rows, hits }) => {
    const [all, among] = [rows, hits].map((counts) => counts.reduce((sum, count) => sum + count, 0))
    return values.length === 1 && (among === 0 || among === all)
  })

/** Those that are neither rare nor nearly everywhere, asked about by one question. */
async function frequentOutcomes(service: QueryService, asked: RowQuestion): Promise<Outcome[]> {
  const all = outcomesOf(asked).slice(0, OUTCOMES_ASKED_MAX)
  const answer = all.length === 0 ? null : await orNullIfRefused(service.answer(countPlan(asked, all, [])))
  const [rows = 0, ...hits] = (answer?.rows[0] ?? []).map(Number)
  const isFrequent = (_: Outcome, at: number): boolean => {
    const share = rows === 0 ? 0 : (hits[at] ?? 0) / rows
    return share >= OUTCOME_SHARE.least && share <= OUTCOME_SHARE.most
  }
  return all.filter(isFrequent).slice(0, OUTCOMES_MAX)
}

/** A factor with its cells by outcome. */
interface AskedFactor extends Omit<Factor, 'cells'> {
  of: FactorCell[][]
}
interface FactorQuestion extends Omit<Factor, 'cells'> {
  dimensions: Dimension[]
}

function questionsOf(asked: RowQuestion): FactorQuestion[] {
  const { home, splits, joins, metrics, window } = asked
  const limits = home.rowCount > MANY_ROWS ? LIMITS.many : LIMITS.few
  const fits = (groups: number): boolean => groups * window.buckets.length <= ROWS_MAX
  const few = splits.filter(({ values }) => values <= VALUES_MAX && fits(values + 1)).slice(0, limits.splits)
  const measured = new Set(metrics.flatMap(({ measure }) => measuredField(measure)))
  const numbers = home.columns.filter(
    (column) =>
      isUsable(column) &&
      (column.type === 'number' || column.type === 'integer') &&
      !isKeyColumn(column, joins) &&
      // An amount of the row is a part of its result: that the two go together says nothing.
      !(isTotalAmount(column) || isCostAmount(column)) &&
      !measured.has(breakdownKey({ dataset: home.id, column: column.key })),
  )
  const flags = new Set(outcomesOf(asked).map(({ filter }) => breakdownKey(filter.field)))
  const narrow = few.filter(({ key, values }) => values <= PAIR_VALUES_MAX && !flags.has(key))
  const pairs = narrow.flatMap((one, at) =>
    narrow.slice(at + 1).flatMap((other) => (fits((one.values + 1) * (other.values + 1)) ? [[one, other]] : [])),
  )
  return [
    ...few.map(({ key, field }): FactorQuestion => ({ kind: 'value', keys: [key], dimensions: [{ field }] })),
    ...numbers.slice(0, limits.ranges).map((column): FactorQuestion => {
      const field: Field = { dataset: home.id, column: column.key }
      return { kind: 'range', keys: [breakdownKey(field)], dimensions: [{ field, bins: { count: STEPS } }] }
    }),
    ...pairs.slice(0, limits.pairs).map((pair): FactorQuestion => ({
      kind: 'pair',
      keys: pair.map(({ key }) => key),
      dimensions: pair.map(({ field }) => ({ field })),
    })),
  ]
}

const measuredField = (measure: Measure): string[] =>
  measure.kind === 'column' && measure.field ? [breakdownKey(measure.field)] : []

async function queryFactors(
  service: QueryService,
  asked: RowQuestion,
  outcomes: readonly Outcome[],
): Promise<AskedFactor[]> {
  const [first] = asked.metrics
  const factors: AskedFactor[] = []
  for (const { kind, keys, dimensions } of questionsOf(asked)) {
    if (!first) break
    const time: Dimension = { field: first.time, grain: asked.window.grain }
    const answer = await orNullIfRefused(service.answer(countPlan(asked, outcomes, [time, ...dimensions])))
    if (!answer || answer.rows.length >= ROWS_MAX) continue
    const of = outcomes.map((_, n) =>
      cellsOf(answer.rows, { buckets: asked.window.buckets, splits: dimensions.length, outcome: n }),
    )
    factors.push({ kind, keys, of })
  }
  return factors
}

function cellsOf(
  rows: readonly (readonly Cell[])[],
  { buckets, splits, outcome }: { buckets: readonly string[]; splits: number; outcome: number },
): FactorCell[] {
  const places = new Map(buckets.map((bucket, at) => [bucket, at]))
  const cells = new Map<string, FactorCell>()
  for (const row of rows) {
    const at = places.get(String(row[0]))
    if (at === undefined) continue
    const values = row.slice(1, 1 + splits)
    const name = JSON.stringify(values)
    const cell = cells.get(name) ?? { values, rows: buckets.map(() => 0), hits: buckets.map(() => 0) }
    cells.set(name, cell)
    cell.rows[at] = Number(row[1 + splits] ?? 0)
    cell.hits[at] = Number(row[2 + splits + outcome] ?? 0)
  }
  return [...cells.values()]
}

/** What columns are called, and how to ask for them. */
export interface FactorName {
  label: string
  field: Field
  isShare: boolean
}
function namesOf({ home, splits }: RowQuestion): ReadonlyMap<string, FactorName> {
  const own = home.columns.map((column): [string, FactorName] => {
    const field: Field = { dataset: home.id, column: column.key }
    return [breakdownKey(field), { label: column.label, field, isShare: column.format.style === 'percent' }]
  })
  const named = splits.map(({ key, label, field }): [string, FactorName] => [key, { label, field, isShare: false }])
  return new Map([...own, ...named])
}
