import { Group, SegmentedControl, Select, Stack, Text } from '@mantine/core'
import { IconChartBar, IconChartBarPopular, IconChartLine, IconNumber123, IconTable } from '@tabler/icons-react'
import type { ChartKind, Viz } from '../../../src/shared/insights'
import { CHARTS } from '../../../src/shared/insights'

const CHART_LOOKS: Record<ChartKind, { label: string; icon: typeof IconTable }> = {
  number: { label: 'Number', icon: IconNumber123 },
  line: { label: 'Line', icon: IconChartLine },
  bar: { label: 'Bars', icon: IconChartBar },
  stackedBar: { label: 'Stacked', icon: IconChartBarPopular },
  table: { label: 'Table', icon: IconTable },
}
const DIRECTIONS: { value: Viz['direction']; label: string }[] = [
  { value: 'up', label: 'Up is good' },
  { value: 'down', label: 'Down is good' },
  { value: 'none', label: 'Neither is better' },
]

interface ChartChoiceProps {
  /** Charts that can show this question. */
  allowed: ChartKind[]
  viz: Viz
  onChart: (chart: ChartKind) => void
  onDirection: (direction: Viz['direction']) => void
}

export function ChartChoice({ allowed, viz, onChart, onDirection }: ChartChoiceProps) {
  return (
    <Stack gap="xs">
      <SegmentedControl
        aria-label="Chart"
        fullWidth
        size="xs"
        value={viz.chart}
        data={CHARTS.filter((chart) => allowed.includes(chart)).map((chart) => {
          const { label, icon: Icon } = CHART_LOOKS[chart]
          return {
            value: chart,
            label: (
              <Group gap={4} wrap="nowrap" justify="center">
                <Icon size={15} aria-hidden />
                <Text span size="xs">
                  {label}
                </Text>
              </Group>
            ),
          }
        })}
        onChange={(value) => {
          const chart = CHARTS.find((one) => one === value)
          if (chart) onChart(chart)
        }}
      />
      <Select
        aria-label="Which way is good"
        data={DIRECTIONS}
        value={viz.direction}
        allowDeselect={false}
        onChange={(value) => {
          const found = DIRECTIONS.find((one) => one.value === value)
          if (found) onDirection(found.value)
        }}
      />
    </Stack>
  )
}
