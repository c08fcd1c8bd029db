import type { ReadContext } from './look'
import type { SubjectTestResults } from './model/tested'
import { activeTargetsOf } from './aims-of'
import type { ActiveTarget } from './aims-of'
import type { CandidateMetric } from './subjects/asked'
import { componentsOf } from './subjects/figure'
import type { AnalysisWindow } from './subjects/window'
import { readTargetProgress } from '../../access/target-progress'
import { readTargetTable } from '../../access/target-tables'
import { findMonitoredMetric } from '../../access/tracked'
import { isTransient, ProductError } from '../../shared/errors'
import { keyOfLine } from '../../shared/targets'
import type { PaceStatus, TargetTable } from '../../shared/targets'

/** The targets of a figure that are being headed for. */
export interface ActiveTargets {
  table: TargetTable
  targets: ActiveTarget[]
}

/** Null for a figure without any. Where no way is favourable, nothing is missed. */
export async function findActiveTargets(
  { deps, scope, calendar }: ReadContext,
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
  context: ReadContext,
  subjectTestResults: SubjectTestResults,
  aimed: ActiveTargets | null,
): Promise<SubjectTestResults> {
  if (!aimed || !subjectTestResults.candidates.some(isTargetRisk)) return subjectTestResults
  const paces = await paceByLine(context, aimed)
  const stands = (candidate: SubjectTestResults['candidates'][number]): boolean => {
    if (!isTargetRisk(candidate)) return true
    const { member } = candidate
    return paces.get(keyOfLine(member ? { member: member.value } : {})) === 'behind'
  }
  return { ...subjectTestResults, candidates: subjectTestResults.candidates.filter(stands) }
}
const isTargetRisk = ({ kind }: SubjectTestResults['candidates'][number]): boolean => kind === 'targetRisk'

/** How each line is doing; nothing of what cannot be worked out. */
async function paceByLine(
  context: ReadContext,
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
