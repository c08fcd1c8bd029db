import { aggregateLines, type AggregateLines, type LineExecution } from '../aggregates/aggregate-lines'
import type { Amount } from '../aggregates/amount'
import { exclusionsOf } from '../sources/groupings'
import { queryTooComplex } from '../plan/plan-errors'
import { shapeLines, type ShapedResult } from '../aggregates/shape-result'
import type { QuerySteps } from '../../scheduling/query-scheduler'
import {
  groupComparator,
  satisfiesHaving,
  lastRunningTotals,
  runWindows,
  nodeTraits,
  windowProgramOf,
  nodeEvaluator,
} from './windows'
import type { ResultGroup, TimeAxis, WindowProgram } from './windows'
import type { PlanNaming } from '../plan/describe-plan'
import { QUERY_ROWS_MAX } from '../../../shared/limits'
import type { QueryPlan } from '../../../shared/query/plan'

interface Execution extends LineExecution {
  naming: PlanNaming
}

/**
 * An answer with earlier units or running totals. They look at other groups than their own, so all groups are asked
 * for, the windows worked out over them, and then limits on figures, order and page are applied here.
 * @throws ProductError `query_too_complex` when there are more groups than one answer holds
 */
export function* windowedFigures(
  execution: Execution,
): QuerySteps<ShapedResult & { rowCount: number; truncated: boolean }> {
  const { plan } = execution.question
  const program = windowProgramOf(plan.measures)
  const { compiled, lines, totals } = yield* groupsOf(execution, windowFreePlan(plan, program))
  const axis = axisOf(execution, compiled)
  runWindows(lines, program, { bases: compiled.measures, axis })
  const faces = program.nodes.map((node) => nodeTraits(node, compiled.measures))
  const readers = program.nodes.map((node) => nodeEvaluator(node, compiled.measures))
  const figuresOf = ({ bases, windows }: ResultGroup['arms'][number]): Amount[] =>
    readers.map((read) => read({ base: (i) => bases[i] ?? null, window: (i) => windows[i] ?? null }))
  const all = lines.map((line) => ({ ...line, figures: line.arms[0] ? figuresOf(line.arms[0]) : [] }))
  const kept = all
    .filter(({ figures }) => satisfiesHaving(plan, figures, (i) => faces[i]?.numeric === true))
    .toSorted(groupComparator(plan, compiled.dimensions))
  const offset = plan.offset ?? 0
  const page = kept.slice(offset, offset + (plan.limit ?? QUERY_ROWS_MAX))
  const shown = { dimensions: compiled.dimensions, measures: faces, compared: compiled.compared }
  const parts = totals ? yield* totalsOf(execution, { program, axis, lines, totals }) : null
  const shaped = shapeLines(plan, shown, {
    naming: execution.naming,
    lines: page.map(({ keys, other, arms }) => ({ keys, other, arms: arms.map(figuresOf) })),
    totals: parts?.map(figuresOf) ?? null,
  })
  return { ...shaped, rowCount: kept.length, truncated: offset + page.length < kept.length }
}

/** What SQL is asked for: every group, with the figures that windows are made of. */
function windowFreePlan(plan: QueryPlan, { bases }: WindowProgram): QueryPlan {
  const { having: _having, sort: _sort, offset: _offset, ...rest } = plan
  return { ...rest, measures: bases, limit: QUERY_ROWS_MAX }
}

interface Groups {
  compiled: AggregateLines
  lines: ResultGroup[]
  totals: Amount[][] | null
}

function* groupsOf(execution: Execution, plan: QueryPlan): QuerySteps<Groups> {
  const question = { ...execution.question, plan }
  const compiled = yield* aggregateLines({ ...execution, question })
  if (compiled.rowCount > QUERY_ROWS_MAX) throw queryTooComplex('groups', QUERY_ROWS_MAX)
  const lines = compiled.lines.map(({ keys, other, arms }): ResultGroup => ({
    keys,
    other,
    arms: arms.map((bases) => ({ bases, windows: [] })),
  }))
  return { compiled, lines, totals: compiled.totals }
}

function axisOf({ world, question: { period } }: Execution, { dimensions }: AggregateLines): TimeAxis {
  const at = dimensions.findIndex(({ grain }) => grain !== undefined)
  const found = dimensions[at]
  if (!found?.grain) throw new TypeError('A checked plan with windows has a split by time.')
  return { at, grain: found.grain, calendar: world.calendar, period: found.ofPeriod ? period : null }
}

/** The parts of the totals: running totals are those of everything together, at the last unit there is. */
function* totalsOf(
  execution: Execution,
  of: { program: WindowProgram; axis: TimeAxis; lines: ResultGroup[]; totals: Amount[][] },
): QuerySteps<ResultGroup['arms']> {
  const { program, axis } = of
  const { plan } = execution.question
  const time = plan.dimensions[axis.at]
  let whole = { lines: of.lines, axis }
  if (plan.dimensions.length > 1 && time) {
    const { totals: _totals, ...inner } = windowFreePlan(plan, program)
    // What the other splits leave out stays out of the totals.
    const filters = [...inner.filters, ...exclusionsOf(execution.world, plan)]
    const { compiled, lines } = yield* groupsOf(execution, { ...inner, filters, dimensions: [time] })
    whole = { lines, axis: { ...axis, at: 0 } }
    runWindows(lines, program, { bases: compiled.measures, axis: whole.axis })
  }
  return of.totals.map((bases, arm) => ({
    bases,
    windows: lastRunningTotals(whole.lines, program, { arm, axis: whole.axis }),
  }))
}
