import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { MetricScreen, NewMetricScreen } from './metric-screen'
import { MetricsScreen } from './metrics-screen'
import { setSession } from '../../lib/session'
import { hasKeptDraft } from '../../lib/writes/kept-draft'
import { memberPageData } from '../../test/page-data'
import { renderWithProviders } from '../../test/render'
import { jsonResponse, errorResponse, mockServer } from '../../test/mock-server'
import type { Metric } from '../../../src/shared/metrics'
import type { QueryResult } from '../../../src/shared/query/result'

const ID = 'met_00000000000000000001'
const DATASET = 'ds_00000000000000000001'
const AT = '2026-01-01T00:00:00.000Z'
const SALES: Metric = {
  ...{ id: ID, name: 'Sales', synonyms: ['Turnover'], description: '', dataset: DATASET, version: 2 },
  measure: { kind: 'column', agg: 'sum', field: { dataset: DATASET, column: 'c1' } },
  ...{ formula: 'sum([Amount])', filters: [], time: null, direction: 'up', format: null, currencyMode: null },
  verified: { by: 'usr_anna', byName: 'Anna', at: AT },
  ...{ createdAt: AT, updatedAt: AT, ownerId: 'usr_anna', ownerName: 'Anna' },
}
const column = (key: string, label: string, type: string) => ({
  ...{ key, label, type, role: 'measure', format: { style: 'plain' }, hidden: false, fileIndex: 0 },
})
const SOURCE = {
  name: 'Shop',
  datasets: [
    {
      ...{ id: DATASET, name: 'Orders', dataVersion: 1 },
      columns: [column('c0', 'Order date', 'date'), column('c1', 'Amount', 'number')],
    },
  ],
}
const ANSWER: QueryResult = {
  ...{ kind: 'aggregate', rows: [[1200]], otherRow: null, totals: null, rowCount: 1, truncated: false, period: null },
  columns: [{ key: 'm0', label: 'Sales', kind: 'measure', type: 'number', format: { style: 'plain' } }],
  ...{ words: 'Sum of Amount', datasets: [], dataAsOf: null, hash: 'h', cached: false },
}
const page = (items: unknown[]) => () => jsonResponse({ items, nextCursor: null })
const served = (over: Parameters<typeof mockServer>[0] = {}) =>
  mockServer({
    'GET /api/metrics': page([SALES]),
    'GET /api/metrics/suggestions': page([]),
    'GET /api/relations': () => jsonResponse([]),
    'GET /api/groupings': () => jsonResponse([]),
    'GET /api/data-sources': page([SOURCE]),
    [`GET /api/metrics/${ID}`]: () => jsonResponse(SALES),
    [`GET /api/metrics/${ID}/dependents`]: page([
      { type: 'insight', id: 'ins_1', name: 'Sales by month' },
      { type: 'report', id: 'rep_1', name: 'Month-end pack', kind: 'legacy' },
    ]),
    'POST /api/metrics/formula': () => jsonResponse({ ok: true, measure: SALES.measure, formula: 'sum([Amount])' }),
    'POST /api/query': () => jsonResponse(ANSWER),
    ...over,
  })
const field = (name: string) => screen.findByRole('textbox', { name })
const writes = (calls: ReturnType<typeof mockServer>, path: string, method = 'POST') =>
  calls.filter((call) => call.method === method && call.path === path)

beforeEach(() => {
  localStorage.clear()
  setSession(memberPageData('analyst'))
})

