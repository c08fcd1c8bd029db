import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import axe from 'axe-core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { column, dataset, run, source } from './data-sources.fixture'
import { ColumnsTab } from './columns/columns-tab'
import { SourceLimitGate } from './data-source-limit'
import { SourceScreen } from './data-source-screen'
import { SourcesScreen } from './data-sources-screen'
import { setSession } from '../../lib/session'
import { memberPageData, pageDataOnPlan } from '../../test/page-data'
import { renderWithProviders } from '../../test/render'
import { jsonResponse, errorResponse, mockServer, type MockReply } from '../../test/mock-server'
import type { DataSource, SyncRun } from '../../../src/shared/data-sources/data-sources'

const LIST = 'GET /api/data-sources'
const { id } = source()
const datasetId = dataset().id
const ONE = `GET /api/data-sources/${id}`
const ROWS = 'POST /api/query'
const REMOVE = `DELETE /api/data-sources/${id}`
const RETRY = `POST /api/runs/${run().id}/retry`
const SAVE = `PUT /api/datasets/${datasetId}`

const list =
  (...items: DataSource[]): MockReply =>
  () =>
    jsonResponse({ items, nextCursor: null })
const preview: MockReply = () =>
  jsonResponse({
    kind: 'rows',
    columns: [
      { key: 'c0', label: 'Kund', kind: 'column', type: 'text', format: { style: 'plain' } },
      { key: 'c1', label: 'Belopp', kind: 'column', type: 'number', scale: 2, format: { style: 'plain' } },
    ],
    ...{
      rows: [['Ek AB', 1234.5]],
      rowCount: 1,
      otherRow: null,
      totals: null,
      period: null,
      datasets: [],
      dataAsOf: null,
    },
  })
const one = (shown: DataSource) => ({ [ONE]: () => jsonResponse(shown), [ROWS]: preview })

beforeEach(() => setSession(memberPageData()))
afterEach(() => vi.unstubAllGlobals())

