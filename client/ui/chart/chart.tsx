import { useReducedMotion } from '@mantine/hooks'
import { useId, useImperativeHandle, useMemo, useRef } from 'react'
import type { ReactElement, RefObject } from 'react'
import type { ChartKind } from '../../../src/shared/insights'
import classes from './chart.module.css'
import type { ChartModel, Point } from './chart-model'
import { chartOption } from './chart-option'
import { chartSummary } from './chart-summary'
import type { FigureFormat } from './figure-format'
import { useChartColours } from './use-chart-colours'
import { useChartKeys } from './use-chart-keys'
import { useEngine } from './use-engine'
import { usePicks } from './use-picks'

/** What a chart hands out: its picture. */
export interface ChartHandle {
  /** A PNG as a data address, on the page's own background. Null while the chart is not drawn. */
  png(): string | null
}

export interface ChartProps {
  model: ChartModel
  chart: ChartKind
  format: FigureFormat
  /** What the chart shows, for readers of the screen. */
  label: string
  height?: number
  small?: boolean
  /** A point was clicked, or chosen with Enter. */
  onPick?: (point: Point) => void
  handle?: RefObject<ChartHandle | null>
}

/** Draws a model. Focusable: arrow keys walk the points and say them, Enter picks. */
export function Chart({ model, chart, format, label, height = 320, small = false, onPick, handle }: ChartProps) {
  const element = useRef<HTMLDivElement>(null)
  const colours = useChartColours()
  const reducedMotion = useReducedMotion()
  const summary = useMemo(() => chartSummary(model, format), [model, format])
  const option = useMemo(
    () => chartOption(model, { chart, format, colours, summary, reducedMotion, small }),
    [model, chart, format, colours, summary, reducedMotion, small],
  )
  const engine = useEngine(element, option)
  usePicks({ engine, model, chart, onPick })
  const { said, onKeyDown, onBlur } = useChartKeys({ engine, model, format, onPick })
  const summaryId = useId()
  useImperativeHandle(handle, () => ({
    png: () => engine?.getDataURL({ type: 'png', pixelRatio: 2, backgroundColor: colours.surface }) ?? null,
  }))
  if (small) return <Small elementRef={element} height={height} label={`${label}. ${summary}`} />
  return (
    <div
      className={`${classes.frame} ${onPick ? classes.pickable : ''}`}
      style={{ height }}
      role="application"
      aria-roledescription="chart"
      aria-label={label}
      aria-describedby={summaryId}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onBlur={onBlur}
    >
      <div ref={element} className={classes.canvas} aria-hidden="true" />
      <p id={summaryId} className={classes.hidden}>
        {summary}
      </p>
      <p className={classes.hidden} aria-live="polite">
        {said}
      </p>
    </div>
  )
}

interface SmallProps {
  elementRef: RefObject<HTMLDivElement | null>
  height: number
  label: string
}

function Small({ elementRef, height, label }: SmallProps): ReactElement {
  return (
    <div className={classes.frame} style={{ height }} role="img" aria-label={label}>
      <div ref={elementRef} className={classes.canvas} aria-hidden="true" />
    </div>
  )
}
