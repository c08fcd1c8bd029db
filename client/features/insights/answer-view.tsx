import { Stack, Text } from '@mantine/core'
import { useMemo } from 'react'
import type { Viz } from '../../../src/shared/insights'
import type { QueryPlan } from '../../../src/shared/query'
import type { QueryResult } from '../../../src/shared/query-result'
import { Chart } from '../../ui/chart/chart'
import type { Drawing } from '../../ui/chart/drawing'
import { drawingOf } from '../../ui/chart/drawing-of'
import type { FigureFormat } from '../../ui/chart/figure-format'
import type { ChartMark } from '../../ui/chart/marks'
import type { ChartTarget } from '../../ui/chart/target-series'
import { headline } from '../../ui/chart/headline'
import { withPercent } from '../../ui/chart/percent'
import { answerNotes } from './answer-notes'
import { ConversionNote, UnconvertedNote } from './conversion-note'
import { CurrencyNote } from './currency-note'
import { KeyFigures } from './key-figures'
import { PivotTable } from './pivot-table'
import { ResultTable } from './result-table'

export interface AnswerViewProps {
  plan: QueryPlan
  result: QueryResult
  viz: Viz
  format: FigureFormat
  title: string
  /** The figures as a table instead of a chart. */
  asTable?: boolean
  height?: number
  onPick?: (row: number) => void
  /** What is said of units of the time axis. Kept the same while nothing changes. */
  marks?: readonly ChartMark[]
  /** What the figures should come to. Kept the same while nothing changes. */
  target?: ChartTarget | undefined
}
const NO_MARKS: readonly ChartMark[] = []

/** What the figures say, the figures, and their picture: the same for a preview and for a saved insight. */
export function AnswerView(props: AnswerViewProps) {
  const { plan, viz, format, marks = NO_MARKS, target } = props
  const { percent, chart, direction } = viz
  const result = useMemo(() => withPercent(props.result, percent), [props.result, percent])
  const drawing = useMemo(
    () => drawingOf(result, chart, { format, marks, target }),
    [result, chart, format, marks, target],
  )
  const said = headline(result, viz, format)
  return (
    <Stack gap="md">
      {said !== null && (
        <Text fw={600} fz="lg">
          {said}
        </Text>
      )}
      <KeyFigures result={result} direction={direction} format={format} />
      <CurrencyNote plan={plan} />
      <ConversionNote conversion={result.conversion} />
      <UnconvertedNote unconverted={result.unconverted} />
      <Body {...props} result={result} drawing={drawing} />
      <Notes lines={answerNotes(result, props.asTable ? null : drawing)} />
    </Stack>
  )
}

type BodyProps = Omit<AnswerViewProps, 'direction'> & { drawing: Drawing | null }

function Body({ plan, result, viz, format, title, asTable = false, height, onPick, drawing }: BodyProps) {
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

function Notes({ lines }: { lines: readonly string[] }) {
  if (lines.length === 0) return null
  return (
    <Text size="xs" c="dimmed">
      {lines.join(' ')}
    </Text>
  )
}
