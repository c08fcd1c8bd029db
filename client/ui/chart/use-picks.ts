import { useEffect } from 'react'
import type { ChartSpec, DataPointRef } from './drawing'
import type { Engine } from './engine'

interface ChartClicksOptions {
  engine: Engine | null
  drawing: ChartSpec
  onPick: ((row: number) => void) | undefined
}

/** A click on a mark picks it; a click beside one picks its category: points are small, fingers are not. */
export function useChartClicks({ engine, drawing, onPick }: ChartClicksOptions): void {
  useEffect(() => {
    if (!engine || !onPick) return
    // The library tells of a mark before its ground hears the same click; the area under a line counts as ground.
    let marked = false
    const onMark = (dataPointRef: DataPointRef): void => {
      marked = dataPointRef.dataIndex !== undefined
      const row = drawing.rowOf(dataPointRef)
      if (row !== null) onPick(row)
    }
    const onGround = (event: { offsetX: number; offsetY: number }): void => {
      const done = marked
      marked = false
      const pixel = [event.offsetX, event.offsetY]
      if (done || !engine.containPixel('grid', pixel)) return
      const [x = 0, y = 0] = engine.convertFromPixel('grid', pixel)
      const row = drawing.rowAtPosition(x, y)
      if (row !== null) onPick(row)
    }
    const ground = engine.getZr()
    engine.on('click', onMark)
    ground.on('click', onGround)
    return () => {
      engine.off('click', onMark)
      if (!engine.isDisposed()) ground.off('click', onGround)
    }
  }, [engine, drawing, onPick])
}
