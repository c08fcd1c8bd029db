import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { QueryResult } from '../../../../src/shared/query/result'
import type { ChartSpec } from '../../../ui/chart/chart-spec'
import { resultNotes } from '../../../ui/chart/result-notes'
import { useSourceStatus, useDatasets } from '../../../lib/queries/data-source-queries'
import { FreshnessStrip } from '../../../ui/freshness'
import type { LiveQueryResult } from '../use-query-result'
import { datasetIdsOf } from '../../../../src/shared/query/plan-fields'
import type { QueryPlan } from '../../../../src/shared/query/plan'
import { toNumber, type CellFormatter } from '../../../../src/shared/figures/cell-formatter'
import { findMixedCurrency, currencyCountPlan } from './plan-currencies'
import { planResultQuery } from '../../../lib/plan-result'
import type { Viz } from '../../../../src/shared/insights'
import { Chart } from '../../../ui/chart/chart'
import { buildChartSpec } from '../../../ui/chart/build-chart-spec'
import type { ChartAnnotation } from '../../../ui/chart/annotations'
import type { ChartTarget } from '../../../ui/chart/axis-model'
import { withPercent, type ChosenMark } from '../../../../src/shared/charts/chart-model'
import { ConversionNote, UnconvertedNote } from './currency-conversion'
import { Headline, KeyFigures } from './key-figures'
import { PivotTable } from '../../../ui/pivot/pivot-table'
import { ResultTable } from '../../../ui/data-table/result-table'
import { recordsAction } from './records-action'
import { MutedText } from '../../../ui/muted-text'

interface ResultFreshnessProps {
  result: QueryResult
  figures: Pick<LiveQueryResult, 'outdated'>
  /** Newer figures could not be asked for. */
  failed?: boolean
}

export function ResultFreshness({ result, figures, failed = false }: ResultFreshnessProps) {
  const sources = useSourceStatus(result.datasets.map(({ id }) => id))
  return (
    <FreshnessStrip
      asOf={result.dataAsOf}
      failed={failed}
      sources={sources}
      loading={figures.outdated}
      restricted={result.restricted}
    />
  )
}

/** Says quietly that amounts of several currencies are added as they stand; nothing when they are not. */
function MixedCurrencyNote({ plan }: { plan: QueryPlan }) {
  const datasets = useDatasets(datasetIdsOf(plan))
  const found = findMixedCurrency(plan, datasets)
  const countPlan = currencyCountPlan(plan, found)
  const count = useQuery({ ...planResultQuery(countPlan ?? plan), enabled: countPlan !== null })
  const currencies = countPlan ? toNumber(count.data?.rows[0]?.[0]) : null
  if (!found || currencies === null || currencies < 2) return null
  return (
    <MutedText size="xs">
      Amounts in {currencies} currencies are added without conversion. Break down by {found.column.label}, or set it as
      the currency column of {found.dataset.name}.
    </MutedText>
  )
}

export interface ResultViewProps {
  plan: QueryPlan
  result: QueryResult
  viz: Viz
  format: CellFormatter
  title: string
  asTable?: boolean
  height?: number
  onPick?: (mark: ChosenMark) => void
  /** What is said of units of the time axis. Kept the same while nothing changes. */
  annotations?: readonly ChartAnnotation[] | undefined
  /** What the figures should come to. Kept the same while nothing changes. */
  target?: ChartTarget | undefined
}
const NO_ANNOTATIONS: readonly ChartAnnotation[] = []

/** What the figures say, the figures, and their picture: the same for a preview and for a saved insight. */
export function ResultView(props: ResultViewProps) {
  const { plan, viz, format, annotations = NO_ANNOTATIONS, target } = props
  const { percent, chart, direction } = viz
  const result = useMemo(() => withPercent(props.result, percent), [props.result, percent])
  const drawing = useMemo(
    () => buildChartSpec(result, chart, { format, annotations, target }),
    [result, chart, format, annotations, target],
  )
  return (
    <Stack gap="md">
      <Headline result={result} direction={direction} format={format} />
      <KeyFigures result={result} direction={direction} format={format} />
      <MixedCurrencyNote plan={plan} />
      <ConversionNote conversion={result.conversion} />
      <UnconvertedNote unconverted={result.unconverted} />
      <ResultBody {...props} result={result} drawing={drawing} />
      <ResultNotes lines={resultNotes(result, props.asTable ? null : drawing, format.day, plan.limit)} />
    </Stack>
  )
}

type ResultBodyProps = ResultViewProps & { drawing: ChartSpec | null }

function ResultBody({ plan, result, viz, format, title, asTable = false, height, onPick, drawing }: ResultBodyProps) {
  if (drawing && !asTable)
    return <Chart drawing={drawing} format={format} label={title} height={height} onPick={onPick} isRoomy />
  if (viz.chart === 'pivot' && !asTable && plan.dimensions.length > 1)
    return (
      <PivotTable
        {...{ plan, result, format }}
        percent={viz.percent}
        caption={title}
        onPick={onPick && ((row) => onPick({ row }))}
      />
    )
  if (viz.chart === 'number' && !asTable) return null
  const action = onPick ? { action: recordsAction(result, format, (row) => onPick({ row })) } : {}
  return <ResultTable plan={plan} result={result} format={format} caption={title} percent={viz.percent} {...action} />
}

const ResultNotes = ({ lines }: { lines: readonly string[] }) =>
  lines.length === 0 ? null : <MutedText size="xs">{lines.join(' ')}</MutedText>