describe('list of sources', () => {
  it('shows state, rows, columns and age of each source', async () => {
    mockServer({ [LIST]: list(source()) })
    await renderWithProviders(<SourcesScreen />)
    const row = await screen.findByRole('row', { name: /Fakturor/ })
    expect(row).toHaveTextContent('Ready')
    expect(row).toHaveTextContent(/1\s230/)
    expect(row).toHaveTextContent('Imported with issues: 4 rows rejected')
    expect(screen.getByText('1 of 10 sources')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Connect source' })).toHaveAttribute('href', '/data-sources/new')
  })

  it('stands still for what may stand above it: nothing of it is drawn before that is known', async () => {
    mockServer({ [LIST]: list(source()), [ONE]: () => jsonResponse(source()), [ROWS]: preview })
    const waiting = await renderWithProviders(
      <>
        <SourcesScreen isWaiting notice="Sample data" />
        <SourceScreen id={source().id} isAwaitingProposals />
      </>,
    )
    expect(await screen.findByText('1 of 10 sources')).toBeVisible()
    expect(screen.queryByText('Sample data')).toBeNull()
    expect(screen.queryByRole('row')).toBeNull()
    expect(screen.queryByRole('heading', { name: source().name })).toBeNull()
    waiting.unmount()
    await renderWithProviders(<SourceScreen id={source().id} />)
    expect(await screen.findByRole('heading', { name: source().name })).toBeVisible()
  })

  it('shows a load under way in its row', async () => {
    const loading = run({ state: 'running', rowsRead: 41_000, bytesRead: 410, bytesTotal: 1000 })
    mockServer({ [LIST]: list(source({ state: 'syncing', lastRun: loading })) })
    await renderWithProviders(<SourcesScreen />)
    expect(await screen.findByText(/41\s000 of about 100\s000 rows/)).toBeVisible()
  })

  it('says on the button when every source of the plan is in use, and leads on', async () => {
    setSession(memberPageData('owner', { dataSources: 1 }))
    mockServer({ [LIST]: list(source()) })
    await renderWithProviders(<SourcesScreen />)
    expect(await screen.findByRole('link', { name: 'Source limit reached (1)' })).toBeVisible()
    expect(screen.queryByRole('link', { name: 'Connect source' })).toBeNull()
  })

  it('says before a file is sent that the plan has no room, and where files can go', async () => {
    setSession(pageDataOnPlan('owner', 'personal'))
    mockServer({ [LIST]: list(source()) })
    await renderWithProviders(<SourceLimitGate>Drop files here</SourceLimitGate>)
    expect(await screen.findByText('Data source limit reached (1)')).toBeVisible()
    expect(screen.queryByText('Drop files here')).toBeNull()
    expect(screen.getByRole('link', { name: 'View data sources' })).toBeVisible()
    expect(screen.getByText(/20,00\s€ per month, excl\. VAT: 2 data sources instead of 1/)).toBeVisible()
    const add = screen.getByRole('link', { name: 'Add an extra data source' })
    expect(add.getAttribute('href')).toMatch(/checkout\?plan=personal&addOns=extra_source/)
  })

  it('says of a frozen source why it takes no loads, and offers none', async () => {
    setSession(pageDataOnPlan('owner', 'personal'))
    const frozen = source({ frozen: true })
    mockServer({ [ONE]: () => jsonResponse(frozen), [LIST]: list(source({ id: 'src_00000000000000000009' }), frozen) })
    await renderWithProviders(<SourceScreen id={frozen.id} />)
    expect(await screen.findByText('This source is over the plan limit')).toBeVisible()
    expect(await screen.findByText(/2 data sources instead of 1/)).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Import data' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Add files' })).toBeNull()
    expect(screen.getByRole('button', { name: /^More actions for/ })).toBeVisible()
  })

  it('asks nobody to make room who may add nothing', async () => {
    setSession(memberPageData('viewer', { dataSources: 1 }))
    mockServer({ [LIST]: list(source()) })
    await renderWithProviders(<SourceLimitGate>Only to look at</SourceLimitGate>)
    expect(await screen.findByText('Only to look at')).toBeVisible()
  })

  it('teaches with the drop zone itself when nothing is connected', async () => {
    mockServer({ [LIST]: list() })
    await renderWithProviders(<SourcesScreen />)
    expect(await screen.findByText('Drop files here')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Choose files' })).toBeVisible()
  })

  it('leads back to the only source after it was deleted', async () => {
    mockServer({ [LIST]: [list(), list(source({ deletedAt: '2026-11-20T10:00:00.000Z' }))] })
    await renderWithProviders(<SourcesScreen />)
    expect(await screen.findByText('Recently deleted')).toBeVisible()
  })

  it('offers a viewer nothing that the role does not allow', async () => {
    setSession(memberPageData('viewer'))
    mockServer({ [LIST]: list() })
    await renderWithProviders(<SourcesScreen />)
    expect(await screen.findByText(/Ask an owner, admin or analyst/)).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Choose files' })).toBeNull()
  })

  it('says what to do when the list cannot be read', async () => {
    mockServer({ [LIST]: [() => errorResponse('internal'), list(source())] })
    await renderWithProviders(<SourcesScreen />)
    await userEvent.click(await screen.findByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('row', { name: /Fakturor/ })).toBeVisible()
  })

  it('has nothing for axe to find', async () => {
    mockServer({ [LIST]: list(source(), source({ id: 'src_2', name: 'Order', state: 'failed' })) })
    const { container } = await renderWithProviders(<SourcesScreen />)
    await screen.findByRole('row', { name: /Fakturor/ })
    expect((await axe.run(container)).violations).toEqual([])
  })
})

