import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { SchedulesDrawer } from './schedules-drawer'
import { UnsubscribeScreen } from './unsubscribe-screen'
import { queryClient } from '../../../lib/queries/query-client'
import { setSession } from '../../../lib/session'
import { errorResponse, jsonResponse, mockServer, type MockReply } from '../../../test/mock-server'
import { memberPageData, visitorPageData } from '../../../test/page-data'
import { renderWithProviders } from '../../../test/render'
import { REPORT } from '../reports.fixture'
import type { ReportDelivery, ReportSchedule } from '../../../../src/shared/reports/schedules'

// Files share modules: what was imported by an earlier one would not be replaced.
vi.hoisted(() => vi.resetModules())

const ANNA = 'usr_00000000000000000001'
const PATH = `/api/reports/${REPORT.id}/schedules`
const SCHEDULE: ReportSchedule = {
  ...{ id: 'sch_00000000000000000001', reportId: REPORT.id, ownerId: ANNA, ownerName: 'Anna Lindqvist', version: 2 },
  ...{
    timing: { kind: 'weekly', weekday: 1, hour: 7 },
    format: 'pdf',
    closedPeriod: true,
    skipEmpty: true,
    hold: true,
  },
  recipients: [
    { kind: 'member', id: ANNA, filters: {}, name: 'Anna Lindqvist', unsubscribed: false },
    { kind: 'address', email: 'cfo@bank.example', filters: {}, name: null, unsubscribed: true },
  ],
  ...{ paused: null, next: ['2026-11-30T06:00:00.000Z'], subscribed: null, restricted: false },
  last: { at: '2026-11-23T06:00:00.000Z', counts: { sent: 1, held: 1 } },
}
const delivery = (state: ReportDelivery['state'], reason: ReportDelivery['reason']): ReportDelivery => ({
  ...{ id: `dlv_0000000000000000000${state.length}`, recipient: 'cfo@bank.example', name: null, state, reason },
  ...{ at: '2026-11-23T06:00:00.000Z', doneAt: null, test: false },
})
const list =
  (items: unknown[]): MockReply =>
  () =>
    jsonResponse({ items, nextCursor: null })
const AROUND: Record<string, MockReply> = {
  [`GET ${PATH}`]: list([SCHEDULE]),
  'GET /api/members': list([{ userId: ANNA, name: 'Anna Lindqvist', role: 'owner', status: 'active' }]),
  'GET /api/groups': () => jsonResponse([]),
}
const person = userEvent.setup()
const open = () => renderWithProviders(<SchedulesDrawer report={REPORT} onClose={() => undefined} />)
const menu = async (item: string) => {
  await person.click(await screen.findByRole('button', { name: /^More actions for/ }))
  await person.click(await screen.findByRole('menuitem', { name: item }))
}

const signedIn = () => {
  const data = memberPageData()
  return { ...data, user: data.user && { ...data.user, id: ANNA } }
}
beforeEach(() => setSession(signedIn()))
afterEach(() => {
  queryClient.clear()
  window.location.hash = ''
  vi.unstubAllGlobals()
})

