import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { WorkspaceCreateForm } from './workspace-create-form'
import { setSession } from '../../lib/session'
import { ANNA, memberPageData, visitorPageData } from '../../test/page-data'
import { renderWithProviders } from '../../test/render'
import { jsonResponse, errorResponse, mockServer } from '../../test/mock-server'

const SWEDEN = { timeZone: 'Europe/Stockholm', languages: ['en-SE'] }
const CREATE = 'POST /api/workspaces'

beforeEach(() => setSession(visitorPageData({ user: { ...ANNA, onboarding: 'workspace' } })))
afterEach(() => vi.unstubAllGlobals())

const name = () => screen.getByLabelText('Company or workspace name')
const create = () => userEvent.click(screen.getByRole('button', { name: 'Create workspace' }))

describe('workspace form', () => {
  it('needs nothing but a name: the rest follows from browser and country', async () => {
    const calls = mockServer({
      [CREATE]: () => jsonResponse({ id: 'ws_one', name: 'Nordträ', role: 'owner' }, 201),
      'GET /api/session': () => jsonResponse(memberPageData()),
    })
    const created = vi.fn()
    await renderWithProviders(<WorkspaceCreateForm signs={SWEDEN} onCreated={created} />)
    await userEvent.type(name(), 'Nordträ')
    await create()
    await waitFor(() => expect(created.mock.calls[0]?.[0]).toBe('ws_one'))
    expect(calls[0]?.body).toEqual({
      name: 'Nordträ',
      country: 'SE',
      currency: 'SEK',
      numberLocale: 'sv-SE',
      timeZone: 'Europe/Stockholm',
      fiscalYearStart: 1,
      weekStart: 'monday',
    })
    expect(calls[1]?.headers.get('x-workspace')).toBe('ws_one')
  })

  it('asks for a name before it calls the server', async () => {
    const calls = mockServer({})
    await renderWithProviders(<WorkspaceCreateForm signs={SWEDEN} onCreated={vi.fn()} />)
    await create()
    expect(await screen.findByText('Give it a name.')).toBeVisible()
    expect(calls).toHaveLength(0)
  })

  it('makes one workspace also when it can’t be entered at once', async () => {
    const calls = mockServer({
      [CREATE]: () => jsonResponse({ id: 'ws_one', name: 'Nordträ', role: 'owner' }, 201),
      'GET /api/session': [() => errorResponse('internal'), () => jsonResponse(memberPageData())],
    })
    const created = vi.fn()
    await renderWithProviders(<WorkspaceCreateForm signs={SWEDEN} onCreated={created} />)
    await userEvent.type(name(), 'Nordträ')
    await create()
    await screen.findByRole('alert')
    await create()
    await waitFor(() => expect(created.mock.calls[0]?.[0]).toBe('ws_one'))
    expect(calls.filter(({ path }) => path === '/api/workspaces')).toHaveLength(1)
  })

  it('gives the one it made the name that was entered after it couldn’t be entered', async () => {
    const page = memberPageData()
    const calls = mockServer({
      [CREATE]: () => jsonResponse({ id: 'ws_one', name: 'Nordträ', role: 'owner' }, 201),
      'GET /api/session': [() => errorResponse('internal'), () => jsonResponse(page)],
      'GET /api/workspace': () => jsonResponse({ version: 1 }),
      'PUT /api/workspace': () => jsonResponse({ version: 2 }),
    })
    const created = vi.fn()
    await renderWithProviders(<WorkspaceCreateForm signs={SWEDEN} onCreated={created} />)
    await userEvent.type(name(), 'Nordträ')
    await create()
    await screen.findByRole('alert')
    await userEvent.type(name(), ' AB')
    await create()
    await waitFor(() => expect(created.mock.calls[0]?.[0]).toBe('ws_one'))
    expect(calls.filter(({ path }) => path === '/api/workspaces')).toHaveLength(1)
    const saved = calls.find(({ method, path }) => method === 'PUT' && path === '/api/workspace')
    expect(saved?.body).toMatchObject({ name: 'Nordträ AB', country: 'SE', version: 1 })
    expect(saved?.headers.get('x-workspace')).toBe(page.workspace?.id)
  })

  it('keeps what was typed when the name is taken', async () => {
    mockServer({ [CREATE]: () => errorResponse('name_taken') })
    await renderWithProviders(<WorkspaceCreateForm signs={SWEDEN} onCreated={vi.fn()} />)
    await userEvent.type(name(), 'Nordträ')
    await create()
    expect(await screen.findByRole('alert')).toHaveTextContent('Name already in use')
    expect(name()).toHaveValue('Nordträ')
  })
})
