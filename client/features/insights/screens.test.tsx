import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import axe from 'axe-core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Grouping } from '../../../src/shared/groupings/groupings'
import type { Insight } from '../../../src/shared/insights'
import type { QueryPlan } from '../../../src/shared/query/plan'
import type { QueryResult } from '../../../src/shared/query/result'
import { queryClient } from '../../lib/queries/query-client'
import { setSession } from '../../lib/session'
import { memberPageData, pageDataOnPlan } from '../../test/page-data'
import { renderWithProviders } from '../../test/render'
import { jsonResponse, errorResponse, mockServer, type RecordedCall, type MockReply } from '../../test/mock-server'
import { answerOf, month, quarter, sales } from '../../ui/chart/chart.fixture'
import { EditInsight } from './builder/edit-insight'
import { InsightNewScreen } from './builder/insight-new-screen'
import { InsightView } from './view/insight-screen'
import { InsightsScreen } from './list/insights-screen'
import { COUNTRIES, insight, MARGIN, MONTHLY, ORDERS } from './insights.fixture'

// Files share modules: what was imported by an earlier one would not be replaced.
vi.hoisted(() => vi.resetModules())
// The drawing library needs a canvas; what it is told to draw has its own tests.
vi.mock('../../ui/chart/engine', () => ({
  createEngine: () => ({
    setOption: () => undefined,
    resize: () => undefined,
    dispose: () => undefined,
    isDisposed: () => false,
    on: () => undefined,
    off: () => undefined,
    getZr: () => ({ on: () => undefined, off: () => undefined }),
    dispatchAction: () => undefined,
  }),
}))

const ONE = insight()
const LIST = 'GET /api/insights'
const QUERY = 'POST /api/query'
const SOURCES = 'GET /api/data-sources'
const DATASET = `GET /api/datasets/${ORDERS.id}`
const SAVE = `PUT /api/insights/${ONE.id}`

const page =
  (...items: unknown[]): MockReply =>
  () =>
    jsonResponse({ items, nextCursor: null })
const planOf = (call: RecordedCall): QueryPlan => {
  const { plan }: { plan: QueryPlan } = JSON.parse(JSON.stringify(call.body))
  return plan
}
const group = (id: string, name: string, parentId: string | null) => ({
  ...{ id, name, parentId, color: null, order: 0, rules: [] },
})
const REGIONS: Grouping = {
  ...COUNTRIES,
  eras: [{ from: null, groups: [group('gpm_1', 'Europe', null), group('gpm_2', 'North', 'gpm_1')] }],
}
const history = answerOf([], [['2023-12-01', '2026-11-14']])
const records = answerOf(
  [{ key: 'c0', label: 'order_id', kind: 'column', type: 'integer', format: { style: 'plain' } }],
  [[4711]],
  { kind: 'rows', words: 'Rows, Jan 2026', rowCount: 1 },
)
/** The questions among the calls. */
const plansOf = (calls: readonly RecordedCall[]): QueryPlan[] =>
  calls.filter((call) => call.path === '/api/query').map(planOf)
/** Answers history, records and figures as the server would. */
const figures =
  (result: QueryResult = quarter()): MockReply =>
  (call) => {
    const plan = planOf(call)
    if (plan.kind === 'rows') return jsonResponse(records)
    return jsonResponse(plan.measures[0]?.kind === 'column' && plan.measures[0].agg === 'min' ? history : result)
  }
const source = { datasets: [ORDERS] }
const AROUND: Record<string, MockReply> = {
  'GET /api/relations': () => jsonResponse([]),
  'GET /api/metrics': page(MARGIN),
  'GET /api/groupings': () => jsonResponse([COUNTRIES]),
}
const accessible = async (element: HTMLElement): Promise<void> => {
  const { violations } = await axe.run(element, {
    rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
  })
  expect(violations.map((one) => [one.id, one.nodes.map((node) => node.html)])).toEqual([])
}

