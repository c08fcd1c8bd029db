import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { dataset, run, source } from '../data-sources.fixture'
import { DeletedSourceAlert } from '../deleted-source-alert'
import { runStatus, sourceStatus } from '../load-status'
import { CurrentLoads } from './load-results'
import { VersionsTab } from './versions-tab'
import { setSession } from '../../../lib/session'
import { memberPageData } from '../../../test/page-data'
import { renderWithProviders } from '../../../test/render'
import { jsonResponse, mockServer } from '../../../test/mock-server'
import type { DatasetVersion, SyncRun } from '../../../../src/shared/data-sources/data-sources'

beforeEach(() => setSession(memberPageData()))
afterEach(() => vi.unstubAllGlobals())

const after = (over: Partial<SyncRun>, data = {}) =>
  source({ datasets: [dataset(data)], lastRun: run(over), lastRuns: [run(over)] })
const banner = async (over: Partial<SyncRun>, data = {}) => {
  mockServer({})
  await renderWithProviders(<CurrentLoads source={after(over, data)} quiet={false} />)
  return screen.findByRole('status')
}

describe('the outcome of an import', () => {
  it('is not green while rows are missing: it counts them, says why and leads to the list', async () => {
    const shown = await banner({ rowsRejected: 4 }, { rowsRejected: 4 })
    expect(shown).toHaveTextContent(/4 rows rejected: values couldn’t be read/)
    expect(within(shown).getByRole('link', { name: 'Download rejected rows' })).toBeVisible()
    expect(runStatus(run({ rowsRejected: 4 }))).toEqual({ words: 'Imported with issues', tone: 'warn' })
  })

  it('says that appended rows were there already, and leads back', async () => {
    const shown = await banner({ mode: 'append', rowsRejected: 0, rowsDuplicate: 12 }, { rowsDuplicate: 12 })
    expect(shown).toHaveTextContent(/12 rows duplicated: their key already existed/)
    expect(within(shown).getByRole('link', { name: 'Restore an earlier version' })).toHaveAttribute(
      'href',
      expect.stringContaining('tab=versions'),
    )
  })

  it('remembers what earlier imports rejected', async () => {
    const shown = await banner({ mode: 'append', rowsRejected: 0 }, { rowsRejected: 3 })
    expect(shown).toHaveTextContent(/Earlier imports: 3 rows rejected/)
  })

  it('counts what an upsert added and updated', async () => {
    const shown = await banner({ mode: 'upsert', rowsRejected: 0, rowsWritten: 30, rowsUpdated: 20, rowsDuplicate: 1 })
    expect(shown).toHaveTextContent('10 rows added, 20 updated')
    expect(shown).toHaveTextContent(/1 row skipped: a later row of the file has the same key/)
  })

  it('names the version that was restored', async () => {
    const shown = await banner({ trigger: 'rollback', mode: 'replace', rowsRejected: 0, restoredVersion: 2 })
    expect(shown).toHaveTextContent('Version 2 restored')
  })

  it('marks the source in the list', () => {
    expect(sourceStatus(after({}, { rowsRejected: 4 }))).toEqual({ words: 'Data issues', tone: 'warn' })
    expect(sourceStatus(after({}))).toEqual({ words: 'Ready', tone: 'good' })
    expect(sourceStatus({ ...after({}, { rowsRejected: 4 }), state: 'failed' }).tone).toBe('bad')
  })
})

describe('versions', () => {
  const version = (dataVersion: number, over: Partial<DatasetVersion> = {}): DatasetVersion => ({
    dataVersion,
    runId: `run_0000000000000000000${dataVersion}`,
    mode: 'append',
    fileName: 'orders.csv',
    rowCount: dataVersion * 10,
    createdAt: '2026-11-20T10:00:00.000Z',
    current: false,
    rollback: 'instant',
    restoredFrom: null,
    cleaning: [],
    startedBy: 'Anna Ek',
    ...over,
  })

  it('say which one is current, from which it was restored and by whom, and keep the one before', async () => {
    mockServer({
      [`GET /api/datasets/${dataset().id}/versions`]: () =>
        jsonResponse([version(3, { current: true, restoredFrom: 1, startedBy: 'Bo Alm' }), version(2), version(1)]),
    })
    await renderWithProviders(<VersionsTab dataset={dataset({ dataVersion: 3 })} />)
    const [, current, before] = await screen.findAllByRole('row')
    expect(current).toHaveTextContent(/3.*Current.*Restored from version 1.*Bo Alm/)
    expect(within(before ?? document.body).getByRole('button', { name: 'Restore version 2' })).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Restore version 3' })).toBeNull()
  })
})

describe('something whose source was deleted', () => {
  const gone = source({ name: 'Orders', deletedAt: '2026-11-20T10:00:00.000Z' })
  const shown = () =>
    renderWithProviders(
      <DeletedSourceAlert noun="insight" datasetIds={[dataset().id]}>
        Another error
      </DeletedSourceAlert>,
    )
  const LIST = 'GET /api/data-sources'

  it('names the source and restores it', async () => {
    const RESTORE = `POST /api/data-sources/${gone.id}/restore`
    const calls = mockServer({
      [LIST]: () => jsonResponse({ items: [gone], nextCursor: null }),
      [RESTORE]: () => jsonResponse(source()),
    })
    await shown()
    expect(await screen.findByText('Data source “Orders” was deleted')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Restore data source' }))
    await waitFor(() => expect(calls.some(({ path }) => path.endsWith('/restore'))).toBe(true))
  })

  it('tells a viewer who can restore it, and offers nothing', async () => {
    setSession(memberPageData('viewer'))
    mockServer({ [LIST]: () => jsonResponse({ items: [gone], nextCursor: null }) })
    await shown()
    expect(await screen.findByText(/Ask an owner.* to restore it/)).toBeVisible()
    expect(screen.queryByRole('button')).toBeNull()
  })

  it('keeps the other error when no source of it was deleted', async () => {
    mockServer({ [LIST]: () => jsonResponse({ items: [], nextCursor: null }) })
    await shown()
    expect(await screen.findByText('Another error')).toBeVisible()
  })
})
