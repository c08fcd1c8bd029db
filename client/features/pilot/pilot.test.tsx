import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import axe from 'axe-core'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { EarlyAccess } from './early-access'
import type { PilotItem } from '../../../src/shared/pilot/pilot'
import { useIsEnrolled } from '../../lib/plan/early-access'
import { queryClient } from '../../lib/queries/query-client'
import { session, setSession } from '../../lib/session'
import { memberPageData } from '../../test/page-data'
import { renderWithProviders } from '../../test/render'
import { jsonResponse, mockServer } from '../../test/mock-server'

const item = (over: Partial<PilotItem> = {}): PilotItem => ({
  ...{ key: 'voice', title: 'Voice input', summary: 'Speak.', stage: 'beta', scope: 'user', risk: 'view' },
  ...{ changes: 'Your browser turns speech into text.', limits: ['One language'], docs: null },
  ...{ startsAt: '2026-11-01', endsAt: '2027-06-30', status: 'open', reason: null, requiredPlan: null },
  ...{ on: false, own: null, workspace: null, feedback: null },
  ...over,
})
const LIST = 'GET /api/pilot'
const SAVE = 'PUT /api/pilot/voice'
const listOf = (...items: PilotItem[]) => jsonResponse({ items })

beforeEach(() => setSession(memberPageData('owner')))
afterEach(() => {
  vi.unstubAllGlobals()
  queryClient.clear()
})

it('turns a feature on for oneself and tells the whole page, then takes feedback', async () => {
  const user = userEvent.setup()
  const on = item({ on: true, own: 'on' })
  const calls = mockServer({
    [LIST]: () => listOf(item()),
    [SAVE]: () => jsonResponse(on),
    'POST /api/pilot/voice/feedback': () => jsonResponse({ ...on, feedback: { score: 4, text: 'Good' } }),
  })
  const { container } = await renderWithProviders(<EarlyAccess />)
  await user.click(await screen.findByRole('button', { name: 'Turn on for me' }))
  await waitFor(() => expect(session().workspace?.earlyAccess).toEqual(['voice']))
  expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({ state: 'on', for: 'me', confirmed: true })
  expect((await axe.run(container)).violations.map(({ id }) => id)).toEqual([])
})

it('lets administrators alone turn it on for the workspace, and says why one is gone', async () => {
  mockServer({
    [LIST]: () => listOf(item(), item({ key: 'mcp', title: 'MCP', status: 'withdrawn', reason: 'Too slow.' })),
  })
  await renderWithProviders(<EarlyAccess />)
  await screen.findByRole('button', { name: 'Turn on for the workspace' })
  expect(screen.getByText('Withdrawn. Too slow.')).toBeTruthy()
  queryClient.clear()
  setSession(memberPageData('viewer'))
  mockServer({ [LIST]: () => listOf(item(), item({ key: 'mcp', status: 'concept' })) })
  const { container } = await renderWithProviders(<EarlyAccess />)
  await waitFor(() => expect(container.textContent).toContain('Notify me'))
  expect(container.textContent).not.toContain('for the workspace')
})

const Voice = () => <p>{useIsEnrolled('voice') ? 'voice' : 'none'}</p>

it('is on where the page data say so, until the server says otherwise', async () => {
  mockServer({ [LIST]: () => listOf(item({ status: 'withdrawn', reason: 'Stopped.' })) })
  await renderWithProviders(<Voice />)
  expect(screen.getByText('none')).toBeTruthy()
  const data = memberPageData('viewer')
  if (!data.workspace) throw new Error('there is a workspace')
  setSession({ ...data, workspace: { ...data.workspace, earlyAccess: ['voice'] } })
  await screen.findByText('voice')
  await waitFor(() => expect(screen.queryByText('voice')).toBe(null))
})