beforeEach(() => setSession(memberPageData()))
afterEach(() => {
  vi.unstubAllGlobals()
  queryClient.clear()
})

describe('list of insights', () => {
  it('shows figure, change and compared period of each insight', async () => {
    setSession(memberPageData('owner', { customInsights: 10 }))
    mockServer({ [LIST]: page(ONE), [QUERY]: figures() })
    const { container } = await renderWithProviders(<InsightsScreen />)
    const card = await screen.findByRole('link', { name: /Amount by month/ })
    expect(card).toHaveAttribute('href', `/insights/${ONE.id}`)
    await waitFor(() => expect(card).toHaveTextContent(/1\s301\s770\skr/))
    expect(card).toHaveTextContent(/down 12,4\s% \(−184\stkr\)/)
    expect(card).toHaveTextContent('vs Jan–Mar 2025')
    expect(within(card).getByLabelText('Unfavourable change')).toBeInTheDocument()
    expect(screen.getByText('1 of 10 insights')).toBeVisible()
    await accessible(container)
  })

  it('draws nothing above the list before all of it is known, so that nothing moves down', async () => {
    const calls = mockServer({ [LIST]: page(ONE), [QUERY]: figures() })
    const waiting = await renderWithProviders(<InsightsScreen isWaiting notice="Sample data" />)
    expect(await screen.findByRole('status', { name: 'Loading' })).toBeVisible()
    await waitFor(() => expect(calls).not.toHaveLength(0))
    expect(screen.queryByText('Sample data')).toBeNull()
    expect(screen.queryByRole('link', { name: /Amount by month/ })).toBeNull()
    waiting.unmount()
    await renderWithProviders(<InsightsScreen notice="Sample data" />)
    expect(await screen.findByRole('link', { name: /Amount by month/ })).toBeVisible()
    expect(screen.getByText('Sample data')).toBeVisible()
  })

  it('leads to data when there is none', async () => {
    mockServer({ [LIST]: page(), [SOURCES]: page() })
    await renderWithProviders(<InsightsScreen />)
    expect(await screen.findByRole('link', { name: 'Connect source' })).toHaveAttribute('href', '/data-sources/new')
  })

  it('leads to the builder when there is data', async () => {
    mockServer({ [LIST]: page(), [SOURCES]: page(source) })
    await renderWithProviders(<InsightsScreen />)
    await screen.findByText('No insights yet')
    expect(screen.getAllByRole('link', { name: 'New insight' })).toHaveLength(2)
  })

  it('leaves room for the questions that the data can answer', async () => {
    const suggestion = { ...insight({}), key: 'a', name: 'Amount by week' }
    mockServer({
      ...{ [LIST]: page(), [SOURCES]: page(source), [QUERY]: figures() },
      'GET /api/starters': () => jsonResponse({ items: [suggestion], nextCursor: null }),
    })
    await renderWithProviders(<InsightsScreen />)
    await screen.findByText('Keep one below, or choose a measure.')
    expect(screen.getAllByRole('link', { name: 'New insight' })).toHaveLength(1)
    expect(screen.getByRole('button', { name: 'Keep it: Amount by week' })).toBeVisible()
  })

  it('leads back to the only insight after it was deleted', async () => {
    const gone = insight({ deletedAt: '2026-11-20T10:00:00.000Z' })
    mockServer({ [LIST]: [page(), page(gone)], [SOURCES]: page(source) })
    await renderWithProviders(<InsightsScreen />)
    expect(await screen.findByRole('link', { name: 'Recently deleted' })).toBeVisible()
  })

  it('says on the button when every insight of the plan is in use; those of the sample do not count', async () => {
    const own = Array.from({ length: 10 }, (_, at) => insight({ id: `ins_${at}` }))
    setSession(pageDataOnPlan('analyst', 'personal'))
    mockServer({ [LIST]: page(...own, insight({ id: 'ins_s', origin: 'sample' })), [QUERY]: figures() })
    await renderWithProviders(<InsightsScreen />)
    expect(await screen.findByText('11 insights, 10 of 10 used')).toBeVisible()
    expect(screen.getByRole('link', { name: 'All 10 insights in use' })).toBeVisible()
  })

  it('offers a viewer nothing to make', async () => {
    setSession(memberPageData('viewer'))
    mockServer({ [LIST]: page(ONE), [QUERY]: figures() })
    await renderWithProviders(<InsightsScreen />)
    await screen.findByText('Amount by month')
    expect(screen.queryByRole('link', { name: 'New insight' })).toBeNull()
  })

  it('says what is wrong in the card of one insight and keeps the others', async () => {
    const other = insight({ id: 'ins_00000000000000000002', name: 'Broken' })
    const broken = { ...other, plan: { ...MONTHLY, limit: 3 } }
    mockServer({
      [LIST]: page(ONE, broken),
      [QUERY]: (call) =>
        planOf(call).limit === 3 ? errorResponse('unknown_field', { field: 'x.c9' }) : jsonResponse(quarter()),
    })
    await renderWithProviders(<InsightsScreen />)
    expect(await screen.findByText('Field not found.')).toBeVisible()
    expect(await screen.findByText(/1\s301\s770\skr/)).toBeVisible()
  })
})

