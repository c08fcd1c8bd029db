import { bucketSql, lastBucketOf, shiftedSql, shiftOf } from '../time/buckets'
import { binSql } from './bins'
import { partSql } from '../time/date-parts'
import { widthOf } from './calculations'
import { DAY_MS } from '../../../shared/dates'
import type { FactDatasets } from '../plan/fact-datasets'
import { filtersSql } from '../sources/filters'
import { groupedSql } from '../sources/groupings'
import { planSplits } from './plan-splits'
import {
  keyedSql,
  pageSql,
  topSql,
  totalsSql,
  type DimensionSql,
  type FactTable,
  type GroupKeys,
  type Grouping,
} from './group-by'
import { measureSql, type MeasureSql } from './measure'
import type { DayRange, AbsolutePeriod } from '../time/resolve-period'
import { queryTooComplex } from '../plan/plan-errors'
import { columnAt, columnOf, dayNumberOf, refOf, sourceOf, usedColumns } from '../sources/source'
import type { QuerySource, SourceColumn, CompileContext } from '../sources/source'
import { all, int, join, name, sql, type Sql } from '../sources/sql'
import { leafMeasuresOf } from '../../../shared/query/plan-fields'
import type { Field, QueryPlan } from '../../../shared/query/plan'

/** SQLite here allows 100 columns in a result; some are ours. */
const COLUMNS_MAX = 90

export interface CompiledAggregate {
  rows: Sql
  totals: Sql | null
  /** How many rows the full answer has. */
  count: Sql
  dimensions: DimensionSql[]
  measures: MeasureSql[]
  /** Cells that each measure takes, per arm. */
  widths: number[]
  compared: boolean
}

/** What is asked: the plan, whose rows each measure is over, and its days. */
export interface AggregateQuery {
  plan: QueryPlan
  facts: FactDatasets
  period: AbsolutePeriod | null
  /** Only these groups, totals excepted. Absent: all. */
  only?: GroupKeys
}

/**
 * An aggregate plan as SQL: rows → base (one line per row and arm) → groups → the answer's page. Every fact has a base
 * of its own and is added up there; its groups are then laid beside those of the others.
 */
export function compileAggregate(
  context: CompileContext,
  { plan, facts, period, only }: AggregateQuery,
): CompiledAggregate {
  const compared = period?.compare !== null && period?.compare !== undefined
  const tables = facts.facts.map((id, index) => factOf(context, { plan, id, index }))
  const measures = plan.measures.map((measure) =>
    measureSql((leaf) => {
      const fact = tables.find(({ id }) => id === facts.factOf(leaf))
      if (!fact) throw new TypeError('Every measure is over a fact of its plan.')
      return { index: fact.index, source: fact.source, base: fact.hooks }
    }, measure),
  )
  const [main] = tables
  if (!main) throw new TypeError('A plan has at least one fact.')
  const dimensions = planSplits(main.source, plan).map((each, i): DimensionSql => ({
    ...each,
    ...{ key: name(`k${i}`), other: name(`x${i}`) },
  }))
  const bases = tables.map((fact) => baseSql(fact, { plan, period, dimensions, compared }))
  const grouping: Grouping = { measures, compared, facts: tables }
  const tops = dimensions.flatMap((each, i) => (each.topN === undefined ? [] : [topSql(each, i, grouping)]))
  const keyed = tables.map(
    (fact) => sql`${fact.keyed} AS NOT MATERIALIZED (${keyedSql(dimensions, fact, { compared, only })})`,
  )
  const head = sql`WITH ${join([...bases, ...tops, ...keyed], ', ')} `
  const page = pageSql(plan, dimensions, grouping)
  const widths = measures.map((measure) => widthOf(measure).outputs)
  const width = widths.reduce((total, each) => total + each, 0) * (compared ? 2 : 1) + dimensions.length * 2
  const widest = Math.max(width, ...tables.flatMap(({ source, columns }) => [usedColumns(source), columns.length + 10]))
  if (widest > COLUMNS_MAX) throw queryTooComplex('columns', COLUMNS_MAX)
  return {
    rows: sql`${head}${page.rows}`,
    count: sql`${head}${page.count}`,
    totals: plan.totals === true && measures.length > 0 ? sql`${head}${totalsSql(grouping)}` : null,
    dimensions,
    measures,
    widths,
    compared,
  }
}

/** Rows of the scope that pass the plan's filters. */
export const sourceRows = (querySource: QuerySource, plan: QueryPlan): Sql => {
  const filters = filtersSql(querySource, plan.filters, 'filters')
  return sql`${querySource.world.from(querySource)} WHERE ${filters}`
}

/** The rows of one fact, and what its measures ask of each. */
function factOf(context: CompileContext, at: { plan: QueryPlan; id: string; index: number }): FactTable {
  const { plan, id, index } = at
  const source = sourceOf(context, id)
  const columns: FactTable['columns'] = []
  const windows: FactTable['windows'] = []
  const column = (piece: Sql): Sql => {
    const as = name(`v${columns.length}`)
    columns.push({ as, piece })
    return as
  }
  const window = (over: (keys: readonly Sql[]) => Sql): Sql => {
    const as = name(`w${windows.length}`)
    windows.push({ as, over })
    return as
  }
  const time = timeOf(source, plan)
  const hooks = { column, window, time: time && column(refOf(time)) }
  const names = { src: name(`src${index}`), base: name(`base${index}`), keyed: name(`kb${index}`) }
  return { id, index, source, columns, windows, hooks, ...names }
}

