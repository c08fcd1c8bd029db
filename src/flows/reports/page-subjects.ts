import type { CalendarContext } from '../../semantic/calendar'
import type { MetricDefinitions } from '../../semantic/metric-definitions'
import { readMetricDefinitions } from '../../semantic/metric-definition-store'
import { readSubjects, type InsightSubject, type NamedMetricSubject } from '../../semantic/monitored-metric-store'
import { ProductError } from '../../shared/errors'
import type { SubjectRef } from '../../shared/monitored-metric'
import type { ReportBlock } from '../../shared/reports/blocks'
import { tokenMetrics } from '../../shared/reports/report-items'

/** What the blocks of a page are about, read at once. */
export interface PageSubjects {
  /** @throws ProductError `not_found`, also for what does not exist for who asks */
  insight(id: string): InsightSubject
  metric(id: string): NamedMetricSubject
  /** By its name or a synonym, as names are unique. */
  metricNamed(name: string): NamedMetricSubject
  definitions: MetricDefinitions
}

const subjectsOf = (block: ReportBlock): SubjectRef[] => {
  if (block.kind === 'kpis') return block.figures.map(({ subject }) => subject)
  if (block.kind === 'observation') return [block.subject]
  if (block.kind === 'insight') return [{ kind: 'insight', id: block.insight, measure: 0 }]
  return block.kind === 'metric' ? [{ kind: 'metric', id: block.metric }] : []
}

export async function readPageSubjects(
  { deps, scope }: CalendarContext,
  blocks: readonly ReportBlock[],
): Promise<PageSubjects> {
  const refs = blocks.flatMap(subjectsOf)
  const idsOf = (kind: SubjectRef['kind']) => [...new Set(refs.flatMap((ref) => (ref.kind === kind ? [ref.id] : [])))]
  const { insights, metrics } = await readSubjects(deps.db, scope, {
    ...{ insights: idsOf('insight'), metrics: idsOf('metric'), metricNames: tokenMetrics(blocks) },
  })
  const definitions = await readMetricDefinitions(deps, scope, [
    ...insights.flatMap(({ plan }) => plan.measures),
    ...metrics.map(({ id }) => ({ kind: 'metric' as const, id })),
  ])
  const found = <T>(items: readonly T[], is: (item: T) => boolean): T => {
    const item = items.find(is)
    if (item === undefined) throw new ProductError('not_found')
    return item
  }
  return {
    insight: (id) => found(insights, (each) => each.id === id),
    metric: (id) => found(metrics, (each) => each.id === id),
    metricNamed: (name) => found(metrics, ({ names }) => names.includes(name)),
    definitions,
  }
}
