import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ReportInvitationScreen } from './report-invitation-screen'
import { setSession } from '../../lib/session'
import { visitorPageData } from '../../test/page-data'
import { errorResponse, jsonResponse, mockServer } from '../../test/mock-server'
import { renderWithProviders } from '../../test/render'

const TOKEN = `inv_0123456789abcdefghjk.${'ab'.repeat(32)}`
const REPORT = 'POST /api/invites/report'
const CHECK = 'POST /api/invites/report/check'
const opened = (hash: string) => {
  window.location.hash = hash
  return renderWithProviders(<ReportInvitationScreen frame={({ children }) => children} />)
}
const person = userEvent.setup()

beforeEach(() => setSession(visitorPageData()))
afterEach(() => {
  window.location.hash = ''
  vi.unstubAllGlobals()
})

it('reports by a button, not by being opened', async () => {
  const calls = mockServer({
    [CHECK]: () => jsonResponse({ state: 'usable' }),
    [REPORT]: () => jsonResponse({ reported: true }),
  })
  await opened(TOKEN)
  await person.click(await screen.findByRole('button', { name: 'Report invitation' }))
  expect(await screen.findByText('Invitation reported')).toBeVisible()
  expect(calls.map(({ path, body }) => [path, body])).toEqual([
    ['/api/invites/report/check', { token: TOKEN }],
    ['/api/invites/report', { token: TOKEN }],
  ])
})

it('says that a link is dead or cut off', async () => {
  const calls = mockServer({ [CHECK]: () => errorResponse('expired', { what: 'invite' }) })
  await opened(TOKEN)
  expect(await screen.findByText('Link incomplete or expired')).toBeVisible()
  expect(screen.queryByRole('button')).toBeNull()
  expect(calls).toHaveLength(1)
  await opened('cut')
  expect((await screen.findAllByText('Link incomplete or expired')).length).toBeGreaterThan(0)
})
