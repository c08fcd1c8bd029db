import { Select } from '@mantine/core'
import { CHARTS, chartProblem, type ChartKind } from '../../../../src/shared/insights'
import type { BlockOf } from '../../../../src/shared/reports/blocks'
import { useDatasets } from '../../../lib/queries/data-source-queries'
import { fieldKeyOf, fieldOptions, toField } from '../../../lib/query-builder/catalogue'
import { ColumnSelect } from '../../../lib/query-builder/column-select'
import { TERMS } from '../../../../src/shared/terms'
import { CHART_LABELS } from '../../../lib/query-builder/chart-labels'
import { TitleField, type KindProps } from './kind-fields'
import { usePickableInsights, usePickableMetrics } from './pickable'

const SAME = 'same'

export function InsightSettings({ block, onChange }: KindProps<BlockOf<'insight'>>) {
  const insights = usePickableInsights()
  const chosen = insights.items.find(({ id }) => id === block.insight)
  const fits = (chart: ChartKind): boolean => !chosen || chartProblem(chart, chosen.plan) === null
  return (
    <>
      <Select
        label="Insight"
        searchable
        nothingFoundMessage="No match"
        data={insights.items.map(({ id, name }) => ({ value: id, label: name }))}
        value={block.insight}
        onChange={(insight) => insight !== null && onChange({ ...block, insight, chart: null })}
      />
      <Select
        label="Chart"
        data={[
          { value: SAME, label: chosen ? `Same as insight (${CHART_LABELS[chosen.viz.chart]})` : 'Same as insight' },
          ...CHARTS.filter(fits).map((chart) => ({ value: chart, label: CHART_LABELS[chart] })),
        ]}
        value={block.chart ?? SAME}
        onChange={(value) => onChange({ ...block, chart: CHARTS.find((chart) => chart === value) ?? null })}
      />
      <TitleField
        value={block.title}
        placeholder={chosen?.name ?? 'Same as insight'}
        onChange={(title) => onChange({ ...block, title })}
      />
    </>
  )
}

const GRAINS = ['day', 'week', 'month', 'quarter', 'year'] as const
const GRAIN_LABELS = { day: 'Days', week: 'Weeks', month: 'Months', quarter: 'Quarters', year: 'Years' } as const
const METRIC_CHARTS = ['number', 'line', 'area', 'bar', 'table'] as const

export function MetricSettings({ block, onChange }: KindProps<BlockOf<'metric'>>) {
  const metrics = usePickableMetrics()
  const chosen = metrics.items.find(({ id }) => id === block.metric)
  const [dataset] = useDatasets(chosen ? [chosen.dataset] : [])
  return (
    <>
      <Select
        label="Metric"
        searchable
        nothingFoundMessage="No match"
        data={metrics.items.map(({ id, name }) => ({ value: id, label: name }))}
        value={block.metric}
        onChange={(metric) => metric !== null && onChange({ ...block, metric, by: null })}
      />
      <Select
        label="Chart"
        data={METRIC_CHARTS.map((chart) => ({ value: chart, label: CHART_LABELS[chart] }))}
        value={block.chart}
        onChange={(chart) => chart !== null && onChange({ ...block, chart })}
      />
      {dataset && (
        <ColumnSelect
          label={TERMS.breakDownBy}
          noneLabel="Time"
          ownLabel={dataset.name}
          choices={fieldOptions(dataset, 'splits', (column) => column.role === 'dimension')}
          value={block.by ? fieldKeyOf(dataset, block.by.field) : null}
          onChange={(key) => {
            const field = toField(dataset, key)
            onChange({ ...block, by: field && { field }, ...(field && block.chart === 'line' ? { chart: 'bar' } : {}) })
          }}
        />
      )}
      {block.by === null && block.chart !== 'number' && (
        <Select
          label="Per"
          data={GRAINS.map((grain) => ({ value: grain, label: GRAIN_LABELS[grain] }))}
          value={block.grain}
          onChange={(grain) => grain !== null && onChange({ ...block, grain })}
        />
      )}
      <TitleField
        value={block.title}
        placeholder={chosen?.name ?? 'Same as metric'}
        onChange={(title) => onChange({ ...block, title })}
      />
    </>
  )
}
