import { notifications, notificationsStore } from '@mantine/notifications'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { DeletedWorkspacesCard } from './deleted-workspaces'
import { DeleteWorkspaceCard, WorkspaceScreen } from './workspace-screen'
import { invoiceFixture, openInvoiceFixture, subscriptionFixture } from '../../test/subscription'
import { session, setSession } from '../../lib/session'
import { memberPageData } from '../../test/page-data'
import { renderWithProviders } from '../../test/render'
import { jsonResponse, errorResponse, mockServer } from '../../test/mock-server'
import type { Workspace } from '../../../src/shared/workspaces/workspaces'

const STORED: Workspace = {
  id: 'ws_one',
  name: 'Nordträ',
  country: 'SE',
  currency: 'SEK',
  numberLocale: 'sv-SE',
  timeZone: 'Europe/Stockholm',
  fiscalYearStart: 1,
  weekStart: 'monday',
  mailDomains: [],
  reportDomains: [],
  logo: null,
  version: 3,
}
const READ = {
  'GET /api/workspace': () => jsonResponse(STORED),
  'GET /api/session': () => jsonResponse(memberPageData()),
}
const PUT = 'PUT /api/workspace'
const domains = async () => (await screen.findAllByLabelText('Allowed email domains'))[0] ?? document.body
const save = () => userEvent.click(screen.getByRole('button', { name: 'Save workspace' }))

beforeEach(() => setSession(memberPageData('owner')))
afterEach(() => {
  vi.unstubAllGlobals()
  notifications.clean()
})

