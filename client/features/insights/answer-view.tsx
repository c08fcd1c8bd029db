import { Stack, Text } from '@mantine/core'
import { useMemo } from 'react'
import type { RefObject } from 'react'
import type { Viz } from '../../../src/shared/insights'
import type { QueryResult } from '../../../src/shared/query'
import { Chart } from '../../ui/chart/chart'
import type { ChartHandle } from '../../ui/chart/chart'
import { chartModel } from '../../ui/chart/chart-model'
import type { Point } from '../../ui/chart/chart-model'
import type { FigureFormat } from '../../ui/chart/figure-format'
import { headline } from '../../ui/chart/headline'
import { KeyFigures } from './key-figures'
import { ResultTable } from './result-table'

export interface AnswerViewProps {
  result: QueryResult
  viz: Viz
  format: FigureFormat
  title: string
  /** The figures as a table instead of a chart. */
  asTable?: boolean
  height?: number
  onPick?: (row: number) => void
  handle?: RefObject<ChartHandle | null>
}

/** What the figures say, the figures, and their picture: the same for a preview and for a saved insight. */
export function AnswerView({ result, viz, format, title, asTable = false, height, onPick, handle }: AnswerViewProps) {
  const model = useMemo(() => chartModel(result, { format }), [result, format])
  const said = headline(result, viz, format)
  const pick = onPick && ((point: Point) => point.row !== null && onPick(point.row))
  const drawn = model !== null && viz.chart !== 'number' && viz.chart !== 'table' && !asTable
  return (
    <Stack gap="md">
      {said !== null && (
        <Text fw={600} fz="lg">
          {said}
        </Text>
      )}
      <KeyFigures result={result} direction={viz.direction} format={format} />
      {drawn && (
        <Chart
          model={model}
          chart={viz.chart}
          format={format}
          label={title}
          {...(height === undefined ? {} : { height })}
          {...(pick ? { onPick: pick } : {})}
          {...(handle ? { handle } : {})}
        />
      )}
      {!drawn && (viz.chart !== 'number' || asTable) && (
        <ResultTable result={result} format={format} caption={title} {...(onPick ? { onPick } : {})} />
      )}
      <IncompleteNote result={result} />
    </Stack>
  )
}

/** What is missing of the last period, in words: a hatched bar alone explains nothing. */
function IncompleteNote({ result }: { result: QueryResult }) {
  const time = result.columns.some((column) => column.kind === 'dimension' && column.grain)
  const notes = [
    ...(result.period?.incomplete ? [`* The last ${time ? 'point' : 'period'} is not complete yet.`] : []),
    ...(result.truncated ? [`Only the first ${result.rows.length} of ${result.rowCount} groups are shown.`] : []),
  ]
  if (notes.length === 0) return null
  return (
    <Text size="xs" c="dimmed">
      {notes.join(' ')}
    </Text>
  )
}
