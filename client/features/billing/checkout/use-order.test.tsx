import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import axe from 'axe-core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import * as page from './checkout.fixture'
import {
  overLimitFixture,
  paidSubscriptionFixture,
  changePreviewFixture,
  subscriptionViewFixture,
} from './checkout.fixture'
import { setSession } from '../../../lib/session'
import { jsonResponse, errorResponse } from '../../../test/mock-server'
import type { OverLimitList } from '../../../../src/shared/billing/subscription'

const {
  PREVIEW,
  CHECKOUT: BUY,
  CHANGE,
  RETAIN: KEEP,
  DETAILS,
  serveCheckout: serving,
  bodies,
  renderCheckout: open,
  address,
  button,
  onChanged,
  assign,
  pageDataFor: pageOf,
} = page

beforeEach(() => {
  setSession(pageOf())
  vi.spyOn(window.location, 'assign').mockImplementation(assign)
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  vi.clearAllMocks()
  vi.useRealTimers()
})

const AT = '2026-12-01T09:00:00.000Z'
const sek = (minor: number) => ({ minor, currency: 'sek' })
const eur = (minor: number) => ({ minor, currency: 'eur' })

/** Presses what orders, once the figures are those of the choice. */
async function press(name: string | RegExp): Promise<void> {
  const order = await button(name)
  await waitFor(() => expect(order).toBeEnabled())
  await userEvent.click(order)
}

describe('an older tier', () => {
  const tier = paidSubscriptionFixture({ planId: 'legacy', tier: 3 })

  it('is all that is offered, whatever the address says, and says how it is left', async () => {
    serving(tier, { when: 'none', dueNow: sek(0), lines: [], recurring: sek(99_500), recurringFrom: AT })
    const { container } = await open({ plan: 'professional', addOns: 'extra_source:2' })
    const plans = within(await screen.findByRole('radiogroup', { name: 'Plan' })).getAllByRole('radio')
    expect(plans).toHaveLength(1)
    expect(plans[0]).toHaveAccessibleName(/^3 data sources \(older tier\), (kr|SEK)\s?995\.00 per month$/)
    await screen.findByText(/^You pay/)
    expect(screen.getByText(/To choose another plan, cancel the older tier/)).toBeVisible()
    expect(container).toHaveTextContent(/You pay (kr|SEK)\s?995\.00 per month, next 1 Dec 2026\./)
    expect(screen.queryByRole('region', { name: 'Add-ons' })).toBeNull()
    expect(screen.queryByRole('switch')).toBeNull()
    expect((await axe.run(container)).violations).toEqual([])
  })

  it('changes how often it is paid, in its own currency', async () => {
    const preview = {
      when: 'now',
      dueNow: sek(895_500),
      recurring: sek(995_000),
      recurringFrom: AT,
      prorationAt: 5,
    } as const
    const calls = serving(tier, preview, { [CHANGE]: () => jsonResponse({ ...tier, interval: 'yearly', version: 5 }) })
    await open()
    await userEvent.click(await screen.findByText('Yearly'))
    await press(/^Change now for (kr|SEK)\s?8,955\.00$/)
    await waitFor(() => expect(onChanged).toHaveBeenCalledOnce())
    const asked = { planId: 'legacy', interval: 'yearly', addOns: [], version: 4, prorationAt: 5 }
    expect(bodies(calls, CHANGE)).toEqual([asked])
  })

  it('keeps the Premium sync beside it until that is given up', async () => {
    const beside = { ...tier, addOns: { premium_sync_3: 1 } }
    const preview = { when: 'periodEnd', at: AT, dueNow: eur(0), recurring: eur(0), recurringFrom: AT } as const
    const calls = serving(beside, preview, { [CHANGE]: () => jsonResponse({ ...beside, version: 5 }) })
    await open()
    expect(await screen.findByRole('radio', { name: /3 sources/ })).toBeChecked()
    await userEvent.click(screen.getByRole('radio', { name: 'None' }))
    await press(/^Change on/)
    await waitFor(() => expect(onChanged).toHaveBeenCalledOnce())
    expect(bodies(calls, CHANGE)).toMatchObject([{ planId: 'legacy', addOns: [] }])
  })

  it('is offered Premium sync in each of its sizes', async () => {
    serving(tier, { when: 'none' })
    await open()
    await screen.findByRole('radio', { name: /older tier/ })
    const sizes = within(screen.getByRole('radiogroup', { name: 'Premium sync' })).getAllByRole('radio')
    expect(sizes).toHaveLength(5)
  })
})

