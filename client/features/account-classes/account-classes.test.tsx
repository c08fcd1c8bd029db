import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { AccountsScreen } from './account-classes-screen'
import { setSession } from '../../lib/session'
import { memberPageData } from '../../test/page-data'
import { renderWithProviders } from '../../test/render'
import { jsonResponse, errorResponse, mockServer } from '../../test/mock-server'
import type { AccountClasses } from '../../../src/shared/account-classes'

const GET = 'GET /api/account-classes'
const PUT = 'PUT /api/account-classes'
const STORED: AccountClasses = {
  ranges: [
    { from: 3000, to: 3799, line: 'netSales' },
    { from: 4000, to: 4999, line: 'goods' },
  ],
  adjusted: false,
  version: 0,
}
const field = (name: string) => screen.findByRole('textbox', { name })
const button = (name: string) => screen.getByRole('button', { name })

beforeEach(() => setSession(memberPageData('analyst')))

describe('the accounts of a workspace', () => {
  it('are put in order by account when they are saved', async () => {
    const calls = mockServer({
      [GET]: () => jsonResponse(STORED),
      [PUT]: () => jsonResponse({ ...STORED, adjusted: true, version: 1 }),
    })
    await renderWithProviders(<AccountsScreen />)
    await field('First account of range 1')
    await userEvent.click(button('Add range'))
    await userEvent.type(await field('First account of range 3'), '3800')
    await userEvent.type(await field('Last account of range 3'), '3899')
    await userEvent.click(button('Save accounts'))
    await screen.findByText('Custom ranges')
    expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({
      ranges: [STORED.ranges[0], { from: 3800, to: 3899, line: 'external' }, STORED.ranges[1]],
      version: 0,
    })
  })

  it('keep what is entered while they are saved', async () => {
    const saved = Promise.withResolvers<Response>()
    const calls = mockServer({ [GET]: () => jsonResponse(STORED), [PUT]: () => saved.promise })
    await renderWithProviders(<AccountsScreen />)
    await userEvent.clear(await field('Last account of range 1'))
    await userEvent.type(await field('Last account of range 1'), '3699')
    await userEvent.click(button('Save accounts'))
    await userEvent.clear(await field('Last account of range 2'))
    await userEvent.type(await field('Last account of range 2'), '4899')
    const [, second] = STORED.ranges
    saved.resolve(
      jsonResponse({ ranges: [{ from: 3000, to: 3699, line: 'netSales' }, second], adjusted: true, version: 1 }),
    )
    await screen.findByText('Custom ranges')
    expect(await field('Last account of range 2')).toHaveValue('4899')
    await userEvent.click(button('Save accounts'))
    await waitFor(() => expect(calls.filter(({ method }) => method === 'PUT')).toHaveLength(2))
    expect(calls.at(-1)?.body).toMatchObject({ ranges: [{ to: 3699 }, { to: 4899 }], version: 1 })
  })

  it('say at its own row which range holds an account already, and send nothing', async () => {
    const calls = mockServer({ [GET]: () => jsonResponse(STORED) })
    await renderWithProviders(<AccountsScreen />)
    await userEvent.clear(await field('First account of range 2'))
    await userEvent.type(await field('First account of range 2'), '3700')
    await userEvent.click(button('Save accounts'))
    await screen.findByText('3000–3799 holds this too.')
    expect(calls.some(({ method }) => method === 'PUT')).toBe(false)
  })

  it('stay as they were typed when somebody else saved first', async () => {
    mockServer({
      [GET]: () => jsonResponse(STORED),
      [PUT]: () => errorResponse('version_conflict', { current: STORED }),
    })
    await renderWithProviders(<AccountsScreen />)
    await userEvent.click((await screen.findAllByRole('button', { name: /Remove range/ }))[0] ?? document.body)
    await userEvent.click(button('Save accounts'))
    await screen.findByRole('alert')
    await waitFor(() => expect(screen.getAllByRole('button', { name: /Remove range/ })).toHaveLength(1))
  })

  it('are only read by viewers', async () => {
    setSession(memberPageData('viewer'))
    mockServer({ [GET]: () => jsonResponse(STORED) })
    await renderWithProviders(<AccountsScreen />)
    await screen.findByText('3000–3799')
    expect(screen.queryByRole('button', { name: 'Save accounts' })).toBeNull()
  })
})
