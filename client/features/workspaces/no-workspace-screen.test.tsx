import axe from 'axe-core'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { NoWorkspaceScreen } from './no-workspace-screen'
import { setSession } from '../../lib/session'
import { ANNA, memberPageData, visitorPageData } from '../../test/page-data'
import { jsonResponse, mockServer } from '../../test/mock-server'
import { renderWithProviders } from '../../test/render'
import type { EndedMembership } from '../../../src/shared/workspaces/workspaces'

const inNone = visitorPageData({ user: ANNA })
const served = (items: EndedMembership[]) =>
  mockServer({
    'GET /api/workspaces/ended': () => jsonResponse({ items, nextCursor: null }),
    'GET /api/workspaces/deleted': () => jsonResponse({ items: [], nextCursor: null }),
    'GET /api/session': [() => jsonResponse(inNone), () => jsonResponse(memberPageData())],
  })

beforeEach(() => setSession(inNone))
afterEach(() => vi.unstubAllGlobals())

it.each([
  ['removed', 'You were removed from Nordträ', /ask an owner or admin for an invitation/],
  ['left', 'You left Nordträ', /ask an owner or admin for an invitation/],
  ['suspended', 'Your membership of Nordträ is suspended', /reactivate it/],
  ['restored', 'Waiting for Nordträ', /has to reactivate your membership/],
  ['deleted', 'Nordträ was deleted', /An owner can restore it/],
] as const)('says to a person %s what happened, with every way on', async (reason, title, sentence) => {
  served([{ workspace: 'Nordträ', reason, at: '2026-11-20T10:00:00.000Z' }])
  const { container } = await renderWithProviders(<NoWorkspaceScreen onEnter={vi.fn()} />)
  expect(await screen.findByText(title)).toBeVisible()
  expect(screen.getByText(sentence)).toHaveTextContent('20 Nov 2026')
  expect(await screen.findByRole('link', { name: 'Create workspace' })).toBeVisible()
  expect(screen.queryByText('Something went wrong')).toBeNull()
  expect(screen.getByRole('link', { name: 'Create workspace' })).toHaveAttribute('href', '/onboarding/workspace')
  expect(screen.getByRole('link', { name: 'Account settings' })).toBeVisible()
  expect(screen.getByRole('button', { name: 'Sign out' })).toBeVisible()
  expect((await axe.run(container, { rules: { region: { enabled: false } } })).violations).toEqual([])
})

it('draws the ways on once it is known what stands above them, also when that cannot be known', async () => {
  const deleted = Promise.withResolvers<Response>()
  mockServer({
    'GET /api/workspaces/ended': () => jsonResponse({ items: [], nextCursor: null }),
    'GET /api/workspaces/deleted': () => deleted.promise,
  })
  await renderWithProviders(<NoWorkspaceScreen onEnter={vi.fn()} />)
  expect(await screen.findByRole('heading', { name: 'No workspace' })).toBeVisible()
  expect(screen.queryByRole('link', { name: 'Create workspace' })).toBeNull()
  deleted.resolve(jsonResponse({ code: 'internal' }, 500))
  expect(await screen.findByRole('link', { name: 'Create workspace' })).toBeVisible()
})

it('opens the workspace once there is one again, and says when there is none yet', async () => {
  served([])
  const onEnter = vi.fn()
  await renderWithProviders(<NoWorkspaceScreen onEnter={onEnter} />)
  await userEvent.click(await screen.findByRole('button', { name: 'Check again' }))
  expect(await screen.findByText('No change yet')).toBeVisible()
  expect(onEnter).not.toHaveBeenCalled()
  await userEvent.click(screen.getByRole('button', { name: 'Check again' }))
  await waitFor(() => expect(onEnter).toHaveBeenCalledOnce())
})
