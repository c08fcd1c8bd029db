import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { GRID_COLUMNS } from '../../../../src/shared/reports/blocks'
import {
  compact,
  moveStep,
  moveTo,
  overlaps,
  placeForNew,
  readingOrder,
  resizeStep,
  resizeTo,
  type PlacedItem,
} from './layout'

const item = (id: string, x: number, y: number, w: number, h: number): PlacedItem => ({ id, place: { x, y, w, h } })
const places = (items: readonly PlacedItem[] | null) =>
  Object.fromEntries((items ?? []).map(({ id, place }) => [id, [place.x, place.y, place.w, place.h]]))

const placed = fc
  .array(
    fc.record({ x: fc.nat(11), y: fc.nat(30), w: fc.integer({ min: 1, max: 12 }), h: fc.integer({ min: 1, max: 9 }) }),
    {
      minLength: 1,
      maxLength: 10,
    },
  )
  .map((all) => all.map(({ x, y, w, h }, at) => item(`b${at}`, Math.min(x, GRID_COLUMNS - w), y, w, h)))

/** Nothing overlaps, nothing is beyond the edge, and nothing could be higher. */
function isTidy(items: readonly PlacedItem[]): boolean {
  return items.every((one) => {
    const others = items.filter(({ id }) => id !== one.id)
    const { x, y, w } = one.place
    const above = { ...one.place, y: y - 1 }
    return (
      others.every(({ place }) => !overlaps(place, one.place)) &&
      x >= 0 &&
      x + w <= GRID_COLUMNS &&
      (y === 0 || others.some(({ place }) => overlaps(place, above)))
    )
  })
}

describe('every layout', () => {
  it('is without overlaps and gaps above, whatever is moved or resized, and keeps every block', () => {
    fc.assert(
      fc.property(
        placed,
        fc.nat(9),
        fc.integer({ min: -3, max: 14 }),
        fc.integer({ min: -3, max: 40 }),
        (all, which, a, b) => {
          const start = compact(all)
          const id = `b${which % all.length}`
          const least = { w: 2, h: 2 }
          for (const next of [start, moveTo(start, id, { x: a, y: b }), resizeTo(start, id, { w: a, h: b }, least)]) {
            expect(isTidy(next)).toBe(true)
            expect(next.map((one) => one.id)).toEqual(all.map((one) => one.id))
          }
        },
      ),
      { numRuns: 200 },
    )
  })

  it('stays as it is when it is compacted again', () => {
    fc.assert(
      fc.property(placed, (all) => {
        expect(compact(compact(all))).toEqual(compact(all))
      }),
    )
  })
})

const two = [item('a', 0, 0, 6, 4), item('b', 0, 4, 6, 4)]

describe('a step by keyboard', () => {
  it('down goes past what is below, up back again', () => {
    const down = moveStep(two, 'a', 'down')
    expect(places(down)).toEqual({ a: [0, 4, 6, 4], b: [0, 0, 6, 4] })
    expect(places(moveStep(down ?? [], 'a', 'up'))).toEqual(places(two))
  })

  it('to the side goes one column, and no further than the edge', () => {
    expect(places(moveStep(two, 'a', 'right'))).toMatchObject({ a: [1, 0, 6, 4] })
    expect(moveStep(two, 'a', 'left')).toBeNull()
  })

  it('resizes by one, pushes others down, and stops at the least of its kind and at the edge', () => {
    expect(places(resizeStep(two, 'a', 'down', { w: 2, h: 4 }))).toEqual({ a: [0, 0, 6, 5], b: [0, 5, 6, 4] })
    expect(resizeStep(two, 'a', 'up', { w: 2, h: 4 })).toBeNull()
    expect(resizeStep([item('a', 6, 0, 6, 4)], 'a', 'right', { w: 2, h: 4 })).toBeNull()
  })
})

describe('a new block', () => {
  it('stands beside the last one where there is room, else below everything', () => {
    expect(placeForNew(two, { w: 6, h: 4 })).toEqual({ x: 6, y: 4, w: 6, h: 4 })
    expect(placeForNew(two, { w: 12, h: 4 })).toEqual({ x: 0, y: 8, w: 12, h: 4 })
    expect(placeForNew([], { w: 12, h: 4 })).toEqual({ x: 0, y: 0, w: 12, h: 4 })
  })
})

it('a page is read row by row', () => {
  const items = [item('c', 0, 4, 6, 2), item('b', 6, 0, 6, 2), item('a', 0, 0, 6, 2)]
  expect(readingOrder(items).map(({ id }) => id)).toEqual(['a', 'b', 'c'])
})
