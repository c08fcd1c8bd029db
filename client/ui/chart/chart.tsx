import { useComputedColorScheme } from '@mantine/core'
import { useCallback, useMemo, useState, useEffect, useId, useRef, type KeyboardEvent, type RefObject } from 'react'
import { useElementSize, useMediaQuery, useReducedMotion } from '@mantine/hooks'
import type { ChosenMark } from '../../../src/shared/charts/chart-model'
import { chartColours, type ChartColours } from './chart-colours'
import type { ChartOption, ChartSpec, DataPointRef, KeyboardMark, KeyboardStop } from './chart-spec'
import type { Engine } from './engine'
import { withHighlight } from './highlight'
import classes from './chart.module.css'
import type { CellFormatter } from '../../../src/shared/figures/cell-formatter'

/** The theme's chart colours, read again when the page turns light or dark. */
function useChartColours(): ChartColours {
  const scheme = useComputedColorScheme('light')
  return useMemo(() => {
    const style = getComputedStyle(document.documentElement)
    return chartColours((name) => style.getPropertyValue(name), scheme === 'dark')
  }, [scheme])
}

/** Where an arrow key leads among `count` points; null for any other key. */
export function nextStopIndex(key: string, at: number | null, count: number): number | null {
  if (count === 0) return null
  const last = count - 1
  if (key === 'Home') return 0
  if (key === 'End') return last
  if (key === 'ArrowRight' || key === 'ArrowDown') return Math.min(last, at === null ? 0 : at + 1)
  if (key === 'ArrowLeft' || key === 'ArrowUp') return Math.max(0, at === null ? last : at - 1)
  return null
}

/** A stop of a chart, and which of its marks; null for all of them. */
interface ChartPlace {
  at: number
  mark: number | null
}

/** Where an arrow key leads: from stop to stop one way, among the marks of a stop the other. Null for any other key. */
export function nextPlace(
  key: string,
  place: ChartPlace | null,
  { keyboardStops: stops, isLying = false }: Pick<ChartSpec, 'keyboardStops' | 'isLying'>,
): ChartPlace | null {
  const last = (place ? (stops[place.at]?.marks?.length ?? 0) : 0) - 1
  const [back, on] = isLying ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown']
  if (place && last > 0 && key === on) return { ...place, mark: Math.min(last, (place.mark ?? -1) + 1) }
  if (place && last > 0 && key === back) return { ...place, mark: place.mark ? place.mark - 1 : null }
  const at = nextStopIndex(key, place?.at ?? null, stops.length)
  return at === null ? null : { at, mark: place?.mark ?? null }
}

type OnMark = (mark: ChosenMark) => void

interface ChartKeysOptions {
  engine: Engine | null
  drawing: ChartSpec
  onPick: OnMark | undefined
  onMenu: OnMark | undefined
}

/** Walks the stops of a focused chart by keyboard, showing each one's tooltip and saying it. */
function useChartKeys({ engine, drawing, onPick, onMenu }: ChartKeysOptions) {
  const [place, setPlace] = useState<ChartPlace | null>(null)
  const stopOf = (one: ChartPlace | null): KeyboardStop | undefined => drawing.keyboardStops[one?.at ?? -1]
  const markOf = (one: ChartPlace | null): KeyboardMark | undefined => stopOf(one)?.marks?.[one?.mark ?? -1]
  const reached: Omit<KeyboardStop, 'dataPoint'> | undefined = markOf(place) ?? stopOf(place)
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' || event.key === 'ContextMenu') {
      const act = event.key === 'Enter' && !event.shiftKey ? onPick : onMenu
      if (reached && reached.row !== null) act?.({ row: reached.row, dimensions: reached.dimensions })
      return
    }
    const next = nextPlace(event.key, place, drawing)
    if (next === null) return
    event.preventDefault()
    setPlace(next)
    const point = stopOf(next)?.dataPoint
    const mark = markOf(next)
    engine?.dispatchAction({ type: 'downplay' })
    if (point) engine?.dispatchAction({ type: 'showTip', ...point })
    if (mark) engine?.dispatchAction({ type: 'highlight', seriesId: mark.seriesId, dataIndex: next.at })
  }
  const onBlur = (): void => {
    setPlace(null)
    engine?.dispatchAction({ type: 'downplay' })
    engine?.dispatchAction({ type: 'hideTip' })
  }
  return { announcement: reached?.description ?? '', onKeyDown, onBlur }
}

/** Owns one drawing engine for one element: loads it, draws, follows the element's size, and lets go. */
function useEngine(element: RefObject<HTMLDivElement | null>, option: ChartOption): Engine | null {
  const [engine, setEngine] = useState<Engine | null>(null)

  useEffect(() => {
    let gone = false
    let made: Engine | null = null
    const observer = new ResizeObserver(() => made?.resize())
    void import('./engine').then(({ createEngine }) => {
      if (gone || !element.current) return
      made = createEngine(element.current)
      observer.observe(element.current)
      setEngine(made)
    })
    return () => {
      gone = true
      observer.disconnect()
      made?.dispose()
      setEngine(null)
    }
  }, [element])

  useEffect(() => {
    engine?.setOption(option, { notMerge: true })
  }, [engine, option])
  return engine
}

