import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { OverLimitScope } from '../../../lib/gate'
import { setSession } from '../../../lib/session'
import { memberPageData } from '../../../test/page-data'
import { renderWithProviders } from '../../../test/render'
import { jsonResponse, errorResponse, mockServer } from '../../../test/mock-server'
import type { Forecast, Scenario } from '../../../../src/shared/forecasts/forecasts'
import type { ChartOverlays } from '../view/forecast-chart-model'
import { FORECAST_ID, forecastOf, pathOf, resultOf } from '../forecasts.fixture'
import { ScenariosPanel } from './scenarios-panel'

// Files share modules: what was imported by an earlier one would not be replaced.
vi.hoisted(() => vi.resetModules())

const PUT = `PUT /api/forecasts/${FORECAST_ID}/scenarios`
const routes = { 'GET /api/metrics': () => jsonResponse({ items: [], nextCursor: null }) }
const span = { from: '2026-11-01', to: '2027-10-31' }
const more = (id: string, name: string): Scenario => ({
  ...{ id, name },
  steps: [{ kind: 'percent', by: 0.1, ...span }],
})
/** Ten thousand a month to pay, from a balance of forty-five. */
const cash = () =>
  resultOf({
    balance: {
      ...{ opening: 45_000, source: 'person', past: [] },
      path: pathOf(Array.from({ length: 12 }, (_, at) => 45_000 - 10_000 * (at + 1))),
    },
  })

async function open(forecast: Forecast, { result = resultOf({ additive: true }), frozen = false } = {}) {
  const onDraw = vi.fn<(overlays: ChartOverlays) => void>()
  await renderWithProviders(
    <OverLimitScope frozen={frozen}>
      <ScenariosPanel {...{ forecast, result, onDraw, part: undefined, asBalance: false }} />
    </OverLimitScope>,
  )
  return { drawn: () => onDraw.mock.lastCall?.[0] }
}
const names = (drawn: ChartOverlays | undefined) => drawn?.scenarios.map(({ name }) => name)

beforeEach(() => {
  document.body.innerHTML = ''
  setSession(memberPageData('owner'))
})

describe('what could be done', () => {
  it('is drawn and told as it is made, taken back by keys, and saved as one', async () => {
    const calls = mockServer({ ...routes, [PUT]: () => jsonResponse(forecastOf({ version: 4 })) })
    const { drawn } = await open(forecastOf())
    await userEvent.click(await screen.findByRole('button', { name: 'Add a scenario' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: /10\s% more/ }))
    const item = await screen.findByRole('listitem', { name: /^10\s% more$/ })
    expect(item).toHaveTextContent(/1\s408\s000\skr in all, 128\s000\skr \(10\s%\) more/)
    await waitFor(() => expect(names(drawn())).toEqual(['10\u00a0% more']))
    const by = within(item).getByRole('textbox', { name: 'By' })
    await userEvent.clear(by)
    await userEvent.type(by, '25')
    expect(item).toHaveTextContent(/320\s000\skr \(25\s%\) more/)
    await userEvent.keyboard('{Control>}z{/Control}')
    expect(item).toHaveTextContent(/128\s000\skr \(10\s%\) more/)
    await userEvent.click(screen.getByRole('button', { name: 'Redo' }))
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(calls.find(({ method }) => method === 'PUT')?.body).toMatchObject({ version: 3 }))
    expect(calls.find(({ method }) => method === 'PUT')?.body).toMatchObject({
      scenarios: [{ name: '10\u00a0% more', steps: [{ kind: 'percent', by: 0.25, ...span }] }],
    })
  })

  it('says of each path when it breaks the cash floor', async () => {
    mockServer(routes)
    const saving: Scenario = {
      ...{ id: 'aaaaaa', name: 'Pay less' },
      steps: [{ kind: 'amount', value: 8000, each: 'period', ...span }],
    }
    const thresholds = [{ name: 'Cash floor', side: 'below' as const, value: 0 }]
    await open(forecastOf({ scenarios: [saving], thresholds }), { result: cash() })
    const base = await screen.findByRole('listitem', { name: 'The forecast as it is' })
    expect(base).toHaveTextContent('Cash floor: falls under in Mar 2027, perhaps as early as Feb 2027')
    expect(screen.getByRole('listitem', { name: 'Pay less' })).toHaveTextContent('Cash floor: holds')
    const level = screen.getByRole('listitem', { name: 'Cash floor' })
    expect(level).toHaveTextContent(/ExpectedMar 2027Earliest \(80\s%\)Feb 2027Latest \(80\s%\)Apr 2027/)
  })

  it('draws three beside the base, and another only in the place of one of them', async () => {
    mockServer(routes)
    const all = ['aaaaaa', 'bbbbbb', 'cccccc', 'dddddd'].map((id) => more(id, `Plan ${id[0]}`))
    const { drawn } = await open(forecastOf({ scenarios: all }))
    await waitFor(() => expect(names(drawn())).toEqual(['Plan a', 'Plan b', 'Plan c']))
    expect(screen.getByRole('switch', { name: 'Show Plan d in the chart' })).toBeDisabled()
    await userEvent.click(screen.getByRole('switch', { name: 'Show Plan a in the chart' }))
    await userEvent.click(screen.getByRole('switch', { name: 'Show Plan d in the chart' }))
    await waitFor(() => expect(names(drawn())).toEqual(['Plan b', 'Plan c', 'Plan d']))
  })

  it('that somebody else saved first asks which version stays', async () => {
    mockServer({ ...routes, [PUT]: () => errorResponse('version_conflict', { current: forecastOf({ version: 5 }) }) })
    await open(forecastOf({ scenarios: [more('aaaaaa', 'Mine')] }))
    await userEvent.click(await screen.findByRole('button', { name: 'Add a level' }))
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Someone else saved this first')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Take theirs' }))
    expect(screen.queryByRole('listitem', { name: 'Mine' })).toBeNull()
  })

  it.each<[string, () => void, boolean]>([
    ['a viewer', () => setSession(memberPageData('viewer')), false],
    ['a frozen forecast', () => undefined, true],
  ])('may be tried but not kept: %s', async (_, become, frozen) => {
    become()
    mockServer(routes)
    await open(forecastOf(), { frozen })
    await userEvent.click(await screen.findByRole('button', { name: 'Add a level' }))
    expect(screen.getByText(/it is gone when you leave/)).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
  })

  it('that follows a metric which no run has forecast says that saving runs it', async () => {
    mockServer(routes)
    const steps: Scenario['steps'] = [{ kind: 'driver', metric: 'met_00000000000000000001', factor: 2, ...span }]
    const saved = { id: 'aaaaaa', name: 'Follow', steps }
    await open(forecastOf({ scenarios: [saved], state: 'queued' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Edit Follow' }))
    expect(await screen.findByText(/A run is forecasting this metric/)).toBeVisible()
  })
})
