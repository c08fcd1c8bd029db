import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { kpiAnswer, KPIS } from '../reports.fixture'
import { createTileStore, FELT_MS } from './tile-store'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('tells of a wait that it lasts once a person feels it, and no more when the figures are there', () => {
  const store = createTileStore()
  store.begin([KPIS.id])
  vi.advanceTimersByTime(FELT_MS - 1)
  expect(store.get(KPIS.id)).toMatchObject({ waiting: true, lasting: false })
  vi.advanceTimersByTime(1)
  expect(store.get(KPIS.id)).toMatchObject({ waiting: true, lasting: true })
  store.take(kpiAnswer())
  expect(store.get(KPIS.id)).toMatchObject({ waiting: false, lasting: false })
})

it('counts a wait from its own beginning: one that ended says nothing of the next, one that goes on is not begun anew', () => {
  const store = createTileStore()
  store.begin([KPIS.id])
  vi.advanceTimersByTime(FELT_MS / 2)
  store.take(kpiAnswer())
  store.begin([KPIS.id])
  vi.advanceTimersByTime(FELT_MS / 2)
  expect(store.get(KPIS.id).lasting).toBe(false)
  store.begin([KPIS.id])
  vi.advanceTimersByTime(FELT_MS / 2)
  expect(store.get(KPIS.id).lasting).toBe(true)
})

it('lets go of a wait that failed', () => {
  const store = createTileStore()
  store.begin([KPIS.id])
  vi.advanceTimersByTime(FELT_MS)
  store.fail([KPIS.id], new Error('broken'))
  expect(store.get(KPIS.id)).toMatchObject({ waiting: false, lasting: false })
})
