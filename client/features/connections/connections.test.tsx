import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import axe from 'axe-core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ConnectWizard } from './connect-wizard'
import { ConnectionPanel } from './connection-panel'
import { setSession } from '../../lib/session'
import { memberPageData } from '../../test/page-data'
import { renderWithProviders } from '../../test/render'
import { jsonResponse, mockServer } from '../../test/mock-server'
import { ERRORS } from '../../../src/shared/errors'
import type { ConnectionDetails, SourceSync } from '../../../src/shared/data-sources/connections'
import type { ConnectorDescription, SourceStream } from '../../../src/shared/data-sources/connectors'

const ID = 'src_00000000000000000001'
const ONE = `GET /api/data-sources/${ID}/connection`
const SYNCS = `GET /api/data-sources/${ID}/syncs`
const CHANGE = `PUT /api/data-sources/${ID}/connection`
const TEST = `POST /api/data-sources/${ID}/test`

const description: ConnectorDescription = {
  ...{
    kind: 'postgresql',
    title: 'PostgreSQL',
    summary: 'Tables',
    group: 'databases',
    auth: 'secrets',
    delivery: 'pull',
  },
  fields: [
    { key: 'host', label: 'Host', control: 'text', required: true, secret: false },
    { key: 'password', label: 'Password', control: 'password', required: true, secret: true },
  ],
  reads: ['The tables you choose'],
  never: ['Writes'],
}
const connection = (over: Partial<ConnectionDetails> = {}): ConnectionDetails => ({
  ...{ sourceId: ID, kind: 'postgresql', delivery: 'pull', description, state: 'ready', paused: false },
  ...{ failure: null, failedSince: null, nextSyncAt: null, syncedAt: null, succeededAt: null },
  ...{ settings: { host: 'db.example.com' }, secretsSet: ['password'], frequencyHours: 24, planHours: 6 },
  ...{ manualSyncAt: '2026-01-01T00:00:00.000Z', notices: [] },
  streams: [{ key: 'public.orders', label: 'orders', mode: 'upsert', incremental: true, datasetIds: [] }],
  ...over,
})
const stream = (label: string): SourceStream => ({
  ...{ key: `public.${label}`, label, columns: [], keyColumns: ['id'], incrementalColumn: 'updated_at' },
  ...{ modes: ['upsert', 'replace', 'live'], proposed: false },
})
const SYNC: SourceSync = {
  ...{ id: 'syn_1', trigger: 'person', state: 'failed', finishedAt: '2026-11-28T10:00:02.000Z', error: null },
  ...{ startedAt: '2026-11-28T10:00:00.000Z', rowsRead: 0, rowsWritten: 0, rowsRejected: 0, bytesRead: 0 },
}
const REFUSED = {
  ...{ code: 'source_failed', reason: 'auth', mend: 'Enter it again.' },
  message: 'The password was refused. Enter it again.',
}
const LIVE = /^Rows stay in your database/

beforeEach(() => setSession(memberPageData()))
afterEach(() => vi.unstubAllGlobals())
const serve = (details: ConnectionDetails, more: Parameters<typeof mockServer>[0] = {}) =>
  mockServer({
    [ONE]: () => jsonResponse(details),
    [SYNCS]: () => jsonResponse({ items: [SYNC], nextCursor: null }),
    ...more,
  })

