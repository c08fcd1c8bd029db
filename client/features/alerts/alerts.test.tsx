import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { AlertDialog } from './alert-dialog'
import { ForecastAlerts, MetricAlerts } from './alerts-card'
import { toAlertInput, isPercentMeasure, toAlertFormValues } from './alert-form-values'
import { AlertListItem } from './alert-list-item'
import { AlertScreen } from './alert-screen'
import { AlertsScreen } from './alerts-screen'
import { setSession } from '../../lib/session'
import { ANNA, memberPageData } from '../../test/page-data'
import { renderWithProviders } from '../../test/render'
import { jsonResponse, errorResponse, mockServer } from '../../test/mock-server'
import type { Alert, AlertTestRun } from '../../../src/shared/alerts'
import type { Insight } from '../../../src/shared/insights'
import type { Metric } from '../../../src/shared/metrics'

const ID = 'alr_00000000000000000001'
const DATASET = 'ds_00000000000000000001'
const INSIGHT_ID = 'ins_00000000000000000001'
const PERSON = 'usr_00000000000000000001'
const ALERT: Alert = {
  ...{ id: ID, name: 'Much sold', subject: { kind: 'insight', id: INSIGHT_ID, measure: 0 }, subjectName: 'Sales' },
  ...{ condition: { kind: 'value', op: 'above', limit: 200, band: 0 }, grain: 'month', on: 'complete', by: null },
  ...{ hold: { n: 1, of: 'periods' }, receivers: [PERSON], receiverNames: ['Anna Lindqvist'], reminderDays: null },
  ...{ active: true, state: 'open', mutedUntil: null, trouble: null, evaluatedAt: '2026-03-10T08:00:00.000Z' },
  groups: [
    {
      member: null,
      label: null,
      state: 'open',
      since: '2026-03-10T08:00:00.000Z',
      period: '2026-02-01',
      value: 250,
      compared: null,
    },
  ],
  ...{ format: { style: 'currency', currency: 'SEK' }, ownerId: PERSON, ownerName: 'Anna Lindqvist', version: 1 },
  ...{ createdAt: '2026-03-01T08:00:00.000Z', updatedAt: '2026-03-01T08:00:00.000Z' },
}
const RUN: AlertTestRun = {
  ...{ periods: ['2026-01-01', '2026-02-01'], looked: 1, fired: 1, format: null, note: null, dataTo: null },
  groups: [
    {
      ...{ member: null, label: null },
      readings: [
        { period: '2026-01-01', value: 100, compared: null, met: false, event: null },
        { period: '2026-02-01', value: 250, compared: null, met: true, event: 'opened' },
      ],
    },
  ],
}
const INSIGHT: Insight = {
  ...{ id: INSIGHT_ID, name: 'Sales', description: '', ownerId: 'usr_anna', ownerName: 'Anna Lindqvist' },
  plan: {
    ...{ v: 1, kind: 'aggregate', filters: [] },
    measures: [{ kind: 'column', agg: 'sum', field: { dataset: DATASET, column: 'c1' } }],
    dimensions: [{ field: { dataset: DATASET, column: 'c2' }, grain: 'month' }],
  },
  ...{ viz: { chart: 'line', direction: 'up' }, origin: 'person', frozen: false, version: 1, deletedAt: null },
  ...{ categoryId: null, findings: 'on', verified: null, following: false },
  ...{ createdAt: '2026-03-01T08:00:00.000Z', updatedAt: '2026-03-01T08:00:00.000Z' },
}
const MARGIN: Metric = {
  ...{ id: 'met_00000000000000000001', name: 'Margin', synonyms: [], description: '', dataset: DATASET, version: 1 },
  ...{ measure: { kind: 'column', agg: 'count' }, formula: 'count()', filters: [], verified: null },
  ...{ time: { dataset: DATASET, column: 'c2' }, direction: 'up', currencyMode: null },
  ...{ format: { style: 'percent' }, ownerId: PERSON, ownerName: 'Anna' },
  ...{ createdAt: ALERT.createdAt, updatedAt: ALERT.createdAt },
}
const page = (items: unknown[]) => jsonResponse({ items, nextCursor: null })
const served = (over: Parameters<typeof mockServer>[0] = {}) =>
  mockServer({
    'GET /api/alerts': () => page([ALERT]),
    [`GET /api/alerts/${ID}`]: () => jsonResponse(ALERT),
    [`GET /api/alerts/${ID}/events`]: () => page([]),
    'GET /api/digest': () => jsonResponse({ cadence: 'weekly', following: 0 }),
    'GET /api/insights': () => page([INSIGHT]),
    'GET /api/metrics': () => page([]),
    'GET /api/members': () => page([{ userId: PERSON, name: 'Anna Lindqvist', role: 'owner' }]),
    [`GET /api/datasets/${DATASET}`]: () => jsonResponse({ columns: [] }),
    'POST /api/alerts/test': () => jsonResponse(RUN),
    ...over,
  })

