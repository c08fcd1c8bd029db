import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Category, InsightVersion } from '../../../../src/shared/insights'
import { queryClient } from '../../../lib/queries/query-client'
import { setSession } from '../../../lib/session'
import { memberPageData } from '../../../test/page-data'
import { renderWithProviders } from '../../../test/render'
import { jsonResponse, mockServer, type MockReply } from '../../../test/mock-server'
import { quarter } from '../../../ui/chart/chart.fixture'
import { NotificationRoot } from '../../../ui/notification-root'
import { confirmVerificationLoss } from './confirm-verification-loss'
import { VersionHistoryDrawer, versionDifferences } from './version-history'
import { ManageCategoriesDialog } from './categories'
import { insight, MONTHLY } from '../insights.fixture'

const ONE = insight({ version: 3 })
const NO_PARTS = { measures: 'Sum of Amount', splits: '', period: '', filters: '', rest: '' }
const version = (over: Partial<InsightVersion> = {}): InsightVersion => ({
  ...{ version: 1, name: 'Sales', description: '', plan: MONTHLY, viz: { chart: 'line', direction: 'up' } },
  ...{ parts: NO_PARTS, savedBy: 'usr_1', savedByName: 'Bo Ek', savedAt: '2026-11-20T10:00:00.000Z' },
  restoredFrom: null,
  ...over,
})
const page =
  (...items: unknown[]): MockReply =>
  () =>
    jsonResponse({ items, nextCursor: null })

beforeEach(() => setSession(memberPageData()))
afterEach(() => {
  vi.unstubAllGlobals()
  queryClient.clear()
})

describe('the history of an insight', () => {
  it('says in words what each version changed', () => {
    const next = version({ name: 'Sales, Sweden', parts: { ...NO_PARTS, filters: 'Country is Sweden' } })
    expect(versionDifferences(version(), next)).toEqual([
      { label: 'Name', before: 'Sales', after: 'Sales, Sweden' },
      { label: 'Filters', before: 'None', after: 'Country is Sweden' },
    ])
    expect(versionDifferences(next, next)).toEqual([])
    const other = version({ plan: { ...MONTHLY, offset: 1 } })
    expect(versionDifferences(version(), other).map(({ label }) => label)).toEqual(['Query'])
  })

  it('brings an old version back over the one that stands', async () => {
    const path = `/api/insights/${ONE.id}/versions`
    const calls = mockServer({
      [`GET ${path}`]: page(
        version({ version: 3, name: 'Sales now' }),
        version({ viz: { chart: 'table', direction: 'up' } }),
      ),
      'POST /api/query': () => jsonResponse(quarter()),
      [`POST ${path}/1/restore`]: () => jsonResponse({ ...ONE, version: 4 }),
    })
    const onClose = vi.fn()
    await renderWithProviders(<VersionHistoryDrawer insight={ONE} onClose={onClose} />)
    await userEvent.click(await screen.findByRole('button', { name: 'View version 1' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Restore version' }))
    await waitFor(() => expect(onClose).toHaveBeenCalled())
    expect(calls.find(({ path: asked }) => asked.endsWith('/restore'))?.body).toEqual({ version: 3 })
  })
})

describe('a change to what somebody verified', () => {
  const verified = insight({ verified: { by: 'usr_1', byName: 'Bo Ek', at: '2026-11-20T10:00:00.000Z' } })

  it('asks before another question, and saves only then', async () => {
    await renderWithProviders(<NotificationRoot />)
    const onProceed = vi.fn()
    confirmVerificationLoss({ insight: verified, plan: { ...MONTHLY, limit: 3 }, onProceed })
    expect(await screen.findByText(/Bo Ek verified these figures/)).toBeVisible()
    expect(onProceed).not.toHaveBeenCalled()
    await userEvent.click(screen.getByRole('button', { name: 'Save anyway' }))
    expect(onProceed).toHaveBeenCalledOnce()
  })

  it('asks nothing where the question stays the same, or nobody verified it', () => {
    const onProceed = vi.fn()
    const { filters, ...rest } = MONTHLY
    confirmVerificationLoss({ insight: verified, plan: { filters, ...rest }, onProceed })
    confirmVerificationLoss({ insight: insight(), plan: { ...MONTHLY, limit: 3 }, onProceed })
    confirmVerificationLoss({ insight: null, plan: MONTHLY, onProceed })
    expect(onProceed).toHaveBeenCalledTimes(3)
  })
})

describe('categories', () => {
  const category = (id: string, name: string, insightCount = 0): Category => ({
    ...{ id: `cat_0000000000000000000${id}`, name, icon: 'folder', insightCount, version: 1 },
  })

  it('are moved, and deleted only with a place for their insights', async () => {
    const [sales, costs] = [category('1', 'Sales', 2), category('2', 'Costs')]
    const calls = mockServer({
      'GET /api/categories': page(sales, costs),
      'PUT /api/categories': () => jsonResponse({ ids: [] }),
      [`DELETE /api/categories/${sales.id}`]: () => jsonResponse(sales),
    })
    await renderWithProviders(<ManageCategoriesDialog onClose={vi.fn()} />)
    await userEvent.click(await screen.findByRole('button', { name: 'Move Costs up' }))
    await waitFor(() =>
      expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({ ids: [costs.id, sales.id] }),
    )
    await userEvent.click(screen.getByRole('button', { name: 'Delete Sales' }))
    const dialog = await screen.findByRole('dialog')
    expect(within(dialog).getByText('It has 2 insights.')).toBeVisible()
    await userEvent.click(within(dialog).getByRole('button', { name: 'Delete category' }))
    await waitFor(() => expect(calls.some(({ method }) => method === 'DELETE')).toBe(true))
  })
})