describe('settings of a workspace', () => {
  it('saves allowed mail domains in their one spelling, and warns when the own one is not among them', async () => {
    const calls = mockServer({
      ...READ,
      [PUT]: () => jsonResponse({ ...STORED, mailDomains: ['nordtra.se'], version: 4 }),
    })
    await renderWithProviders(<WorkspaceScreen />)
    await userEvent.type(await domains(), '@NordTra.se{Enter}')
    expect(await screen.findByText('Your own domain, example.com, isn’t listed')).toBeVisible()
    await save()
    await waitFor(() =>
      expect(calls.find(({ method }) => method === 'PUT')?.body).toMatchObject({
        mailDomains: ['nordtra.se'],
        reportDomains: [],
        version: 3,
      }),
    )
  })

  it('takes nothing that is no domain, and says so', async () => {
    mockServer(READ)
    await renderWithProviders(<WorkspaceScreen />)
    await userEvent.type(await domains(), 'no domain{Enter}')
    expect(await screen.findByText(/isn’t a domain/)).toBeVisible()
    expect(screen.queryByText(/Your own domain/)).toBeNull()
  })

  it('shows domains among what differs when someone else saved first', async () => {
    const theirs = { ...STORED, mailDomains: ['theirs.se'], version: 4 }
    mockServer({ ...READ, [PUT]: () => errorResponse('version_conflict', { current: theirs }) })
    await renderWithProviders(<WorkspaceScreen />)
    await userEvent.type(await domains(), 'mine.se{Enter}')
    await save()
    const row = await screen.findByRole('row', { name: /Allowed email domains/ })
    expect(row).toHaveTextContent('mine.se')
    expect(row).toHaveTextContent('theirs.se')
  })

  it('puts together what two windows changed in different fields, and asks nothing', async () => {
    const theirs = { ...STORED, currency: 'EUR', version: 4 }
    const calls = mockServer({
      ...READ,
      [PUT]: [
        () => errorResponse('version_conflict', { current: theirs }),
        () => jsonResponse({ ...theirs, name: 'Nordträ AB', version: 5 }),
      ],
    })
    await renderWithProviders(<WorkspaceScreen />)
    await userEvent.type(await screen.findByLabelText('Company or workspace name'), ' AB')
    await save()
    const puts = () => calls.filter(({ path, method }) => method === 'PUT' && path === '/api/workspace')
    await waitFor(() => expect(puts()).toHaveLength(2))
    expect(puts()[1]?.body).toMatchObject({ name: 'Nordträ AB', currency: 'EUR', version: 4 })
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('keeps what was typed when the logo changes, and saves over the version that came with it', async () => {
    const calls = mockServer({
      ...READ,
      'PUT /files/workspace/logo': () =>
        jsonResponse({ ...STORED, logo: `/files/pictures/${'a'.repeat(40)}`, version: 4 }),
      [PUT]: () => jsonResponse({ ...STORED, name: 'Nordträ AB', version: 5 }),
    })
    await renderWithProviders(<WorkspaceScreen />)
    await userEvent.type(await screen.findByLabelText('Company or workspace name'), ' AB')
    await userEvent.upload(screen.getByLabelText('Logo file'), new File(['{}'], 'a.png', { type: 'image/png' }))
    expect(await screen.findByRole('button', { name: 'Remove logo' })).toBeVisible()
    await save()
    await waitFor(() =>
      expect(calls.find(({ path, method }) => method === 'PUT' && path === '/api/workspace')?.body).toMatchObject({
        name: 'Nordträ AB',
        version: 4,
      }),
    )
  })

  it('offers an admin the export and not the end, and a viewer neither', async () => {
    setSession(memberPageData('admin'))
    mockServer(READ)
    const shown = await renderWithProviders(<WorkspaceScreen />)
    const link = await screen.findByRole('link', { name: 'Export workspace' })
    expect(link).toHaveAttribute('href', '/files/workspace/export?w=ws_one')
    expect(screen.queryByRole('button', { name: 'Delete workspace' })).toBeNull()
    shown.unmount()
    setSession(memberPageData('viewer'))
    await renderWithProviders(<WorkspaceScreen />)
    expect(await screen.findByText(/Only owners and admins can change/)).toBeVisible()
    expect(screen.queryByRole('link', { name: 'Export workspace' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Choose logo' })).toBeNull()
  })

  it('asks an owner for name and password before a workspace goes, and names subscription and open invoices', async () => {
    const calls = mockServer({
      ...READ,
      'GET /api/account/sign-ins': () => jsonResponse({ password: true, accounts: [] }),
      'GET /api/subscription': () => jsonResponse(subscriptionFixture({ method: 'invoice' })),
      'GET /api/subscription/invoices': () =>
        jsonResponse({ items: [invoiceFixture(), openInvoiceFixture()], nextCursor: null }),
      'POST /api/workspace/delete': () =>
        jsonResponse({
          id: 'ws_one',
          name: 'Nordträ',
          deletedAt: '2026-11-01T09:00:00Z',
          until: '2026-12-01T09:00:00Z',
        }),
    })
    await renderWithProviders(<WorkspaceScreen />)
    await userEvent.click(await screen.findByRole('button', { name: 'Delete workspace' }))
    const dialog = await screen.findByRole('dialog')
    const confirm = () =>
      screen.getAllByRole('button', { name: 'Delete workspace' }).find((each) => dialog.contains(each))
    expect(confirm()).toBeDisabled()
    await userEvent.type(screen.getByLabelText(/to confirm/), 'nordträ')
    expect(confirm()).toBeDisabled()
    await userEvent.type(screen.getByLabelText('Your password'), 'correct horse')
    expect(confirm()).toBeEnabled()
    expect(dialog).toHaveTextContent(/Standard, billed monthly, is cancelled and ends 20 Dec 2026/)
    await waitFor(() => expect(dialog).toHaveTextContent(/Open invoices stay due: INS-0002 \(450,00\s€\)/))
    await userEvent.click(confirm() ?? dialog)
    await waitFor(() =>
      expect(calls.filter(({ path }) => path === '/api/workspace/delete').map(({ body }) => body)).toEqual([
        { name: 'nordträ', version: 3, password: 'correct horse' },
      ]),
    )
  })

  const DELETED = { id: 'ws_one', name: 'Nordträ', deletedAt: '2026-11-01T09:00:00Z', until: '2026-12-01T09:00:00Z' }
  const OWNER = {
    'GET /api/account/sign-ins': () => jsonResponse({ password: true, accounts: [] }),
    'GET /api/subscription': () => jsonResponse(subscriptionFixture({ method: null })),
  }
  const shown = () => notificationsStore.getState().notifications.map(({ message }) => message)
  const enterDeletion = async () => {
    await renderWithProviders(<DeleteWorkspaceCard workspace={STORED} />)
    await userEvent.click(await screen.findByRole('button', { name: 'Delete workspace' }))
    await userEvent.type(screen.getByLabelText(/to confirm/), 'Nordträ')
    await userEvent.type(screen.getByLabelText('Your password'), 'correct horse{Enter}')
  }

  it('leaves a workspace that was deleted also where the session can’t be read at once, and shows no error on the way', async () => {
    const read = Promise.withResolvers<Response>()
    const calls = mockServer({
      ...OWNER,
      'POST /api/workspace/delete': () => jsonResponse(DELETED),
      'GET /api/session': [() => errorResponse('busy', { retryAfter: 1 }), () => read.promise],
    })
    await enterDeletion()
    const asked = () => calls.filter(({ path }) => path === '/api/session')
    await waitFor(() => expect(asked()).toHaveLength(2), { timeout: 10_000 })
    expect(screen.queryByRole('alert')).toBeNull()
    expect(screen.getByLabelText(/to confirm/)).toBeVisible()
    read.resolve(jsonResponse({ ...memberPageData(), workspace: null, workspaces: [] }))
    await waitFor(() => expect(shown()).toEqual(['Nordträ deleted']))
    expect(session().workspace).toBeNull()
  })

  it('takes a workspace for deleted whose deletion got no answer, once it is among what can be restored', async () => {
    mockServer({
      ...OWNER,
      'POST /api/workspace/delete': [() => Promise.reject(new Error('lost')), () => errorResponse('not_found')],
      'GET /api/workspaces/deleted': () => jsonResponse({ items: [DELETED], nextCursor: null }),
      'GET /api/session': () => jsonResponse({ ...memberPageData(), workspace: null, workspaces: [] }),
    })
    await enterDeletion()
    expect(await screen.findByRole('alert')).toHaveTextContent('No connection')
    await userEvent.type(screen.getByLabelText('Your password'), '{Enter}')
    await waitFor(() => expect(shown()).toEqual(['Nordträ deleted']))
  })
})

describe('deleted workspaces', () => {
  it('stand where a workspace is made, each with the way back', async () => {
    const gone = { id: 'ws_old', name: 'Old AB', deletedAt: '2026-11-01T09:00:00Z', until: '2026-12-01T09:00:00Z' }
    const calls = mockServer({
      'GET /api/workspaces/deleted': () => jsonResponse({ items: [gone], nextCursor: null }),
      'POST /api/workspaces/ws_old/restore': () =>
        jsonResponse({ id: 'ws_old', name: 'Old AB', role: 'owner', logo: null }),
      'GET /api/session': () => jsonResponse(memberPageData()),
    })
    await renderWithProviders(<DeletedWorkspacesCard>Below</DeletedWorkspacesCard>)
    expect(await screen.findByText('Deleted 1 Nov 2026, restorable until 1 Dec 2026')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Restore Old AB' }))
    await waitFor(() => expect(calls.at(-1)?.headers.get('x-workspace')).toBe('ws_old'))
  })

  it('take no room where there is none', async () => {
    mockServer({ 'GET /api/workspaces/deleted': () => jsonResponse({ items: [], nextCursor: null }) })
    const { container } = await renderWithProviders(<DeletedWorkspacesCard>Below</DeletedWorkspacesCard>)
    expect(await screen.findByText('Below')).toBeVisible()
    expect(container).not.toHaveTextContent('deleted')
  })
})
