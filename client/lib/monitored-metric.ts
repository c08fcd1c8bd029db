import { useQuery } from '@tanstack/react-query'
import { resolveMetrics, metricsQuery } from './query-builder/catalogue'
import type { Insight } from '../../src/shared/insights'
import type { Metric } from '../../src/shared/metrics'
import { metricIdsOf } from '../../src/shared/query/plan-fields'
import type { Measure } from '../../src/shared/query/plan'
import { monitoredFromInsight, type MonitoredMetric } from '../../src/shared/monitored-metric'

/** What a measure stands for, shown as the metric it names is shown; filters of metrics are left to the server. */
function resolveMeasure(measure: Measure, metrics: readonly Metric[] | undefined): Measure {
  const meant = resolveMetrics(measure, { metrics: metrics ?? [], groupings: [] })
  const format = measure.kind === 'metric' ? metrics?.find(({ id }) => id === measure.id)?.format : null
  return format ? { ...meant, format } : meant
}

/** The figure of an insight as it is followed, by what the metrics of the workspace stand for. */
export const monitoredMetricOf = (
  insight: Insight,
  index: number,
  metrics: readonly Metric[] | undefined,
): MonitoredMetric | null => monitoredFromInsight(insight, index, (measure) => resolveMeasure(measure, metrics))

/** The metrics of the workspace, where the figures of an insight name any. */
export const useReferencedMetrics = (insight: Insight | undefined): readonly Metric[] | undefined =>
  useQuery({ ...metricsQuery(), enabled: insight !== undefined && metricIdsOf(insight.plan.measures).length > 0 }).data
