import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Insight } from '../../../src/shared/insights'
import type { Metric } from '../../../src/shared/metrics'
import type { Page } from '../../../src/shared/names'
import type { Measure } from '../../../src/shared/query'
import { addsUp, trackedInsight, trackedMetric } from '../../../src/shared/tracked'
import type { Subject, Tracked } from '../../../src/shared/tracked'
import { answer, api } from '../../lib/api'
import { meantBy, metricsQuery } from '../../lib/filters/catalogue'
import { session } from '../../lib/session'

const insightsQuery = () =>
  queryOptions({
    queryKey: ['insights', 'for-forecasts', session().workspace?.id],
    queryFn: async ({ signal }) =>
      (await answer<Page<Insight>>(api.api.insights.$get({ query: { limit: '100' } }, { init: { signal } }))).items,
  })

/** A figure over time that can be forecast. */
export interface Followable extends Tracked {
  /** The same subject has the same. */
  key: string
  /** What it is called among the others. */
  label: string
}
export const keyOfSubject = (subject: Subject): string =>
  subject.kind === 'metric' ? subject.id : `${subject.id}:${subject.measure}`

const ofMetric = (metric: Metric, metrics: readonly Metric[]): Followable[] => {
  const tracked = trackedMetric(metric, meantBy({ kind: 'metric', id: metric.id }, { metrics, groupings: [] }))
  return tracked ? [{ ...tracked, key: keyOfSubject(tracked.subject), label: metric.name }] : []
}

/** Every figure of an insight over time; numbered where there are several without names. */
const ofInsight = (insight: Insight, metrics: readonly Metric[]): Followable[] =>
  insight.plan.measures.flatMap((measure, at) => {
    const tracked = trackedInsight(insight, at)
    if (!tracked) return []
    const several = insight.plan.measures.length > 1
    const figure = measure.label ?? metricName(measure, metrics) ?? `figure ${at + 1}`
    const additive = addsUp(meantBy(tracked.measure, { metrics, groupings: [] }))
    const label = several ? `${insight.name}: ${figure}` : insight.name
    return [{ ...tracked, additive, key: keyOfSubject(tracked.subject), label }]
  })
const metricName = (measure: Measure, metrics: readonly Metric[]): string | undefined =>
  measure.kind === 'metric' ? metrics.find(({ id }) => id === measure.id)?.name : undefined

interface Followables {
  all: Followable[] | undefined
  error: unknown
  retry: () => void
}

/** What of the workspace can be forecast: metrics first, then figures of insights. */
export function useFollowables(): Followables {
  const metrics = useQuery(metricsQuery())
  const insights = useQuery(insightsQuery())
  const all = useMemo(
    () =>
      metrics.data && insights.data
        ? [
            ...metrics.data.flatMap((metric) => ofMetric(metric, metrics.data)),
            ...insights.data.flatMap((insight) => ofInsight(insight, metrics.data)),
          ]
        : undefined,
    [metrics.data, insights.data],
  )
  const retry = (): void => void Promise.all([metrics.refetch(), insights.refetch()])
  return { all, error: metrics.error ?? insights.error, retry }
}
