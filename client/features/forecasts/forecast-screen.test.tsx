import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { OverLimitScope } from '../../lib/gate'
import { setSession } from '../../lib/session'
import { memberPageData } from '../../test/page-data'
import { renderWithProviders } from '../../test/render'
import { jsonResponse, errorResponse, mockServer } from '../../test/mock-server'
import { AccuracyCard } from './accuracy/accuracy-card'
import { ForecastActions } from './view/forecast-actions'
import { ForecastNotices } from './view/forecast-notices'
import { ForecastScreen } from './forecast-screen'
import { ForecastTable } from './view/forecast-table'
import { RunsCard } from './view/runs-card'
import { FORECAST_ID, forecastOf, resultOf, RUN_ID, runOf, splitResult } from './forecasts.fixture'
import type { AccuracyLog } from '../../../src/shared/forecasts/accuracy'
import type { Forecast, ForecastRun } from '../../../src/shared/forecasts/forecasts'

// Files share modules: what was imported by an earlier one would not be replaced.
vi.hoisted(() => vi.resetModules())
// The drawing library needs a canvas; what it is told to draw has its own tests.
vi.mock('../../ui/chart/engine', () => ({
  createEngine: () => ({
    setOption: () => undefined,
    resize: () => undefined,
    dispatchAction: () => undefined,
    on: () => undefined,
    off: () => undefined,
    dispose: () => undefined,
    isDisposed: () => false,
  }),
}))

const AT = `/api/forecasts/${FORECAST_ID}`
const served = (forecast: Forecast, over: Parameters<typeof mockServer>[0] = {}) =>
  mockServer({
    [`GET ${AT}`]: () => jsonResponse(forecast),
    'GET /api/data-sources': () => jsonResponse({ items: [], nextCursor: null }),
    ...over,
  })
const open = (search = '') => renderWithProviders(<ForecastScreen id={FORECAST_ID} />, search)

beforeEach(() => setSession(memberPageData('owner')))

