import { useState } from 'react'
import type { KeyboardEvent } from 'react'
import type { KeyboardStop } from './drawing'
import type { Engine } from './engine'

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

interface ChartKeysOptions {
  engine: Engine | null
  stops: readonly KeyboardStop[]
  onPick: ((row: number) => void) | undefined
}

/** Walks the stops of a focused chart by keyboard, showing each one's tooltip and saying it. */
export function useChartKeys({ engine, stops, onPick }: ChartKeysOptions) {
  const [at, setAt] = useState<number | null>(null)
  const stop = at === null ? undefined : stops[at]
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') {
      if (stop && stop.row !== null && onPick) onPick(stop.row)
      return
    }
    const next = nextStopIndex(event.key, at, stops.length)
    if (next === null) return
    event.preventDefault()
    setAt(next)
    const mark = stops[next]?.dataPoint
    if (mark) engine?.dispatchAction({ type: 'showTip', ...mark })
  }
  const onBlur = (): void => {
    setAt(null)
    engine?.dispatchAction({ type: 'hideTip' })
  }
  return { announcement: stop?.description ?? '', onKeyDown, onBlur }
}