/** What orders rows in time, when a measure asks for the first or last: the period's column, else the first time. */
function timeOf(querySource: QuerySource, plan: QueryPlan): SourceColumn | null {
  const edges = plan.measures.flatMap(leafMeasuresOf).some(({ agg }) => agg === 'first' || agg === 'last')
  if (plan.period) markPeriod(querySource, plan.period.field)
  if (!edges) return null
  if (plan.period) return columnOf(querySource, plan.period.field)
  const timed = querySource.root.dataset.columns.find(
    ({ role, type }) => role === 'time' && (type === 'date' || type === 'datetime'),
  )
  return timed ? columnAt(querySource.root, timed.key) : null
}

/** Only rows of the period are read of the column that says it: its clock changes are only those within. */
export function markPeriod(querySource: QuerySource, field: Field): void {
  const { node, key } = columnOf(querySource, field)
  node.periodKey = key
}

interface ArmsInput {
  plan: QueryPlan
  period: AbsolutePeriod | null
  dimensions: readonly DimensionSql[]
}

/** The rows of a fact, and of each of them a line per arm. */
function baseSql(fact: FactTable, { compared, ...ask }: ArmsInput & { compared: boolean }): Sql {
  const arms = [armSql(fact.source, { ...ask, arm: 0 }), ...(compared ? [armSql(fact.source, { ...ask, arm: 1 })] : [])]
  const rows = sql`${fact.src} AS NOT MATERIALIZED (SELECT * FROM ${sourceRows(fact.source, ask.plan)})`
  const extra = fact.columns.map(({ as, piece }) => sql`${piece} AS ${as}`)
  const selects = arms.map(
    ({ columns, where }) => sql`SELECT ${join([...columns, ...extra], ', ')} FROM ${fact.src} WHERE ${where}`,
  )
  // What an amount is converted to is looked up once for each row, not for every part of what is added up: a limit, even
  // none, is worked out on its own.
  const once = ask.plan.currency ? sql` LIMIT -1` : sql``
  return sql`${rows}, ${fact.base} AS NOT MATERIALIZED (${join(selects, ' UNION ALL ')}${once})`
}

/** One arm of the base: the period itself (0), or the one it is compared with (1), its buckets laid over the first's. */
function armSql(
  querySource: QuerySource,
  { plan, period, dimensions, arm }: ArmsInput & { arm: 0 | 1 },
): { columns: Sql[]; where: Sql } {
  const range = arm === 0 ? (period?.range ?? null) : (period?.compare ?? null)
  const beyond: Sql[] = []
  const placed: Sql[] = []
  const keys = dimensions.map(({ field, grain, part, bins, grouped, key, ofPeriod }) => {
    if (grouped) {
      const group = groupedSql(querySource, field, grouped.by)
      if (grouped.excludes) placed.push(sql`${group} IS NOT NULL`)
      return sql`${group} AS ${key}`
    }
    const column = columnOf(querySource, field)
    if (bins) return sql`${binSql(querySource, field, bins)} AS ${key}`
    if (part) return sql`${partSql(column, part, querySource.calendar)} AS ${key}`
    const plain = grain === undefined ? refOf(column) : bucketSql(column, grain, querySource.calendar)
    if (arm === 0 || grain === undefined || !ofPeriod || !period?.range || !period.compare)
      return sql`${plain} AS ${key}`
    const at = { from: period.range.from, compareFrom: period.compare.from, yearly: period.compare.yearly }
    const shifted = shiftedSql(plain, grain, shiftOf(grain, at, querySource.calendar))
    beyond.push(sql`${shifted} > ${int(lastBucketOf(period.range.to, grain, querySource.calendar))}`)
    return sql`${shifted} AS ${key}`
  })
  // A longer comparison (31 days against 28) has days without a counterpart: they count in totals only.
  const clipped = sql`CASE WHEN ${beyond.length === 0 ? int(0) : join([sql`(`, join(beyond, ' OR '), sql`)`], ' ')} THEN 1 ELSE 0 END`
  const inside = range && plan.period ? [inDays(columnOf(querySource, plan.period.field), range)] : []
  return {
    columns: [sql`rid`, sql`${int(arm)} AS p`, sql`${clipped} AS z`, ...keys],
    where: all([...inside, ...placed]),
  }
}

/** Rows of some local days. The wide bounds on the stored value come first: they are cheap. */
export function inDays(column: SourceColumn, { from: first, to }: DayRange): Sql {
  const ref = refOf(column)
  if (column.type === 'date') return sql`(${ref} >= ${int(first)} AND ${ref} <= ${int(to)})`
  const margin = column.zoned === true ? 2 : 0
  const near = sql`${ref} >= ${int((first - margin) * DAY_MS)} AND ${ref} < ${int((to + 1 + margin) * DAY_MS)}`
  if (column.zoned !== true) return sql`(${near})`
  const day = dayNumberOf(column)
  return sql`(${near} AND ${day} >= ${int(first)} AND ${day} <= ${int(to)})`
}
