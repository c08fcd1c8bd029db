import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { groupByDay, shortId } from './audit-format'
import { countryName } from '../../lib/regions'
import { AuditScreen } from './audit-screen'
import { setSession } from '../../lib/session'
import { memberPageData } from '../../test/page-data'
import { renderWithProviders } from '../../test/render'
import { jsonResponse, errorResponse, mockServer } from '../../test/mock-server'
import type { AuditItem } from '../../../src/shared/audit'

const item = (id: string, at: string, over: Partial<AuditItem> = {}): AuditItem => ({
  id,
  at,
  actor: { userId: 'usr_anna0000000000000', name: 'Anna' },
  action: 'source.update',
  words: 'renamed a data source',
  entity: 'source',
  entityId: 'src_00000000000000000001',
  beforeHash: 'ab'.repeat(32),
  afterHash: null,
  country: 'SE',
  ...over,
})
const LOG = 'GET /api/audit'
const served = (over: Parameters<typeof mockServer>[0] = {}) =>
  mockServer({
    [LOG]: () => jsonResponse({ items: [item('aud_1', '2026-11-20T10:00:00.000Z')], nextCursor: null }),
    'GET /api/members': () => jsonResponse({ items: [], nextCursor: null }),
    ...over,
  })

beforeEach(() => setSession(memberPageData('owner')))

describe('the audit log', () => {
  it('says who did what and when, with ids and hashes on demand', async () => {
    served()
    await renderWithProviders(<AuditScreen />)
    const line = await screen.findByRole('listitem')
    expect(line).toHaveTextContent(/Anna renamed a data source.*11:00/)
    expect(line).not.toHaveTextContent('source.update')
    await userEvent.click(within(line).getByRole('button', { name: /Details/ }))
    expect(line).toHaveTextContent('source.update')
    expect(line).toHaveTextContent('Sweden')
    expect(within(line).getByRole('button', { name: 'Copy hash before' })).toBeInTheDocument()
    expect(within(line).queryByRole('button', { name: 'Copy hash after' })).toBeNull()
  })

  it('calls what nobody did the product’s own', async () => {
    served({
      [LOG]: () =>
        jsonResponse({ items: [item('aud_1', '2026-11-20T10:00:00.000Z', { actor: null })], nextCursor: null }),
    })
    await renderWithProviders(<AuditScreen />)
    expect(await screen.findByRole('listitem')).toHaveTextContent('Insikt renamed')
  })

  it('shows more by pages', async () => {
    served({
      [LOG]: [
        () => jsonResponse({ items: [item('aud_2', '2026-11-20T10:00:00.000Z')], nextCursor: '1.aud_2' }),
        () => jsonResponse({ items: [item('aud_1', '2026-11-19T10:00:00.000Z')], nextCursor: null }),
      ],
    })
    await renderWithProviders(<AuditScreen />)
    await userEvent.click(await screen.findByRole('button', { name: 'Show more' }))
    await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(2))
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
    expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual([
      '20 Nov 2026',
      '19 Nov 2026',
    ])
  })

  it('says when there is nothing, and what to do when it cannot be read', async () => {
    served({ [LOG]: [() => errorResponse('internal'), () => jsonResponse({ items: [], nextCursor: null })] })
    await renderWithProviders(<AuditScreen />)
    await userEvent.click(await screen.findByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('No activity yet')).toBeInTheDocument()
  })

  it('asks for what its address says, and says how to see all again when nothing matches', async () => {
    const calls = served({ [LOG]: () => jsonResponse({ items: [], nextCursor: null }) })
    await renderWithProviders(<AuditScreen />, '?action=group.&from=2020-01-01&to=no-day')
    expect(await screen.findByRole('heading', { name: 'No activity matches' })).toBeVisible()
    expect(screen.getByRole('combobox', { name: 'Type' })).toHaveValue('User groups')
    expect(screen.getByRole('button', { name: 'Clear filters' })).toBeEnabled()
    const asked = new URLSearchParams(calls.find(({ path }) => path === '/api/audit')?.search)
    expect(asked.get('action')).toBe('group.')
    expect(asked.get('from')).toBe('2020-01-01')
    expect(asked.get('to')).toBeNull()
  })

  it('says why it cannot be taken along', async () => {
    served({ 'GET /files/audit': () => errorResponse('too_large', { size: 200_000, max: 100_000 }) })
    await renderWithProviders(<AuditScreen />)
    await userEvent.click(await screen.findByRole('button', { name: 'Export CSV' }))
    expect(await screen.findByRole('alert')).toBeInTheDocument()
  })

  it('is asked for by nobody whose role does not show it', async () => {
    setSession(memberPageData('analyst'))
    const calls = served()
    await renderWithProviders(<AuditScreen />)
    expect(await screen.findByText('Only for owners and admins')).toBeInTheDocument()
    expect(calls).toEqual([])
  })
})

describe('days and names of the log', () => {
  it('begin at midnight of the workspace’s clock', () => {
    const items = [
      item('c', '2026-11-20T23:30:00.000Z'),
      item('b', '2026-11-20T22:59:00.000Z'),
      item('a', '2026-11-20T01:00:00.000Z'),
    ]
    const found = groupByDay(items, 'Europe/Stockholm').map(({ day, items: own }) => [day, own.map(({ id }) => id)])
    expect(found).toEqual([
      ['2026-11-21', ['c']],
      ['2026-11-20', ['b', 'a']],
    ])
  })

  it('are short where they are long, and themselves where they are nothing known', () => {
    expect([shortId('aud_00000000000000000001'), shortId('*')]).toEqual(['aud_00000000…', '*'])
    expect([countryName('SE'), countryName('T1')]).toEqual(['Sweden', 'T1'])
  })
})
