import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { column, dataset, inspection, opened, run, upload } from '../data-sources.fixture'
import { UploadPanel } from '../upload/upload-panel'
import { setSession } from '../../../lib/session'
import { memberPageData } from '../../../test/page-data'
import { renderWithProviders } from '../../../test/render'
import { jsonResponse, mockServer, type MockReply } from '../../../test/mock-server'

// Files share modules: what was imported by an earlier one would not be replaced.
vi.hoisted(() => vi.resetModules())
vi.mock('../upload/send-part', () => ({ sendPart: vi.fn(async () => undefined) }))

const there = dataset({
  columns: [
    column('c0', { label: 'Kund', role: 'id' }),
    column('c1', { label: 'Datum', type: 'date', role: 'time' }),
    column('c2', { label: 'Belopp', type: 'number', role: 'measure', scale: 2 }),
  ],
})
const LOADS = `/api/datasets/${there.id}/loads`
/** Answers questions about keys: so many rows, so many different keys; of the file's keys so many are there. */
const keys =
  (rows: number, different: number, existing: number): MockReply =>
  ({ body }) => {
    const asksFile = JSON.stringify(body).includes('"in"')
    return jsonResponse({ rows: [asksFile ? [existing, existing] : [rows, different]], columns: [], datasets: [] })
  }
const routes = (query: MockReply): Record<string, MockReply> => ({
  'POST /api/uploads': () => jsonResponse({ ...upload, partCount: 1 }, 201),
  [`POST /api/uploads/${upload.id}/complete`]: () => jsonResponse({ ...upload, state: 'complete' }),
  [`POST /api/uploads/${upload.id}/open`]: () => jsonResponse(opened()),
  [`POST /api/uploads/${upload.id}/inspect`]: () => jsonResponse(inspection()),
  [`GET /api/uploads/${upload.id}`]: () => jsonResponse({ ...upload, state: 'complete' }),
  [`GET /api/datasets/${there.id}`]: () => jsonResponse(there),
  'POST /api/query': query,
  [`POST ${LOADS}`]: () => jsonResponse(run(), 201),
})
const target = { kind: 'dataset' as const, datasetId: there.id, mode: 'append' as const }
const pick = () =>
  userEvent.upload(screen.getByLabelText('Data file'), new File(['x'], 'newer.csv', { lastModified: 1 }))
const match = async () => {
  await pick()
  await userEvent.click(await screen.findByRole('button', { name: /^Match columns for/ }))
}

beforeEach(() => {
  setSession(memberPageData())
  sessionStorage.clear()
})
afterEach(() => vi.unstubAllGlobals())

describe('another file into a dataset with a unique key', () => {
  it('is updated or added by that key unless the person says otherwise', async () => {
    const calls = mockServer(routes(keys(1230, 1230, 0)))
    await renderWithProviders(<UploadPanel target={target} onDone={vi.fn()} />)
    await match()
    await waitFor(() => expect(screen.getByRole('radio', { name: /^Update or add/ })).toBeChecked())
    const load = screen.getByRole('button', { name: /^Import / })
    await waitFor(() => expect(load).toBeEnabled())
    await userEvent.dblClick(load)
    await waitFor(() => expect(calls.some(({ path }) => path === LOADS)).toBe(true))
    const loads = calls.filter(({ path }) => path === LOADS)
    expect(loads).toHaveLength(1)
    expect(loads[0]?.body).toMatchObject({ mode: 'upsert', keyColumns: ['c0'] })
  })

  it('warns before rows that are there are appended, and appends them only when asked', async () => {
    const calls = mockServer(routes(keys(1230, 1230, 2)))
    await renderWithProviders(<UploadPanel target={target} onDone={vi.fn()} />)
    await match()
    await waitFor(() => expect(screen.getByRole('radio', { name: /^Update or add/ })).toBeChecked())
    expect(screen.queryByText('Some rows already exist')).toBeNull()
    await userEvent.click(screen.getByRole('radio', { name: /^Append/ }))
    expect(await screen.findByText('Some rows already exist')).toBeVisible()
    expect(screen.getByText(/of Kund already exist\. Append duplicates these rows/)).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: /^Import / }))
    await waitFor(() => expect(calls.some(({ path }) => path === LOADS)).toBe(true))
    expect(calls.find(({ path }) => path === LOADS)?.body).toMatchObject({ mode: 'append', keyColumns: ['c0'] })
  })

  it('is told of rows that will be rejected, and of keys, in the types of the columns that they go to', async () => {
    const numbered = {
      ...there,
      columns: there.columns.map((one) => (one.key === 'c0' ? { ...one, type: 'integer' } : one)),
    }
    const words = {
      ...{ columns: [{ ...inspection().columns[0], type: 'text', role: 'id' }] },
      ...{ preview: [['1050'], ['x']], typedPreview: [['1050'], ['x']], rows: { count: 2, exact: true } },
    }
    const calls = mockServer({
      ...routes(keys(1230, 1230, 1)),
      [`GET /api/datasets/${there.id}`]: () => jsonResponse(numbered),
      [`POST /api/uploads/${upload.id}/inspect`]: () => jsonResponse({ ...inspection(), ...words }),
    })
    await renderWithProviders(<UploadPanel target={target} onDone={vi.fn()} />)
    await match()
    expect(await screen.findByText(/^1 of the first 2 rows will be rejected/)).toBeVisible()
    await waitFor(() => expect(JSON.stringify(calls)).toContain('"op":"in","values":[1050]'))
    await userEvent.click(screen.getByRole('radio', { name: /^Append/ }))
    expect(await screen.findByText('Some rows already exist')).toBeVisible()
  })

  it('is appended as before where no column is unique', async () => {
    mockServer(routes(keys(1230, 40, 2)))
    await renderWithProviders(<UploadPanel target={target} onDone={vi.fn()} />)
    await match()
    expect(await screen.findByRole('radio', { name: /^Append/ })).toBeChecked()
    expect(screen.queryByText('Some rows already exist')).toBeNull()
  })
})

describe('files that are being reviewed', () => {
  it('are offered again after a reload, without sending a byte', async () => {
    const calls = mockServer(routes(keys(1, 1, 0)))
    const first = await renderWithProviders(<UploadPanel onDone={vi.fn()} />)
    await userEvent.upload(screen.getByLabelText('Data files'), new File(['x'], 'orders.csv', { lastModified: 1 }))
    expect(await screen.findByLabelText('Source name')).toBeVisible()
    first.unmount()
    const sent = calls.filter(({ path }) => path === '/api/uploads').length
    await renderWithProviders(<UploadPanel onDone={vi.fn()} />)
    expect(await screen.findByText('Continue import?')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Continue import' }))
    expect(await screen.findByLabelText('Source name')).toBeVisible()
    expect(screen.queryByText('Continue import?')).toBeNull()
    expect(calls.filter(({ path }) => path === '/api/uploads')).toHaveLength(sent)
  })
})
