import { componentsOf, type MeasureComponents } from './series'
import type { AnalysisWindow } from './analysis-window'
import type { SubjectDimension, SubjectTarget } from './model/subject'
import { isSameField } from '../../shared/query/plan-fields'
import type { Field } from '../../shared/query/field'
import { toTargetCells, sumTargets, yearToDate } from '../../shared/targets/pace'
import { periodEnd, periodsBetween, yearGrainOf, type TargetGrain } from '../../shared/targets/periods'
import { keyOfLine, type TargetLine, type TargetTable, type PaceStatus } from '../../shared/targets/targets'
import { dayFromIso, monthIndexOf, type Calendar } from '../../shared/dates'
import type { CalendarContext } from '../../semantic/calendar'
import type { SubjectTestResults } from './model/candidates'
import type { CandidateMetric } from './candidate-metrics'
import { readTargetProgress } from '../../semantic/targets'
import { findMonitoredMetric } from '../../semantic/monitored-metric'
import { isTransient, ProductError } from '../../shared/errors'
import { readTargetTable } from '../../semantic/target-store'

/** What one line of a table of targets asks of the buckets of its figure. */
interface ActiveTarget {
  /** Of the line. */
  line: string
  member: TargetLine['member']
  target: SubjectTarget
  /** The whole year's targets, or those of the period that is running. */
  of: 'year' | 'now'
}

interface TargetContext {
  window: AnalysisWindow
  calendar: Pick<Calendar, 'today' | 'fiscalYearStart'>
  figure: Pick<MeasureComponents, 'additive' | 'under'>
}

/**
 * The targets that are being headed for today: of sums the year's, where each of its periods has one, else the running
 * period's. None where the periods of targets do not begin and end with buckets, or begin before them.
 */
function activeTargetsOf(table: Pick<TargetTable, 'grain' | 'lines'>, context: TargetContext): ActiveTarget[] {
  const way = targetAggregation(table.grain, context)
  if (way === null) return []
  return table.lines.flatMap((line) => {
    const aimed = targetAmountOf(line, { ...context, grain: table.grain, way })
    const place = aimed && bucketPosition(aimed.from, aimed.to, context.window)
    if (!aimed || !place) return []
    const period = { from: aimed.from, to: aimed.from, grain: aimed.grain }
    const target: SubjectTarget = { amount: Number(aimed.amount), ...place, way, period }
    return [{ line: keyOfLine(line), member: line.member, target, of: aimed.of }]
  })
}

/** What neither adds up nor is so much of so much says nothing of longer periods than its buckets. */
function targetAggregation(grain: TargetGrain, { figure, window }: TargetContext): SubjectTarget['way'] | null {
  if (figure.under) return 'level'
  if (figure.additive) return 'sum'
  return grain === window.grain ? 'level' : null
}

interface TargetAmount {
  amount: string
  from: string
  to: string
  grain: TargetGrain
  of: ActiveTarget['of']
}

function targetAmountOf(
  line: TargetLine,
  at: TargetContext & { grain: TargetGrain; way: SubjectTarget['way'] },
): TargetAmount | null {
  const { grain, way } = at
  const { today, fiscalYearStart } = at.calendar
  const cells = toTargetCells(line)
  const { start, running } = yearToDate(today, { grain, fiscalYearStart })
  const yearGrain = yearGrainOf(grain)
  const end = periodEnd(start, yearGrain)
  const periods = periodsBetween(start, end, { grain, fiscalYearStart })
  const whole = way === 'sum' && periods.length > 1 ? sumTargets(cells, periods) : null
  if (whole !== null) return { amount: whole, from: start, to: end, grain: yearGrain, of: 'year' }
  const amount = cells.get(running)
  return amount === undefined ? null : { amount, from: running, to: periodEnd(running, grain), grain, of: 'now' }
}

/** Which buckets a period takes up, those still to come included. */
function bucketPosition(
  from: string,
  to: string,
  { grain, buckets }: AnalysisWindow,
): { first: number; length: number } | null {
  const [start, end, zero] = [from, to, buckets[0] ?? ''].map(dayFromIso)
  if (start == null || end == null || zero == null || grain === 'week') return null
  const number = (day: number): number => (grain === 'month' ? monthIndexOf(day) : day)
  const first = number(start) - number(zero)
  return first < 0 ? null : { first, length: number(end) - number(start) + 1 }
}

/** The members of the column that a table goes by, each with its own target. */
export function withMemberTargets(
  dimension: SubjectDimension,
  { split, by, aims }: { split: Field; by: TargetTable['by']; aims: readonly ActiveTarget[] },
): SubjectDimension {
  if (!by || by.grouping || !isSameField(by.field, split)) return dimension
  const members = dimension.members.map((one) => {
    const aim = aims.find(({ line }) => line === keyOfLine({ member: one.member }))
    return aim ? { ...one, target: aim.target } : one
  })
  return { ...dimension, members }
}

/** The targets of a figure that are being headed for. */
interface ActiveTargets {
  table: TargetTable
  targets: ActiveTarget[]
}

/** Null for a figure without any. Where no way is favourable, nothing is missed. */
export async function findActiveTargets(
  { deps, scope, calendar }: CalendarContext,
  { targets, measure, direction }: CandidateMetric,
  analysisWindow: AnalysisWindow,
): Promise<ActiveTargets | null> {
  if (direction === 'none') return null
  const figure = componentsOf(measure)
  for (const { kind, id } of targets) {
    const subject = kind === 'metric' ? { kind, id } : { kind, id, measure: 0 }
    const table = await readTargetTable(deps.db, scope, subject)
    const aims = table ? activeTargetsOf(table, { window: analysisWindow, calendar, figure }) : []
    if (table && aims.length > 0) return { table, targets: aims }
  }
  return null
}

/**
 * A target is at risk when season and trend of complete periods lead away from it, and what has come in since lies behind
 * its pace, too: as the page of the target tells it.
 */
export async function confirmTargetRisks(
  context: CalendarContext,
  results: SubjectTestResults,
  aimed: ActiveTargets | null,
): Promise<SubjectTestResults> {
  if (!aimed || !results.candidates.some(isTargetRisk)) return results
  const paces = await paceByLine(context, aimed)
  const stands = (candidate: SubjectTestResults['candidates'][number]): boolean => {
    if (!isTargetRisk(candidate)) return true
    const { member } = candidate
    return paces.get(keyOfLine(member ? { member: member.value } : {})) === 'behind'
  }
  return { ...results, candidates: results.candidates.filter(stands) }
}
const isTargetRisk = ({ kind }: SubjectTestResults['candidates'][number]): boolean => kind === 'targetRisk'

/** How each line is doing; nothing of what cannot be worked out. */
async function paceByLine(
  context: CalendarContext,
  { table, targets }: ActiveTargets,
): Promise<Map<string, PaceStatus | null>> {
  const found = await findMonitoredMetric(context.deps, context.scope, table.subject)
  if (!found.ok) return new Map()
  try {
    const { lines } = await readTargetProgress(context, found.monitoredMetric, table)
    return new Map(
      lines.map((line) => {
        const key = keyOfLine(line)
        const of = targets.find((aim) => aim.line === key)?.of ?? 'now'
        return [key, line[of]?.status ?? null]
      }),
    )
  } catch (error) {
    if (error instanceof ProductError && !isTransient(error)) return new Map()
    throw error
  }
}