describe('new insight', () => {
  it('at the limit says what more would cost, and who can buy it, before anything is built', async () => {
    const own = Array.from({ length: 10 }, (_, at) => insight({ id: `ins_${at}` }))
    setSession(pageDataOnPlan('analyst', 'personal'))
    mockServer({
      [SOURCES]: page(source),
      ...AROUND,
      [LIST]: page(...own),
      'GET /api/members': () => jsonResponse({ items: [{ name: 'Bo Ek' }], nextCursor: null }),
    })
    const { container } = await renderWithProviders(<InsightNewScreen />)
    expect(await screen.findByText('All 10 custom insights are in use')).toBeVisible()
    expect(
      await screen.findByText(/450,00\s€ per month, excl\. VAT: 20 custom insights instead of 10\. Bo Ek can change/),
    ).toBeVisible()
    expect(screen.queryByRole('link', { name: 'Change to Standard' })).toBeNull()
    expect(screen.getByRole('link', { name: 'View insights' })).toBeVisible()
    await accessible(container)
  })

  it('can be tried out but not saved while nothing may be changed', async () => {
    const data = memberPageData()
    const { workspace } = data
    if (!workspace) throw new Error('no workspace')
    const entitlements = { ...workspace.entitlements, readOnly: 'trial_expired' as const }
    setSession({ ...data, workspace: { ...workspace, entitlements } })
    mockServer({ [SOURCES]: page(source), ...AROUND, [QUERY]: figures() })
    await renderWithProviders(<InsightNewScreen />)
    await screen.findByText(/Sales fell 12,4/)
    expect(screen.getByRole('button', { name: 'Save insight' })).toBeDisabled()
    // The layout around every screen says why, once.
    expect(screen.queryByText(/Trial ended/)).toBeNull()
  })

  it('draws a first chart of the newest year and saves it under the offered name', async () => {
    const calls = mockServer({
      [SOURCES]: page(source),
      ...AROUND,
      [QUERY]: figures(),
      'POST /api/insights': () => jsonResponse(ONE, 201),
      [LIST]: page(ONE),
    })
    const { container } = await renderWithProviders(<InsightNewScreen />)
    expect(await screen.findByText(/Sales fell 12,4\s% \(−184\stkr\) vs Jan–Mar 2025\./)).toBeVisible()
    expect(screen.getByLabelText('Name')).toHaveValue('Amount by month')
    await accessible(container)
    await userEvent.click(screen.getByRole('button', { name: 'Save insight' }))
    const saving = () => calls.find((call) => call.method === 'POST' && call.path === '/api/insights')
    await waitFor(() => expect(saving()).toBeDefined())
    const saved = saving()
    expect(saved?.body).toMatchObject({
      name: 'Amount by month',
      viz: { chart: 'line' },
      plan: { dimensions: [{ grain: 'month' }], period: { compare: 'year' } },
    })
    expect(saved?.headers.get('idempotency-key')).toBeTruthy()
  })

  it('says what is missing, keeps the last good preview and does not save', async () => {
    mockServer({ [SOURCES]: page(source), ...AROUND, [QUERY]: figures() })
    await renderWithProviders(<InsightNewScreen />)
    await screen.findByText(/Sales fell/)
    await userEvent.click(screen.getByRole('button', { name: 'Add dimension' }))
    expect(screen.getByText('Choose a column to break down by.')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Save insight' })).toBeDisabled()
    await userEvent.click(screen.getAllByRole('button', { name: 'Remove dimension' })[1] ?? document.body)
    expect(screen.getByRole('button', { name: 'Save insight' })).toBeEnabled()
  })

  it('finds metrics by their other names, says what they mean, and splits by the groups of a column', async () => {
    const calls = mockServer({
      ...{ [SOURCES]: page(source), ...AROUND, [QUERY]: figures(), [LIST]: page(ONE) },
      [`GET /api/groupings/${COUNTRIES.id}`]: () => jsonResponse(REGIONS),
      'POST /api/insights': () => jsonResponse(ONE, 201),
    })
    const { container } = await renderWithProviders(<InsightNewScreen />)
    const picker = await screen.findByRole('combobox', { name: 'What to measure' })
    await userEvent.clear(picker)
    await userEvent.type(picker, 'gross')
    await userEvent.click(await screen.findByRole('option', { name: /Margin/ }))
    expect(await screen.findByText('Metric')).toBeVisible()
    expect(screen.getByText('Lower is better, %.')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Open Margin' })).toHaveAttribute('href', `/metrics/${MARGIN.id}`)
    await userEvent.click(screen.getByRole('combobox', { name: 'Dimension' }))
    await userEvent.click(await screen.findByRole('option', { name: 'Regions (grouping of Country)' }))
    expect(screen.getByText(/Values without a group are grouped as “Elsewhere”/)).toBeVisible()
    await userEvent.click(await screen.findByRole('combobox', { name: 'Group level' }))
    await userEvent.click(await screen.findByRole('option', { name: 'Outermost groups' }))
    await userEvent.click(screen.getByRole('button', { name: 'Save insight' }))
    await waitFor(() =>
      expect(calls.some(({ method, path }) => method === 'POST' && path === '/api/insights')).toBe(true),
    )
    expect(calls.find(({ path, method }) => method === 'POST' && path === '/api/insights')?.body).toMatchObject({
      name: 'Margin by Regions',
      viz: { direction: 'down' },
      plan: {
        v: 2,
        measures: [{ kind: 'metric', id: MARGIN.id }],
        dimensions: [{ grouping: { id: COUNTRIES.id, level: 1 } }],
      },
    })
    await accessible(container)
  })

  it('tells a viewer who can make insights', async () => {
    setSession(memberPageData('viewer'))
    mockServer({ [SOURCES]: page(source) })
    await renderWithProviders(<InsightNewScreen />)
    expect(await screen.findByText('You can view insights')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Save insight' })).toBeNull()
  })

  it('asks which direction is better only where there is a figure', async () => {
    mockServer({ [SOURCES]: page(source), ...AROUND, [QUERY]: figures() })
    await renderWithProviders(<InsightNewScreen />)
    expect(await screen.findByRole('combobox', { name: 'Direction' })).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: /^Remove measure/ }))
    await waitFor(() => expect(screen.queryByRole('combobox', { name: 'Direction' })).toBeNull())
    expect(screen.getByRole('radiogroup', { name: 'Chart' })).toBeVisible()
  })
})

