import { useForm } from '@mantine/form'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { setSession } from '../../../lib/session'
import { memberPageData } from '../../../test/page-data'
import { renderWithProviders } from '../../../test/render'
import { jsonResponse, mockServer } from '../../../test/mock-server'
import { CashForecastCard } from './cash-balance'
import { EventsEditor } from '../form/events-editor'
import { newFormValues, type ForecastFormValues } from '../form/form-values'
import { FORECAST_ID, forecastOf } from '../forecasts.fixture'

// Files share modules: what was imported by an earlier one would not be replaced.
vi.hoisted(() => vi.resetModules())

const METRIC_ID = 'met_00000000000000000001'
const input = { name: 'Cash movements', dataset: 'ds_00000000000000000001', formula: 'sum([amount])' }
const suggestion = { key: 'ds_00000000000000000001.cash', datasetName: 'Entries', reason: 'Accounts 1900–1999.', input }
const listed = (items: unknown[]) => () => jsonResponse({ items, nextCursor: null })

beforeEach(() => {
  document.body.innerHTML = ''
  setSession(memberPageData('owner'))
})

describe('cash ahead', () => {
  it('keeps the metric that the ledger suggests, and forecasts it as a balance with a cash floor', async () => {
    const calls = mockServer({
      'GET /api/metrics': listed([]),
      'GET /api/metrics/suggestions': listed([suggestion]),
      'POST /api/metrics': () => jsonResponse({ ...input, id: METRIC_ID }, 201),
      'POST /api/forecasts': () => jsonResponse(forecastOf({ version: 1 }), 201),
      [`PUT /api/forecasts/${FORECAST_ID}/scenarios`]: () => jsonResponse(forecastOf({ version: 2 })),
    })
    await renderWithProviders(<CashForecastCard forecasts={[]} />)
    await userEvent.dblClick(await screen.findByRole('button', { name: 'Forecast cash' }))
    await waitFor(() => expect(calls.some(({ method }) => method === 'PUT')).toBe(true))
    expect(calls.filter(({ method }) => method !== 'GET')).toHaveLength(3)
    const sent = (method: string, path: string) =>
      calls.find((call) => call.method === method && call.path === path)?.body
    expect(sent('POST', '/api/metrics')).toEqual(input)
    expect(sent('POST', '/api/forecasts')).toMatchObject({
      ...{ subject: { kind: 'metric', id: METRIC_ID }, accumulate: { opening: null } },
    })
    expect(sent('PUT', `/api/forecasts/${FORECAST_ID}/scenarios`)).toEqual({
      ...{ scenarios: [], version: 1, thresholds: [{ name: 'Minimum cash', side: 'below', value: 0 }] },
    })
  })

  it('is offered neither without a ledger nor beside a forecast of a balance', async () => {
    const calls = mockServer({
      'GET /api/metrics': listed([]),
      'GET /api/metrics/suggestions': listed([{ ...suggestion, key: 'ds_00000000000000000001.revenue' }]),
    })
    await renderWithProviders(<CashForecastCard forecasts={[]} />)
    await waitFor(() => expect(calls).toHaveLength(2))
    expect(screen.queryByRole('button')).toBeNull()
    mockServer({ 'GET /api/metrics': listed([]), 'GET /api/metrics/suggestions': listed([suggestion]) })
    await renderWithProviders(<CashForecastCard forecasts={[{ accumulate: { opening: null, on: null } }]} />)
    expect(screen.queryByRole('button')).toBeNull()
  })
})

describe('events of a forecast', () => {
  it('are added, say what they do, and go again', async () => {
    const onChange = vi.fn<(events: ForecastFormValues['events']) => void>()
    function Form() {
      const form = useForm<ForecastFormValues>({
        initialValues: newFormValues(null),
        onValuesChange: ({ events }) => onChange(events),
      })
      return <EventsEditor form={form} />
    }
    await renderWithProviders(<Form />)
    await userEvent.click(await screen.findByRole('button', { name: 'Add event' }))
    await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), 'Fair')
    const item = screen.getByRole('listitem', { name: 'Fair' })
    await userEvent.click(within(item).getByRole('combobox', { name: 'Effect' }))
    await userEvent.click(await screen.findByRole('option', { name: 'Amount per month' }))
    await userEvent.type(within(item).getByRole('textbox', { name: 'Amount' }), '{Backspace}500')
    expect(onChange.mock.lastCall?.[0]).toMatchObject([{ name: 'Fair', effect: { kind: 'amount', value: 500 } }])
    await userEvent.click(screen.getByRole('button', { name: 'Remove Fair' }))
    expect(onChange.mock.lastCall?.[0]).toEqual([])
  })
})
