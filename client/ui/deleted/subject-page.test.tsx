import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { ERRORS } from '../../../src/shared/errors'
import type { DeletedItem } from '../../../src/shared/deleted'
import { setSession } from '../../lib/session'
import { errorResponse, jsonResponse, mockServer } from '../../test/mock-server'
import { memberPageData } from '../../test/page-data'
import { renderWithProviders } from '../../test/render'
import { ApiError } from '../../lib/api'
import { SubjectPage } from './subject-page'

const ITEM: DeletedItem = {
  ...{ kind: 'insight', id: 'ins_1', name: 'Sales by month', deletedBy: 'Bo Ek' },
  ...{ deletedAt: '2026-11-01T09:00:00Z', until: '2026-12-01T09:00:00Z' },
}
const TOLD = { 'GET /api/deleted/ins_1': () => jsonResponse(ITEM) }
const gone = new ApiError(404, { code: 'not_found', message: ERRORS.not_found.message, requestId: 'r' })
const page = (over: Partial<Parameters<typeof SubjectPage<string>>[0]['query']> = {}) => (
  <SubjectPage query={{ data: undefined, error: gone, refetch: () => Promise.resolve(), ...over }} id="ins_1">
    {(data) => <p>{data}</p>}
  </SubjectPage>
)
beforeEach(() => setSession(memberPageData('analyst')))

it('says what was deleted, by whom and when, and brings it back', async () => {
  const calls = mockServer({ ...TOLD, 'POST /api/insights/ins_1/restore': () => jsonResponse({}) })
  await renderWithProviders(page())
  expect(await screen.findByRole('heading', { level: 1, name: 'Insight “Sales by month” was deleted' })).toBeVisible()
  expect(screen.getByText(/^Deleted 1 Nov 2026, 10:00 by Bo Ek\. It can be restored until 1 Dec 2026\.$/)).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Restore insight' }))
  await waitFor(() => expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(1))
})

it('says who may restore it to those who may not', async () => {
  setSession(memberPageData('viewer'))
  mockServer(TOLD)
  await renderWithProviders(page())
  expect(await screen.findByText(/Ask an owner, admin or analyst: it can be restored until 1 Dec 2026/)).toBeVisible()
  expect(screen.queryByRole('button')).toBeNull()
})

it('says why it could not come back', async () => {
  mockServer({ ...TOLD, 'POST /api/insights/ins_1/restore': () => errorResponse('name_taken') })
  await renderWithProviders(page())
  await userEvent.click(await screen.findByRole('button', { name: 'Restore insight' }))
  expect(await screen.findByText(/Another insight is named “Sales by month”/)).toBeVisible()
})

it('says nothing of what is not known here', async () => {
  mockServer({ 'GET /api/deleted/ins_1': () => errorResponse('not_found') })
  await renderWithProviders(page())
  expect(await screen.findByRole('heading', { name: 'Not found, or you don’t have access' })).toBeVisible()
})

it('gives way to what happened while the page was open, but not to a failure that passes', async () => {
  mockServer(TOLD)
  const shown = await renderWithProviders(page({ data: 'Figures', error: null }))
  expect(screen.getByText('Figures')).toBeVisible()
  shown.unmount()
  const busy = await renderWithProviders(page({ data: 'Figures', error: new Error('busy') }))
  expect(screen.getByText('Figures')).toBeVisible()
  busy.unmount()
  await renderWithProviders(page({ data: 'Figures' }))
  expect(await screen.findByRole('heading', { level: 1, name: /was deleted/ })).toBeVisible()
  expect(screen.queryByText('Figures')).toBeNull()
})
