import axe from 'axe-core'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ProfileScreen } from './profile-screen'
import { KEEP_DELAY_MS } from '../../lib/writes/kept-draft'
import { setSession } from '../../lib/session'
import { memberPageData } from '../../test/page-data'
import { renderWithProviders } from '../../test/render'
import { jsonResponse, mockServer, type RecordedCall } from '../../test/mock-server'
import { AVATAR_MAX_BYTES, NOTIFICATION_DEFAULTS, type Profile } from '../../../src/shared/account'

const PROFILE: Profile = {
  name: 'Anna Lindqvist',
  email: 'anna@example.com',
  job: 'CFO',
  goals: ['cash'],
  locale: null,
  notifications: NOTIFICATION_DEFAULTS,
  avatar: null,
}
const person = userEvent.setup()
const written = (calls: RecordedCall[]): RecordedCall[] => calls.filter(({ method }) => method !== 'GET')

beforeEach(() => {
  localStorage.clear()
  setSession(memberPageData())
})
afterEach(() => vi.unstubAllGlobals())

async function violations(container: Element): Promise<string[]> {
  const result = await axe.run(container, {
    rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
  })
  return result.violations.map(({ id }) => id)
}

describe('the profile', () => {
  it('sends what was changed and nothing else, and says so', async () => {
    const calls = mockServer({
      'GET /api/profile': () => jsonResponse(PROFILE),
      'PUT /api/profile': () => jsonResponse({ ...PROFILE, name: 'Anna Ny', job: 'Set in another window' }),
      'GET /api/session': () => jsonResponse(memberPageData()),
    })
    const { container } = await renderWithProviders(<ProfileScreen />)
    const name = await screen.findByLabelText('Name')
    expect(await violations(container)).toEqual([])
    expect(screen.getByRole('button', { name: 'Save profile' })).toBeDisabled()
    await person.clear(name)
    await person.type(name, 'Anna Ny')
    await person.click(screen.getByRole('checkbox', { name: /new device/ }))
    await person.click(screen.getByRole('button', { name: 'Save profile' }))
    await waitFor(() => expect(written(calls)).toHaveLength(1))
    expect(written(calls)[0]?.body).toEqual({ name: 'Anna Ny', notifications: { newSignIn: false } })
    await waitFor(() => expect(screen.getByLabelText('Job title')).toHaveValue('Set in another window'))
    expect(screen.getByRole('button', { name: 'Save profile' })).toBeDisabled()
    await new Promise((later) => setTimeout(later, 2 * KEEP_DELAY_MS))
    expect(localStorage.length).toBe(0)
  })

  it('keeps what is entered while it is saved', async () => {
    const answer = Promise.withResolvers<Response>()
    mockServer({
      'GET /api/profile': () => jsonResponse(PROFILE),
      'PUT /api/profile': () => answer.promise,
      'GET /api/session': () => jsonResponse(memberPageData()),
    })
    await renderWithProviders(<ProfileScreen />)
    await person.type(await screen.findByLabelText('Name'), ' Ek')
    await person.click(screen.getByRole('button', { name: 'Save profile' }))
    await person.type(screen.getByLabelText('Job title'), ', Skåne')
    answer.resolve(jsonResponse({ ...PROFILE, name: 'Anna Lindqvist Ek' }))
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'Save profile' })).not.toHaveAttribute('data-loading'),
    )
    expect(screen.getByLabelText('Job title')).toHaveValue('CFO, Skåne')
    expect(screen.getByRole('button', { name: 'Save profile' })).toBeEnabled()
  })

  it('says which mails come in any case, and where to add an address when there is none', async () => {
    mockServer({ 'GET /api/profile': () => jsonResponse({ ...PROFILE, email: null }) })
    await renderWithProviders(<ProfileScreen />)
    expect(await screen.findByText(/Always sent/)).toBeVisible()
    expect(screen.getByRole('link', { name: 'Add email' })).toBeVisible()
  })

  it('refuses pictures that are too large or none, before anything is sent', async () => {
    const calls = mockServer({ 'GET /api/profile': () => jsonResponse(PROFILE) })
    await renderWithProviders(<ProfileScreen />)
    const input = await screen.findByLabelText('Picture file')
    const choose = (name: string, type: string, size: number) =>
      userEvent.upload(input, new File([new Uint8Array(size)], name, { type }), { applyAccept: false })
    await choose('huge.png', 'image/png', AVATAR_MAX_BYTES + 1)
    expect(await screen.findByText(/huge\.png has 2/)).toBeVisible()
    await choose('drawing.svg', 'image/svg+xml', 10)
    expect(await screen.findByText('drawing.svg isn’t a PNG, JPEG or WebP image.')).toBeVisible()
    expect(written(calls)).toEqual([])
  })

  it('removes the picture and goes back to initials', async () => {
    const calls = mockServer({
      'GET /api/profile': () => jsonResponse({ ...PROFILE, avatar: '/files/pictures/ab' }),
      'DELETE /files/profile/avatar': () => jsonResponse({ avatar: null }),
      'GET /api/session': () => jsonResponse(memberPageData()),
    })
    await renderWithProviders(<ProfileScreen />)
    await person.click(await screen.findByRole('button', { name: 'Remove picture' }))
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Remove picture' })).toBeNull())
    expect(written(calls).map(({ path }) => path)).toEqual(['/files/profile/avatar'])
  })
})
