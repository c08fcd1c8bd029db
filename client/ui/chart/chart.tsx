import { useElementSize, useMediaQuery, useReducedMotion } from '@mantine/hooks'
import { useId, useMemo, useRef } from 'react'
import type { ReactElement, RefObject } from 'react'
import classes from './chart.module.css'
import type { ChartSpec } from './drawing'
import type { CellFormatter } from './figure-format'
import { useChartColours } from './use-chart-colours'
import { useChartKeys } from './use-chart-keys'
import { useEngine } from './use-engine'
import { useChartClicks } from './use-picks'

export interface ChartProps {
  drawing: ChartSpec
  format: CellFormatter
  /** What the chart shows, for readers of the screen. */
  label: string
  /** At least; a picture with many names takes more. */
  height?: number
  small?: boolean
  /** A mark was clicked, or chosen with Enter: the row of the answer behind it. */
  onPick?: (row: number) => void
}

const WIDTH_STEP_PX = 40

/** Draws an answer. Focusable: arrow keys walk what is drawn and say it, Enter picks. */
export function Chart({ drawing, format, label, height = 320, small = false, onPick }: ChartProps) {
  const element = useRef<HTMLDivElement>(null)
  const colours = useChartColours()
  const reducedMotion = useReducedMotion()
  const narrow = useMediaQuery('(max-width: 40em)') ?? false
  const { ref: frame, width: measured } = useElementSize<HTMLDivElement>()
  // In steps: a picture is not drawn anew for every pixel of a window that is pulled.
  const width = Math.floor(measured / WIDTH_STEP_PX) * WIDTH_STEP_PX
  const option = useMemo(
    () => drawing.option({ format, colours, reducedMotion, small, narrow, ...(width > 0 ? { width } : {}) }),
    [drawing, format, colours, reducedMotion, small, narrow, width],
  )
  const engine = useEngine(element, option)
  useChartClicks({ engine, drawing, onPick })
  const { announcement, onKeyDown, onBlur } = useChartKeys({ engine, stops: drawing.keyboardStops, onPick })
  const summaryId = useId()
  if (small) return <SmallChart elementRef={element} height={height} label={`${label}. ${drawing.summary}`} />
  return (
    <div
      ref={frame}
      className={`${classes.frame} ${onPick ? classes.pickable : ''}`}
      style={{ height: drawing.height(height) }}
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
        {drawing.summary}
      </p>
      <p className={classes.hidden} aria-live="polite">
        {announcement}
      </p>
    </div>
  )
}

interface SmallChartProps {
  elementRef: RefObject<HTMLDivElement | null>
  height: number
  label: string
}

function SmallChart({ elementRef, height, label }: SmallChartProps): ReactElement {
  return (
    <div className={classes.frame} style={{ height }} role="img" aria-label={label}>
      <div ref={elementRef} className={classes.canvas} aria-hidden="true" />
    </div>
  )
}
