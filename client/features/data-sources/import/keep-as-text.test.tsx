import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fileColumn, inspection, opened, source, upload, uploadTable } from '../data-sources.fixture'
import { sendPart } from '../upload/send-part'
import { UploadPanel } from '../upload/upload-panel'
import { setSession } from '../../../lib/session'
import { memberPageData } from '../../../test/page-data'
import { renderWithProviders } from '../../../test/render'
import { jsonResponse, mockServer } from '../../../test/mock-server'

// Files share modules: what was imported by an earlier one would not be replaced.
vi.hoisted(() => vi.resetModules())
vi.mock('../upload/send-part', () => ({ sendPart: vi.fn(async () => undefined) }))

beforeEach(() => {
  setSession(memberPageData())
  sessionStorage.clear()
  vi.mocked(sendPart).mockReset().mockResolvedValue(undefined)
})
afterEach(() => vi.unstubAllGlobals())

it('keeps a column as text by one press, beside what says which rows would be lost, and then says it no more', async () => {
  const message = '“Antal” has 1 value that isn’t a whole number: “x” (line 4). Its row is rejected.'
  const found = inspection({
    columns: [fileColumn(0, { label: 'Antal', type: 'integer', role: 'measure' })],
    preview: [['1'], ['2']],
    typedPreview: [[1], [2]],
    warnings: [{ code: 'unfit_values', column: 'Antal', line: 4, message, fix: 'text' }],
  })
  const table = uploadTable({ uploadId: upload.id, name: 'antal.csv', kind: 'csv', rowCount: 2 })
  const calls = mockServer({
    'POST /api/uploads': () => jsonResponse({ ...upload, fileName: 'antal.csv', partCount: 1 }, 201),
    [`POST /api/uploads/${upload.id}/complete`]: () => jsonResponse({ ...upload, state: 'complete' }),
    [`POST /api/uploads/${upload.id}/open`]: () => jsonResponse(opened(table)),
    [`POST /api/uploads/${upload.id}/inspect`]: () => jsonResponse(found),
    'POST /api/data-sources': () => jsonResponse(source(), 201),
  })
  await renderWithProviders(<UploadPanel onDone={vi.fn()} />)
  await userEvent.upload(screen.getByLabelText('Data files'), new File(['x'], 'antal.csv', { lastModified: 1 }))
  expect(await screen.findByText(message)).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Keep “Antal” as text' }))
  expect(screen.queryByText(message)).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: /^Import / }))
  await waitFor(() => expect(calls.find(({ path }) => path === '/api/data-sources')).toBeDefined())
  expect(calls.find(({ path }) => path === '/api/data-sources')?.body).toMatchObject({
    tables: [{ columns: [{ label: 'Antal', type: 'text', role: 'dimension' }] }],
  })
})
