import { shortestPaths } from '../../../shared/query/relation-paths'
import { invalidPlan } from '../plan/plan-errors'
import { columnAt, columnOf, dayNumberOf, refOf } from './source'
import type { QuerySource, SourceColumn, GroupingView } from './source'
import { any, bind, int, join, name, sql, type Sql } from './sql'
import { groupAtLevel, groupPaths, GROUP_DEPTH_MAX } from '../../../shared/groupings/groupings'
import { groupingIdsOf } from '../../../shared/query/plan-fields'
import type { Condition, Field, FieldFilter, GroupingReference, QueryPlan } from '../../../shared/query/plan'
import type { Cell, ResultColumn } from '../../../shared/query/result'

/** @throws ProductError `invalid_input` where no grouping can be: rules of access know none */
export function viewOf(source: Pick<QuerySource, 'world'>, { id }: GroupingReference): GroupingView {
  const view = source.world.groupings?.(id)
  if (!view) throw invalidPlan('grouping', 'This grouping can’t be used here.')
  return view
}

/**
 * The group that stands for a column's value: its number, a text when the value stands for itself, nothing when it
 * belongs to none.
 */
export function groupedSql(querySource: QuerySource, field: Field, reference: GroupingReference): Sql {
  const view = viewOf(querySource, reference)
  const column = columnOf(querySource, field)
  const level = reference.level ?? GROUP_DEPTH_MAX
  const inEra = (era: number): Sql => lookSql(view, column, { era, level })
  if (reference.as !== 'then' || view.eras.length === 1) return inEra(view.current)
  const day = dayOfRow(querySource)
  const whens = view.eras.flatMap((_, era) => {
    const next = view.eras[era + 1]?.from
    return next === undefined || next === null ? [] : [sql`WHEN ${day} < ${int(next)} THEN ${inEra(era)}`]
  })
  // A row without a day belongs where it would today.
  return sql`CASE WHEN ${day} IS NULL THEN ${inEra(view.current)} ${join(whens, ' ')} ELSE ${inEra(view.eras.length - 1)} END`
}

function lookSql(view: GroupingView, column: SourceColumn, { era, level }: { era: number; level: number }): Sql {
  const map = view.map({ dataset: column.node.dataset.id, column: column.key, era })
  if (!map) throw new TypeError('A map stands ready for every column that the plan groups.')
  const [found, table] = [name(`gl${level}`), name(`gm${map.n}`)]
  // The plus takes away the column's type, so that the map's index can be used.
  const value = sql`+${refOf(column)}`
  return map.kind === 'values'
    ? sql`(SELECT ${found} FROM ${table} WHERE gv = ${value})`
    : sql`(SELECT ${found} FROM ${table} WHERE gv <= ${value} ORDER BY gv DESC LIMIT 1)`
}

/** On which day a row counts: by the plan's period, else by its own first time. */
function dayOfRow(querySource: QuerySource): Sql {
  const { periodField, graph } = querySource.world
  const { dataset } = querySource.root
  const leads = (field: Field): boolean =>
    shortestPaths(graph.edges, { from: dataset.id, to: field.dataset, least: 0 }).length > 0
  if (periodField && leads(periodField)) return dayNumberOf(columnOf(querySource, periodField))
  const timed = dataset.columns.find(({ role, type }) => role === 'time' && (type === 'date' || type === 'datetime'))
  if (!timed) throw invalidPlan('period', 'Choose a period to group by groups of that time.')
  return dayNumberOf(columnAt(querySource.root, timed.key))
}

/** In which groups a value is (null: in none), as conditions of the plan say. */
export function groupedFilter(
  querySource: QuerySource,
  { field, any: conditions, grouping }: FieldFilter,
  path: string,
): Sql {
  if (!grouping) throw new TypeError('A group filter needs a grouping.')
  const view = viewOf(querySource, grouping)
  const found = groupedSql(querySource, field, grouping)
  const number =
    view.fallback.kind === 'asIs'
      ? sql`CASE typeof(${found}) WHEN 'integer' THEN ${found} ELSE -1 END`
      : sql`coalesce(${found}, -1)`
  return any(conditions.map((condition) => oneOf(view, { number, condition, path })))
}

function oneOf(view: GroupingView, at: { number: Sql; condition: Condition; path: string }): Sql {
  const { number, condition, path } = at
  if (condition.op !== 'in' && condition.op !== 'notIn') throw invalidPlan(path, 'Choose groups.')
  const numbers = condition.values.map((id) => {
    const known = id === null ? -1 : view.numbers.get(String(id))
    if (known === undefined) throw invalidPlan(path, `A group in ${view.name} was deleted.`)
    return known
  })
  const list = sql`SELECT value FROM json_each(${bind(JSON.stringify(numbers))})`
  return condition.op === 'in' ? sql`${number} IN (${list})` : sql`${number} NOT IN (${list})`
}

/** How a grouping and its groups are called. */
export const groupingNames = (
  view: GroupingView | null | undefined,
): { name: string; group(id: string): string } | null =>
  view ? { name: view.name, group: (id) => view.groups[view.numbers.get(id) ?? -1]?.name ?? 'a group' } : null

/** What an answer depends on of the groupings it is seen through: their versions, and which period is today's. */
export function groupingsIdentity(
  plan: QueryPlan,
  views: ((id: string) => GroupingView | null) | undefined,
): { id: string; version: number; current: number }[] | undefined {
  const ids = groupingIdsOf(plan)
  if (ids.length === 0) return undefined
  return ids.flatMap((id) => {
    const view = views?.(id)
    return view ? [{ id, version: view.version, current: view.current }] : []
  })
}

/** How a split by groups is shown. */
export interface GroupedSplit {
  by: GroupingReference
  /** Values without a group are left out of the answer. */
  excludes: boolean
  name: string
  decode(cell: SqlStorageValue | undefined): Cell
  groups: NonNullable<ResultColumn['groups']>
}

/** What splits of a plan leave out, as filters: for questions that are asked without these splits. */
export const exclusionsOf = (
  world: QuerySource['world'],
  { dimensions }: Pick<QueryPlan, 'dimensions'>,
): FieldFilter[] =>
  dimensions.flatMap(({ field, grouping }): FieldFilter[] => {
    const leavesOut = grouping && world.groupings?.(grouping.id)?.fallback.kind === 'exclude'
    return leavesOut === true ? [{ field, grouping, any: [{ op: 'notIn', values: [null] }] }] : []
  })

export function groupedSplit(view: GroupingView, by: GroupingReference): GroupedSplit {
  const { fallback } = view
  const { level, as } = by
  const rest = fallback.kind === 'ungrouped' ? fallback.name : null
  const seen = new Set<string>()
  for (const [era, { groups }] of view.eras.entries()) {
    if (as !== 'then' && era !== view.current) continue
    for (const path of groupPaths(groups).values()) {
      const shown = groupAtLevel(path, level ?? GROUP_DEPTH_MAX)
      if (shown) seen.add(shown.id)
    }
  }
  const groups: GroupedSplit['groups'] = view.groups
    .filter(({ id }) => seen.has(id))
    .map(({ id, name: title, color }) => ({ id, name: title, color }))
  return {
    by,
    excludes: fallback.kind === 'exclude',
    name: view.name,
    decode: (cell) => {
      if (typeof cell === 'number') return view.groups[cell]?.name ?? null
      return typeof cell === 'string' ? cell : rest
    },
    groups: rest === null ? groups : [...groups, { id: null, name: rest, color: null }],
  }
}
