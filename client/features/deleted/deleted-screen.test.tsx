import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { DeletedScreen, RestoredMessage, describeTimeLeft } from './deleted-screen'
import { setSession } from '../../lib/session'
import { memberPageData, pageDataOnPlan } from '../../test/page-data'
import { renderWithProviders } from '../../test/render'
import { jsonResponse, errorResponse, mockServer } from '../../test/mock-server'
import type { DeletedItem } from '../../../src/shared/deleted'

const DAY_MS = 24 * 60 * 60 * 1000
const item = (more: Partial<DeletedItem> = {}): DeletedItem => ({
  kind: 'source',
  id: 'src_1',
  name: 'Orders',
  deletedAt: '2026-11-01T09:00:00Z',
  deletedBy: 'Bo Ek',
  until: '2026-12-01T09:00:00Z',
  ...more,
})
const LIST = 'GET /api/deleted'
const listing = (...items: DeletedItem[]) => ({ [LIST]: () => jsonResponse({ items, nextCursor: null }) })
const restoreButton = (name: string) => screen.findByRole('button', { name: `Restore ${name}` })

beforeEach(() => setSession(memberPageData('admin')))
afterEach(() => vi.unstubAllGlobals())

describe('recently deleted', () => {
  it('says what each thing was, who deleted it and until when it can come back', async () => {
    mockServer(listing(item()))
    await renderWithProviders(<DeletedScreen />)
    expect(await screen.findByText(/^Data source, deleted 1 Nov 2026, 10:00 by Bo Ek$/)).toBeVisible()
    expect(screen.getByText(/^Can be restored until 1 Dec 2026/)).toBeVisible()
  })

  it('teaches what it is for while nothing was deleted', async () => {
    mockServer(listing())
    await renderWithProviders(<DeletedScreen />)
    expect(await screen.findByRole('heading', { name: 'No deleted items' })).toBeVisible()
  })

  it('restores each kind by its own call', async () => {
    const calls = mockServer({
      ...listing(
        item(),
        item({ kind: 'insight', id: 'ins_1', name: 'Sales' }),
        item({ kind: 'group', id: 'grp_1', name: 'Team' }),
      ),
      'POST /api/data-sources/src_1/restore': () => jsonResponse({}),
      'POST /api/insights/ins_1/restore': () => jsonResponse({}),
      'POST /api/groups/grp_1/restore': () => jsonResponse({}),
    })
    await renderWithProviders(<DeletedScreen />)
    for (const name of ['Orders', 'Sales', 'Team']) await userEvent.click(await restoreButton(name))
    const written = calls.filter(({ method }) => method === 'POST')
    expect(written.map(({ path }) => path)).toEqual([
      '/api/data-sources/src_1/restore',
      '/api/insights/ins_1/restore',
      '/api/groups/grp_1/restore',
    ])
    for (const { headers } of written) expect(headers.get('idempotency-key')).toBeTruthy()
  })

  it.each([
    ['name_taken', 'Another data source is named “Orders”. Rename it, then restore this one.'],
    ['limit_reached', 'Limit reached. Delete another data source, then restore this one.'],
    ['not_found', '“Orders” was permanently deleted or already restored.'],
  ] as const)('says what to do when the server answers %s', async (code, words) => {
    mockServer({ ...listing(item()), 'POST /api/data-sources/src_1/restore': () => errorResponse(code) })
    await renderWithProviders(<DeletedScreen />)
    await userEvent.click(await restoreButton('Orders'))
    expect(await screen.findByRole('alert')).toHaveTextContent(words)
  })

  it('offers an analyst no group to restore, and nobody anything while nothing may be changed', async () => {
    setSession(memberPageData('analyst'))
    mockServer(listing(item({ kind: 'group', id: 'grp_1', name: 'Team' })))
    const shown = await renderWithProviders(<DeletedScreen />)
    expect(await screen.findByText('An owner or admin can restore it')).toBeVisible()
    shown.unmount()
    const lapsed = memberPageData('admin')
    if (lapsed.workspace) lapsed.workspace.entitlements.readOnly = 'trial_expired'
    setSession(lapsed)
    mockServer(listing(item()))
    await renderWithProviders(<DeletedScreen />)
    expect(await screen.findByText('Orders')).toBeVisible()
    expect(screen.queryByRole('button', { name: /Restore/ })).toBeNull()
  })
})

describe('what the plan refuses', () => {
  it('a group stays deleted where the plan has none: it says which has, what that costs, and offers no button', async () => {
    setSession(pageDataOnPlan('admin', 'personal'))
    mockServer(listing(item({ kind: 'group', id: 'grp_1', name: 'Team' }), item()))
    await renderWithProviders(<DeletedScreen />)
    expect(await screen.findByText(/450,00\s€ per month/)).toHaveTextContent(/^Standard plan/)
    expect(screen.getByRole('link', { name: 'Change to Standard' })).toBeVisible()
    expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Restore Orders'])
  })

  it('a source that there is no room for says what one more costs, and leads there', async () => {
    setSession(pageDataOnPlan('admin', 'personal'))
    const full = () => errorResponse('limit_reached', { limit: 'dataSources', used: 1, max: 1 })
    mockServer({ ...listing(item()), 'POST /api/data-sources/src_1/restore': full })
    await renderWithProviders(<DeletedScreen />)
    await userEvent.click(await restoreButton('Orders'))
    const add = await screen.findByRole('link', { name: 'Add an extra data source' })
    expect(add.getAttribute('href')).toMatch(/checkout\?plan=personal&addOns=extra_source/)
    expect(screen.getByRole('alert')).toHaveTextContent(/20,00\s€ per month/)
  })

  it('somebody who may bring nothing back is told who may', async () => {
    setSession(memberPageData('viewer'))
    mockServer({})
    await renderWithProviders(<DeletedScreen />)
    expect(screen.getByRole('heading', { level: 1, name: 'Recently deleted' })).toBeVisible()
    expect(screen.getByText(/Ask an owner, admin or analyst/)).toBeVisible()
  })
})

describe('what was restored', () => {
  it.each([
    ['source', '/data-sources/x_1'],
    ['insight', '/insights/x_1'],
    ['grouping', '/data-grouping/x_1'],
    ['report', '/reports'],
  ] as const)('leads to its %s', async (kind, href) => {
    await renderWithProviders(<RestoredMessage item={item({ kind, id: 'x_1' })} />)
    expect(screen.getByRole('link', { name: 'Open' })).toHaveAttribute('href', href)
  })
})

describe('time left', () => {
  it('counts started days as whole ones', () => {
    const until = '2026-12-01T09:00:00Z'
    const at = (days: number) => Date.parse(until) - days * DAY_MS
    expect([29.5, 1.1, 1, 0.1, 0].map((days) => describeTimeLeft(until, at(days)))).toEqual([
      ...['30 days left', '2 days left', 'last day', 'last day', 'deleted soon'],
    ])
  })
})
