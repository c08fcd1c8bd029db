import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { buildChartSpec } from './build-chart-spec'
import { Chart } from './chart'
import userEvent from '@testing-library/user-event'
import { answerOf, country, kronor as format, month, quarter, sales } from './chart.fixture'
import type { QueryResult } from '../../../src/shared/query/result'
import type { ChartKind } from '../../../src/shared/insights'
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
    // A unit is a pixel, counted downwards.
    convertToPixel: (_series: object, [x, value = 0]: number[]) => [x, 100 - value],
    dispatchAction: vi.fn(),
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

async function drawn(answer: QueryResult = quarter(), chart: ChartKind = 'bar') {
  const drawing = buildChartSpec(answer, chart, { format })
  if (!drawing) throw new Error('no drawing')
  const onPick = vi.fn()
  await renderWithProviders(<Chart drawing={drawing} format={format} label="Sales" onPick={onPick} />)
  await waitFor(() => expect(heard.ground.has('click')).toBe(true))
  return onPick
}
const mark = (seriesId: string, dataIndex: number) => () => heard.mark.get('click')?.({ seriesId, dataIndex })
const ground =
  (offsetX: number, offsetY = 0) =>
  () =>
    heard.ground.get('click')?.({ offsetX, offsetY })
/** One click of a person: both hear it before anything else happens. */
async function click(...parts: (() => void)[]): Promise<void> {
  for (const part of parts) part()
  await Promise.resolve()
}

it('takes a click on a mark once, whichever of the mark and its ground hears it first', async () => {
  const onPick = await drawn()
  await click(mark('main:m0', 1), ground(1))
  await click(ground(2), mark('main:m0', 2))
  expect(onPick.mock.calls).toEqual([[{ row: 1 }], [{ row: 2 }]])
})

it('takes a click beside a mark, or on one with nothing behind it, for its category, also after one on a mark', async () => {
  const onPick = await drawn()
  await click(ground(0), mark('main:m0', 0))
  await click(ground(1))
  await click(mark('main:target', 2), ground(2))
  expect(onPick.mock.calls).toEqual([[{ row: 0 }], [{ row: 1 }], [{ row: 2 }]])
})

const split = answerOf(
  [month, country, sales],
  [
    ['2026-01-01', 'Norway', 90],
    ['2026-01-01', 'Sweden', 30],
    ['2026-02-01', 'Norway', 80],
    ['2026-02-01', 'Sweden', 20],
  ],
)

it.each(['groupedBar', 'stackedBar'] as const)(
  'takes a click above the bars of a %s chart for their category',
  async (chart) => {
    const onPick = await drawn(split, chart)
    await click(ground(1, 5))
    expect(onPick.mock.calls).toEqual([[{ row: 2, dimensions: [0] }]])
  },
)

it('means by Enter the category it said, until one of its marks is reached', async () => {
  const onPick = await drawn(split, 'groupedBar')
  screen.getByRole('application').focus()
  await userEvent.keyboard('{ArrowRight}{Enter}{ArrowDown}{Enter}')
  expect(onPick.mock.calls.map(([mark]) => mark)).toEqual([{ row: 0, dimensions: [0] }, { row: 0 }])
})

describe('several lines', () => {
  it('take a click beside them for the nearest one, and far from all for none', async () => {
    const onPick = await drawn(split, 'line')
    await click(ground(1, 28))
    await click(ground(1, 75))
    await click(ground(0, 200))
    expect(onPick.mock.calls).toEqual([[{ row: 2 }], [{ row: 3 }]])
  })

  it('are reached one by one by keyboard, each said by its name', async () => {
    const onPick = await drawn(split, 'line')
    screen.getByRole('application').focus()
    await userEvent.keyboard('{ArrowRight}{ArrowRight}{ArrowDown}{ArrowDown}')
    expect(screen.getByText('Sweden, Feb 2026: 20 kr')).toBeInTheDocument()
    await userEvent.keyboard('{Enter}{ArrowLeft}{ArrowUp}{Enter}')
    expect(onPick.mock.calls).toEqual([[{ row: 3 }], [{ row: 0 }]])
  })
})
