import { Select, Stack, Text, Tooltip, UnstyledButton } from '@mantine/core'
import {
  IconChartArea,
  IconChartBar,
  IconChartBarPopular,
  IconChartColumn,
  IconChartHistogram,
  IconChartInfographic,
  IconChartLine,
  IconChartScatter,
  IconLayoutGrid,
  IconNumber123,
  IconTable,
  IconTableColumn,
} from '@tabler/icons-react'
import { useRef, type KeyboardEvent } from 'react'
import { CHARTS, chartProblem, type ChartKind, type Viz } from '../../../../src/shared/insights'
import { CHART_LABELS } from '../../../lib/query-builder/chart-labels'
import type { ChartShape } from './build-plan'
import classes from './chart-picker.module.css'
import { TERMS } from '../../../../src/shared/terms'

export const CHART_DISPLAY: Record<ChartKind, { label: string; icon: typeof IconTable }> = {
  number: { label: CHART_LABELS.number, icon: IconNumber123 },
  line: { label: CHART_LABELS.line, icon: IconChartLine },
  area: { label: CHART_LABELS.area, icon: IconChartArea },
  bar: { label: CHART_LABELS.bar, icon: IconChartBar },
  groupedBar: { label: CHART_LABELS.groupedBar, icon: IconChartColumn },
  stackedBar: { label: CHART_LABELS.stackedBar, icon: IconChartBarPopular },
  combined: { label: CHART_LABELS.combined, icon: IconChartHistogram },
  waterfall: { label: CHART_LABELS.waterfall, icon: IconChartInfographic },
  scatter: { label: CHART_LABELS.scatter, icon: IconChartScatter },
  heatMap: { label: CHART_LABELS.heatMap, icon: IconLayoutGrid },
  pivot: { label: CHART_LABELS.pivot, icon: IconTableColumn },
  table: { label: CHART_LABELS.table, icon: IconTable },
}
export const DIRECTION_OPTIONS: { value: Viz['direction']; label: string }[] = [
  { value: 'up', label: TERMS.higherIsBetter },
  { value: 'down', label: TERMS.lowerIsBetter },
  { value: 'none', label: 'Neither is better' },
]

interface ChartPickerProps {
  shape: ChartShape
  viz: Viz
  onChart: (chart: ChartKind) => void
  /** Absent where nothing is more or less: a list of values, texts and dates. */
  onDirection?: ((direction: Viz['direction']) => void) | undefined
}

export function ChartPicker({ shape, viz, onChart, onDirection }: ChartPickerProps) {
  return (
    <Stack gap="sm">
      <ChartGrid shape={shape} chosen={viz.chart} onChart={onChart} />
      {onDirection && (
        <Select
          aria-label="Direction"
          data={DIRECTION_OPTIONS}
          value={viz.direction}
          onChange={(direction) => direction && onDirection(direction)}
        />
      )}
    </Stack>
  )
}

const ARROW_KEY_STEPS: Record<string, number> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }

interface ChartGridProps {
  shape: ChartShape
  chosen: ChartKind
  onChart: (chart: ChartKind) => void
}

/** Every chart; one that cannot show the question can be reached and says why not. */
function ChartGrid({ shape, chosen, onChart }: ChartGridProps) {
  const grid = useRef<HTMLDivElement>(null)
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = ARROW_KEY_STEPS[event.key]
    if (step === undefined) return
    event.preventDefault()
    const all = [...(grid.current?.querySelectorAll('button') ?? [])]
    const at = all.findIndex((one) => one === document.activeElement)
    all[(at + step + all.length) % all.length]?.focus()
  }
  return (
    <div ref={grid} role="radiogroup" aria-label="Chart" className={classes.grid} onKeyDown={onKeyDown}>
      {CHARTS.map((chart) => (
        <ChartButton
          key={chart}
          chart={chart}
          chosen={chart === chosen}
          reason={chartProblem(chart, shape)}
          onChoose={() => onChart(chart)}
        />
      ))}
    </div>
  )
}

function ChartButton(props: { chart: ChartKind; chosen: boolean; reason: string | null; onChoose: () => void }) {
  const { chart, chosen, reason, onChoose } = props
  const { label, icon: Icon } = CHART_DISPLAY[chart]
  const button = (
    <UnstyledButton
      role="radio"
      aria-checked={chosen}
      aria-disabled={reason !== null}
      aria-label={reason === null ? label : `${label}. ${reason}`}
      tabIndex={chosen ? 0 : -1}
      className={`${classes.choice} ${chosen ? classes.chosen : ''} ${reason === null ? '' : classes.off}`}
      onClick={() => reason === null && onChoose()}
    >
      <Icon size={18} aria-hidden />
      <Text span size="xs" ta="center" lh={1.2}>
        {label}
      </Text>
    </UnstyledButton>
  )
  if (reason === null) return button
  return (
    <Tooltip label={reason} multiline maw={240}>
      {button}
    </Tooltip>
  )
}
