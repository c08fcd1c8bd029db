import type { AggregateExecution, AnswerGroups } from '../figure-source'
import type { Amount } from '../aggregates/amount'
import type { MeasureTraits } from '../aggregates/calculations'
import { exclusionsOf } from '../plan/plan-groupings'
import { queryTooComplex } from '../plan/plan-errors'
import { shapeGroups, type ShapedResult } from '../aggregates/shape-result'
import type { QuerySteps } from '../../scheduling/query-scheduler'
import { lastRunningTotals, runWindows, nodeTraits, windowProgramOf, nodeEvaluator, wholeAmount } from './windows'
import { groupComparator, satisfiesHaving } from '../aggregates/group-order'
import type { GroupAmounts, ResultGroup, TimeAxis, WindowProgram } from './windows'
import type { PlanNaming } from '../plan/describe-plan'
import { QUERY_ROWS_MAX } from '../../../shared/limits'
import { asksTotals } from '../../../shared/query/plan-fields'
import type { QueryPlan } from '../../../shared/query/plan'

interface Execution extends AggregateExecution {
  naming: PlanNaming
}

/**
 * An answer with earlier units, running totals or figures of all rows. They look further than their own group, so all
 * groups are asked for, the windows worked out over them, and then limits on figures, order and page are applied here.
 * @throws ProductError `query_too_complex` when there are more groups than one answer holds
 */
export function* windowedFigures(
  execution: Execution,
): QuerySteps<ShapedResult & { rowCount: number; truncated: boolean }> {
  const { plan } = execution.question
  const program = windowProgramOf(plan.measures)
  const { compiled, groups, totals } = yield* groupsOf(execution, windowFreePlan(plan, program))
  const axis = program.windows.some(({ kind }) => kind !== 'whole') ? axisOf(execution, compiled) : null
  runWindows(groups, program, { bases: compiled.measures, axis, totals })
  const traits = program.nodes.map((node) => nodeTraits(node, compiled.measures))
  const readers = program.nodes.map((node) => nodeEvaluator(node, compiled.measures))
  const figuresOf = (amounts: GroupAmounts): Amount[] => readers.map((read) => read(amounts))
  const all = groups.map((group) => ({ ...group, figures: group.sides[0] ? figuresOf(group.sides[0]) : [] }))
  const kept = all
    .filter(({ figures }) => satisfiesHaving(plan, figures, (i) => traits[i]?.numeric === true))
    .toSorted(groupComparator(plan, compiled.dimensions))
  const offset = plan.offset ?? 0
  const page = kept.slice(offset, offset + (plan.limit ?? QUERY_ROWS_MAX))
  const shown = { dimensions: compiled.dimensions, measures: traits, compared: compiled.compared }
  const bases = compiled.measures
  const parts = totals && asksTotals(plan) ? yield* totalsOf(execution, { program, axis, groups, totals, bases }) : null
  const shaped = shapeGroups(plan, shown, {
    naming: execution.naming,
    groups: page.map(({ keys, other, sides }) => ({ keys, other, sides: sides.map(figuresOf) })),
    totals: parts?.map(figuresOf) ?? null,
  })
  return { ...shaped, rowCount: kept.length, truncated: offset + page.length < kept.length }
}

/** What columns are asked for: every group, with the figures that windows are made of. */
function windowFreePlan(plan: QueryPlan, { bases, windows }: WindowProgram): QueryPlan {
  const { having: _having, sort: _sort, offset: _offset, ...rest } = plan
  const totals = asksTotals(plan) || windows.some(({ kind }) => kind === 'whole')
  return { ...rest, totals, measures: bases, limit: QUERY_ROWS_MAX }
}

interface Groups {
  compiled: AnswerGroups
  groups: ResultGroup[]
  totals: Amount[][] | null
}

function* groupsOf(execution: Execution, plan: QueryPlan): QuerySteps<Groups> {
  const question = { ...execution.question, plan }
  const compiled = yield* execution.source.groups(execution.planContext, question)
  if (compiled.rowCount > QUERY_ROWS_MAX) throw queryTooComplex('groups', QUERY_ROWS_MAX)
  const groups = compiled.groups.map(({ keys, other, sides }): ResultGroup => ({
    keys,
    other,
    sides: sides.map((bases) => ({ bases, windows: [] })),
  }))
  return { compiled, groups, totals: compiled.totals }
}

function axisOf({ planContext, question: { period } }: Execution, { dimensions }: AnswerGroups): TimeAxis {
  const at = dimensions.findIndex(({ grain }) => grain !== undefined)
  const found = dimensions[at]
  if (!found?.grain) throw new TypeError('A checked plan with windows has a split by time.')
  return { at, grain: found.grain, calendar: planContext.calendar, period: found.ofPeriod ? period : null }
}

/** The parts of the totals: running totals are those of everything together, at the last unit there is. */
function* totalsOf(
  execution: Execution,
  of: {
    program: WindowProgram
    axis: TimeAxis | null
    groups: ResultGroup[]
    totals: Amount[][]
    bases: readonly MeasureTraits[]
  },
): QuerySteps<GroupAmounts[]> {
  const { program, axis } = of
  const { plan } = execution.question
  const wholes = (totals: readonly Amount[]): Amount[] =>
    program.windows.map((window) => (window.kind === 'whole' ? wholeAmount(window, of.bases, totals) : null))
  if (!axis) return of.totals.map((bases) => ({ bases, windows: wholes(bases) }))
  const time = plan.dimensions[axis.at]
  let whole = { groups: of.groups, axis }
  if (plan.dimensions.length > 1 && time) {
    const { totals: _totals, ...inner } = windowFreePlan(plan, program)
    // What the other splits leave out stays out of the totals.
    const filters = [...inner.filters, ...exclusionsOf(execution.planContext, plan)]
    // Who watches the rows of the question sees all of them, not what these filters let through.
    const { beside: _beside, ...question } = execution.question
    const alone = { ...execution, question }
    const { compiled, groups } = yield* groupsOf(alone, { ...inner, filters, dimensions: [time] })
    whole = { groups, axis: { ...axis, at: 0 } }
    runWindows(groups, program, { bases: compiled.measures, axis: whole.axis, totals: of.totals })
  }
  return of.totals.map((bases, side) => ({
    bases,
    windows: lastRunningTotals(whole.groups, program, { side, axis: whole.axis }).map(
      (running, i) => wholes(bases)[i] ?? running,
    ),
  }))
}
