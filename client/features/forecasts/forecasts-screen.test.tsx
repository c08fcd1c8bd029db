import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { ForecastListItem } from '../../../src/shared/forecasts/forecasts'
import type { Insight } from '../../../src/shared/insights'
import type { Metric } from '../../../src/shared/metrics'
import { setSession } from '../../lib/session'
import { memberPageData } from '../../test/page-data'
import { renderWithProviders } from '../../test/render'
import { jsonResponse, errorResponse, mockServer } from '../../test/mock-server'
import { EditForecast } from './form/edit-forecast'
import { ForecastNewScreen } from './forecast-new-screen'
import { ForecastsScreen } from './forecasts-screen'
import { FORECAST_ID, forecastOf } from './forecasts.fixture'
import { InsightForecasts, MetricForecasts } from './subject-forecasts'

// Files share modules: what was imported by an earlier one would not be replaced.
vi.hoisted(() => vi.resetModules())
// No web worker here; what is asked of it has its own tests.
vi.mock('./form/use-preview', () => ({
  usePreview: () => ({ prepared: undefined, computed: null, busy: false, error: null, retry: () => undefined }),
}))

const DATASET = 'dst_00000000000000000001'
const INSIGHT: Insight = {
  ...{
    id: 'ins_00000000000000000001',
    name: 'Sales by month',
    description: '',
    ownerId: 'usr_anna',
    ownerName: 'Anna',
  },
  plan: {
    ...{ v: 2, kind: 'aggregate', dataset: DATASET, filters: [] },
    measures: [{ kind: 'column', agg: 'sum', field: { dataset: DATASET, column: 'c1' } }],
    dimensions: [{ field: { dataset: DATASET, column: 'c2' }, grain: 'quarter' }],
  },
  ...{ viz: { chart: 'line', direction: 'up' }, origin: 'person', frozen: false, version: 1, deletedAt: null },
  ...{ categoryId: null, findings: 'on', verified: null, following: false },
  ...{ createdAt: '2026-03-01T08:00:00.000Z', updatedAt: '2026-03-01T08:00:00.000Z' },
}
const pictureOf = (ahead: number): NonNullable<ForecastListItem['picture']> => {
  const path = (value: number): number[] => Array.from({ length: ahead }, () => value)
  return { past: [1, null, 3], mean: path(4), lower: path(3), upper: path(5) }
}
const cardOf = (over: Partial<ForecastListItem> = {}): ForecastListItem => {
  const { ready: _ready, ...card } = forecastOf()
  return { ...card, picture: pictureOf(12), breach: null, ...over }
}
const pageOf = (items: unknown[], nextCursor: string | null = null) => jsonResponse({ items, nextCursor })
const served = (cards: ForecastListItem[], over: Parameters<typeof mockServer>[0] = {}) =>
  mockServer({
    'GET /api/forecasts': () => pageOf(cards),
    'GET /api/insights': () => pageOf([INSIGHT]),
    'GET /api/metrics': () => pageOf([]),
    'GET /api/groupings': () => jsonResponse([]),
    'GET /api/data-sources': () => pageOf([]),
    'GET /api/relations': () => pageOf([]),
    ...over,
  })

beforeEach(() => setSession(memberPageData('owner', { activeForecasts: 3 })))

