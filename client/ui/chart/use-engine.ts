import { useEffect, useState } from 'react'
import type { RefObject } from 'react'
import type { Engine } from './engine'
import type { ChartOption } from './engine-types'

/** Owns one drawing engine for one element: loads it, draws, follows the element's size, and lets go. */
export function useEngine(element: RefObject<HTMLDivElement | null>, option: ChartOption): Engine | null {
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
