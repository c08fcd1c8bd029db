import { Notifications, notifications } from '@mantine/notifications'
import { act, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { LoadFailureNotices } from './load-failure-notices'
import { setSession } from '../../lib/session'
import { jsonResponse, mockServer } from '../../test/mock-server'
import { memberPageData } from '../../test/page-data'
import { renderWithProviders } from '../../test/render'
import { NOTIFICATION_DEFAULTS, type NotificationSettings } from '../../../src/shared/account'
import type { DataSource, SyncRun } from '../../../src/shared/data-sources/data-sources'

const ME = memberPageData().user?.id ?? ''
const TOLD = `insikt-failures-told:${ME}:ws_one`

const failed = (over: Partial<SyncRun> = {}): SyncRun => ({
  ...{ id: 'run_1', sourceId: 'src_1', datasetId: 'ds_1', actorId: ME, trigger: 'upload', mode: 'replace' },
  ...{ fileName: 'orders.csv', state: 'failed', startedAt: '2026-11-20T10:00:00.000Z' },
  ...{ finishedAt: '2026-11-20T10:00:04.000Z', rowsRead: 0, rowsWritten: 0, rowsRejected: 0, rowsDuplicate: 0 },
  ...{ rowsUpdated: 0, restoredVersion: null, bytesRead: 0, bytesTotal: 9 },
  error: { code: 'file_unreadable', message: 'File has a header row but no rows.' },
  ...over,
})
const source = (...lastRuns: SyncRun[]): DataSource => ({
  ...{ id: 'src_1', name: 'Orders', type: 'file', state: 'failed', frozen: false, sample: false, ownerId: ME },
  ...{ version: 1, createdAt: '', updatedAt: '', deletedAt: null, connection: null, lastRun: null, datasets: [] },
  lastRuns,
})

async function open(runs: SyncRun[], wanted: Partial<NotificationSettings> = {}) {
  mockServer({
    'GET /api/data-sources': () => jsonResponse({ items: [source(...runs)], nextCursor: null }),
    'GET /api/profile': () => jsonResponse({ notifications: { ...NOTIFICATION_DEFAULTS, ...wanted } }),
  })
  const page = await renderWithProviders(
    <>
      <Notifications />
      <LoadFailureNotices />
    </>,
  )
  await vi.waitFor(() => expect(localStorage.getItem(TOLD)).not.toBeNull(), { timeout: 10_000 })
  await act(async () => undefined)
  return page
}
const notice = () => screen.findByText('Import failed: Orders')

beforeEach(() => {
  // What tests before left in the store would take the places of those that are shown at a time.
  notifications.clean()
  notifications.cleanQueue()
  setSession(memberPageData())
  localStorage.clear()
})
afterEach(() => {
  act(() => notifications.clean())
  vi.unstubAllGlobals()
})

it('says what failed and what to do, with the way there, and once', async () => {
  localStorage.setItem(TOLD, '')
  const page = await open([failed(), failed({ id: 'run_2', datasetId: 'ds_2' })])
  await notice()
  expect(screen.getAllByText(/^Import failed/)).toHaveLength(1)
  expect(screen.getByText(/header row but no rows. Correct the file/)).toBeInTheDocument()
  expect(screen.getByRole('link', { name: 'View source' })).toHaveAttribute('href', '/data-sources/src_1')
  page.unmount()
  act(() => notifications.clean())
  await open([failed()])
  expect(screen.queryByText(/^Import failed/)).toBeNull()
})

it('says nothing of what had failed before this browser came to know the workspace', async () => {
  await open([failed()])
  expect(screen.queryByText(/^Import failed/)).toBeNull()
  expect(localStorage.getItem(TOLD)).toBe('2026-11-20T10:00:04.000Z')
})

it('says nothing of loads that were cancelled or went well', async () => {
  localStorage.setItem(TOLD, '')
  await open([failed({ state: 'cancelled' }), failed({ id: 'run_2', state: 'succeeded' })])
  expect(screen.queryByText(/^Import failed/)).toBeNull()
})

it.each([
  ['own, also without mails', ME, { ownLoadFailed: false }, true],
  ['another’s', 'usr_other', {}, false],
  ['another’s, asked for', 'usr_other', { loadFailed: true }, true],
])('tells of a load as the person wants it: %s', async (_name, actorId, wanted, shown) => {
  localStorage.setItem(TOLD, '')
  await open([failed({ actorId })], wanted)
  if (shown) await notice()
  else expect(screen.queryByText(/^Import failed/)).toBeNull()
})