describe('the list of forecasts', () => {
  it('shows each with how good it is, how far it looks and what breaks first', async () => {
    const thresholds = [{ name: 'Minimum cash', side: 'below' as const, value: 0 }]
    served([
      cardOf({ thresholds, breach: { threshold: 'Minimum cash', period: '2027-03-01' } }),
      cardOf({ id: 'fct_00000000000000000002', name: 'Costs', state: 'too_short', picture: null, lastRun: null }),
    ])
    await renderWithProviders(<ForecastsScreen />)
    const first = await screen.findByRole('article', { name: 'Sales next year' })
    expect(within(first).getByRole('img', { name: /^Grade B/ })).toBeVisible()
    expect(first).toHaveTextContent('12 months ahead')
    expect(first).toHaveTextContent('Minimum cash: first below in Mar 2027')
    const other = screen.getByRole('article', { name: 'Costs' })
    expect(other).toHaveTextContent('Not enough history')
    expect(within(other).queryByRole('img')).toBeNull()
    expect(screen.getByText('2 of 3 active forecasts')).toBeVisible()
  })

  it('says how many periods were computed, and why where that is fewer than were asked for', async () => {
    served([
      cardOf({ picture: pictureOf(11) }),
      cardOf({ id: 'fct_00000000000000000002', name: 'Costs', picture: pictureOf(6), state: 'stale' }),
    ])
    await renderWithProviders(<ForecastsScreen />)
    const first = await screen.findByRole('article', { name: 'Sales next year' })
    expect(first).toHaveTextContent('11 of 12 months ahead: not enough history')
    const other = screen.getByRole('article', { name: 'Costs' })
    expect(other).toHaveTextContent('6 months ahead')
    expect(other).not.toHaveTextContent('not enough history')
  })

  it('offers figures to begin with where there is none, and nothing to make to a reader', async () => {
    served([])
    const { unmount } = await renderWithProviders(<ForecastsScreen />)
    const offered = await screen.findByRole('link', { name: 'Forecast Sales by month' })
    expect(offered).toHaveAttribute('href', `/forecasts/new?insight=${INSIGHT.id}&measure=0`)
    expect(screen.getByRole('link', { name: 'New forecast' })).toBeVisible()
    unmount()
    setSession(memberPageData('viewer'))
    await renderWithProviders(<ForecastsScreen />)
    expect(await screen.findByText('No forecasts yet')).toBeVisible()
    expect(screen.queryByRole('link', { name: /forecast/i })).toBeNull()
  })

  it('says what went wrong, and asks again', async () => {
    served([], { 'GET /api/forecasts': [() => errorResponse('busy'), () => pageOf([cardOf()])] })
    await renderWithProviders(<ForecastsScreen />)
    await userEvent.click(await screen.findByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('article', { name: 'Sales next year' })).toBeVisible()
  })
})

it('suggests figures without a name by what they are of', async () => {
  const [sum] = INSIGHT.plan.measures
  const several: Insight = { ...INSIGHT, plan: { ...INSIGHT.plan, measures: [sum, sum].flatMap((one) => one ?? []) } }
  const field = sum?.kind === 'column' ? sum.field : undefined
  const column = {
    ...{ key: field?.column, label: 'Belopp', type: 'number', role: 'measure', format: { style: 'plain' } },
    ...{ hidden: false, fileIndex: 0 },
  }
  served([], {
    'GET /api/insights': () => pageOf([several]),
    'GET /api/data-sources': () =>
      pageOf([{ name: 'Shop', datasets: [{ id: field?.dataset, name: 'Orders', dataVersion: 1, columns: [column] }] }]),
  })
  await renderWithProviders(<ForecastsScreen />)
  expect((await screen.findAllByText('Sum of Belopp (Sales by month)'))[0]).toBeVisible()
})

describe('a new forecast', () => {
  it('begins with what it was asked for: its figure, its periods and a name', async () => {
    served([])
    await renderWithProviders(<ForecastNewScreen />, `?insight=${INSIGHT.id}`)
    expect(await screen.findByDisplayValue('Forecast of Sales by month')).toBeVisible()
    expect(screen.getByRole('textbox', { name: 'Forecast length' })).toHaveValue('4 quarters')
  })

  it('finds an insight beyond the first hundred', async () => {
    const late: Insight = { ...INSIGHT, id: 'ins_00000000000000000002', name: 'The last one' }
    served([], { 'GET /api/insights': [() => pageOf([INSIGHT], 'next'), () => pageOf([late])] })
    await renderWithProviders(<ForecastNewScreen />, `?insight=${late.id}`)
    expect(await screen.findByDisplayValue('Forecast of The last one')).toBeVisible()
  })

  it('says before it is set up that the plan has no room for another, and to readers that they only read', async () => {
    served([cardOf(), cardOf({ id: 'fct_2' }), cardOf({ id: 'fct_3' })])
    const { unmount } = await renderWithProviders(<ForecastNewScreen />)
    expect(await screen.findByText('Limit of 3 active forecasts reached')).toBeVisible()
    unmount()
    setSession(memberPageData('viewer'))
    await renderWithProviders(<ForecastNewScreen />)
    expect(await screen.findByText('You can view forecasts')).toBeVisible()
  })
})

