import { exactOf, INT64_MAX, magnitude, rescale } from '../expressions/decimal'
import { compareSql } from '../sources/filters'
import { isNaturallyOrdered, type PlanSplit } from './plan-splits'
import type { BaseTable, AggregateReading } from './aggregation'
import type { MeasureSql } from './measure'
import type { QuerySource } from '../sources/source'
import { all, bind, int, join, name, sql, type Sql } from '../sources/sql'
import { QUERY_ROWS_MAX } from '../../../shared/limits'
import type { QueryPlan } from '../../../shared/query/plan'

export interface DimensionSql extends PlanSplit {
  key: Sql
  /** 1 in the rows of *Other*; only for a top-N. */
  other: Sql
}
/** The rows of one fact as tables of the statement, and the columns its measures asked for. */
export interface FactTable {
  id: string
  index: number
  source: QuerySource
  columns: { as: Sql; piece: Sql }[]
  windows: { as: Sql; over: (keys: readonly Sql[]) => Sql }[]
  hooks: BaseTable
  src: Sql
  /** A line per row and arm. */
  base: Sql
  /** The base with the values outside a top-N folded into *Other*. */
  keyed: Sql
}
export interface Grouping {
  measures: readonly MeasureSql[]
  compared: boolean
  facts: readonly FactTable[]
}
const ARM = name('p')

/**
 * Groups by keys: one line each, with the raw aggregates `a0`, `a1` … of every measure and arm. Every fact is grouped
 * on its own; a group that only some of them have is empty in the others, and its counts are 0.
 */
function groupedSql(of: 'base' | 'keyed', keys: readonly Sql[], { measures, compared, facts }: Grouping): Sql {
  const pieces = armsOf(compared).flatMap((when) => measures.flatMap((measure) => measure.pieces(when)))
  const by = keys.length === 0 ? sql`` : sql` GROUP BY ${join(keys, ', ')}`
  const parts = facts.map((fact) => {
    const overs = fact.windows.map(({ as, over }) => sql`${over(compared ? [...keys, ARM] : keys)} AS ${as}`)
    const inner = overs.length === 0 ? fact[of] : sql`(SELECT *, ${join(overs, ', ')} FROM ${fact[of]})`
    const own = pieces.map((piece, i) => sql`${piece.fact === fact.index ? piece.sql : sql`NULL`} AS ${name(`a${i}`)}`)
    return sql`SELECT ${join([...keys, ...own], ', ')} FROM ${inner}${by}`
  })
  const [only, second] = parts
  if (only && !second) return only
  const merged = pieces.map(({ zero }, i) => {
    const value = sql`max(${name(`a${i}`)})`
    return sql`${zero ? sql`coalesce(${value}, 0)` : value} AS ${name(`a${i}`)}`
  })
  return sql`SELECT ${join([...keys, ...merged], ', ')} FROM (${join(parts, ' UNION ALL ')})${by}`
}
const armsOf = (compared: boolean): Sql[][] => (compared ? [[sql`${ARM} = 0`], [sql`${ARM} = 1`]] : [[]])

/** How the aggregates of a grouped table are read, measure by measure; first the period's, then the comparison's. */
function readings({ measures, compared }: Pick<Grouping, 'measures' | 'compared'>): AggregateReading[] {
  let next = 0
  return armsOf(compared).flatMap(() =>
    measures.map((measure) => {
      const names = measure.pieces([]).map(() => name(`a${next++}`))
      return measure.read(names)
    }),
  )
}

/** The n values with the largest first measure; ties in the order of the values. */
export function topSql({ key, topN = 1 }: DimensionSql, i: number, grouping: Grouping): Sql {
  const measures = grouping.measures.slice(0, 1)
  const [reading] = readings({ measures, compared: grouping.compared })
  const order = (reading?.orders ?? []).map((each) => sql`${each} DESC NULLS LAST`)
  const groups = groupedSql('base', [key], { ...grouping, measures })
  const sorted = join([...order, sql`${key} ASC NULLS LAST`], ', ')
  return sql`${name(`top${i}`)} AS MATERIALIZED (SELECT ${key} AS v FROM (${groups}) ORDER BY ${sorted} LIMIT ${int(topN)})`
}

/** Raw keys of groups as a JSON array of arrays, in the order of {@link keysOf}. */
export type GroupKeys = string

/**
 * The base with the values outside a top-N folded into *Other*.
 * @param only the groups whose rows are wanted; absent: all
 */
export function keyedSql(
  dimensions: readonly DimensionSql[],
  fact: FactTable,
  { compared, only }: { compared: boolean; only?: GroupKeys | undefined },
): Sql {
  const every = everyKeyedSql(dimensions, fact, compared)
  return only === undefined ? every : sql`SELECT * FROM (${every}) WHERE ${amongSql(keysOf(dimensions), only)}`
}

/** An empty key is equal to another one here; no key is ever an empty blob. */
function amongSql(keys: readonly Sql[], only: GroupKeys): Sql {
  const own = keys.map((key) => sql`ifnull(${key}, x'')`)
  const wanted = keys.map((_, i) => sql`ifnull(value ->> ${int(i)}, x'')`)
  return sql`(${join(own, ', ')}) IN (SELECT ${join(wanted, ', ')} FROM json_each(${bind(only)}))`
}

function everyKeyedSql(dimensions: readonly DimensionSql[], fact: FactTable, compared: boolean): Sql {
  const keys = dimensions.flatMap(({ key, other, topN }, i) => {
    if (topN === undefined) return [key]
    const top = name(`top${i}`)
    const inside = sql`CASE WHEN ${key} IS NULL THEN EXISTS (SELECT 1 FROM ${top} WHERE v IS NULL) ELSE ${key} IN (SELECT v FROM ${top} WHERE v IS NOT NULL) END`
    return [sql`CASE WHEN ${inside} THEN ${key} END AS ${key}`, sql`NOT (${inside}) AS ${other}`]
  })
  const columns = [sql`rid`, ARM, ...keys, ...fact.columns.map(({ as }) => as)]
  return sql`SELECT ${join(columns, ', ')} FROM ${fact.base} WHERE ${compared ? sql`z = 0` : int(1)}`
}

const keysOf = (dimensions: readonly DimensionSql[]): Sql[] =>
  dimensions.flatMap(({ key, other, topN }) => (topN === undefined ? [key] : [key, other]))

export function pageSql(
  plan: QueryPlan,
  dimensions: readonly DimensionSql[],
  grouping: Grouping,
): { rows: Sql; count: Sql } {
  const keys = keysOf(dimensions)
  const read = readings(grouping)
  const groups = groupedSql('keyed', keys, grouping)
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

export function totalsSql(grouping: Grouping): Sql {
  const outputs = readings(grouping).flatMap((each) => each.outputs)
  return sql`SELECT ${join(outputs, ', ')} FROM (${groupedSql('base', [], grouping)})`
}

function havingSql(
  reading: AggregateReading | undefined,
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
function orderSql(plan: QueryPlan, dimensions: readonly DimensionSql[], read: readonly AggregateReading[]): Sql {
  if (dimensions.length === 0) return sql``
  const byTime = isNaturallyOrdered(dimensions[0])
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