beforeEach(() => {
  // Work that an earlier test left is no draft of the next.
  localStorage.clear()
  setSession({ ...memberPageData('owner'), user: { ...ANNA, id: PERSON } })
})

describe('the list of alerts', () => {
  it('shows what is watched, what opened it and the newest figure; what is open comes first', async () => {
    served({
      'GET /api/alerts': () =>
        page([{ ...ALERT, id: 'alr_00000000000000000002', name: 'All well', state: 'ok' }, ALERT]),
    })
    await renderWithProviders(<AlertsScreen />)
    const lines = within(await screen.findByRole('list', { name: 'Alerts' })).getAllByRole('listitem')
    expect(lines.map((line) => within(line).getByText(/Much sold|All well/).textContent)).toEqual([
      'Much sold',
      'All well',
    ])
    expect(lines[0]).toHaveTextContent(/Sales: above 200\skr/)
    expect(lines[0]).toHaveTextContent(/250\skr Feb 2026/)
    expect(lines[0]).toHaveTextContent('Open')
  })

  it('teaches where nothing is watched, and offers viewers nothing that they may not do', async () => {
    served({ 'GET /api/alerts': () => page([]) })
    await renderWithProviders(<AlertsScreen />)
    expect(await screen.findByText('No alerts yet')).toBeVisible()
    expect(screen.getByRole('button', { name: 'New alert' })).toBeVisible()
    document.body.innerHTML = ''
    setSession(memberPageData('viewer'))
    await renderWithProviders(<AlertsScreen />)
    expect(await screen.findByText('No alerts yet')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'New alert' })).toBeNull()
  })
})

describe('one alert', () => {
  it('is acknowledged by a button, which then is gone', async () => {
    const acknowledged = { ...ALERT, state: 'acknowledged' }
    const calls = served({
      [`GET /api/alerts/${ID}`]: [() => jsonResponse(ALERT), () => jsonResponse(acknowledged)],
      [`POST /api/alerts/${ID}/acknowledge`]: () => jsonResponse(acknowledged),
    })
    await renderWithProviders(<AlertScreen id={ID} />)
    await userEvent.click(await screen.findByRole('button', { name: 'Acknowledge' }))
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Acknowledge' })).toBeNull())
    expect(calls.filter(({ method }) => method === 'POST').map(({ path }) => path)).toContain(
      `/api/alerts/${ID}/acknowledge`,
    )
  })

  it('says when its data ended and what it waits for, on its page and in the list', async () => {
    const trouble = { code: 'data_ended', message: 'The data end.', since: ALERT.createdAt, dataTo: '2018-04-09' }
    served({
      [`GET /api/alerts/${ID}`]: () => jsonResponse({ ...ALERT, trouble, groups: [] }),
      'POST /api/alerts/test': () => jsonResponse({ ...RUN, dataTo: '2018-04-09' }),
    })
    const words = 'Data ends on 9 Apr 2018. Checked again when newer rows are loaded.'
    const { unmount } = await renderWithProviders(<AlertScreen id={ID} />)
    expect(await screen.findByText('Would have triggered in Feb 2026.')).toBeVisible()
    expect(screen.getByRole('alert')).toHaveTextContent(words)
    expect(screen.getByText('Not checked yet')).toBeVisible()
    unmount()
    await renderWithProviders(<AlertListItem alert={{ ...ALERT, trouble: { ...trouble, code: 'data_ended' } }} />)
    expect(screen.getByText(words)).toBeVisible()
    expect(screen.queryByText('Can’t check')).toBeNull()
    const never = { ...ALERT, trouble: { ...trouble, code: 'data_ended' as const }, groups: [], state: 'ok' as const }
    await renderWithProviders(<AlertListItem alert={never} />)
    expect(screen.queryByText('OK')).toBeNull()
    expect(screen.getByText('Can’t check')).toBeVisible()
  })

  it('writes its periods as the person writes dates', async () => {
    setSession({ ...memberPageData('owner'), user: { ...ANNA, id: PERSON, locale: 'sv-SE' } })
    served()
    await renderWithProviders(<AlertScreen id={ID} />)
    expect(await screen.findByRole('img')).toHaveAccessibleName(/^jan\. 2026: 100\. feb\. 2026: 250, triggered$/)
    expect(screen.getByRole('grid', { name: 'Current status' })).toHaveTextContent('feb. 2026')
  })

  it('says why it cannot be checked, and lets viewers only look', async () => {
    setSession(memberPageData('viewer'))
    const trouble = { code: 'subject_gone', message: 'Source deleted.', since: ALERT.createdAt }
    served({ [`GET /api/alerts/${ID}`]: () => jsonResponse({ ...ALERT, trouble, subjectName: null }) })
    await renderWithProviders(<AlertScreen id={ID} />)
    expect(await screen.findByRole('alert')).toHaveTextContent('Source deleted.')
    expect(screen.queryByRole('button', { name: /Acknowledge|Edit|Mute|Delete/ })).toBeNull()
  })
})