describe('the page of a figure', () => {
  const metric: Metric = {
    ...{ id: 'met_00000000000000000001', name: 'Margin', synonyms: [], description: '', dataset: DATASET, version: 1 },
    ...{ measure: { kind: 'column', agg: 'count' }, formula: 'count()', filters: [], verified: null },
    ...{ time: { dataset: DATASET, column: 'c2' }, direction: 'up', currencyMode: null, format: { style: 'plain' } },
    ...{ ownerId: 'usr_anna', ownerName: 'Anna', createdAt: INSIGHT.createdAt, updatedAt: INSIGHT.updatedAt },
  }

  it('shows its forecasts and leads to a new one; without a date there is nothing to forecast', async () => {
    served([cardOf()])
    const { unmount } = await renderWithProviders(<InsightForecasts insight={INSIGHT} />)
    expect(await screen.findByRole('link', { name: 'Sales next year' })).toHaveAttribute(
      'href',
      `/forecasts/${FORECAST_ID}`,
    )
    expect(screen.getByRole('link', { name: 'Add forecast' })).toHaveAttribute(
      'href',
      `/forecasts/new?insight=${INSIGHT.id}`,
    )
    unmount()
    const other = await renderWithProviders(<MetricForecasts metric={metric} />)
    expect(await screen.findByRole('link', { name: 'Add forecast' })).toHaveAttribute(
      'href',
      `/forecasts/new?metric=${metric.id}`,
    )
    other.unmount()
    const { container } = await renderWithProviders(<MetricForecasts metric={{ ...metric, time: null }} />)
    expect(container).not.toHaveTextContent('Forecasts')
  })

  it('says nothing of forecasts to a reader where there are none', async () => {
    setSession(memberPageData('viewer'))
    const calls = served([])
    const { container } = await renderWithProviders(<InsightForecasts insight={INSIGHT} />)
    await vi.waitFor(() => expect(calls.some(({ path }) => path === '/api/forecasts')).toBe(true))
    expect(container).not.toHaveTextContent('Forecasts')
  })
})

describe('the settings of a forecast', () => {
  it('keep what somebody else saved first until one of both versions is chosen', async () => {
    const theirs = forecastOf({ name: 'Theirs', horizon: 18, version: 7 })
    const onDone = vi.fn()
    const path = `PUT /api/forecasts/${FORECAST_ID}`
    const calls = served([], {
      [path]: [() => errorResponse('version_conflict', { current: theirs }), () => jsonResponse(theirs)],
    })
    await renderWithProviders(<EditForecast forecast={forecastOf()} onDone={onDone} />)
    const name = await screen.findByDisplayValue('Sales next year')
    await userEvent.clear(name)
    await userEvent.type(name, 'Mine{Enter}')
    expect(await screen.findByText(/Theirs: Theirs, 18 months ahead/)).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Keep mine' }))
    await vi.waitFor(() => expect(onDone).toHaveBeenCalledOnce())
    const bodies = calls.filter(({ method }) => method === 'PUT').map(({ body }) => body)
    expect(bodies).toEqual([
      expect.objectContaining({ name: 'Mine', version: 3 }),
      expect.objectContaining({ name: 'Mine', version: 7 }),
    ])
  })
})