describe('a connected source', () => {
  it('says why it failed without a full stop in the title, and offers what mends it', async () => {
    const failure = {
      code: 'source_failed',
      reason: 'auth',
      message: 'Password refused.',
      mend: 'Enter it again.',
    } as const
    serve(connection({ state: 'failed', failure, failedSince: '2026-11-28T10:00:00.000Z' }))
    const { container } = await renderWithProviders(<ConnectionPanel sourceId={ID} />)
    const alert = await screen.findByRole('alert')
    expect(within(alert).getByText('Password refused')).toBeVisible()
    expect(within(alert).getByText(/Enter it again\. Failing since/)).toBeVisible()
    expect(within(alert).getByRole('button', { name: 'Replace credentials' })).toBeVisible()
    const { violations } = await axe.run(container, { rules: { 'color-contrast': { enabled: false } } })
    expect(violations.map(({ id }) => id)).toEqual([])
  })

  it('says from when on it can be synced by hand', async () => {
    serve(connection({ manualSyncAt: '2999-01-01T10:00:00.000Z' }))
    await renderWithProviders(<ConnectionPanel sourceId={ID} />)
    expect(await screen.findByText(/^Sync now is available from/)).toBeVisible()
    expect(screen.getByRole('button', { name: 'Sync now' })).toBeDisabled()
  })

  it('lets somebody choose again what is imported, and what is asked where it lies', async () => {
    const user = userEvent.setup()
    const calls = serve(connection(), {
      [TEST]: () => jsonResponse({ account: null, warnings: [], streams: [stream('orders'), stream('customers')] }),
      [CHANGE]: () => jsonResponse(connection()),
    })
    await renderWithProviders(<ConnectionPanel sourceId={ID} />)
    await user.click(await screen.findByRole('button', { name: 'Edit selection' }))
    const dialog = await screen.findByRole('dialog')
    expect(await within(dialog).findByRole('checkbox', { name: 'orders' })).toBeChecked()
    await user.click(within(dialog).getByRole('checkbox', { name: 'customers' }))
    expect(within(dialog).queryByText(LIVE)).toBeNull()
    await user.click(within(dialog).getByRole('combobox', { name: 'How rows of customers are added' }))
    await user.click(await screen.findByRole('option', { name: 'Query live' }))
    expect(within(dialog).getByText(LIVE)).toBeVisible()
    await user.click(within(dialog).getByRole('button', { name: 'Save selection' }))
    await waitFor(() =>
      expect(calls.filter(({ method }) => method === 'PUT').map(({ body }) => body)).toEqual([
        {
          streams: [
            { key: 'public.orders', mode: 'upsert' },
            { key: 'public.customers', mode: 'live' },
          ],
        },
      ]),
    )
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('names tables that are gone, and keeps nothing of them chosen', async () => {
    const user = userEvent.setup()
    serve(connection(), { [TEST]: () => jsonResponse({ account: null, warnings: [], streams: [stream('customers')] }) })
    await renderWithProviders(<ConnectionPanel sourceId={ID} />)
    await user.click(await screen.findByRole('button', { name: 'Edit selection' }))
    const dialog = await screen.findByRole('dialog')
    expect(await within(dialog).findByText('No longer at the source: orders. Imported rows stay.')).toBeVisible()
    expect(within(dialog).getByRole('button', { name: 'Save selection' })).toBeDisabled()
  })

  it('says what is different about live tables', async () => {
    const [first] = connection().streams
    serve(connection({ streams: first ? [{ ...first, mode: 'live' }] : [] }))
    await renderWithProviders(<ConnectionPanel sourceId={ID} />)
    expect(await screen.findByText('orders: query live', { exact: false })).toBeVisible()
    expect(screen.getByText(LIVE)).toBeVisible()
  })
})

describe('the wizard', () => {
  const wizard = (over: Partial<ConnectorDescription>, draftId?: string) => {
    const kind = { ...description, ...over }
    return renderWithProviders(
      <ConnectWizard kind={kind.kind} draftId={draftId} problem={undefined} onDone={() => undefined} />,
    )
  }
  const kinds = (over: Partial<ConnectorDescription> = {}) => ({
    'GET /api/connectors': () =>
      jsonResponse({ items: [{ description: { ...description, ...over }, configured: true }] }),
  })

  it('says what was refused, and asks to choose once it is let in', async () => {
    const user = userEvent.setup()
    let isOpen = false
    mockServer({
      ...kinds(),
      'POST /api/connectors/test': () =>
        isOpen
          ? jsonResponse({ account: 'shop at db', warnings: [], streams: [stream('orders')] })
          : jsonResponse({ ...REFUSED, requestId: 'req-1' }, ERRORS.source_failed.status),
    })
    await wizard({})
    await user.type(await screen.findByRole('textbox', { name: /Host/ }), 'db.example.com')
    await user.click(screen.getByRole('button', { name: 'Test connection' }))
    expect(await screen.findByText(/The password was refused/)).toBeVisible()
    isOpen = true
    await user.click(screen.getByRole('button', { name: 'Test connection' }))
    expect(await screen.findByText('Choose at least one.')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Connect and import' })).toBeNull()
  })

  it('says that a slow source is still waited for, and no more once it has answered', async () => {
    const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime })
    const { promise, resolve } = Promise.withResolvers<Response>()
    mockServer({ ...kinds(), 'POST /api/connectors/test': () => promise })
    await wizard({})
    await screen.findByRole('textbox', { name: /Host/ })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
    try {
      await user.click(screen.getByRole('button', { name: 'Test connection' }))
      expect(screen.queryByText(/^Still waiting/)).toBeNull()
      await act(() => vi.advanceTimersByTimeAsync(5_000))
      expect(screen.getByText(/^Still waiting for the source/)).toBeVisible()
      resolve(jsonResponse({ account: null, warnings: [], streams: [stream('orders')] }))
      expect(await screen.findByText('Choose at least one.')).toBeVisible()
      expect(screen.queryByText(/^Still waiting/)).toBeNull()
    } finally {
      vi.useRealTimers()
    }
  })

  it('tells where consent is given, and what follows it', async () => {
    const consent = { auth: 'oauth', fields: [], title: 'Fortnox', kind: 'fortnox' } as const
    mockServer(kinds(consent))
    const before = await wizard(consent)
    expect(await screen.findByText(/^You sign in at Fortnox and choose/)).toBeVisible()
    before.unmount()
    await wizard(consent, 'drf_00000000000000000001')
    expect(await screen.findByText(/^Fortnox let us in/)).toBeVisible()
  })
})