describe('one forecast', () => {
  it('says how far ahead it reaches, not how far was asked for', async () => {
    served(forecastOf({ horizon: 24 }))
    await open()
    const subject = await screen.findByRole('link', { name: 'Sales by month' })
    expect(subject.parentElement).toHaveTextContent('Sales by month, 12 of 24 months ahead: not enough history')
  })

  it('shows chart, summary, grade with its meaning and how it was made', async () => {
    served(forecastOf({ thresholds: [{ name: 'Floor', side: 'below', value: 90_000 }] }))
    await open()
    expect(await screen.findByRole('application', { name: /Sales by month, 12 months ahead/ })).toBeVisible()
    expect(screen.getByRole('link', { name: 'Sales by month' })).toHaveAttribute(
      'href',
      '/insights/ins_00000000000000000001',
    )
    expect(screen.getAllByRole('img', { name: /^Grade B: MASE below 0,9$/ })[0]).toBeVisible()
    expect(within(screen.getByRole('region', { name: 'Summary' })).getByText(/^Floor \(90\s000\skr\)/)).toBeVisible()
    const card = screen.getByRole('region', { name: 'Backtest accuracy' })
    expect(card).toHaveTextContent(/80\s%: 29 of 36/)
    expect(card).toHaveTextContent('Seasonal naive')
    // The backtest is told by the grade and its table: not again in the summary.
    expect(screen.getByRole('region', { name: 'Summary' })).not.toHaveTextContent('Backtest')
    expect(screen.getByText(/Nov 2026 is incomplete and excluded/)).toBeVisible()
  })

  it('runs again by a button, which waits while a run is under way; what was found before stays', async () => {
    const queued = forecastOf({ state: 'queued', lastRun: { ...runOf(null), state: 'queued' } })
    const calls = served(forecastOf(), {
      [`GET ${AT}`]: [() => jsonResponse(forecastOf()), () => jsonResponse(queued)],
      [`POST ${AT}/run`]: () => jsonResponse(runOf(null, { state: 'queued' }), 202),
    })
    await open()
    await userEvent.click(await screen.findByRole('button', { name: 'Run again' }))
    expect(await screen.findByText('Queued')).toBeVisible()
    expect(screen.getByRole('application', { name: /Sales by month/ })).toBeVisible()
    expect(calls.some(({ method, path }) => method === 'POST' && path === `${AT}/run`)).toBe(true)
  })

  it.each<[string, Partial<Forecast>, RegExp]>([
    ['has never run', { state: 'draft', lastRun: null, ready: null }, /Not run yet/],
    ['is out of date', { state: 'stale' }, /Out of date/],
    [
      'has too little history',
      {
        ...{ state: 'too_short', ready: null },
        lastRun: runOf(null, { state: 'too_short', trouble: { code: 'too_short', message: '', have: 5, need: 8 } }),
      },
      /Not enough history: 5 of 8 months/,
    ],
    [
      'failed',
      { state: 'failed', lastRun: runOf(null, { state: 'failed', trouble: { code: 'owner_gone', message: '' } }) },
      /Owner has left/,
    ],
    ['is frozen', { frozen: true }, /Over plan limit/],
    ['was computed with other rights', { lastRun: null, ready: null }, /Different data access/],
  ])('that %s says so and what to do', async (_, over, words) => {
    await renderWithProviders(
      <ForecastNotices
        forecast={forecastOf(over)}
        isPreviewed={false}
        onPreview={() => undefined}
        onEdit={() => undefined}
      />,
    )
    expect(await screen.findByText(words)).toBeVisible()
  })

  it('that is frozen, and one whose reader is a viewer, offers no change', async () => {
    const actions = (forecast: Forecast) =>
      renderWithProviders(
        <OverLimitScope frozen={forecast.frozen}>
          <ForecastActions forecast={forecast} onEdit={() => undefined} />
        </OverLimitScope>,
      )
    await actions(forecastOf({ frozen: true }))
    expect(screen.getByRole('button', { name: 'Export' })).toBeVisible()
    // It can be deleted still.
    expect(screen.getByRole('button', { name: 'More actions' })).toBeVisible()
    for (const name of ['Edit', 'Run again']) expect(screen.queryByRole('button', { name })).toBeNull()
    document.body.innerHTML = ''
    setSession(memberPageData('viewer'))
    await actions(forecastOf())
    expect(screen.getByRole('button', { name: 'Export' })).toBeVisible()
    for (const name of ['Edit', 'Run again', 'More actions']) expect(screen.queryByRole('button', { name })).toBeNull()
  })

  it('that is gone says so', async () => {
    served(forecastOf(), { [`GET ${AT}`]: () => errorResponse('not_found') })
    await open()
    expect(await screen.findByRole('alert')).toBeVisible()
  })

  it('shows an old run as it was found, told apart from the newest', async () => {
    const old = 'fcr_00000000000000000001'
    served(forecastOf(), { [`GET ${AT}/runs/${old}`]: () => jsonResponse(runOf(resultOf(), { id: old, number: 1 })) })
    await open(`?run=${old}`)
    expect(await screen.findByText('Run 1')).toBeVisible()
    expect(screen.getByRole('button', { name: 'View latest run' })).toBeVisible()
  })

  it('lists its runs; the one on screen cannot be chosen again', async () => {
    served(forecastOf(), {
      [`GET ${AT}/runs`]: () =>
        jsonResponse({
          items: [runOf(null), runOf(null, { id: 'fcr_00000000000000000001', number: 1 })],
          nextCursor: null,
        }),
    })
    const looked: number[] = []
    const onLook = ({ number }: ForecastRun): void => void looked.push(number)
    await renderWithProviders(<RunsCard id={FORECAST_ID} grain="month" shownId={RUN_ID} onLook={onLook} />)
    expect(await screen.findByRole('button', { name: 'Shown: run 2' })).toBeDisabled()
    await userEvent.click(screen.getByRole('button', { name: 'View: run 1' }))
    expect(looked).toEqual([1])
  })

  it('tells what was said against what came', async () => {
    const tally = {
      ...{ checks: 2, held: { 50: 1, 80: 2, 95: 2 }, mae: 3000, bias: 3000, mase: 0.7 },
      naive: { mae: 5000, mase: 1.1 },
    }
    const run = { ...tally, runId: RUN_ID, number: 2, startedAt: '2026-08-20T08:00:00.000Z', origin: '2026-07-01' }
    const log: AccuracyLog = {
      ...{ waiting: 0, overall: tally, unrestated: null, steps: [{ step: 1, ...tally }] },
      runs: [{ ...run, steps: [], restatedPast: 0, counts: true }],
    }
    served(forecastOf(), { [`GET ${AT}/accuracy`]: () => jsonResponse(log) })
    await renderWithProviders(<AccuracyCard id={FORECAST_ID} result={resultOf()} level={80} />)
    expect(
      await screen.findByText(/2 actuals compared: average error 3\s000\skr; 2 of 2 in the 80\s% interval/),
    ).toBeVisible()
  })

  it('shows the figures of all parts beside the whole', async () => {
    await renderWithProviders(<ForecastTable result={splitResult()} />)
    const table = screen.getByRole('grid', { name: 'Forecast data' })
    expect(within(table).getByRole('columnheader', { name: 'Tools' })).toBeVisible()
    expect(within(table).getAllByRole('row')).toHaveLength(13)
  })
})
