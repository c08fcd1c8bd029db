import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { WorkspacesTable } from './workspaces-screen'
import { setSession } from '../../lib/session'
import { memberPageData } from '../../test/page-data'
import { renderWithProviders } from '../../test/render'
import { jsonResponse, errorResponse, mockServer } from '../../test/mock-server'
import type { AdminWorkspace, WorkspaceTerms } from '../../../src/shared/admin'

const workspace: AdminWorkspace = {
  ...{
    id: 'ws_1',
    name: 'Nordträ',
    country: 'SE',
    ownerEmail: 'anna@example.com',
    members: 3,
    sources: 2,
    insights: 4,
  },
  ...{
    rows: 10,
    inviteReports: 0,
    bytes: 100,
    state: 'trialing',
    planId: null,
    trialEndsAt: '2026-11-20T23:30:00.000Z',
    timeZone: 'Europe/Stockholm',
  },
  createdAt: '2026-11-13T10:00:00.000Z',
}
const terms = (over: Partial<WorkspaceTerms> = {}): WorkspaceTerms => ({
  ...{ state: 'trialing', planId: null, override: null, trialEndsAt: '2026-11-20T10:00:00.000Z', subscribed: false },
  version: 3,
  ...over,
})
const GET = 'GET /api/admin/workspaces/ws_1/terms'
const PUT = 'PUT /api/admin/workspaces/ws_1/terms'

async function opened(): Promise<HTMLElement> {
  await renderWithProviders(<WorkspacesTable items={[workspace]} />)
  await userEvent.click(screen.getByRole('button', { name: 'Terms of Nordträ' }))
  return screen.findByRole('dialog', { name: 'Terms of Nordträ' })
}

beforeEach(() => setSession(memberPageData()))
afterEach(() => vi.unstubAllGlobals())

describe('the terms of a workspace', () => {
  it('become an agreement: only what differs from Professional is sent, an emptied limit as none', async () => {
    const calls = mockServer({
      [GET]: () => jsonResponse(terms()),
      [PUT]: () => jsonResponse(terms({ planId: 'enterprise', version: 4 })),
    })
    const dialog = within(await opened())
    await userEvent.click(await dialog.findByText('Enterprise'))
    await userEvent.clear(dialog.getByLabelText('Users'))
    await userEvent.click(dialog.getByLabelText('Client portal'))
    await userEvent.click(dialog.getByRole('button', { name: 'Set terms' }))
    expect(await dialog.findByText('Enter a reason.')).toBeVisible()
    await userEvent.type(dialog.getByLabelText('Reason'), 'Signed')
    await userEvent.click(dialog.getByRole('button', { name: 'Set terms' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({
      ...{ planId: 'enterprise', override: { users: null, clientPortal: false }, trialEndsAt: null },
      ...{ reason: 'Signed', version: 3 },
    })
  })

  it('become a longer trial that ends with its last day where the workspace is', async () => {
    const calls = mockServer({ [GET]: () => jsonResponse(terms()), [PUT]: () => jsonResponse(terms({ version: 4 })) })
    const dialog = within(await opened())
    expect(screen.getByText('until 21 Nov 2026')).toBeInTheDocument()
    const day = await dialog.findByLabelText('Trial end date')
    await userEvent.clear(day)
    await userEvent.type(day, '2026-12-31')
    await userEvent.type(dialog.getByLabelText('Reason'), 'They asked')
    await userEvent.click(dialog.getByRole('button', { name: 'Set terms' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(calls.find(({ method }) => method === 'PUT')?.body).toMatchObject({
      ...{ planId: null, override: null, trialEndsAt: '2026-12-31T22:59:59.999Z' },
    })
  })

  it('say what is wrong with them: a trial without a day, a refusal of something that has no field', async () => {
    const calls = mockServer({
      [GET]: () => jsonResponse(terms()),
      [PUT]: () => errorResponse('invalid_input', { fields: { trialEndsAt: 'Too far away.' } }),
    })
    const dialog = within(await opened())
    await userEvent.clear(await dialog.findByLabelText('Trial end date'))
    await userEvent.type(dialog.getByLabelText('Reason'), 'They asked')
    await userEvent.click(dialog.getByRole('button', { name: 'Set terms' }))
    expect(await dialog.findByText('Enter a date.')).toBeVisible()
    expect(calls.some(({ method }) => method === 'PUT')).toBe(false)
    await userEvent.type(dialog.getByLabelText('Trial end date'), '2026-12-31')
    await userEvent.click(dialog.getByRole('button', { name: 'Set terms' }))
    expect(await dialog.findByRole('alert')).toBeVisible()
  })

  it('cannot be set while it pays for a plan', async () => {
    mockServer({ [GET]: () => jsonResponse(terms({ subscribed: true })) })
    expect(await within(await opened()).findByText(/has a paid plan/)).toBeVisible()
  })

  it('keep what was typed when somebody else was first', async () => {
    mockServer({
      [GET]: () => jsonResponse(terms()),
      [PUT]: () => errorResponse('version_conflict', { current: terms({ version: 4 }) }),
    })
    const dialog = within(await opened())
    await userEvent.type(await dialog.findByLabelText('Reason'), 'They asked')
    await userEvent.click(dialog.getByRole('button', { name: 'Set terms' }))
    expect(await dialog.findByRole('alert')).toBeVisible()
    expect(dialog.getByLabelText('Reason')).toHaveValue('They asked')
  })
})