/** The series that the legend switched off, by name: axes follow what is drawn. */
function useHiddenSeries(): { hidden: ReadonlySet<string>; listen: (engine: Engine) => () => void } {
  const [hidden, setHidden] = useState<ReadonlySet<string>>(NONE_HIDDEN)
  const listen = useCallback((engine: Engine) => {
    const onSelect = (event: unknown): void => setHidden(switchedOff(event))
    engine.on('legendselectchanged', onSelect)
    return () => {
      if (!engine.isDisposed()) engine.off('legendselectchanged', onSelect)
    }
  }, [])
  return { hidden, listen }
}
const NONE_HIDDEN: ReadonlySet<string> = new Set()

/** Of what the library tells of its legend: the names that are off. */
export function switchedOff(event: unknown): ReadonlySet<string> {
  const selected = typeof event === 'object' && event !== null && 'selected' in event ? event.selected : null
  const names = typeof selected === 'object' && selected !== null ? Object.entries(selected) : []
  return new Set(names.filter(([, shown]) => shown === false).map(([name]) => name))
}

interface ChartEventsOptions {
  engine: Engine | null
  drawing: ChartSpec
  event: 'click' | 'contextmenu'
  hidden: ReadonlySet<string>
  onMark: OnMark | undefined
}

/** A click on a mark means it; a click beside one its category, or the nearest of its lines: points are small, fingers are not. */
function useChartEvents({ engine, drawing, event, hidden, onMark }: ChartEventsOptions): void {
  useEffect(() => {
    if (!engine || !onMark) return
    let marked = false
    const onPoint = (ref: DataPointRef): void => {
      const row = drawing.rowOf(ref)
      marked = row !== null
      if (row !== null) onMark({ row })
    }
    const onGround = (heard: { offsetX: number; offsetY: number; event: unknown }): void => {
      // The menu of the browser would lie above ours.
      if (event === 'contextmenu' && heard.event instanceof Event) heard.event.preventDefault()
      // A mark and its ground hear the same click, either one first; the area under a line counts as ground.
      queueMicrotask(() => {
        const done = marked
        marked = false
        const pixel = [heard.offsetX, heard.offsetY]
        if (done || engine.isDisposed() || !engine.containPixel('grid', pixel)) return
        const [x = 0, y = 0] = engine.convertFromPixel('grid', pixel)
        const pixelsTo = (seriesId: string, at: number, value: number): number => {
          const place = engine.convertToPixel({ seriesId }, [at, value])
          return Math.abs((Array.isArray(place) ? (place[1] ?? Infinity) : Infinity) - heard.offsetY)
        }
        const mark = drawing.markAtPosition({ x, y, hidden, pixelsTo })
        if (mark) onMark(mark)
      })
    }
    const ground = engine.getZr()
    engine.on(event, onPoint)
    ground.on(event, onGround)
    return () => {
      engine.off(event, onPoint)
      if (!engine.isDisposed()) ground.off(event, onGround)
    }
  }, [engine, drawing, event, hidden, onMark])
}

export interface ChartProps {
  drawing: ChartSpec
  format: CellFormatter
  label: string
  /** At least; a picture with many names takes more. */
  height?: number | undefined
  small?: boolean
  /** There is room below: it grows by the lines of its legend. */
  isRoomy?: boolean
  /** A mark was clicked, or chosen with Enter. */
  onPick?: OnMark | undefined
  /** The same with the other button of the mouse. */
  onMenu?: OnMark | undefined
  /** Rows whose marks stand out; none where absent. Kept the same while nothing changes. */
  highlight?: ReadonlySet<number> | undefined
}

const WIDTH_STEP_PX = 40

/** Draws an answer. Focusable: arrow keys walk what is drawn and say it, Enter picks. */
export function Chart(props: ChartProps) {
  const { drawing, format, label, height = 320, small = false, isRoomy = false, onPick, onMenu, highlight } = props
  const element = useRef<HTMLDivElement>(null)
  const colours = useChartColours()
  const reducedMotion = useReducedMotion()
  // Known at once: heights follow it.
  const narrow = useMediaQuery('(max-width: 40em)', false, { getInitialValueInEffect: false })
  const { ref: frame, width: measured } = useElementSize<HTMLDivElement>()
  // In steps: a picture is not drawn anew for every pixel of a window that is pulled.
  const width = Math.floor(measured / WIDTH_STEP_PX) * WIDTH_STEP_PX
  const { hidden, listen } = useHiddenSeries()
  const option = useMemo(() => {
    const size = width > 0 ? { width } : {}
    const whole = drawing.option({ format, colours, reducedMotion, small, narrow, hidden, ...size })
    return highlight ? withHighlight(whole, highlight, (ref) => drawing.rowOf(ref)) : whole
  }, [drawing, format, colours, reducedMotion, small, narrow, hidden, width, highlight])
  const engine = useEngine(element, option)
  useEffect(() => (engine ? listen(engine) : undefined), [engine, listen])
  useChartEvents({ engine, drawing, event: 'click', hidden, onMark: onPick })
  useChartEvents({ engine, drawing, event: 'contextmenu', hidden, onMark: onMenu })
  const { announcement, onKeyDown, onBlur } = useChartKeys({ engine, drawing, onPick, onMenu })
  const summaryId = useId()
  if (small)
    return (
      <div className={classes.frame} style={{ height }} role="img" aria-label={`${label}. ${drawing.summary}`}>
        <div ref={element} className={classes.canvas} aria-hidden="true" />
      </div>
    )
  return (
    <div
      ref={frame}
      className={`${classes.frame} ${onPick ? classes.pickable : ''}`}
      style={{ height: drawing.height(height, isRoomy ? { narrow } : undefined) }}
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