describe('an invoice', () => {
  const details = { companyName: 'Nordträ AB', billingEmail: 'pay@example.com', taxId: '', poReference: '' }
  const url = () => jsonResponse({ url: 'https://pay.test/invoice' })

  it('is for the whole period from today, and the days left of the trial prolong it', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T09:00:00Z') })
    const lines = [{ text: 'Personal, yearly', amount: eur(234_000) }]
    const calls = serving(subscriptionViewFixture({ details }), { lines, dueNow: eur(234_000) }, { [BUY]: url })
    const { container } = await open({ plan: 'personal', interval: 'yearly', method: 'invoice' })
    await button('Order by invoice')
    expect(container).toHaveTextContent(/Personal, yearly\s*€2,340\.00\s*On the invoice\s*€2,340\.00/)
    expect(screen.getByText('Remaining 4 trial days added to the first period.')).toBeVisible()
    await press('Order by invoice')
    await waitFor(() => expect(assign).toHaveBeenCalledExactlyOnceWith('https://pay.test/invoice'))
    // What is stored already is not saved again.
    expect(bodies(calls, DETAILS)).toEqual([])
    expect(bodies(calls, BUY)).toEqual([{ planId: 'personal', interval: 'yearly', addOns: [], method: 'invoice' }])
  })

  it('pays changes, too, where the subscription is paid so: nothing is asked for again', async () => {
    serving(paidSubscriptionFixture({ method: 'invoice' }), { when: 'now', dueNow: eur(1_240), prorationAt: 5 })
    await open({ plan: 'professional' })
    expect(await button('Change now for €12.40')).toBeEnabled()
    expect(screen.getByText(/We’ll email the invoice/)).toBeVisible()
    expect(screen.queryByRole('radiogroup', { name: 'Payment' })).toBeNull()
    expect(screen.queryByRole('textbox', { name: /Company name/ })).toBeNull()
  })

  it('whose tax id is refused says so beside the field, and nothing is ordered', async () => {
    const words = 'This number is not known.'
    const calls = serving(
      subscriptionViewFixture(),
      {},
      { [DETAILS]: () => errorResponse('invalid_input', { fields: { taxId: words } }) },
    )
    await open({ method: 'invoice' })
    const field = await screen.findByRole('textbox', { name: 'EU VAT number' })
    await userEvent.type(field, 'SE556677889901')
    await press('Order by invoice')
    await waitFor(() => expect(field).toHaveAccessibleDescription(expect.stringContaining(words)))
    expect(bodies(calls, BUY)).toEqual([])
    expect(assign).not.toHaveBeenCalled()
  })
})

