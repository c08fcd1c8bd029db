import { useEffect } from 'react'
import type { ChartKind } from '../../../src/shared/insights'
import type { ChartModel, Point } from './chart-model'
import { lies } from './chart-option'
import type { Engine } from './engine'

/** The point that a click over a category means when it hit no mark: only clear with a single current series. */
export function pointOver(model: ChartModel, at: number): Point | null {
  const current = model.series.filter((series) => series.role === 'current')
  const point = current.length === 1 ? current[0]?.points[at] : undefined
  return point && point.row !== null ? point : null
}

interface Picks {
  engine: Engine | null
  model: ChartModel
  chart: ChartKind
  onPick: ((point: Point) => void) | undefined
}

/** A click on a mark picks it; a click beside one picks its category: points are small, fingers are not. */
export function usePicks({ engine, model, chart, onPick }: Picks): void {
  useEffect(() => {
    if (!engine || !onPick) return
    // The library tells of a mark before its ground hears the same click; the area under a line counts as ground.
    let marked = false
    const onMark = (event: { dataIndex?: number; seriesName?: string }): void => {
      const series = model.series.find((one) => one.name === event.seriesName) ?? model.series[0]
      const point = event.dataIndex === undefined ? undefined : series?.points[event.dataIndex]
      marked = point !== undefined
      if (point && point.row !== null) onPick(point)
    }
    const onGround = (event: { offsetX: number; offsetY: number }): void => {
      const done = marked
      marked = false
      const pixel = [event.offsetX, event.offsetY]
      if (done || !engine.containPixel('grid', pixel)) return
      const [x = 0, y = 0] = engine.convertFromPixel('grid', pixel)
      const point = pointOver(model, Math.round(lies(model, chart) ? y : x))
      if (point) onPick(point)
    }
    const ground = engine.getZr()
    engine.on('click', onMark)
    ground.on('click', onGround)
    return () => {
      engine.off('click', onMark)
      if (!engine.isDisposed()) ground.off('click', onGround)
    }
  }, [engine, model, chart, onPick])
}
