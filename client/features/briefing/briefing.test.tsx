import { screen, waitFor, within } from '@testing-library/react'
import { useQuery } from '@tanstack/react-query'
import userEvent from '@testing-library/user-event'
import axe from 'axe-core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { briefing, lossFinding, story } from './briefing.fixture'
import { BriefingSection, type BriefingSearch } from './briefing-section'
import { LandingBriefing } from './landing-briefing'
import { landingBriefingQuery } from './queries'
import { StorySentence } from './story-text'
import type { Briefing } from '../../../src/shared/briefing/briefing'
import { queryClient } from '../../lib/queries/query-client'
import { setSession } from '../../lib/session'
import { memberPageData } from '../../test/page-data'
import { renderWithProviders } from '../../test/render'
import { jsonResponse, mockServer, type MockReply } from '../../test/mock-server'

const PATH = 'GET /api/pilot/briefing'
const MARK = `PUT /api/pilot/briefing/${lossFinding().id}`
const reply =
  (of: Briefing): MockReply =>
  () =>
    jsonResponse(of)

/** Says when the briefing has come. */
const Answered = () => <p>{useQuery(landingBriefingQuery()).data ? 'answered' : 'asked'}</p>

beforeEach(() => setSession(memberPageData('viewer')))
afterEach(() => {
  vi.unstubAllGlobals()
  queryClient.clear()
})

describe('what changed, on the landing page', () => {
  const open = async (of: Briefing): Promise<HTMLElement> => {
    const calls = mockServer({ [PATH]: reply(of) })
    const { container } = await renderWithProviders(<LandingBriefing />)
    await waitFor(() => expect(calls).toHaveLength(1))
    return container
  }

  it('tells the stories with the age of the data, and leads to all', async () => {
    const container = await open(briefing({ since: '2026-10-20T08:00:00.000Z' }))
    const region = await screen.findByRole('region', { name: 'Briefing' })
    expect(region.textContent).toMatch(/Profit for East turned to a loss: −17\s877/)
    expect(region.textContent).toContain('Data to 30 Dec 2022')
    expect(within(region).getByRole('img', { name: 'Unfavourable' })).toBeTruthy()
    expect(within(region).getByRole('link', { name: 'See all' }).getAttribute('href')).toBe('/pilot')
    expect((await axe.run(container)).violations.map(({ id }) => id)).toEqual([])
  })

  it('is absent without data, and says when there is too little history or nothing new', async () => {
    mockServer({ [PATH]: reply(briefing({ basis: 'none', stories: [], dataTo: null, summary: [] })) })
    await renderWithProviders(
      <>
        <LandingBriefing />
        <Answered />
      </>,
    )
    await screen.findByText('answered')
    expect(screen.queryByRole('region')).toBe(null)
    await open(briefing({ basis: 'tooLittle', stories: [] }))
    await screen.findByText('Too little history to judge. Needs more complete periods.')
    queryClient.clear()
    await open(briefing({ stories: [], counts: { new: 0, unread: 2, read: 0, snoozed: 0 } }))
    await screen.findByText('No changes since your last visit. 2 earlier findings unread.')
  })

  it('names open alerts and what waits', async () => {
    const at = '2026-10-20T08:00:00.000Z'
    const alert = {
      ...{ alertId: 'alr_00000000000000000001', name: 'Low sales', groups: 1, label: null, value: 5 },
      ...{ period: null, format: null, since: at, acknowledged: false },
    }
    await open(
      briefing({
        alerts: [alert],
        waiting: [{ kind: 'rejectedRows', source: 'Orders', rows: 3, path: '/data-sources/src_1', at }],
      }),
    )
    expect((await screen.findByRole('link', { name: 'Alert: Low sales' })).getAttribute('href')).toBe(
      '/alerts/alr_00000000000000000001',
    )
    expect(screen.getByRole('link', { name: '3 rows rejected: Orders' }).getAttribute('href')).toBe(
      '/data-sources/src_1',
    )
  })

  it('asks nothing where the plan has no part in it', async () => {
    setSession(memberPageData('viewer', { aiAssistant: false }))
    const calls = mockServer({})
    await renderWithProviders(<LandingBriefing />)
    expect([screen.queryByRole('region'), calls]).toEqual([null, []])
  })
})

describe('the whole briefing', () => {
  const open = async (
    routes: Record<string, MockReply | MockReply[]>,
    onSearch = vi.fn<(next: BriefingSearch) => void>(),
  ) => {
    const calls = mockServer(routes)
    await renderWithProviders(
      <BriefingSection
        search={{ state: 'open' }}
        onSearch={onSearch}
        renderFinding={(finding, { actions }) => (
          <li key={finding.id}>
            <StorySentence finding={finding} />
            {actions}
          </li>
        )}
        mail={null}
      />,
    )
    await screen.findByRole('region', { name: 'Briefing' })
    return { calls, onSearch }
  }
  const bodies = (calls: { method: string; body: unknown }[]) =>
    calls.flatMap(({ method, body }) => (method === 'PUT' ? [body] : []))

  it('sums up in a paragraph whose figures are those of its stories', async () => {
    await open({ [PATH]: reply(briefing()) })
    expect(screen.getByText(/1 finding in your data\./).textContent).toMatch(/East turned to a loss: −17\s877/)
    expect(screen.getByText('Data to 30 Dec 2022')).toBeTruthy()
  })

  it('marks a story as read, puts it off, and wants less of its kind', async () => {
    const user = userEvent.setup()
    const answer: MockReply = () => jsonResponse({})
    const { calls } = await open({ [PATH]: reply(briefing()), [MARK]: answer })
    await user.click(screen.getByRole('button', { name: 'Mark as read' }))
    await user.click(screen.getByRole('button', { name: 'Snooze' }))
    await user.click(await screen.findByRole('menuitem', { name: '1 week' }))
    await user.click(screen.getByRole('button', { name: 'Less like this' }))
    await waitFor(() => expect(bodies(calls)).toEqual([{ read: true }, { snoozeDays: 7 }, { lessOfKind: true }]))
  })

  it('shows what else tells the same, and changes nothing while somebody is looked as', async () => {
    const data = memberPageData('viewer')
    if (!data.workspace) throw new Error('there is a workspace')
    const viewAs = { kind: 'role', name: 'viewer', role: 'viewer', limited: false } as const
    setSession({ ...data, workspace: { ...data.workspace, viewAs } })
    const facet = lossFinding({ id: 'fnd_00000000000000000002', sentence: [{ text: 'Sales fell too.' }] })
    await open({ [PATH]: reply(briefing({ stories: [story({ facets: [facet] })] })) })
    await userEvent.setup().click(screen.getByRole('button', { name: '1 related' }))
    expect(screen.getByText('Sales fell too.')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Mark as read' })).toBe(null)
  })

  it('filters by state, and says what an empty list means', async () => {
    const { onSearch } = await open({ [PATH]: reply(briefing({ stories: [], total: 0 })) })
    expect(screen.getByText('All read.')).toBeTruthy()
    await userEvent.setup().click(screen.getByText('Snoozed 0'))
    expect(onSearch).toHaveBeenCalledWith({ state: 'snoozed' })
  })
})
