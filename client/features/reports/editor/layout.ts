import { GRID_COLUMNS, type BlockKind, type GridPlace } from '../../../../src/shared/reports/blocks'

/** Where things lie on a page. Every function answers a layout without overlaps and without empty rows above a thing. */
export interface PlacedItem {
  id: string
  place: GridPlace
}
export type Direction = 'left' | 'right' | 'up' | 'down'

const ROWS_MAX = 60
export const MIN_SIZES: Record<BlockKind, { w: number; h: number }> = {
  kpis: { w: 2, h: 3 },
  insight: { w: 2, h: 4 },
  metric: { w: 2, h: 4 },
  forecast: { w: 3, h: 5 },
  statement: { w: 4, h: 5 },
  text: { w: 2, h: 1 },
  observation: { w: 2, h: 2 },
  image: { w: 1, h: 2 },
  divider: { w: 2, h: 1 },
  pageBreak: { w: 12, h: 1 },
}
export const NEW_SIZES: Record<BlockKind, { w: number; h: number }> = {
  kpis: { w: 12, h: 4 },
  insight: { w: 6, h: 10 },
  metric: { w: 6, h: 10 },
  forecast: { w: 6, h: 10 },
  statement: { w: 12, h: 16 },
  text: { w: 12, h: 3 },
  observation: { w: 6, h: 3 },
  image: { w: 4, h: 6 },
  divider: { w: 12, h: 1 },
  pageBreak: { w: 12, h: 1 },
}

export const overlaps = (a: GridPlace, b: GridPlace): boolean =>
  a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h

const byReading = (a: PlacedItem, b: PlacedItem): number => a.place.y - b.place.y || a.place.x - b.place.x
/** As a page is read: row by row, from the left. */
export const readingOrder = <T extends PlacedItem>(items: readonly T[]): T[] => items.toSorted(byReading)

const at = <T extends PlacedItem>(item: T, place: Partial<GridPlace>): T => ({
  ...item,
  place: { ...item.place, ...place },
})

/** Each as high as it can be, in reading order; what overlaps goes below. */
export function compact<T extends PlacedItem>(items: readonly T[]): T[] {
  const done: T[] = []
  for (const item of readingOrder(items)) {
    let { y } = item.place
    const hits = (row: number): boolean => done.some(({ place }) => overlaps(place, { ...item.place, y: row }))
    while (hits(y)) y += 1
    while (y > 0 && !hits(y - 1)) y -= 1
    done.push(at(item, { y }))
  }
  // The order of the list is that of its owner.
  return items.flatMap(({ id }) => done.find((one) => one.id === id) ?? [])
}

/** The others out of the way of one that was put somewhere: above it where there is room, else below. */
function makeRoom<T extends PlacedItem>(items: readonly T[], moved: T): T[] {
  const done: T[] = [moved]
  for (const item of readingOrder(items.filter(({ id }) => id !== moved.id))) {
    const isFree = (place: GridPlace): boolean => done.every((one) => !overlaps(one.place, place))
    if (isFree(item.place)) {
      done.push(item)
      continue
    }
    const above = { ...item.place, y: moved.place.y - item.place.h }
    if (above.y >= 0 && overlaps(item.place, moved.place) && isFree(above)) {
      done.push(at(item, above))
      continue
    }
    let { y } = item.place
    while (!isFree({ ...item.place, y })) y += 1
    done.push(at(item, { y }))
  }
  return items.flatMap(({ id }) => done.find((one) => one.id === id) ?? [])
}

const clamp = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most)

/** One thing put elsewhere. */
export function moveTo<T extends PlacedItem>(items: readonly T[], id: string, to: { x: number; y: number }): T[] {
  const item = items.find((one) => one.id === id)
  if (!item) return [...items]
  const place = { x: clamp(to.x, 0, GRID_COLUMNS - item.place.w), y: Math.max(0, to.y) }
  return compact(makeRoom(items, at(item, place)))
}

/** One thing of another size, not below the least of its kind. */
export function resizeTo<T extends PlacedItem>(
  items: readonly T[],
  id: string,
  size: { w: number; h: number },
  least: { w: number; h: number } = { w: 1, h: 1 },
): T[] {
  const item = items.find((one) => one.id === id)
  if (!item) return [...items]
  const most = GRID_COLUMNS - item.place.x
  const place = { w: clamp(size.w, Math.min(least.w, most), most), h: clamp(size.h, least.h, ROWS_MAX) }
  return compact(makeRoom(items, at(item, place)))
}

const STEPS: Record<Direction, { x: number; y: number }> = {
  left: { x: -1, y: 0 },
  right: { x: 1, y: 0 },
  up: { x: 0, y: -1 },
  down: { x: 0, y: 1 },
}
export const isSameLayout = (a: readonly PlacedItem[], b: readonly PlacedItem[]): boolean =>
  JSON.stringify(a.map(({ id, place }) => [id, place])) === JSON.stringify(b.map(({ id, place }) => [id, place]))

/** One step by keyboard: as far as it takes for anything to change; null where nothing does. */
export function moveStep<T extends PlacedItem>(items: readonly T[], id: string, direction: Direction): T[] | null {
  const from = items.find((one) => one.id === id)?.place
  if (!from) return null
  const step = STEPS[direction]
  const bottom = Math.max(...items.map(({ place }) => place.y + place.h))
  const most = direction === 'down' ? bottom - from.y : direction === 'up' ? from.y : 1
  for (let far = 1; far <= most; far++) {
    const next = moveTo(items, id, { x: from.x + step.x * far, y: from.y + step.y * far })
    if (!isSameLayout(next, items)) return next
  }
  return null
}

/** One step larger or smaller; null where it is as large or small as it gets. */
export function resizeStep<T extends PlacedItem>(
  items: readonly T[],
  id: string,
  direction: Direction,
  least: { w: number; h: number },
): T[] | null {
  const from = items.find((one) => one.id === id)?.place
  if (!from) return null
  const { x, y } = STEPS[direction]
  const next = resizeTo(items, id, { w: from.w + x, h: from.h + y }, least)
  return isSameLayout(next, items) ? null : next
}

/** The first place of this size below everything, or beside the last thing where there is room. */
export function placeForNew(items: readonly PlacedItem[], size: { w: number; h: number }): GridPlace {
  const bottom = Math.max(0, ...items.map(({ place }) => place.y + place.h))
  const last = readingOrder(items).at(-1)?.place
  const beside = last && { x: last.x + last.w, y: last.y, ...size }
  const fits = beside && beside.x + size.w <= GRID_COLUMNS && items.every(({ place }) => !overlaps(place, beside))
  return fits ? beside : { x: 0, y: bottom, ...size }
}

/** "Column 1 to 6, row 5, 10 rows high": what is said of a thing that was moved. */
export const describePlace = ({ x, y, w, h }: GridPlace): string =>
  `Columns ${x + 1} to ${x + w}, rows ${y + 1} to ${y + h}`