const view = (one: Insight = ONE, asTable = false) => (
  <InsightView insight={one} asTable={asTable} onTabChange={() => undefined} />
)

describe('insight', () => {
  it('says what changed, how fresh it is and how it was computed', async () => {
    mockServer({ [QUERY]: figures(), [DATASET]: () => jsonResponse(ORDERS) })
    const { container } = await renderWithProviders(view())
    expect(await screen.findByText(/Sales fell 12,4\s%/)).toBeVisible()
    expect(screen.getByText(/^Updated 1 Apr 2026/)).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Calculation details' }))
    expect(await screen.findByText('Sum of amount')).toBeVisible()
    expect(screen.getByText('a1b2c3')).toBeVisible()
    const link = screen.getByRole('link', { name: 'Create metric' })
    expect(decodeURIComponent(link.getAttribute('href') ?? '')).toContain('formula=sum([amount])')
    expect(screen.getByText(/^Exact:/)).toBeVisible()
    await accessible(container)
  })

  it('opens the records behind a row of its table', async () => {
    const calls = mockServer({ [QUERY]: figures(), ...AROUND })
    const { container } = await renderWithProviders(view(ONE, true))
    await userEvent.click(await screen.findByRole('button', { name: 'View records: Jan 2026' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'View records' }))
    const drawer = await screen.findByRole('dialog')
    expect(await within(drawer).findByText(/^4\s?711$/)).toBeVisible()
    expect(within(drawer).getByRole('status')).toHaveTextContent('1 row')
    const asked = plansOf(calls).find((plan) => plan.kind === 'rows')
    expect(asked?.period?.range).toEqual({ kind: 'absolute', from: '2026-01-01', to: '2026-01-31' })
    await accessible(container)
  })

  it('zooms to a mark by its menu, and back', async () => {
    const calls = mockServer({ [QUERY]: figures(), ...AROUND })
    await renderWithProviders(view(ONE, true))
    await userEvent.click(await screen.findByRole('button', { name: 'View records: Jan 2026' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Zoom in' }))
    const reset = await screen.findByRole('button', { name: 'Reset view' })
    await waitFor(() => expect(plansOf(calls).some(({ dimensions }) => dimensions[0]?.grain === 'day')).toBe(true))
    await userEvent.click(reset)
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Reset view' })).toBeNull())
  })

  it('turns to the table with the key t', async () => {
    mockServer({ [QUERY]: figures() })
    const onShow = vi.fn()
    await renderWithProviders(<InsightView insight={ONE} asTable={false} onTabChange={onShow} />)
    await screen.findByText(/Sales fell/)
    await userEvent.keyboard('t')
    expect(onShow).toHaveBeenCalledWith('table')
  })

  it('offers the whole history when the period holds no rows', async () => {
    const calls = mockServer({ [QUERY]: figures(answerOf([month, sales], [], { period: quarter().period })) })
    await renderWithProviders(view())
    expect(await screen.findByText(/Data covers 1 Dec 2023 to 14 Nov 2026/)).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Show all time' }))
    await waitFor(() =>
      expect(
        plansOf(calls).some((plan) => plan.period?.range.kind === 'relative' && plan.period.range.span === 'all'),
      ).toBe(true),
    )
  })

  it('names the column that is gone and offers to edit', async () => {
    mockServer({
      [QUERY]: () => errorResponse('unknown_field', { field: `${ORDERS.id}.c5` }),
      [DATASET]: () => jsonResponse(ORDERS),
    })
    await renderWithProviders(view())
    expect(await screen.findByText(/The column “amount” of Orders not found/)).toBeVisible()
    expect(screen.getByRole('button', { name: 'Edit insight' })).toBeVisible()
  })

  it('offers nothing of figures that a mask takes away: no export, no findings, no second try', async () => {
    const columns = ORDERS.columns.map((one) => (one.key === 'c5' ? { ...one, mask: 'empty' as const } : one))
    mockServer({
      [QUERY]: () => errorResponse('invalid_input'),
      [DATASET]: () => jsonResponse({ ...ORDERS, columns }),
    })
    await renderWithProviders(
      <InsightView
        {...{ insight: insight({ following: true }), asTable: false, onTabChange: () => undefined }}
        renderFindings={() => 'Found'}
      />,
    )
    expect(await screen.findByText('Check the highlighted fields')).toBeVisible()
    await waitFor(() => expect(screen.queryByText('Found')).toBeNull())
    for (const name of ['Export', 'Edit', 'Follow', 'Try again'])
      expect(screen.queryByRole('button', { name })).toBeNull()
    // What is followed can be let go of at any time.
    expect(screen.getByRole('button', { name: 'Following' })).toBeVisible()
  })

  it('lets a viewer read and export, and change nothing', async () => {
    setSession(memberPageData('viewer'))
    mockServer({ [QUERY]: figures() })
    await renderWithProviders(view())
    await screen.findByText(/Sales fell/)
    expect(screen.queryByRole('button', { name: 'Edit' })).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'More actions' }))
    expect((await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)).toEqual(['History'])
    await userEvent.keyboard('{Escape}')
    await userEvent.click(screen.getByRole('button', { name: 'Export' }))
    expect(await screen.findByRole('menuitem', { name: 'CSV' })).toHaveAttribute(
      'href',
      `/files/insights/${ONE.id}/export?format=csv&w=ws_one`,
    )
  })
})

