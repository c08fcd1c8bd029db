import { useEffect, useRef, useState, type PointerEvent, type RefObject } from 'react'
import { GRID_COLUMNS, GRID_ROW_PX, type ReportBlock } from '../../../../src/shared/reports/blocks'
import { TILE_GAP_PX } from '../blocks/report-block'
import { isSameLayout, MIN_SIZES, moveTo, resizeTo } from './layout'

/** Pixels that a pointer has to travel before a click is a drag. */
const THRESHOLD_PX = 5
const EDGE_PX = 56
const SCROLL_PX = 14

interface Drag {
  id: string
  mode: 'move' | 'resize'
  from: { x: number; y: number; scroll: number }
  /** How far the block is from its place, px. */
  by: { x: number; y: number }
  isMoving: boolean
  preview: ReportBlock[]
}

/** Where the blocks would be with this one so far from its place. */
export function draggedLayout(
  blocks: readonly ReportBlock[],
  { id, mode, by }: Pick<Drag, 'id' | 'mode' | 'by'>,
  widthPx: number,
): ReportBlock[] {
  const block = blocks.find((one) => one.id === id)
  if (!block) return [...blocks]
  const columns = Math.round(by.x / ((widthPx + TILE_GAP_PX) / GRID_COLUMNS))
  const rows = Math.round(by.y / GRID_ROW_PX)
  const { x, y, w, h } = block.place
  return mode === 'move'
    ? moveTo(blocks, id, { x: x + columns, y: y + rows })
    : resizeTo(blocks, id, { w: w + columns, h: h + rows }, MIN_SIZES[block.kind])
}

/** Moves and resizes blocks by pointer; Esc puts everything back. */
export function useDrag(
  canvas: RefObject<HTMLDivElement | null>,
  blocks: readonly ReportBlock[],
  onPlaced: (blocks: ReportBlock[]) => void,
) {
  const [drag, setDrag] = useState<Drag | null>(null)
  const current = useRef<Drag | null>(null)
  const set = (next: Drag | null): void => {
    current.current = next
    setDrag(next)
  }
  useEffect(() => {
    if (!drag) return
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') set(null)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [drag])
  const handlers = (id: string, mode: Drag['mode']) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>): void => {
      if (event.button !== 0 || (event.pointerType === 'touch' && mode === 'move')) return
      event.currentTarget.setPointerCapture(event.pointerId)
      const from = { x: event.clientX, y: event.clientY, scroll: window.scrollY }
      set({ id, mode, from, by: { x: 0, y: 0 }, isMoving: false, preview: [...blocks] })
    },
    onPointerMove: (event: PointerEvent<HTMLElement>): void => {
      const now = current.current
      if (!now || now.id !== id) return
      if (event.clientY > window.innerHeight - EDGE_PX) window.scrollBy(0, SCROLL_PX)
      if (event.clientY < EDGE_PX * 2) window.scrollBy(0, -SCROLL_PX)
      const by = { x: event.clientX - now.from.x, y: event.clientY - now.from.y + window.scrollY - now.from.scroll }
      const isMoving = now.isMoving || Math.hypot(by.x, by.y) > THRESHOLD_PX
      const preview = isMoving ? draggedLayout(blocks, { ...now, by }, canvas.current?.clientWidth ?? 0) : now.preview
      set({ ...now, by, isMoving, preview })
    },
    onPointerUp: (): void => {
      const done = current.current
      set(null)
      if (done?.isMoving && !isSameLayout(done.preview, blocks)) onPlaced(done.preview)
    },
    onPointerCancel: (): void => set(null),
  })
  return { drag: drag?.isMoving ? drag : null, handlers }
}