describe('a smaller plan', () => {
  const person = (id: string, stays: boolean, always = false): OverLimitList['items'][number] => ({
    ...{ id, name: id, createdAt: AT, stays },
    ...(always ? { always } : {}),
  })
  const people = [person('Anna', true, true), person('Bo', true), person('Cia', false)]

  it('says from when and what it freezes, and saves who and what was chosen to stay', async () => {
    const scheduled = { planId: 'personal', interval: 'monthly', addOns: {}, at: AT } as const
    const planned = paidSubscriptionFixture({ scheduled, version: 5 })
    const freezes = overLimitFixture({ analysts: { max: 2, items: people }, users: { max: 2, items: people } })
    const over = { [CHANGE]: () => jsonResponse(planned), [KEEP]: () => jsonResponse({ ...planned, version: 6 }) }
    const calls = serving(paidSubscriptionFixture(), { when: 'periodEnd', at: AT, freezes }, over)
    const { container } = await open({ plan: 'personal' })
    await button('Change on 1 Dec 2026')
    expect(container).toHaveTextContent(/From 1 Dec 2026, the rest becomes read-only, not deleted/)
    expect(screen.getByText(/No change until then/)).toBeVisible()
    const analysts = () => screen.getByRole('group', { name: 'Analysts' })
    const box = (name: string) => within(analysts()).getByRole('checkbox', { name })
    // Owners stay whatever is chosen, and nobody is chosen beyond the limit.
    expect(box('Anna')).toBeDisabled()
    expect(box('Cia')).toBeDisabled()
    await userEvent.click(box('Bo'))
    await userEvent.click(box('Cia'))
    expect((await axe.run(container)).violations).toEqual([])
    await press('Change on 1 Dec 2026')
    await waitFor(() => expect(onChanged).toHaveBeenCalledOnce())
    const [kept] = bodies(calls, KEEP)
    expect(kept).toMatchObject({ sources: ['src_old'], insights: [] })
    expect(JSON.stringify(kept)).toContain('Cia')
    expect(JSON.stringify(kept)).not.toContain('Bo')
    const order = calls.map(({ method, path }) => `${method} ${path}`).filter((call) => [CHANGE, KEEP].includes(call))
    expect(order).toEqual([CHANGE, KEEP])
  })

  it('leaves the choice alone that nobody made', async () => {
    const calls = serving(
      paidSubscriptionFixture(),
      { when: 'periodEnd', at: AT, freezes: overLimitFixture() },
      { [CHANGE]: () => jsonResponse(paidSubscriptionFixture()) },
    )
    await open({ plan: 'personal' })
    await press('Change on 1 Dec 2026')
    await waitFor(() => expect(onChanged).toHaveBeenCalledOnce())
    expect(bodies(calls, KEEP)).toEqual([])
  })
})

describe('a choice that is refused', () => {
  const WHY = 'Pay the open invoice first.'

  it('before it is ordered says why in the words of the server, and another can be made', async () => {
    const refused = () => errorResponse('invalid_input', { fields: { addOns: WHY } })
    serving(subscriptionViewFixture(), {}, { [PREVIEW]: [refused, () => jsonResponse(changePreviewFixture())] })
    await open({ plan: 'personal' })
    expect(await screen.findByRole('alert')).toHaveTextContent(`Couldn’t price this choice${WHY}`)
    expect(screen.queryByRole('button', { name: /^Pay|Try again/ })).toBeNull()
    await userEvent.click(screen.getByRole('radio', { name: /^Standard/ }))
    expect(await button(/^Pay/)).toBeEnabled()
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it.each([
    [
      'a card that is declined',
      () => errorResponse('invalid_input', { fields: { payment: 'Your card was declined.' } }),
    ],
    ['an open invoice', () => jsonResponse({ code: 'in_use', message: WHY, requestId: 'r' }, 409)],
  ] as const)('for %s says that nothing was changed, and why', async (name, refused) => {
    serving(paidSubscriptionFixture(), { when: 'now', dueNow: eur(1_240), prorationAt: 5 }, { [CHANGE]: refused })
    await open({ plan: 'professional' })
    await press(/^Change now/)
    const why = name === 'an open invoice' ? WHY : 'Your card was declined.'
    expect(await screen.findByRole('alert')).toHaveTextContent(`Couldn’t change the plan${why}`)
    expect(onChanged).not.toHaveBeenCalled()
    expect(address()).toContain('plan=professional')
  })

  it('while an invoice is overdue leads to where it is paid', async () => {
    serving(paidSubscriptionFixture({ state: 'past_due', graceEndsAt: AT }), { when: 'none' })
    await open()
    expect(await screen.findByText('Payment overdue')).toBeVisible()
    expect(screen.getAllByRole('link', { name: 'Subscription' })).toHaveLength(2)
  })
})
