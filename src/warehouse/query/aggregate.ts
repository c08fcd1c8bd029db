import { bucketSql, lastBucketOf, shiftedSql, shiftOf } from './bucket'
import { exactOf, INT64_MAX, magnitude, rescale } from './decimal'
import { MS_PER_DAY } from './days'
import { filtersSql, compareSql } from './filter'
import { from } from './from'
import { measureSql } from './measure'
import type { MeasureSql, Reading } from './measure'
import type { DayRange, Resolved } from './period'
import { tooComplex } from './refuse'
import { columnOf, dayNumberOf, refOf } from './source'
import type { Source } from './source'
import { all, bind, int, join, name, sql } from './sql'
import type { Sql } from './sql'
import type { ScopeWire } from '../../access/scope'
import type { Dimension, Grain, QueryPlan } from '../../shared/query'
import type { Column } from '../../shared/sources'
import { QUERY_ROWS_MAX } from '../../shared/limits'

/** SQLite here allows 100 columns in a result; some are ours. */
const COLUMNS_MAX = 90

export interface DimensionSql {
  column: Column
  grain: Grain | undefined
  topN: number | undefined
  key: Sql
  /** 1 in the rows of *Other*; only for a top-N. */
  other: Sql
  /** Whether the split is by the period's own column: its buckets are shifted in the comparison. */
  ofPeriod: boolean
}
export interface Compiled {
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

/** An aggregate plan as SQL: rows → base (one line per row and arm) → groups → the answer's page. */
export function compileAggregate(
  source: Source,
  scope: ScopeWire,
  ask: { plan: QueryPlan; period: Resolved | null },
): Compiled {
  const { plan, period } = ask
  const dimensions = plan.dimensions.map((each, i) => dimensionSql(source, plan, { dimension: each, i }))
  const base = baseOf(source, plan)
  const measures = plan.measures.map((measure) => measureSql(source, base.hooks, measure))
  const compare = period?.compare ?? null
  const compared = compare !== null
  const arms = [
    armSql(source, { plan, period, dimensions, arm: 0 }),
    ...(compared ? [armSql(source, { plan, period, dimensions, arm: 1 })] : []),
  ]
  const src = sql`src AS NOT MATERIALIZED (SELECT * FROM ${sourceRows(source, scope, plan)})`
  const extra = base.columns.map(({ as, piece }) => sql`${piece} AS ${as}`)
  const selects = arms.map(
    ({ columns, where }) => sql`SELECT ${join([...columns, ...extra], ', ')} FROM src WHERE ${where}`,
  )
  const baseSql = sql`base AS NOT MATERIALIZED (${join(selects, ' UNION ALL ')})`
  const groups: Grouping = { measures, windows: base.windows, compared }
  const tops = dimensions.flatMap((each, i) => (each.topN === undefined ? [] : [topSql(each, i, groups)]))
  const keyed = sql`keyed AS NOT MATERIALIZED (${keyedSql(dimensions, base, compared)})`
  const head = sql`WITH ${join([src, baseSql, ...tops, keyed], ', ')} `
  const page = pageSql(plan, dimensions, groups)
  const widths = measures.map((measure) => measure.read(measure.pieces([])).outputs.length)
  const width = widths.reduce((total, each) => total + each, 0) * (compared ? 2 : 1) + dimensions.length * 2
  if (width > COLUMNS_MAX || source.used.size > COLUMNS_MAX || extra.length + 10 > COLUMNS_MAX)
    throw tooComplex('columns', COLUMNS_MAX)
  return {
    rows: sql`${head}${page.rows}`,
    count: sql`${head}${page.count}`,
    totals: plan.totals === true ? sql`${head}${totalsSql(groups)}` : null,
    dimensions,
    measures,
    widths,
    compared,
  }
}

/** Rows of the scope that pass the plan's filters. */
export const sourceRows = (source: Source, scope: ScopeWire, plan: QueryPlan): Sql => {
  const filters = filtersSql(source, plan.filters, 'filters')
  return sql`${from(source, scope)} WHERE ${filters}`
}

function dimensionSql(source: Source, plan: QueryPlan, at: { dimension: Dimension; i: number }): DimensionSql {
  const { dimension, i } = at
  const column = columnOf(source, dimension.field)
  refOf(source, column)
  return {
    column,
    grain: dimension.grain ?? (column.type === 'date' ? 'day' : undefined),
    topN: dimension.topN,
    key: name(`k${i}`),
    other: name(`x${i}`),
    ofPeriod: plan.period?.field.column === column.key,
  }
}

function baseOf(source: Source, plan: QueryPlan) {
  const columns: { as: Sql; piece: Sql }[] = []
  const windows: { as: Sql; over: (keys: readonly Sql[]) => Sql }[] = []
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
  const timed = source.dataset.columns.find(
    ({ role, type }) => role === 'time' && (type === 'date' || type === 'datetime'),
  )
  const timeColumn = plan.period ? columnOf(source, plan.period.field) : timed
  const needsTime =
    JSON.stringify(plan.measures).includes('"agg":"first"') || JSON.stringify(plan.measures).includes('"agg":"last"')
  const time = needsTime && timeColumn ? column(refOf(source, timeColumn)) : null
  return { columns, windows, hooks: { column, window, time } }
}

interface Arm {
  plan: QueryPlan
  period: Resolved | null
  dimensions: readonly DimensionSql[]
  arm: 0 | 1
}

/** One arm of the base: the period itself (0), or the one it is compared with (1), its buckets laid over the first's. */
function armSql(source: Source, { plan, period, dimensions, arm }: Arm): { columns: Sql[]; where: Sql } {
  const range = arm === 0 ? (period?.range ?? null) : (period?.compare ?? null)
  const beyond: Sql[] = []
  const keys = dimensions.map(({ column, grain, key, ofPeriod }) => {
    const plain = grain === undefined ? refOf(source, column) : bucketSql(source, column, grain)
    if (arm === 0 || grain === undefined || !ofPeriod || !period?.range || !period.compare)
      return sql`${plain} AS ${key}`
    const at = { from: period.range.from, compareFrom: period.compare.from, yearly: period.compare.yearly }
    const shifted = shiftedSql(plain, grain, shiftOf(grain, at, source.calendar))
    beyond.push(sql`${shifted} > ${int(lastBucketOf(period.range.to, grain, source.calendar))}`)
    return sql`${shifted} AS ${key}`
  })
  // A longer comparison (31 days against 28) has days without a counterpart: they count in totals only.
  const clipped = sql`CASE WHEN ${beyond.length === 0 ? int(0) : join([sql`(`, join(beyond, ' OR '), sql`)`], ' ')} THEN 1 ELSE 0 END`
  const where = range && plan.period ? inDays(source, columnOf(source, plan.period.field), range) : int(1)
  return { columns: [sql`rid`, sql`${int(arm)} AS p`, sql`${clipped} AS z`, ...keys], where }
}

/** Rows of some local days. The wide bounds on the stored value come first: they are cheap. */
export function inDays(source: Source, column: Column, { from: first, to }: DayRange): Sql {
  const ref = refOf(source, column)
  if (column.type === 'date') return sql`(${ref} >= ${int(first)} AND ${ref} <= ${int(to)})`
  const margin = column.zoned === true ? 2 : 0
  const near = sql`${ref} >= ${int((first - margin) * MS_PER_DAY)} AND ${ref} < ${int((to + 1 + margin) * MS_PER_DAY)}`
  if (column.zoned !== true) return sql`(${near})`
  const day = dayNumberOf(source, column)
  return sql`(${near} AND ${day} >= ${int(first)} AND ${day} <= ${int(to)})`
}

interface Grouping {
  measures: readonly MeasureSql[]
  windows: readonly { as: Sql; over: (keys: readonly Sql[]) => Sql }[]
  compared: boolean
}
const ARM = name('p')

/** Groups of a source table by keys: one line each, with the raw aggregates `a0`, `a1` … of every measure and arm. */
function groupedSql(table: Sql, keys: readonly Sql[], { measures, windows, compared }: Grouping): Sql {
  const overs = windows.map(({ as, over }) => sql`${over(compared ? [...keys, ARM] : keys)} AS ${as}`)
  const inner = windows.length === 0 ? table : sql`(SELECT *, ${join(overs, ', ')} FROM ${table})`
  const pieces = armsOf(compared).flatMap((when) => measures.flatMap((measure) => measure.pieces(when)))
  const aggregates = pieces.map((piece, i) => sql`${piece} AS ${name(`a${i}`)}`)
  const by = keys.length === 0 ? sql`` : sql` GROUP BY ${join(keys, ', ')}`
  return sql`SELECT ${join([...keys, ...aggregates], ', ')} FROM ${inner}${by}`
}
const armsOf = (compared: boolean): Sql[][] => (compared ? [[sql`${ARM} = 0`], [sql`${ARM} = 1`]] : [[]])

/** How the aggregates of a grouped table are read, measure by measure; first the period's, then the comparison's. */
function readings({ measures, compared }: Pick<Grouping, 'measures' | 'compared'>): Reading[] {
  let next = 0
  return armsOf(compared).flatMap(() =>
    measures.map((measure) => {
      const names = measure.pieces([]).map(() => name(`a${next++}`))
      return measure.read(names)
    }),
  )
}

/** The n values with the largest first measure; ties in the order of the values. */
function topSql({ key, topN = 1 }: DimensionSql, i: number, grouping: Grouping): Sql {
  const measures = grouping.measures.slice(0, 1)
  const [reading] = readings({ measures, compared: grouping.compared })
  const order = (reading?.orders ?? []).map((each) => sql`${each} DESC NULLS LAST`)
  const groups = groupedSql(sql`base`, [key], { ...grouping, measures })
  const sorted = join([...order, sql`${key} ASC NULLS LAST`], ', ')
  return sql`${name(`top${i}`)} AS MATERIALIZED (SELECT ${key} AS v FROM (${groups}) ORDER BY ${sorted} LIMIT ${int(topN)})`
}

/** The base with the values outside a top-N folded into *Other*. */
function keyedSql(dimensions: readonly DimensionSql[], base: { columns: { as: Sql }[] }, compared: boolean): Sql {
  const keys = dimensions.flatMap(({ key, other, topN }, i) => {
    if (topN === undefined) return [key]
    const top = name(`top${i}`)
    const inside = sql`CASE WHEN ${key} IS NULL THEN EXISTS (SELECT 1 FROM ${top} WHERE v IS NULL) ELSE ${key} IN (SELECT v FROM ${top} WHERE v IS NOT NULL) END`
    return [sql`CASE WHEN ${inside} THEN ${key} END AS ${key}`, sql`NOT (${inside}) AS ${other}`]
  })
  const columns = [sql`rid`, ARM, ...keys, ...base.columns.map(({ as }) => as)]
  return sql`SELECT ${join(columns, ', ')} FROM base WHERE ${compared ? sql`z = 0` : int(1)}`
}

const keysOf = (dimensions: readonly DimensionSql[]): Sql[] =>
  dimensions.flatMap(({ key, other, topN }) => (topN === undefined ? [key] : [key, other]))

function pageSql(plan: QueryPlan, dimensions: readonly DimensionSql[], grouping: Grouping): { rows: Sql; count: Sql } {
  const keys = keysOf(dimensions)
  const read = readings(grouping)
  const groups = groupedSql(sql`keyed`, keys, grouping)
  const having = all((plan.having ?? []).map(({ measure, op, value }) => havingSql(read[measure], { op, value })))
  const shown = [
    ...dimensions.flatMap((each) => [each.key, each.topN === undefined ? int(0) : each.other]),
    ...read.flatMap((each) => each.outputs),
  ]
  const order = orderSql(plan, dimensions, read)
  const page = sql`LIMIT ${int(plan.limit ?? QUERY_ROWS_MAX)} OFFSET ${int(plan.offset ?? 0)}`
  return {
    rows: sql`SELECT ${join([sql`count(*) OVER () AS n`, ...shown], ', ')} FROM (${groups}) WHERE ${having}${order} ${page}`,
    count: sql`SELECT count(*) FROM (${groups}) WHERE ${having}`,
  }
}

function totalsSql(grouping: Grouping): Sql {
  const outputs = readings(grouping).flatMap((each) => each.outputs)
  return sql`SELECT ${join(outputs, ', ')} FROM (${groupedSql(sql`base`, [], grouping)})`
}

function havingSql(
  reading: Reading | undefined,
  { op, value }: { op: 'eq' | 'ne' | 'lt' | 'le' | 'gt' | 'ge'; value: number },
): Sql {
  if (!reading?.real) return int(0)
  const exact = exactOf(value)
  const n = reading.exact && exact ? rescale(exact, reading.exact.scale) : null
  if (reading.exact && n !== null && magnitude(n) <= INT64_MAX)
    return compareSql(op, { left: reading.exact.sql, right: int(n) })
  return compareSql(op, { left: reading.real, right: sql`CAST(${bind(value)} AS REAL)` })
}

/** As asked; else time ascending, other splits by the first measure. Empty values last, *Other* after all values. */
function orderSql(plan: QueryPlan, dimensions: readonly DimensionSql[], read: readonly Reading[]): Sql {
  if (dimensions.length === 0) return sql``
  const byTime = dimensions[0]?.grain !== undefined
  const asked = plan.sort?.length ? plan.sort : byTime ? [] : [{ by: { measure: 0 }, dir: 'desc' as const }]
  const keyOrder = ({ key, other, topN }: DimensionSql, dir: Sql): Sql[] => [
    ...(topN === undefined ? [] : [sql`${other} ASC`]),
    sql`${key} ${dir} NULLS LAST`,
  ]
  const terms = asked.flatMap(({ by, dir }): Sql[] => {
    const direction = dir === 'asc' ? sql`ASC` : sql`DESC`
    if ('measure' in by) {
      const others = dimensions.filter((each) => each.topN !== undefined).map((each) => sql`${each.other} ASC`)
      return [...others, ...(read[by.measure]?.orders ?? []).map((each) => sql`${each} ${direction} NULLS LAST`)]
    }
    const dimension = 'dimension' in by ? dimensions[by.dimension] : undefined
    return dimension ? keyOrder(dimension, direction) : []
  })
  return sql` ORDER BY ${join([...terms, ...dimensions.flatMap((each) => keyOrder(each, sql`ASC`))], ', ')}`
}
