import { waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { buildChartSpec } from './build-chart-spec'
import { Chart } from './chart'
import { kronor as format, quarter } from './chart.fixture'
import { renderWithProviders } from '../../test/render'

type Listener = (event: object) => void
/** Who listens to the drawing, and to its ground. */
const heard = { mark: new Map<string, Listener>(), ground: new Map<string, Listener>() }
const on = (listeners: Map<string, Listener>) => ({
  on: (event: string, listener: Listener) => void listeners.set(event, listener),
  off: () => undefined,
})
vi.mock('./engine', () => ({
  createEngine: () => ({
    ...on(heard.mark),
    ...{ setOption: vi.fn(), dispose: vi.fn(), resize: vi.fn(), isDisposed: () => false },
    getZr: () => on(heard.ground),
    containPixel: () => true,
    convertFromPixel: (_grid: string, [x]: number[]) => [x, 0],
  }),
}))
beforeEach(() =>
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  ),
)
afterEach(() => {
  vi.unstubAllGlobals()
  heard.mark.clear()
  heard.ground.clear()
})

async function drawn() {
  const drawing = buildChartSpec(quarter(), 'bar', { format })
  if (!drawing) throw new Error('no drawing')
  const onPick = vi.fn()
  await renderWithProviders(<Chart drawing={drawing} format={format} label="Sales" onPick={onPick} />)
  await waitFor(() => expect(heard.ground.has('click')).toBe(true))
  return onPick
}
const mark = (seriesId: string, dataIndex: number) => () => heard.mark.get('click')?.({ seriesId, dataIndex })
const ground = (offsetX: number) => () => heard.ground.get('click')?.({ offsetX, offsetY: 0 })
/** One click of a person: both hear it before anything else happens. */
async function click(...parts: (() => void)[]): Promise<void> {
  for (const part of parts) part()
  await Promise.resolve()
}

it('takes a click on a mark once, whichever of the mark and its ground hears it first', async () => {
  const onPick = await drawn()
  await click(mark('main:m0', 1), ground(1))
  await click(ground(2), mark('main:m0', 2))
  expect(onPick.mock.calls).toEqual([[1], [2]])
})

it('takes a click beside a mark, or on one with nothing behind it, for its category, also after one on a mark', async () => {
  const onPick = await drawn()
  await click(ground(0), mark('main:m0', 0))
  await click(ground(1))
  await click(mark('main:target', 2), ground(2))
  expect(onPick.mock.calls).toEqual([[0], [1], [2]])
})
