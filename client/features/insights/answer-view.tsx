import { Stack, Text } from '@mantine/core'
import { useMemo } from 'react'
import type { Viz } from '../../../src/shared/insights'
import type { QueryPlan } from '../../../src/shared/query'
import type { QueryResult } from '../../../src/shared/query-result'
import { Chart } from '../../ui/chart/chart'
import type { ChartSpec } from '../../ui/chart/drawing'
import { buildChartSpec } from '../../ui/chart/drawing-of'
import type { CellFormatter } from '../../ui/chart/figure-format'
import type { ChartAnnotation } from '../../ui/chart/marks'
import type { ChartTarget } from '../../ui/chart/target-series'
import { headline } from '../../ui/chart/headline'
import { withPercent } from '../../ui/chart/percent'
import { resultNotes } from './answer-notes'
import { ConversionNote, UnconvertedNote } from './conversion-note'
import { MixedCurrencyNote } from './currency-note'
import { KeyFigures } from './key-figures'
import { PivotTable } from './pivot-table'
import { ResultTable } from './result-table'

export interface ResultViewProps {
  plan: QueryPlan
  result: QueryResult
  viz: Viz
  format: CellFormatter
  title: string
  /** The figures as a table instead of a chart. */
  asTable?: boolean
  height?: number
  onPick?: (row: number) => void
  /** What is said of units of the time axis. Kept the same while nothing changes. */
  annotations?: readonly ChartAnnotation[]
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
  const headlineText = headline(result, viz, format)
  return (
    <Stack gap="md">
      {headlineText !== null && (
        <Text fw={600} fz="lg">
          {headlineText}
        </Text>
      )}
      <KeyFigures result={result} direction={direction} format={format} />
      <MixedCurrencyNote plan={plan} />
      <ConversionNote conversion={result.conversion} />
      <UnconvertedNote unconverted={result.unconverted} />
      <ResultBody {...props} result={result} drawing={drawing} />
      <ResultNotes lines={resultNotes(result, props.asTable ? null : drawing)} />
    </Stack>
  )
}

type ResultBodyProps = Omit<ResultViewProps, 'direction'> & { drawing: ChartSpec | null }

function ResultBody({ plan, result, viz, format, title, asTable = false, height, onPick, drawing }: ResultBodyProps) {
  const pick = onPick ? { onPick } : {}
  if (drawing && !asTable)
    return (
      <Chart drawing={drawing} format={format} label={title} {...(height === undefined ? {} : { height })} {...pick} />
    )
  if (viz.chart === 'pivot' && !asTable && plan.dimensions.length > 1)
    return <PivotTable plan={plan} result={result} percent={viz.percent} format={format} caption={title} {...pick} />
  if (viz.chart === 'number' && !asTable) return null
  return <ResultTable result={result} format={format} caption={title} {...pick} />
}

function ResultNotes({ lines }: { lines: readonly string[] }) {
  if (lines.length === 0) return null
  return (
    <Text size="xs" c="dimmed">
      {lines.join(' ')}
    </Text>
  )
}
