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
    await userEvent.click(await screen.findByRole('button', { name: 'Add scenario' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: /10\s% higher/ }))
    const item = await screen.findByRole('listitem', { name: /^10\s% higher$/ })
    expect(item).toHaveTextContent(/in total, .*\(10,0\s%\) above baseline/)
    await waitFor(() => expect(names(drawn())).toEqual(['10\u00a0% higher']))
    const by = within(item).getByRole('textbox', { name: 'Change' })
    await userEvent.clear(by)
    await userEvent.type(by, '25')
    expect(item).toHaveTextContent(/\(25,0\s%\) above baseline/)
    await userEvent.keyboard('{Control>}z{/Control}')
    expect(item).toHaveTextContent(/\(10,0\s%\) above baseline/)
    await userEvent.click(screen.getByRole('button', { name: 'Redo' }))
    await userEvent.click(screen.getByRole('button', { name: 'Save scenarios' }))
    await waitFor(() => expect(calls.find(({ method }) => method === 'PUT')?.body).toMatchObject({ version: 3 }))
    expect(calls.find(({ method }) => method === 'PUT')?.body).toMatchObject({
      scenarios: [{ name: '10\u00a0% higher', steps: [{ kind: 'percent', by: 0.25, ...span }] }],
    })
  })

  it('says of each path when it breaks the cash floor', async () => {
    mockServer(routes)
    const saving: Scenario = {
      ...{ id: 'aaaaaa', name: 'Pay less' },
      steps: [{ kind: 'amount', value: 8000, each: 'period', ...span }],
    }
    const thresholds = [{ name: 'Minimum cash', side: 'below' as const, value: 0 }]
    await open(forecastOf({ scenarios: [saving], thresholds }), { result: cash() })
    const base = await screen.findByRole('listitem', { name: 'Baseline' })
    expect(base).toHaveTextContent(/Minimum cash: first below in Mar 2027 \(80\s% interval Feb–Apr 2027\)/)
    expect(screen.getByRole('listitem', { name: 'Pay less' })).toHaveTextContent(
      'Minimum cash: stays above, interval included',
    )
    const level = screen.getByRole('listitem', { name: 'Minimum cash' })
    expect(level).toHaveTextContent(/First below in Mar 2027 \(80\s% interval Feb–Apr 2027\)/)
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
    await userEvent.click(await screen.findByRole('button', { name: 'Add threshold' }))
    await userEvent.click(screen.getByRole('button', { name: 'Save scenarios' }))
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
    await userEvent.click(await screen.findByRole('button', { name: 'Add threshold' }))
    expect(screen.getByText(/can’t be saved/)).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Save scenarios' })).toBeNull()
  })

  it('that follows a metric which no run has forecast says that saving runs it', async () => {
    mockServer(routes)
    const steps: Scenario['steps'] = [{ kind: 'driver', metric: 'met_00000000000000000001', factor: 2, ...span }]
    const saved = { id: 'aaaaaa', name: 'Follow', steps }
    await open(forecastOf({ scenarios: [saved], state: 'queued' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Edit Follow' }))
    expect(await screen.findByText(/the metric is being forecast/)).toBeVisible()
  })
})
