import { SimpleGrid, Text } from '@mantine/core'
import { useMemo } from 'react'
import type { ColumnFormat } from '../../../../src/shared/data-sources/files'
import type { SeriesComponents, ForecastResult } from '../../../../src/shared/forecasts/result'
import type { ResultColumn } from '../../../../src/shared/query/result'
import { axisChartSpec } from '../../../ui/chart/axis-chart'
import { Chart } from '../../../ui/chart/chart'
import type { ChartModel } from '../../../../src/shared/charts/chart-model'
import { TERMS } from '../../../../src/shared/terms'
import { useCellFormatter } from '../../../lib/cell-formatter'
import type { CellFormatter } from '../../../../src/shared/figures/cell-formatter'
import { SectionCard } from '../../../ui/section-card'

interface ComponentsCardProps {
  result: ForecastResult
  part?: number | undefined
}

interface ComponentChartData {
  name: string
  sentence: string
  values: number[]
  format: ColumnFormat
}

const PERCENT = { style: 'percent' } as const

/** What a history is made of: where it goes, what repeats, and what neither explains. */
function toComponentCharts(
  { kind, trend, season, rest }: SeriesComponents,
  format: ColumnFormat,
): ComponentChartData[] {
  const grows = kind === 'multiplicative'
  const off = (values: number[]): number[] => (grows ? values.map((value) => value - 1) : values)
  const unit = grows ? PERCENT : format
  return [
    { name: 'Trend', sentence: 'Without seasonality', values: trend, format },
    ...(season
      ? [
          {
            name: TERMS.seasonality,
            sentence: 'Usual difference from the trend',
            values: off(season),
            format: unit,
          },
        ]
      : []),
    { name: 'Residual', sentence: 'Not accounted for by trend or seasonality', values: off(rest), format: unit },
  ]
}

/** Trend, season and rest of the past, one small chart each. */
export function ComponentsCard({ result, part }: ComponentsCardProps) {
  const series = (part === undefined ? undefined : result.parts[part]) ?? result.total
  const { components } = series
  if (!components)
    return (
      <SectionCard title="Trend and seasonality">
        <Text size="sm">Not enough history</Text>
      </SectionCard>
    )
  return (
    <SectionCard title="Trend and seasonality">
      <SimpleGrid cols={{ base: 1, md: components.season ? 3 : 2 }} spacing="lg">
        {toComponentCharts(components, result.format).map((piece) => (
          <ComponentChart key={piece.name} {...{ piece, result }} first={components.first} />
        ))}
      </SimpleGrid>
    </SectionCard>
  )
}

function ComponentChart({
  piece,
  result,
  first,
}: {
  piece: ComponentChartData
  result: ForecastResult
  first: number
}) {
  const figures = useCellFormatter()
  const { periods, grain } = result
  const drawing = useMemo(() => {
    const model = componentChartModel(piece, periods.slice(first, first + piece.values.length), { grain, figures })
    return axisChartSpec(model, 'line', { format: figures })
  }, [piece, periods, first, grain, figures])
  return (
    <div>
      <Text size="sm" fw={550}>
        {piece.name}
      </Text>
      <Text size="xs" c="dimmed" mb={4}>
        {piece.sentence}
      </Text>
      <Chart drawing={drawing} format={figures} label={piece.name} height={180} />
    </div>
  )
}

function componentChartModel(
  { name, values, format }: ComponentChartData,
  starts: readonly string[],
  { grain, figures }: { grain: ForecastResult['grain']; figures: CellFormatter },
): ChartModel {
  const axis: ResultColumn = {
    ...{ key: 'd0', label: 'Period', kind: 'dimension', type: 'date', grain, format: { style: 'plain' } },
  }
  const column: ResultColumn = { key: 'm0', label: name, kind: 'measure', type: 'number', format }
  return {
    ...{ axis, axisSplit: 0, time: true, notes: [] },
    categories: starts.map((start) => ({
      ...{ value: start, label: figures.bucket(start, grain), incomplete: false, other: false },
    })),
    series: [
      {
        ...{ key: 'm0', name, role: 'current', other: false, column },
        points: values.map((value) => ({ value, row: null })),
      },
    ],
  }
}