describe('one source', () => {
  it('shows what came in, the rejected rows, and the next step', async () => {
    mockServer(one(source()))
    const { container } = await renderWithProviders(<SourceScreen id={id} />)
    expect(await screen.findByText(/1\s230 rows imported/)).toBeVisible()
    expect(screen.getByRole('link', { name: 'Download rejected rows' })).toHaveAttribute(
      'href',
      `/files/runs/${run().id}/rejects?w=ws_one`,
    )
    expect(screen.getByRole('link', { name: 'Create insight' })).toHaveAttribute(
      'href',
      expect.stringContaining(`/insights/new?dataset=${datasetId}`),
    )
    expect(await screen.findByRole('cell', { name: /1\s234,50/ })).toBeVisible()
    expect((await axe.run(container)).violations).toEqual([])
  })

  it('says of a failed load what is wrong, where and what to do, and starts it again', async () => {
    const failed = run({
      state: 'failed',
      rowsRejected: 0,
      error: { code: 'file_unreadable', message: 'A quote is never closed.', line: 12 },
    })
    const calls = mockServer({
      ...one(source({ state: 'failed', lastRun: failed })),
      [RETRY]: () => jsonResponse(run(), 201),
    })
    await renderWithProviders(<SourceScreen id={id} />)
    const alert = await screen.findByRole('alert')
    expect(alert).toHaveTextContent(/A quote is never closed.*line 12.*Correct the file/)
    expect(alert).toHaveTextContent('Existing data is unchanged.')
    await userEvent.click(within(alert).getByRole('button', { name: 'Retry' }))
    await waitFor(() => expect(calls.some(({ path }) => path.endsWith('/retry'))).toBe(true))
  })

  it('cancels a load under way', async () => {
    const loading = run({ state: 'running' })
    const CANCEL = `POST /api/runs/${loading.id}/cancel`
    const calls = mockServer({
      ...one(source({ state: 'syncing', lastRun: loading })),
      [CANCEL]: () => jsonResponse(run({ state: 'cancelled' })),
    })
    await renderWithProviders(<SourceScreen id={id} />)
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel import' }))
    await waitFor(() => expect(calls.some(({ path }) => path.endsWith('/cancel'))).toBe(true))
  })

  it.each([
    ['of a frozen source', { frozen: true }, null, true],
    ['while nothing may be changed', {}, 'trial_expired', false],
  ] as const)('can stop a load %s only where the server does', async (_, given, readOnly, stops) => {
    setSession(pageDataOnPlan('owner', 'personal', { readOnly }))
    const loading = source({ state: 'syncing', lastRun: run({ state: 'running' }), ...given })
    mockServer({ ...one(loading), [LIST]: list(loading) })
    await renderWithProviders(<SourceScreen id={id} />)
    expect(await screen.findByRole('region', { name: 'Import in progress' })).toBeVisible()
    expect(screen.queryAllByRole('button', { name: 'Cancel import' })).toHaveLength(stops ? 1 : 0)
  })

  it('lists what uses a source before it is deleted, then deletes it', async () => {
    const calls = mockServer({
      ...one(source()),
      [REMOVE]: [
        () => errorResponse('in_use', { dependents: [{ type: 'insight', id: 'ins_1', name: 'Sales by month' }] }),
        () => jsonResponse({ id }),
      ],
    })
    await renderWithProviders(<SourceScreen id={id} />)
    await userEvent.click(await screen.findByRole('button', { name: 'More actions for Fakturor' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete source' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Delete source' }))
    expect(await screen.findByText('Sales by month')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Delete anyway' }))
    await waitFor(() => expect(calls.filter(({ method }) => method === 'DELETE')).toHaveLength(2))
  })

  it('shows both versions when somebody else saved the columns first', async () => {
    const theirs = dataset({
      version: 4,
      columns: dataset().columns.map((column) => (column.key === 'c0' ? { ...column, label: 'Customer' } : column)),
    })
    const calls = mockServer({
      ...one(source()),
      [SAVE]: [
        () => errorResponse('version_conflict', { current: theirs }),
        () => jsonResponse(dataset({ version: 5 })),
      ],
    })
    await renderWithProviders(<ColumnsTab dataset={dataset()} />)
    await userEvent.type(await screen.findByLabelText('Name of Kund'), 'nr')
    await userEvent.click(screen.getByRole('button', { name: 'Save columns' }))
    expect(await screen.findByText('Someone else saved this first')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Save mine' }))
    await waitFor(() =>
      expect(calls.at(-1)?.body).toMatchObject({ version: 4, columns: [{ key: 'c0', label: 'Kundnr' }] }),
    )
  })

  describe('with several tables', () => {
    const second = dataset({ id: 'ds_00000000000000000002', name: 'Kunder', rowCount: 40 })
    const loaded = run({ rowsRejected: 0 })
    const broken = run({
      id: 'run_00000000000000000002',
      datasetId: second.id,
      state: 'failed',
      rowsRejected: 0,
      error: { code: 'file_unreadable', message: 'A quote is never closed.', line: 7 },
    })
    const both = (...lastRuns: SyncRun[]) =>
      source({ datasets: [dataset(), second], lastRun: lastRuns.at(-1) ?? null, lastRuns })

    it('lists them and says together what came in', async () => {
      const other = run({ ...broken, state: 'succeeded', error: null, rowsWritten: 40 })
      mockServer(one(both(loaded, other)))
      const { container } = await renderWithProviders(<SourceScreen id={id} />)
      expect(await screen.findByText(/2 tables imported, 1\s270 rows/)).toBeVisible()
      const list = screen.getByRole('navigation', { name: 'Tables' })
      expect(within(list).getByRole('button', { name: /Kunder.*40 rows/ })).toBeVisible()
      expect((await axe.run(container)).violations).toEqual([])
    })

    it('leads to an insight about the figures, however many rows a list of names has', async () => {
      const names = { ...second, rowCount: 9000, columns: dataset().columns.slice(0, 1) }
      const lastRuns = [loaded, run({ ...broken, state: 'succeeded', error: null, rowsWritten: 9000 })]
      mockServer(one(source({ datasets: [dataset(), names], lastRun: loaded, lastRuns })))
      await renderWithProviders(<SourceScreen id={id} />)
      const link = await screen.findByRole('link', { name: 'Create insight' })
      expect(link).toHaveAttribute('href', expect.stringContaining(`dataset=${datasetId}`))
    })

    it('says of the one that failed what is wrong and starts only that one again', async () => {
      const again = `POST /api/runs/${broken.id}/retry`
      const calls = mockServer({ ...one(both(loaded, broken)), [again]: () => jsonResponse(run(), 201) })
      await renderWithProviders(<SourceScreen id={id} />)
      const loads = await screen.findByRole('list', { name: 'Imports of this source' })
      expect(within(loads).getByText(/1\s230 rows imported/)).toBeVisible()
      expect(within(loads).getByRole('alert')).toHaveTextContent(/A quote is never closed.*Line 7.*Correct the file/)
      await userEvent.click(within(loads).getByRole('button', { name: 'Retry' }))
      await waitFor(() => expect(calls.some(({ path }) => path === `/api/runs/${broken.id}/retry`)).toBe(true))
    })

    it('shows how far each load is, and cancels one of them', async () => {
      const half = run({ state: 'running', rowsRead: 41_000, bytesRead: 410, bytesTotal: 1000 })
      const queued = run({ ...broken, state: 'queued', error: null })
      const cancel = `POST /api/runs/${broken.id}/cancel`
      const calls = mockServer({
        ...one(both(half, queued)),
        [cancel]: () => jsonResponse(run({ state: 'cancelled' })),
      })
      await renderWithProviders(<SourceScreen id={id} />)
      expect(await screen.findByText(/41\s000 of about 100\s000 rows/)).toBeVisible()
      expect(screen.getAllByText('Waiting to start…')[0]).toBeVisible()
      await userEvent.click(screen.getByRole('button', { name: 'Cancel import of Kunder' }))
      await waitFor(() => expect(calls.some(({ path }) => path.endsWith('/cancel'))).toBe(true))
    })
  })

  it('lets a viewer look and change nothing', async () => {
    setSession(memberPageData('viewer'))
    mockServer(one(source()))
    await renderWithProviders(<SourceScreen id={id} />)
    await screen.findByText('Ek AB')
    expect(screen.queryByRole('button', { name: 'Import data' })).toBeNull()
    expect(screen.queryByRole('button', { name: /^More actions for/ })).toBeNull()
    expect(screen.queryByRole('link', { name: 'Create insight' })).toBeNull()
  })

  it('takes files of a ledger whole where its statements are looked at, and rows where one table is', async () => {
    const columns = [
      column('c0', { label: 'account', role: 'dimension' }),
      column('c1', { label: 'date', type: 'date', role: 'time' }),
      column('c2', { label: 'amount', type: 'number', role: 'measure', scale: 2 }),
      column('c3', { label: 'voucher_key' }),
    ]
    const books = { ...source(), datasets: [dataset({ name: 'Ledger entries', columns })] }
    mockServer(one(books))
    const { unmount } = await renderWithProviders(<SourceScreen id={id} statements={() => 'Profit and loss'} />)
    expect(await screen.findByText('Profit and loss')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Add files' })).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Import data' })).toBeNull()
    unmount()
    await renderWithProviders(<SourceScreen id={id} statements={() => ''} />, `?dataset=${books.datasets[0]?.id}`)
    expect(await screen.findByRole('button', { name: 'Import data' })).toBeVisible()
  })

  it('offers nothing that is refused to whoever sees part of a table', async () => {
    setSession(memberPageData('analyst'))
    mockServer(one({ ...source(), datasets: [dataset({ partial: true })] }))
    await renderWithProviders(<SourceScreen id={id} />)
    const tabs = await screen.findAllByRole('tab')
    expect(tabs.map(({ textContent }) => textContent)).toEqual(['Rows', 'Columns'])
    for (const name of ['Import data', 'Add files']) expect(screen.queryByRole('button', { name })).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: /^More actions/ }))
    expect(await screen.findByRole('menuitem', { name: 'Rename' })).toBeVisible()
    expect(screen.queryByRole('menuitem', { name: 'Delete source' })).toBeNull()
  })

  it('says that a foreign or deleted source is gone', async () => {
    mockServer({ [ONE]: () => errorResponse('not_found') })
    await renderWithProviders(<SourceScreen id={id} />)
    expect(await screen.findByRole('alert')).toHaveTextContent('Not found, or you don’t have access')
    expect(screen.getByRole('heading', { level: 1 })).toBeVisible()
  })
})
