import { workspaceId } from '../../../lib/session'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { FORECAST_GRAINS, type ForecastGrain } from '../../../../src/shared/forecasts/result'
import type { Insight } from '../../../../src/shared/insights'
import type { Metric } from '../../../../src/shared/metrics'
import type { ListPage } from '../../../../src/shared/field-schemas'
import type { Measure } from '../../../../src/shared/query/plan'
import { monitoredFromInsight, monitoredFromMetric } from '../../../../src/shared/monitored-metric'
import type { SubjectRef, MonitoredMetric } from '../../../../src/shared/monitored-metric'
import { readJson, api } from '../../../lib/api'
import { AGGREGATE_LABELS } from '../../../lib/query-builder/aggregate-labels'
import { resolveMetrics, metricsQuery, isTemporal } from '../../../lib/query-builder/catalogue'
import { loadedDatasetsQuery, type DatasetWithSource } from '../../../lib/queries/data-source-queries'
import { isAdditive, isCountMeasure } from '../../../../src/shared/query/plan-fields'

const insightsQuery = () =>
  queryOptions({
    queryKey: ['insights', 'for-forecasts', workspaceId()],
    queryFn: ({ signal }) => allInsights(signal),
  })
const PAGES_MAX = 10
/** All of them, page by page, up to as many as a person would look through. */
async function allInsights(signal: AbortSignal): Promise<Insight[]> {
  const items: Insight[] = []
  let cursor: string | null = ''
  for (let page = 0; page < PAGES_MAX && cursor !== null; page++) {
    const query: { limit: string; cursor?: string } = { limit: '100', ...(cursor === '' ? {} : { cursor }) }
    const found: ListPage<Insight> = await readJson<ListPage<Insight>>(
      api.api.insights.$get({ query }, { init: { signal } }),
    )
    items.push(...found.items)
    cursor = found.nextCursor
  }
  return items
}

/** A figure over time that can be forecast. */
export interface ForecastableMetric extends MonitoredMetric {
  /** The same subject has the same. */
  key: string
  /** What it is called among the others. */
  label: string
  /** The periods it is shown by, where it is forecast by such. */
  grain: ForecastGrain | null
}
export const subjectKey = (subjectRef: SubjectRef): string =>
  subjectRef.kind === 'metric' ? subjectRef.id : `${subjectRef.id}:${subjectRef.measure}`

const fromMetric = (metric: Metric, metrics: readonly Metric[]): ForecastableMetric[] => {
  const tracked = monitoredFromMetric(
    metric,
    resolveMetrics({ kind: 'metric', id: metric.id }, { metrics, groupings: [] }),
  )
  return tracked ? [{ ...tracked, key: subjectKey(tracked.subject), label: metric.name, grain: null }] : []
}

interface CatalogueData {
  metrics: readonly Metric[]
  datasets: readonly DatasetWithSource[]
}
/** The first or last of days is no figure. */
function isDateMeasure(measure: Measure, datasets: readonly DatasetWithSource[]): boolean {
  if (measure.kind !== 'column' || isCountMeasure(measure)) return false
  const { field } = measure
  const column = datasets.find(({ id }) => id === field?.dataset)?.columns.find(({ key }) => key === field?.column)
  return column !== undefined && isTemporal(column)
}

/** Every figure of an insight over time; numbered where there are several without names. */
const fromInsight = (insight: Insight, { metrics, datasets }: CatalogueData): ForecastableMetric[] =>
  insight.plan.measures.flatMap((measure, at) => {
    const tracked = monitoredFromInsight(insight, at)
    if (!tracked || isDateMeasure(measure, datasets)) return []
    const several = insight.plan.measures.length > 1
    const figure = measure.label ?? metricName(measure, metrics) ?? sumName(measure, datasets) ?? `Measure ${at + 1}`
    const additive = isAdditive(resolveMetrics(tracked.measure, { metrics, groupings: [] }))
    const label = several ? `${figure} (${insight.name})` : insight.name
    const grain = FORECAST_GRAINS.find((one) => insight.plan.dimensions.some((dimension) => dimension.grain === one))
    return [{ ...tracked, additive, key: subjectKey(tracked.subject), label, grain: grain ?? null }]
  })
/** "Sum of Amount", as answers call a figure of a column that has no name of its own. */
function sumName(measure: Measure, datasets: readonly DatasetWithSource[]): string | undefined {
  if (measure.kind !== 'column') return undefined
  const { agg, field } = measure
  if (field === undefined) return AGGREGATE_LABELS[agg]
  const column = datasets.find(({ id }) => id === field.dataset)?.columns.find(({ key }) => key === field.column)
  return column && `${AGGREGATE_LABELS[agg]} of ${column.label}`
}
const metricName = (measure: Measure, metrics: readonly Metric[]): string | undefined =>
  measure.kind === 'metric' ? metrics.find(({ id }) => id === measure.id)?.name : undefined

interface ForecastableMetrics {
  all: ForecastableMetric[] | undefined
  error: unknown
  retry: () => void
}

/** What of the workspace can be forecast: metrics first, then figures of insights. */
export function useForecastableMetrics(): ForecastableMetrics {
  const metrics = useQuery(metricsQuery())
  const insights = useQuery(insightsQuery())
  const datasets = useQuery(loadedDatasetsQuery())
  const all = useMemo(
    () =>
      metrics.data && insights.data && datasets.data
        ? [
            ...metrics.data.flatMap((metric) => fromMetric(metric, metrics.data)),
            ...insights.data.flatMap((insight) =>
              fromInsight(insight, { metrics: metrics.data, datasets: datasets.data }),
            ),
          ]
        : undefined,
    [metrics.data, insights.data, datasets.data],
  )
  const retry = (): void => void Promise.all([metrics.refetch(), insights.refetch(), datasets.refetch()])
  return { all, error: metrics.error ?? insights.error ?? datasets.error, retry }
}
