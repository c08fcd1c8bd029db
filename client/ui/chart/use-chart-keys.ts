import { useState } from 'react'
import type { KeyboardEvent } from 'react'
import type { ChartModel, Point } from './chart-model'
import type { Engine } from './engine'
import { NOTHING } from '../../lib/format'
import type { FigureFormat } from './figure-format'

/** Where an arrow key leads among `count` points; null for any other key. */
export function stepOf(key: string, at: number | null, count: number): number | null {
  if (count === 0) return null
  const last = count - 1
  if (key === 'Home') return 0
  if (key === 'End') return last
  if (key === 'ArrowRight' || key === 'ArrowDown') return Math.min(last, at === null ? 0 : at + 1)
  if (key === 'ArrowLeft' || key === 'ArrowUp') return Math.max(0, at === null ? last : at - 1)
  return null
}

/** One category in words: its name and every figure. */
export function sayPoint(model: ChartModel, at: number, format: FigureFormat): string {
  const figures = model.series.slice(0, 8).map((series) => {
    const value = series.points[at]?.value ?? null
    return `${series.name} ${value === null ? NOTHING : format.full(value, series.column)}`
  })
  return `${model.categories[at]?.label ?? ''}: ${figures.join(', ')}`
}

interface Keys {
  engine: Engine | null
  model: ChartModel
  format: FigureFormat
  onPick: ((point: Point) => void) | undefined
}

/** Walks the points of a focused chart by keyboard, showing each one's tooltip and saying it. */
export function useChartKeys({ engine, model, format, onPick }: Keys) {
  const [at, setAt] = useState<number | null>(null)
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && at !== null) {
      const point = model.series.map((series) => series.points[at]).find((one) => one && one.row !== null)
      if (point && onPick) onPick(point)
      return
    }
    const next = stepOf(event.key, at, model.categories.length)
    if (next === null) return
    event.preventDefault()
    setAt(next)
    engine?.dispatchAction({ type: 'showTip', seriesIndex: 0, dataIndex: next })
  }
  const onBlur = (): void => {
    setAt(null)
    engine?.dispatchAction({ type: 'hideTip' })
  }
  return { said: at === null ? '' : sayPoint(model, at, format), onKeyDown, onBlur }
}