describe('metrics', () => {
  it('are listed with who vouches for them, and the rows that they are of', async () => {
    const filters = [{ field: { dataset: DATASET, column: 'c1' }, any: [{ op: 'between', from: 3000, to: 3999 }] }]
    served({ 'GET /api/metrics': page([{ ...SALES, filters }]) })
    await renderWithProviders(<MetricsScreen />)
    await screen.findByRole('link', { name: 'Sales' })
    expect(screen.getByTitle('Verified by Anna')).toBeDefined()
    expect(await screen.findByText('Orders · Synonyms: Turnover')).toBeDefined()
    expect(screen.getByText(/^where Amount .*between 3[\s,.]?000 and 3[\s,.]?999$/)).toBeDefined()
  })

  it('say that their source is not there', async () => {
    served({ 'GET /api/data-sources': page([]) })
    await renderWithProviders(<MetricsScreen />)
    expect(await screen.findByText('Source deleted, or no access · Synonyms: Turnover')).toBeVisible()
  })

  it('are made of a formula whose figure is shown before it is kept', async () => {
    const calls = served({ 'POST /api/metrics': () => jsonResponse(SALES, 201) })
    await renderWithProviders(<NewMetricScreen />)
    await userEvent.type(await field('Formula'), '[[Am')
    expect(await screen.findByRole('option', { name: /^Amount/ })).toBeVisible()
    await userEvent.keyboard('{Enter}')
    expect(await field('Formula')).toHaveProperty('value', '[Amount]')
    await screen.findByText('Sum of Amount')
    await userEvent.type(await field('Name'), 'Sales')
    await userEvent.click(screen.getByRole('button', { name: 'Create metric' }))
    await waitFor(() => expect(writes(calls, '/api/metrics')).toHaveLength(1))
    expect(writes(calls, '/api/metrics')[0]?.body).toMatchObject({
      ...{ name: 'Sales', dataset: DATASET, formula: '[Amount]' },
      time: { dataset: DATASET, column: 'c0' },
    })
  })

  it('are previewed over the newest year from the start, never over all time first', async () => {
    const range = { ...ANSWER, rows: [['2024-02-01', '2025-12-22']] }
    const calls = served({
      [`GET /api/metrics/${ID}`]: () => jsonResponse({ ...SALES, time: { dataset: DATASET, column: 'c0' } }),
      'POST /api/query': ({ body }) => jsonResponse(JSON.stringify(body).includes('"min"') ? range : ANSWER),
    })
    await renderWithProviders(<MetricScreen id={ID} />)
    await screen.findByText('Sum of Amount')
    const asked = writes(calls, '/api/query').flatMap(
      ({ body }) => JSON.stringify(body).match(/"range":\{[^}]*\}/) ?? [],
    )
    expect(asked).toEqual(['"range":{"kind":"absolute","from":"2025-01-01","to":"2025-12-31"}'])
  })

  it('say how far the data of a previewed year reach', async () => {
    const period = { from: '2025-01-01', to: '2025-12-31', label: '2025', incomplete: false, dataTo: '2025-12-22' }
    served({ 'POST /api/query': () => jsonResponse({ ...ANSWER, period }) })
    await renderWithProviders(<MetricScreen id={ID} />)
    expect(await screen.findByText(/^2025, data to 22 Dec 2025:/)).toBeVisible()
  })

  it('are previewed by month over axes that can be read and walked', async () => {
    const month = {
      key: 'd0',
      label: 'Order date',
      kind: 'dimension',
      type: 'date',
      format: { style: 'plain' },
      grain: 'month',
    }
    const [figure] = ANSWER.columns
    const byMonth = { columns: [month, figure], totals: [null, 3200], rowCount: 2 }
    const rows = [
      ['2025-01-01', 1200],
      ['2025-02-01', 2000],
    ]
    served({ 'POST /api/query': () => jsonResponse({ ...ANSWER, ...byMonth, rows }) })
    await renderWithProviders(<MetricScreen id={ID} />)
    const chart = await screen.findByRole('application', { name: 'Sales by month' })
    expect(chart).toHaveAccessibleDescription(/highest 2[\s,.]?000 \(Feb 2025\)/)
  })

  it('take changes back that are not saved', async () => {
    served()
    await renderWithProviders(<MetricScreen id={ID} />)
    const discard = await screen.findByRole('button', { name: 'Discard changes' })
    expect(discard).toHaveProperty('disabled', true)
    await userEvent.type(await field('Name'), ' net')
    await userEvent.click(discard)
    expect(await field('Name')).toHaveProperty('value', 'Sales')
    expect(discard).toHaveProperty('disabled', true)
  })

  it('are given up before there is one', async () => {
    served()
    await renderWithProviders(<NewMetricScreen />)
    await userEvent.type(await field('Name'), 'Sales')
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Cancel' })).toBeNull())
    expect(hasKeptDraft('metric:new')).toBe(false)
  })

  it('begin with a formula that an insight was asked by', async () => {
    served()
    await renderWithProviders(<NewMetricScreen />, `?dataset=${DATASET}&formula=sum(%5BAmount%5D)`)
    expect(await field('Formula')).toHaveProperty('value', 'sum([Amount])')
  })

  it('say what is wrong with a formula, and show no figure of it', async () => {
    const message = 'No column is called Amuont. Did you mean [Amount]?'
    const errors = [{ from: 4, to: 12, message }]
    served({ 'POST /api/metrics/formula': () => jsonResponse({ ok: false, errors }) })
    await renderWithProviders(<NewMetricScreen />)
    await userEvent.type(await field('Formula'), 'sum([[Amuont])')
    await screen.findByText(message, { exact: false })
    expect(screen.queryByText('Sum of Amount')).toBeNull()
  })

  it('name what uses them, and are deleted all the same only when that is said', async () => {
    const path = `/api/metrics/${ID}`
    const dependents = [{ type: 'insight', id: 'ins_1', name: 'Sales by month' }]
    const calls = served({
      [`DELETE ${path}`]: [() => errorResponse('in_use', { dependents }), () => jsonResponse(SALES)],
    })
    await renderWithProviders(<MetricScreen id={ID} />)
    await screen.findByRole('link', { name: 'Sales by month' })
    const report = screen.getByRole('link', { name: 'Month-end pack' })
    expect(report.getAttribute('href')).toBe('/reports/legacy/rep_1')
    await userEvent.click(screen.getByRole('button', { name: 'Metric actions' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete metric' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Delete metric' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Delete anyway' }))
    await waitFor(() => expect(writes(calls, path, 'DELETE')).toHaveLength(2))
  })

  it('count only the rows that their filters let through, by a date of their own', async () => {
    const path = `/api/metrics/${ID}`
    const kept = { field: { dataset: DATASET, column: 'c1' }, any: [{ op: 'eq', value: 1 }, { op: 'empty' }] }
    const calls = served({
      [`GET ${path}`]: () => jsonResponse({ ...SALES, filters: [kept] }),
      [`PUT ${path}`]: () => jsonResponse({ ...SALES, version: 3 }),
    })
    await renderWithProviders(<MetricScreen id={ID} />)
    await userEvent.click(await screen.findByRole('button', { name: 'Add filter' }))
    await userEvent.click(screen.getByRole('button', { name: 'Save metric' }))
    expect(await screen.findByText('Choose a column to filter by.')).toBeVisible()
    await userEvent.click(screen.getByRole('combobox', { name: 'Filter column' }))
    await userEvent.click(await screen.findByRole('option', { name: 'Amount' }))
    await userEvent.click(screen.getByRole('combobox', { name: 'Condition' }))
    await userEvent.click(await screen.findByRole('option', { name: 'is more than' }))
    await userEvent.type(screen.getByRole('textbox', { name: 'Value' }), '12,5')
    await userEvent.click(screen.getByRole('combobox', { name: 'Date column' }))
    await userEvent.click(await screen.findByRole('option', { name: 'Order date' }))
    await userEvent.click(screen.getByRole('button', { name: 'Save metric' }))
    await waitFor(() => expect(writes(calls, path, 'PUT')).toHaveLength(1))
    expect(writes(calls, path, 'PUT')[0]?.body).toMatchObject({
      filters: [kept, { field: { dataset: DATASET, column: 'c1' }, any: [{ op: 'gt', value: 12.5 }] }],
      time: { dataset: DATASET, column: 'c0' },
    })
  })

  it('keep what is entered while they are saved', async () => {
    const path = `/api/metrics/${ID}`
    const saved = Promise.withResolvers<Response>()
    const calls = served({ [`PUT ${path}`]: () => saved.promise })
    await renderWithProviders(<MetricScreen id={ID} />)
    await userEvent.type(await field('Name'), ' 2')
    await userEvent.click(screen.getByRole('button', { name: 'Save metric' }))
    await userEvent.type(await field('Description'), 'Without tax')
    saved.resolve(jsonResponse({ ...SALES, name: 'Sales 2', version: 3 }))
    expect(await screen.findByRole('heading', { name: 'Sales 2' })).toBeVisible()
    expect(await field('Description')).toHaveValue('Without tax')
    await userEvent.click(screen.getByRole('button', { name: 'Save metric' }))
    await waitFor(() => expect(writes(calls, path, 'PUT')).toHaveLength(2))
    expect(writes(calls, path, 'PUT')[1]?.body).toMatchObject({
      name: 'Sales 2',
      description: 'Without tax',
      version: 3,
    })
  })

  it('have what was entered while they were made on their own page', async () => {
    const made = Promise.withResolvers<Response>()
    served({ 'POST /api/metrics': () => made.promise })
    const { unmount } = await renderWithProviders(<NewMetricScreen />)
    await userEvent.type(await field('Formula'), 'sum([[Amount])')
    await userEvent.type(await field('Name'), 'Sales')
    await userEvent.click(screen.getByRole('button', { name: 'Create metric' }))
    await userEvent.type(await field('Description'), 'Without tax')
    made.resolve(jsonResponse(SALES, 201))
    await waitFor(() => expect(hasKeptDraft(`metric:${ID}`)).toBe(true))
    unmount()
    await renderWithProviders(<MetricScreen id={ID} />)
    expect(await field('Description')).toHaveValue('Without tax')
    expect(hasKeptDraft('metric:new')).toBe(false)
  })

  it('follow what is stored with what is entered, as when they are verified meanwhile', async () => {
    const path = `/api/metrics/${ID}`
    setSession(memberPageData())
    const unverified = { ...SALES, verified: null }
    const calls = served({
      [`GET ${path}`]: () => jsonResponse(unverified),
      [`POST ${path}/verify`]: () => jsonResponse({ ...SALES, version: 3 }),
      [`PUT ${path}`]: () => jsonResponse({ ...SALES, description: 'Without tax', version: 4 }),
    })
    await renderWithProviders(<MetricScreen id={ID} />)
    await userEvent.type(await field('Description'), 'Without tax')
    await userEvent.click(screen.getByRole('button', { name: 'Verify metric' }))
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Verify metric' })).toBeNull())
    expect(await field('Description')).toHaveValue('Without tax')
    await userEvent.click(screen.getByRole('button', { name: 'Save metric' }))
    await waitFor(() => expect(writes(calls, path, 'PUT')).toHaveLength(1))
    expect(writes(calls, path, 'PUT')[0]?.body).toMatchObject({ description: 'Without tax', version: 3 })
  })

  it('are only looked at by viewers', async () => {
    setSession(memberPageData('viewer'))
    served()
    await renderWithProviders(<MetricScreen id={ID} />)
    await field('Formula')
    for (const name of ['Save metric', 'Verify metric', 'Metric actions'])
      expect(screen.queryByRole('button', { name })).toBeNull()
  })
})