describe('edit', () => {
  it('stays in the editor with what was typed while it was saved, and keeps that for the version that was saved', async () => {
    const answer = Promise.withResolvers<Response>()
    mockServer({
      [QUERY]: figures(),
      [DATASET]: () => jsonResponse(ORDERS),
      [LIST]: page(ONE),
      [SOURCES]: page(source),
      ...AROUND,
      [SAVE]: () => answer.promise,
    })
    const onDone = vi.fn()
    await renderWithProviders(<EditInsight insight={ONE} onDone={onDone} />)
    await userEvent.click(await screen.findByRole('button', { name: 'Save insight' }))
    await userEvent.type(screen.getByLabelText('Name'), ', typed on')
    answer.resolve(jsonResponse({ ...ONE, version: 2 }))
    expect(await screen.findByText(/^Unsaved changes from /)).toBeVisible()
    expect(onDone).not.toHaveBeenCalled()
    const key = Object.keys(localStorage).find((each) => each.endsWith(`insight:${ONE.id}`)) ?? ''
    expect(JSON.parse(localStorage.getItem(key) ?? '')).toMatchObject({
      base: '2',
      value: { name: 'Amount by month, typed on' },
    })
    localStorage.removeItem(key)
  })

  it('shows both versions when someone else saved first, and saves mine over theirs', async () => {
    const theirs = insight({ name: 'Sales, monthly', version: 2 })
    const calls = mockServer({
      [QUERY]: figures(),
      [DATASET]: () => jsonResponse(ORDERS),
      [LIST]: page(theirs),
      [SOURCES]: page(source),
      ...AROUND,
      [SAVE]: [
        () => errorResponse('version_conflict', { current: theirs }),
        () => jsonResponse({ ...theirs, version: 3 }),
      ],
    })
    const onDone = vi.fn()
    await renderWithProviders(<EditInsight insight={ONE} onDone={onDone} />)
    await userEvent.click(await screen.findByRole('button', { name: 'Save insight' }))
    const dialog = await screen.findByRole('dialog', { name: 'Someone else saved this first' })
    expect(within(dialog).getByText('Sales, monthly')).toBeVisible()
    expect(within(dialog).getByText('Amount by month')).toBeVisible()
    await userEvent.click(within(dialog).getByRole('button', { name: 'Save mine' }))
    await waitFor(() => expect(onDone).toHaveBeenCalled())
    const saves = calls.filter((call) => call.method === 'PUT').map((call) => call.body)
    expect(saves).toMatchObject([{ version: 1 }, { version: 2, name: 'Amount by month' }])
  })
})