describe('the form', () => {
  it('tries what is typed before it is saved, and sends it', async () => {
    const calls = served({ 'POST /api/alerts': () => jsonResponse(ALERT, 201) })
    await renderWithProviders(<AlertDialog alert={null} insight={INSIGHT} onClose={() => undefined} />)
    await userEvent.type(await screen.findByLabelText('Name'), 'Much sold')
    await userEvent.type(screen.getByLabelText('Threshold'), '200')
    expect(await screen.findByText('Would have triggered in Feb 2026.')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Create alert' }))
    await waitFor(() =>
      expect(calls.some(({ method, path }) => method === 'POST' && path === '/api/alerts')).toBe(true),
    )
    expect(calls.find(({ method, path }) => method === 'POST' && path === '/api/alerts')?.body).toMatchObject({
      name: 'Much sold',
      condition: { kind: 'value', op: 'above', limit: 200, band: 0 },
      subject: { kind: 'insight', id: INSIGHT_ID },
    })
  })

  it('of data that ended years ago says which periods have none, not that they are to come', async () => {
    const empty = { ...RUN, periods: [], groups: [], looked: 0, fired: 0, dataTo: '2018-04-09' }
    served({ 'POST /api/alerts/test': () => jsonResponse(empty) })
    await renderWithProviders(<AlertDialog alert={null} insight={INSIGHT} onClose={() => undefined} />)
    await userEvent.type(await screen.findByLabelText('Threshold'), '200')
    expect(await screen.findByText('No data in the last 12 complete months')).toBeVisible()
    expect(screen.getByRole('alert')).toHaveTextContent('Data ends on 9 Apr 2018.')
  })

  it('on the page of a metric watches the metric, as per cents where it is read so', async () => {
    const metric = MARGIN
    const calls = served({ 'GET /api/alerts': () => page([]), 'POST /api/alerts': () => jsonResponse(ALERT, 201) })
    await renderWithProviders(<MetricAlerts metric={metric} />)
    await userEvent.click(await screen.findByRole('button', { name: 'Add alert' }))
    await userEvent.type(await screen.findByLabelText('Name'), 'Thin')
    expect(screen.queryByLabelText('Insight')).toBeNull()
    await userEvent.type(screen.getByLabelText('Threshold'), '30')
    await userEvent.click(screen.getByRole('button', { name: 'Create alert' }))
    await waitFor(() =>
      expect(calls.filter(({ path, method }) => method === 'POST' && path === '/api/alerts')).toHaveLength(1),
    )
    expect(calls.find(({ method, path }) => method === 'POST' && path === '/api/alerts')?.body).toMatchObject({
      condition: { limit: 0.3 },
      subject: { kind: 'metric', id: metric.id },
    })
  })

  it('offers the band of a forecast only where there is one, and then watches what the forecast is of', async () => {
    const FORECAST = 'fct_00000000000000000001'
    const subject = { kind: 'insight', id: INSIGHT_ID, measure: 0 }
    const forecast = { id: FORECAST, name: 'Sales ahead', subject, subjectName: 'Sales', grain: 'quarter', level: 95 }
    const other = {
      ...forecast,
      id: `${FORECAST.slice(0, -1)}2`,
      name: 'Of another',
      subject: { ...subject, id: 'ins_2' },
    }
    const calls = served({
      'GET /api/forecasts': [() => page([other]), () => page([forecast, other])],
      'POST /api/alerts': () => jsonResponse(ALERT, 201),
    })
    const { unmount } = await renderWithProviders(
      <AlertDialog alert={null} insight={INSIGHT} onClose={() => undefined} />,
    )
    await userEvent.click(await screen.findByRole('combobox', { name: 'Condition' }))
    expect(await screen.findByRole('option', { name: 'Finding' })).toBeVisible()
    expect(screen.queryByRole('option', { name: /interval/ })).toBeNull()
    unmount()
    await renderWithProviders(<AlertDialog alert={null} insight={INSIGHT} onClose={() => undefined} />)
    await userEvent.type(await screen.findByLabelText('Name'), 'Off')
    await userEvent.click(screen.getByRole('combobox', { name: 'Condition' }))
    await userEvent.click(await screen.findByRole('option', { name: 'Outside forecast interval' }))
    expect(screen.queryByLabelText('Period')).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Create alert' }))
    expect(await screen.findByText('Choose a forecast')).toBeVisible()
    await userEvent.click(screen.getByRole('combobox', { name: 'Forecast' }))
    await userEvent.click(await screen.findByRole('option', { name: 'Sales ahead' }))
    expect(screen.getByText('Sales by quarter')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Create alert' }))
    const sent = () => calls.find(({ method, path }) => method === 'POST' && path === '/api/alerts')?.body
    await waitFor(() =>
      expect(sent()).toMatchObject({
        ...{ subject: { id: INSIGHT_ID }, grain: 'quarter', on: 'complete', by: null },
        condition: { kind: 'band', forecastId: FORECAST, level: 95, side: 'either' },
      }),
    )
  })

  it('on the page of a forecast watches its band, and shows the alerts on it alone', async () => {
    const id = 'fct_00000000000000000001'
    const band: Alert = { ...ALERT, condition: { kind: 'band', forecastId: id, level: 80, side: 'either' } }
    served({ 'GET /api/alerts': () => page([ALERT, { ...band, id: 'alr_00000000000000000003', name: 'Off' }]) })
    const { subject } = ALERT
    await renderWithProviders(
      <ForecastAlerts forecast={{ id, name: 'Ahead', subject, subjectName: 'Sales', grain: 'month', level: 95 }} />,
    )
    const lines = within(await screen.findByRole('list', { name: 'Alerts on this forecast' })).getAllByRole('listitem')
    expect(lines).toHaveLength(1)
    expect(lines[0]).toHaveTextContent(/Off.*Sales: outside the 80\s% forecast interval/)
    await userEvent.click(screen.getByRole('button', { name: 'Add alert' }))
    expect(await screen.findByLabelText('Name')).toHaveValue('Ahead: outside interval')
    expect(screen.getByRole('combobox', { name: 'Forecast' })).toHaveValue('Ahead')
    expect(screen.getByRole('combobox', { name: 'Prediction interval' })).toHaveValue('95\u00a0%')
  })

  it('asks for a threshold beside its field until there is one', async () => {
    const calls = served({ 'POST /api/alerts': () => jsonResponse(ALERT, 201) })
    await renderWithProviders(<AlertDialog alert={null} insight={INSIGHT} onClose={() => undefined} />)
    await userEvent.type(await screen.findByLabelText('Name'), 'Much sold')
    const sent = () => calls.filter(({ method, path }) => method === 'POST' && path === '/api/alerts')
    await userEvent.click(screen.getByRole('button', { name: 'Create alert' }))
    expect(await screen.findByText('Enter a threshold')).toBeVisible()
    expect(screen.getByLabelText('Threshold')).toHaveAttribute('aria-invalid', 'true')
    expect(sent()).toHaveLength(0)
    await userEvent.type(screen.getByLabelText('Threshold'), '200')
    expect(screen.queryByText('Enter a threshold')).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Create alert' }))
    await waitFor(() => expect(sent()).toHaveLength(1))
  })

  it('puts a refusal beside the field that it is about', async () => {
    served({ [`PUT /api/alerts/${ID}`]: () => errorResponse('name_taken') })
    await renderWithProviders(<AlertDialog alert={ALERT} onClose={() => undefined} />)
    await userEvent.click(await screen.findByRole('button', { name: 'Save alert' }))
    expect(await screen.findByText('Name already used')).toBeVisible()
  })

  it('reads the figure of an insight as its metric is shown', () => {
    const plan = { ...INSIGHT.plan, measures: [{ kind: 'metric' as const, id: MARGIN.id }] }
    expect(isPercentMeasure({ ...INSIGHT, plan }, 0, [MARGIN])).toBe(true)
    expect(isPercentMeasure(INSIGHT, 0, [MARGIN])).toBe(false)
  })

  it('writes per cents as people do, and sends parts of one', () => {
    const fall = { kind: 'change', against: 'year', op: 'falls', by: 0.07, unit: 'percent', band: 0.01 } as const
    const values = toAlertFormValues({ ...ALERT, condition: fall }, false)
    expect([values.by, values.band]).toEqual([7, 1])
    const sent = toAlertInput(values, { subject: ALERT.subject, percent: false })
    expect(sent?.condition).toMatchObject({ kind: 'change', band: 0.01 })
    expect(sent?.condition.kind === 'change' ? sent.condition.by : 0).toBeCloseTo(0.07, 12)
  })
})