describe('schedules of a report', () => {
  it('say when, what, to whom, who unsubscribed and how the last date went', async () => {
    mockServer(AROUND)
    await open()
    const item = await screen.findByRole('listitem')
    expect(item).toHaveTextContent('Mondays at 07:00')
    expect(item).toHaveTextContent('PDF to Anna Lindqvist, cfo@bank.example (unsubscribed)')
    expect(item).toHaveTextContent('1 held, 1 sent')
  })

  it('are made with their next dates shown, and refused recipients are told at their field', async () => {
    const said = 'other.example isn’t an allowed domain. An admin can add it in workspace settings.'
    const calls = mockServer({
      ...AROUND,
      [`GET ${PATH}`]: list([]),
      [`POST ${PATH}`]: [
        () => errorResponse('invalid_input', { fields: { addresses: said } }),
        () => jsonResponse(SCHEDULE, 201),
      ],
    })
    await open()
    await person.click(await screen.findByRole('button', { name: 'New schedule' }))
    expect(await screen.findByText(/^Next: /)).toBeVisible()
    await person.click(screen.getByText('PDF'))
    await person.type(screen.getByLabelText('Outside addresses'), 'nobody{Enter}cfo@other.example{Enter}')
    await person.click(screen.getByRole('button', { name: 'Create schedule' }))
    expect(await screen.findByText(said)).toBeVisible()
    await person.click(screen.getByRole('button', { name: 'Create schedule' }))
    expect(await screen.findByText('No schedules yet')).toBeVisible()
    expect(calls.find(({ method }) => method === 'POST')?.body).toMatchObject({
      ...{ timing: { kind: 'weekly', weekday: 1, hour: 7 }, format: 'pdf' },
      recipients: [
        { kind: 'member', id: ANNA },
        { kind: 'address', email: 'cfo@other.example' },
      ],
    })
  })

  it('are tested, and what was held or failed is sent by a button in the log', async () => {
    const held = delivery('held', 'stale')
    const calls = mockServer({
      ...AROUND,
      [`POST ${PATH}/${SCHEDULE.id}/test`]: () => jsonResponse({ ...held, state: 'failed', reason: 'figures' }, 201),
      [`GET ${PATH}/${SCHEDULE.id}/deliveries`]: list([held, delivery('sent', null)]),
      [`POST ${PATH}/${SCHEDULE.id}/deliveries/${held.id}/retry`]: () => jsonResponse({ ...held, state: 'waiting' }),
    })
    await open()
    await menu('Send a test to me')
    await waitFor(() => expect(calls.some(({ path }) => path.endsWith('/test'))).toBe(true))
    await menu('Delivery log')
    const [first, second] = await screen.findAllByRole('listitem')
    expect(first).toHaveTextContent('No data imported since the period ended')
    expect(second && within(second).queryByRole('button')).toBeNull()
    await person.click(screen.getByRole('button', { name: 'Send now' }))
    await waitFor(() => expect(calls.some(({ path }) => path.endsWith('/retry'))).toBe(true))
  })

  it('can be looked at and not changed where the workspace is read-only, or filters are hidden', async () => {
    const base = signedIn()
    const { workspace } = base
    if (workspace) workspace.entitlements = { ...workspace.entitlements, readOnly: 'restricted' }
    setSession(base)
    mockServer(AROUND)
    await open()
    await screen.findByRole('listitem')
    expect(screen.queryByRole('button', { name: 'New schedule' })).toBeNull()
    await person.click(screen.getByRole('button', { name: /^More actions for/ }))
    expect((await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)).toEqual(['Delivery log'])
  })
})

describe('the link of a mail', () => {
  const TOKEN = `rcp_0123456789abcdefghjk.${'ab'.repeat(32)}`
  const CHECK = 'POST /api/report-subscriptions/check'
  const CHANGE = 'POST /api/report-subscriptions'
  const opened = (hash: string) => {
    setSession(visitorPageData())
    window.location.hash = hash
    return renderWithProviders(<UnsubscribeScreen frame={({ children }) => children} />)
  }
  const found = { report: 'Monday board', workspace: 'Nordic' }

  it('unsubscribes by a button, not by being opened, and subscribes again', async () => {
    const calls = mockServer({
      [CHECK]: () => jsonResponse({ ...found, subscribed: true }),
      [CHANGE]: [
        () => jsonResponse({ ...found, subscribed: false }),
        () => jsonResponse({ ...found, subscribed: true }),
      ],
    })
    await opened(TOKEN)
    expect(await screen.findByText('You get “Monday board” from Nordic by email.')).toBeVisible()
    expect(calls).toHaveLength(1)
    await person.click(screen.getByRole('button', { name: 'Unsubscribe' }))
    await person.click(await screen.findByRole('button', { name: 'Subscribe again' }))
    expect(await screen.findByText('Subscribed again')).toBeVisible()
    expect(calls.slice(1).map(({ body }) => body)).toEqual([
      { token: TOKEN, subscribed: false },
      { token: TOKEN, subscribed: true },
    ])
  })

  it('that is old or cut off says so', async () => {
    mockServer({ [CHECK]: () => errorResponse('expired', { what: 'link' }) })
    await opened(TOKEN)
    expect(await screen.findByText('Link incomplete or expired')).toBeVisible()
  })
})
