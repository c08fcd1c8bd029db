import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import axe from 'axe-core'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { InsightNewScreen } from './builder/insight-new-screen'
import { InsightScreen } from './view/insight-screen'
import { InsightsScreen } from './list/insights-screen'
import { insight } from './insights.fixture'
import { setSession } from '../../lib/session'
import { pageDataOnPlan } from '../../test/page-data'
import { renderWithProviders } from '../../test/render'
import { jsonResponse, mockServer } from '../../test/mock-server'
import { quarter } from '../../ui/chart/chart.fixture'

const viz = { chart: 'table', direction: 'up' } as const
const FROZEN = insight({ id: 'ins_00000000000000000011', name: 'The newest', frozen: true, viz })
const OWN = Array.from({ length: 10 }, (_, at) =>
  insight({ id: `ins_0000000000000000000${at}`, name: `Own ${at}`, viz }),
)
const serving = (over = {}) =>
  mockServer({
    'GET /api/insights': () => jsonResponse({ items: [FROZEN, ...OWN], nextCursor: null }),
    [`GET /api/insights/${FROZEN.id}`]: () => jsonResponse(FROZEN),
    [`GET /api/insights/${OWN[0]?.id}`]: () => jsonResponse(OWN[0]),
    'GET /api/data-sources': () => jsonResponse({ items: [], nextCursor: null }),
    'GET /api/members': () => jsonResponse({ items: [{ name: 'Bo Ek' }], nextCursor: null }),
    'POST /api/query': () => jsonResponse(quarter()),
    ...over,
  })

afterEach(() => vi.unstubAllGlobals())

describe('an insight that the plan has no room for', () => {
  it.each(['', '?tab=edit'])('answers, says why and what room costs, and offers no change (%s)', async (search) => {
    setSession(pageDataOnPlan('owner', 'personal'))
    serving()
    const { container } = await renderWithProviders(<InsightScreen id={FROZEN.id} />, search)
    expect(await screen.findByText('This insight is over the plan limit')).toBeVisible()
    expect(await screen.findByText(/Sales fell 12,4/)).toBeVisible()
    expect(screen.getByText(/450,00\s€ per month, excl\. VAT: 20 custom insights instead of 10\./)).toBeVisible()
    expect(screen.getByRole('link', { name: 'Change to Standard' })).toBeVisible()
    expect(screen.queryByRole('button', { name: /^Edit|^Save/ })).toBeNull()
    expect((await axe.run(container, { rules: { 'color-contrast': { enabled: false } } })).violations).toEqual([])
    await userEvent.click(screen.getByRole('button', { name: 'More actions' }))
    const offered = await screen.findAllByRole('menuitem')
    expect(offered.map(({ textContent }) => textContent)).toEqual(['History', 'Delete insight'])
  })

  it('is marked in the list, and only it', async () => {
    setSession(pageDataOnPlan('analyst', 'personal'))
    serving()
    await renderWithProviders(<InsightsScreen />)
    const marks = await screen.findAllByText('Over limit')
    expect(marks).toHaveLength(1)
    const card = marks[0]?.closest<HTMLElement>('.surface')
    expect(card && within(card).getByText('The newest')).toBeVisible()
    expect(screen.getByRole('link', { name: 'All 10 insights in use' })).toBeVisible()
    expect(screen.queryByRole('link', { name: 'New insight' })).toBeNull()
  })
})

it('says what insights start with to an owner whose workspace takes no data now, without a way that is closed', async () => {
  setSession(pageDataOnPlan('owner', 'personal', { readOnly: 'awaiting_checkout' }))
  serving({ 'GET /api/insights': () => jsonResponse({ items: [], nextCursor: null }) })
  await renderWithProviders(<InsightsScreen />)
  expect(await screen.findByText(/^Import a file to get your first insights/)).toBeVisible()
  expect(screen.queryByRole('link', { name: /Connect source|New insight/ })).toBeNull()
})

describe('somebody who may only read', () => {
  it('sees the insight where the address names its builder', async () => {
    setSession(pageDataOnPlan('viewer', 'personal'))
    serving()
    await renderWithProviders(<InsightScreen id={OWN[0]?.id ?? ''} />, '?tab=edit')
    expect(await screen.findByText(/Sales fell 12,4/)).toBeVisible()
    expect(screen.queryByRole('button', { name: /^Edit|^Save/ })).toBeNull()
  })

  it('for want of a seat is not sent to ask for the role they have', async () => {
    const data = pageDataOnPlan('viewer', 'standard')
    setSession({ ...data, workspaces: data.workspaces.map((one) => ({ ...one, role: 'analyst' as const })) })
    serving()
    await renderWithProviders(<InsightNewScreen />)
    expect(screen.getByText(/when the plan has a seat for you/)).toBeVisible()
    expect(screen.queryByText(/for the role of analyst/)).toBeNull()
    expect(screen.getByRole('link', { name: 'View insights' })).toBeVisible()
  })
})
