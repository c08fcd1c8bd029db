import axe from 'axe-core'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { ModalsProvider } from '@mantine/modals'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { AccessTokensCard } from './access-tokens-card'
import { ConnectedAppsCard } from './connected-apps-card'
import { ConsentForm } from './consent-form'
import { setSession } from '../../../lib/session'
import { errorResponse, jsonResponse, mockServer } from '../../../test/mock-server'
import { memberPageData } from '../../../test/page-data'
import { renderWithProviders } from '../../../test/render'
import type { SignInMethods } from '../../../../src/shared/account'
import type { AccessToken } from '../../../../src/shared/programs/access-tokens'
import { authorizationRequestSchema } from '../../../../src/shared/programs/connected-apps'

const SIGN_INS: SignInMethods = { password: true, accounts: [], offered: [] }
const TOKEN: AccessToken = {
  ...{
    id: 'tok_1',
    name: 'Laptop',
    workspaceId: 'ws_1',
    workspaceName: 'Nord',
    scopes: ['read', 'ask'],
    state: 'live',
  },
  ...{ createdAt: '2026-11-01T10:00:00Z', expiresAt: '2027-02-01T10:00:00Z', lastUsedAt: null },
}
const person = userEvent.setup()
const list = (items: unknown[]) => () => jsonResponse({ items, nextCursor: null })

beforeEach(() => setSession(memberPageData()))
afterEach(() => vi.unstubAllGlobals())

async function violations(container: Element): Promise<string[]> {
  const rules = { 'color-contrast': { enabled: false }, region: { enabled: false } }
  return (await axe.run(container, { rules })).violations.map(({ id }) => id)
}

describe('access tokens', () => {
  it('are shown once when they are created, and asked for with the password', async () => {
    const token = `insikt_pat_${'a'.repeat(40)}`
    const calls = mockServer({
      'GET /api/access-tokens': [list([]), list([TOKEN])],
      'POST /api/access-tokens': [
        () => errorResponse('invalid_credentials'),
        () => jsonResponse({ ...TOKEN, token }, 201),
      ],
    })
    const { container } = await renderWithProviders(<AccessTokensCard signIns={SIGN_INS} />)
    await screen.findByText('No access tokens yet')
    expect(await violations(container)).toEqual([])
    await person.click(screen.getByRole('button', { name: 'Create token' }))
    const dialog = within(await screen.findByRole('dialog'))
    await person.type(dialog.getByLabelText('Name'), 'Laptop')
    await person.click(dialog.getByRole('checkbox', { name: 'Ask' }))
    await person.type(dialog.getByLabelText('Your password'), 'wrong')
    await person.click(dialog.getByRole('button', { name: 'Create token' }))
    expect(await dialog.findByText('Incorrect password')).toBeVisible()
    await person.click(dialog.getByRole('button', { name: 'Create token' }))
    expect(await screen.findByDisplayValue(token)).toBeVisible()
    expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
      ...{ name: 'Laptop', scopes: ['read'], days: 90, password: 'wrong' },
    })
    await person.click(screen.getByRole('button', { name: 'Done' }))
    await waitFor(() => expect(screen.queryByDisplayValue(token)).toBeNull())
    expect(await screen.findByText(/Nord: Read, Ask, never used/)).toBeVisible()
  })

  it('are revoked after a question, and apps are disconnected likewise', async () => {
    const app = { ...TOKEN, id: 'app_1', name: 'Desk', lastUsedAt: '2026-11-01T10:00:00Z' }
    const calls = mockServer({
      'GET /api/access-tokens': list([TOKEN]),
      'GET /api/connected-apps': list([app]),
      'DELETE /api/access-tokens/tok_1': () => jsonResponse({ ...TOKEN, state: 'ended' }),
      'DELETE /api/connected-apps/app_1': () => jsonResponse({ ...app, state: 'ended' }),
    })
    await renderWithProviders(
      <ModalsProvider>
        <AccessTokensCard signIns={SIGN_INS} />
        <ConnectedAppsCard />
      </ModalsProvider>,
    )
    await person.click(await screen.findByRole('button', { name: 'Revoke Laptop' }))
    await person.click(await screen.findByRole('button', { name: 'Revoke token' }))
    await person.click(await screen.findByRole('button', { name: 'Disconnect Desk' }))
    await person.click(await screen.findByRole('button', { name: 'Disconnect app' }))
    await waitFor(() => expect(calls.filter(({ method }) => method === 'DELETE')).toHaveLength(2))
  })
})

describe('the page that asks about an app', () => {
  const request = authorizationRequestSchema.parse({ clientId: 'ocl_1', redirectUri: 'https://app.example/cb' })
  const routes = {
    'GET /api/account/sign-ins': () => jsonResponse(SIGN_INS),
    'POST /api/connected-apps/check': () =>
      jsonResponse({
        ...{
          name: 'Desk',
          host: 'app.example',
          local: false,
          scopes: ['read'],
          denyUrl: 'https://app.example/cb?error',
        },
      }),
  }

  it('says who asks and where the answer goes, and sends what was agreed to', async () => {
    const calls = mockServer({
      ...routes,
      'POST /api/connected-apps': () => jsonResponse({ redirectTo: 'https://app.example/cb?code=1' }, 201),
    })
    const assign = vi.fn()
    vi.stubGlobal('location', { origin: window.location.origin, href: window.location.href, assign })
    const { container } = await renderWithProviders(
      <ConsentForm request={request} onChooseWorkspace={() => undefined} />,
    )
    expect(await screen.findByText('You’ll go to app.example')).toBeVisible()
    expect(await violations(container)).toEqual([])
    expect(screen.queryByRole('checkbox', { name: 'Ask' })).toBeNull()
    await person.type(screen.getByLabelText('Your password'), 'secret')
    await person.click(screen.getByRole('button', { name: 'Connect app' }))
    await waitFor(() => expect(assign).toHaveBeenCalledWith('https://app.example/cb?code=1'))
    expect(calls.at(-1)?.body).toMatchObject({ request, scopes: ['read'], password: 'secret' })
  })

  it('sends nobody anywhere for an app that is unknown', async () => {
    mockServer({ ...routes, 'POST /api/connected-apps/check': () => errorResponse('invalid_input') })
    await renderWithProviders(<ConsentForm request={request} onChooseWorkspace={() => undefined} />)
    expect(await screen.findByText('Check the highlighted fields')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Connect app' })).toBeNull()
  })
})
