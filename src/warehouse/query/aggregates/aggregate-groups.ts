import type { Amount } from './amount'
import { compileAggregate, type AggregateQuery, type CompiledAggregate } from './compile-aggregate'
import { decoded, type OutputColumns, type OutputGroup } from './shape-result'
import { columnGroups } from '../../columns/column-groups'
import type { ColumnSources } from '../../columns/column-table'
import type { ExecuteSql } from '../sources/sql'
import type { CompileContext } from '../sources/source'
import type { QuerySteps } from '../../scheduling/query-scheduler'
import { BATCH_MAX_BYTES, QUERY_ROWS_MAX } from '../../../shared/limits'
import type { QueryPlan } from '../../../shared/query/plan'

/** What an answer is made with. */
export interface AggregateExecution {
  world: CompileContext
  execute: ExecuteSql
  question: AggregateQuery
  /** Which measures of a plan are worked out together, those that decide which groups are shown first. */
  partsOf: (plan: QueryPlan) => number[][]
  /** Where rows are kept in columns, too. */
  columns?: ColumnSources | undefined
}

/** The groups of an answer's page with all their figures. */
export interface AggregateGroups extends OutputColumns {
  groups: OutputGroup[]
  totals: Amount[][] | null
  /** Of all pages. */
  rowCount: number
}

/**
 * The figures of an aggregate plan. Heavy ones take a statement for each part of the measures: the first finds the groups
 * of the page, the others work out what else is shown of those groups.
 */
export function* aggregateGroups(execution: AggregateExecution): QuerySteps<AggregateGroups> {
  const { world, question, columns } = execution
  const { plan } = question
  const found = columns ? yield* columnGroups(world, question, columns) : null
  if (found) return found
  const [first = [], ...rest] = execution.partsOf(plan)
  const page = yield* pageGroups(execution, plan, rest.length === 0 ? plan : partOfPlan(plan, first))
  if (rest.length === 0) return page
  const only = groupKeysOf(page)
  // Keys that cannot be named again exactly: everything in one statement after all.
  if (only === null) return yield* pageGroups(execution, plan, plan)
  const parts: Part[] = [{ measures: first, groups: page }]
  for (const measures of rest) {
    // The first measure says which values a top-N keeps.
    const asked = plan.dimensions.some(({ topN }) => topN !== undefined) ? [...new Set([0, ...measures])] : measures
    const { having: _having, sort: _sort, offset: _offset, ...others } = partOfPlan(plan, asked)
    const question = { ...execution.question, ...(plan.dimensions.length > 0 ? { only } : {}) }
    const groups = yield* pageGroups({ ...execution, question }, plan, { ...others, limit: QUERY_ROWS_MAX })
    parts.push({ measures: asked, groups })
  }
  return joinParts(plan, page, parts)
}

interface Part {
  /** Indexes in the plan. */
  measures: readonly number[]
  groups: AggregateGroups
}

/** The plan of some of the measures: what else it says of them goes with them. */
function partOfPlan(plan: QueryPlan, measures: readonly number[]): QueryPlan {
  const { having, sort, ...rest } = plan
  const at = (measure: number): number => measures.indexOf(measure)
  return {
    ...rest,
    measures: measures.flatMap((index) => plan.measures[index] ?? []),
    ...(having ? { having: having.map((each) => ({ ...each, measure: at(each.measure) })) } : {}),
    ...(sort
      ? { sort: sort.map((each) => ('measure' in each.by ? { ...each, by: { measure: at(each.by.measure) } } : each)) }
      : {}),
  }
}

/** One statement for the page, one for its totals. They are compiled when they run: what they read may have moved. */
function* pageGroups(execution: AggregateExecution, whole: QueryPlan, plan: QueryPlan): QuerySteps<AggregateGroups> {
  const { world, execute, question } = execution
  const compile = (): CompiledAggregate => compileAggregate(world, { ...question, plan })
  const compiled = compile()
  const rows = execute(compiled.rows)
  // Past the last page no row carries the count.
  const rowCount = Number(rows[0]?.[0] ?? (plan.offset ? execute(compiled.count)[0]?.[0] : 0) ?? 0)
  const { dimensions, measures, compared } = compiled
  const groups = rows.map((cells): OutputGroup => ({
    keys: dimensions.map((_, i) => cells[1 + i * 2] ?? null),
    other: dimensions.map((_, i) => cells[2 + i * 2] === 1),
    arms: decoded(compiled, cells.slice(1 + dimensions.length * 2)),
  }))
  // A plan that is light enough for one part is light enough for both statements.
  const isSplit = execution.partsOf(whole).length > 1
  if (compiled.totals && isSplit) yield
  const totals = compiled.totals ? compile().totals : null
  const [cells] = totals ? execute(totals) : []
  if (isSplit) yield
  return { dimensions, measures, compared, groups, rowCount, totals: cells ? decoded(compiled, cells) : null }
}

/** Null when they are too long for a parameter, or a number among them has no exact text. */
function groupKeysOf({ dimensions, groups }: AggregateGroups): string | null {
  const keys = groups.map((group) =>
    dimensions.flatMap(({ topN }, i) => [
      group.keys[i] ?? null,
      ...(topN === undefined ? [] : [Number(group.other[i])]),
    ]),
  )
  if (keys.flat().some((key) => typeof key === 'number' && !Number.isSafeInteger(key))) return null
  const text = JSON.stringify(keys)
  return text.length * 3 > BATCH_MAX_BYTES ? null : text
}

const groupKey = ({ keys, other }: OutputGroup): string => JSON.stringify([keys, other])

/** The figures of all parts, side by side, in the order of the page. */
function joinParts(plan: QueryPlan, page: AggregateGroups, parts: readonly Part[]): AggregateGroups {
  const found = parts.map(({ measures, groups }) => ({
    measures,
    groups,
    byKey: new Map(groups.groups.map((group) => [groupKey(group), group])),
  }))
  const places = plan.measures.map((_, index) => {
    const part = found.find(({ measures }) => measures.includes(index))
    if (!part) throw new TypeError('Every measure is in a part of its plan.')
    return { ...part, at: part.measures.indexOf(index) }
  })
  const arms = page.compared ? [0, 1] : [0]
  const groups = page.groups.map((group): OutputGroup => {
    const key = groupKey(group)
    const own = places.map(({ byKey, at }) => ({ of: byKey.get(key), at }))
    return { ...group, arms: arms.map((arm) => own.map(({ of, at }) => of?.arms[arm]?.[at] ?? null)) }
  })
  const measures = places.flatMap(({ groups: of, at }) => of.measures[at] ?? [])
  const totals = page.totals && arms.map((arm) => places.map(({ groups: of, at }) => of.totals?.[arm]?.[at] ?? null))
  return { ...page, measures, groups, totals }
}
