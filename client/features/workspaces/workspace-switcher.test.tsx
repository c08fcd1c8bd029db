import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { WorkspaceSwitcher } from './workspace-switcher'
import { session, setSession } from '../../lib/session'
import { memberPageData } from '../../test/page-data'
import { jsonResponse, mockServer } from '../../test/mock-server'
import { renderWithProviders } from '../../test/render'

const GONE = {
  ...{ id: 'ws_two', name: 'Second company' },
  ...{ deletedAt: '2026-11-20T10:00:00.000Z', until: '2026-12-20T10:00:00.000Z' },
}

it('brings a deleted workspace back, and the session is of that one then', async () => {
  const here = memberPageData()
  setSession(here)
  const back = { id: GONE.id, name: GONE.name, role: 'owner', logo: null } as const
  const there = here.workspace && { ...here.workspace, ...back }
  const calls = mockServer({
    'GET /api/workspaces/deleted': () => jsonResponse({ items: [GONE], nextCursor: null }),
    'POST /api/workspaces/ws_two/restore': () => jsonResponse(back),
    'GET /api/session': () => jsonResponse({ ...here, workspace: there, workspaces: [...here.workspaces, back] }),
  })
  await renderWithProviders(<WorkspaceSwitcher />)
  await userEvent.click(screen.getByRole('button', { name: /Nordträ.*Switch workspace/ }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Deleted workspaces' }))
  const dialog = await screen.findByRole('dialog', { name: 'Deleted workspaces' })
  expect(dialog).toHaveTextContent('Deleted 20 Nov 2026, restorable until 20 Dec 2026')
  await userEvent.click(screen.getByRole('button', { name: 'Restore Second company' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(calls.filter(({ method }) => method === 'POST').map(({ path }) => path)).toEqual([
    '/api/workspaces/ws_two/restore',
  ])
  expect(session().workspace?.id).toBe('ws_two')
})
