import { useState, type KeyboardEvent, type MouseEvent } from 'react'

export interface CellPlace {
  row: number
  column: number
}
export interface CellRange {
  from: CellPlace
  to: CellPlace
}

/** Both corners of a range, whichever way it was drawn. */
export const cellRange = (a: CellPlace, b: CellPlace): CellRange => ({
  from: { row: Math.min(a.row, b.row), column: Math.min(a.column, b.column) },
  to: { row: Math.max(a.row, b.row), column: Math.max(a.column, b.column) },
})

const NEEDS_QUOTES = /[\t\n\r"]/
const tsvCell = (text: string): string => (NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** Rows as spreadsheets take them from the clipboard. */
export const toTsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => row.map(tsvCell).join('\t')).join('\n')

const MOVES: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  PageUp: [-15, 0],
  PageDown: [15, 0],
  Home: [0, -Infinity],
  End: [0, Infinity],
}
const clamp = (value: number, count: number): number => Math.max(0, Math.min(value, count - 1))

/** The cell an event happened in. */
export function placeOf(target: EventTarget): CellPlace | null {
  const cell = target instanceof Element ? target.closest<HTMLElement>('[data-cell]') : null
  const [row = NaN, column = NaN] = (cell?.dataset['cell'] ?? '').split(':').map(Number)
  return Number.isInteger(row) && Number.isInteger(column) ? { row, column } : null
}

interface SelectionOptions {
  rowCount: number
  columnCount: number
  onCopy: (range: CellRange) => void
  /** The place moved to by a key: it may have to be scrolled to before it can have the focus. */
  onMove: (place: CellPlace) => void
}

/**
 * One cell is in the order of the Tab key; arrow keys lead to the others, Shift and the mouse draw a range, and the
 * copy keys copy it.
 */
export function useCellSelection({ rowCount, columnCount, onCopy, onMove }: SelectionOptions) {
  const [anchor, setAnchor] = useState<CellPlace>({ row: 0, column: 0 })
  const [active, setActive] = useState<CellPlace>({ row: 0, column: 0 })
  const [drawn, setDrawn] = useState(false)
  const range = cellRange(anchor, active)
  const select = (place: CellPlace, extend: boolean): void => {
    if (!extend) setAnchor(place)
    setActive(place)
    setDrawn(true)
  }
  const selectAll = (): void => {
    setAnchor({ row: 0, column: 0 })
    setActive({ row: rowCount - 1, column: columnCount - 1 })
    setDrawn(true)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (placeOf(event.target) === null) return
    const withControl = event.ctrlKey || event.metaKey
    if (withControl && event.key === 'c') return onCopy(range)
    if (withControl && event.key === 'a') {
      event.preventDefault()
      return selectAll()
    }
    const move = MOVES[event.key]
    if (!move) return
    event.preventDefault()
    const [down, right] = move
    const next = {
      row:
        withControl && right !== 0 && Math.abs(right) === Infinity ? (right < 0 ? 0 : rowCount - 1) : active.row + down,
      column: clamp(active.column + right, columnCount),
    }
    const place = { row: clamp(next.row, rowCount), column: next.column }
    select(place, event.shiftKey)
    onMove(place)
  }
  const onMouseDown = (event: MouseEvent): void => {
    const place = event.button === 0 ? placeOf(event.target) : null
    if (place) select(place, event.shiftKey)
  }
  const onMouseOver = (event: MouseEvent): void => {
    const place = event.buttons === 1 ? placeOf(event.target) : null
    if (place) select(place, true)
  }
  // Cells that were chosen of rows that are gone are chosen no longer.
  const isDrawn = drawn && range.to.row < rowCount
  const isSelected = ({ row, column }: CellPlace): boolean =>
    isDrawn && row >= range.from.row && row <= range.to.row && column >= range.from.column && column <= range.to.column
  const isMany = isDrawn && (range.from.row !== range.to.row || range.from.column !== range.to.column)
  // Rows may have become fewer under the place that has the focus.
  const tabStop = { row: clamp(active.row, Math.max(1, rowCount)), column: active.column }
  return { handlers: { onKeyDown, onMouseDown, onMouseOver }, range, isSelected, isMany, tabStop }
}
