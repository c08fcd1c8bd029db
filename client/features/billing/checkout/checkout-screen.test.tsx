import { act, screen, waitFor } from '@testing-library/react'
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
  localStorage.clear()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  vi.clearAllMocks()
  vi.useRealTimers()
})

describe('a first purchase', () => {
  it('by card says what is paid, sends what was shown once, and goes to the page to pay on', async () => {
    const calls = serving(
      subscriptionViewFixture({ state: 'trial_expired' }),
      {},
      { [BUY]: () => jsonResponse({ url: 'https://pay.test/1' }) },
    )
    const { container } = await open({ plan: 'personal', addOns: 'extra_source:2' })
    const pay = await button('Pay €195.00 by card')
    expect(container).toHaveTextContent(/Personal, monthly\s*€195\.00\s*Due today\s*€195\.00/)
    expect(container).toHaveTextContent('Then €195.00 per month from 21 Dec 2026.')
    expect((await axe.run(container)).violations).toEqual([])
    await userEvent.dblClick(pay)
    await waitFor(() => expect(assign).toHaveBeenCalledExactlyOnceWith('https://pay.test/1'))
    const choice = { planId: 'personal', interval: 'monthly', addOns: [{ id: 'extra_source', qty: 2 }], method: 'card' }
    expect(bodies(calls, PREVIEW)).toEqual([choice])
    expect(bodies(calls, BUY)).toEqual([choice])
    expect(await button('Pay €195.00 by card')).toBeDisabled()
  })

  it('keeps the days left of the trial, and says when the first payment is', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T09:00:00Z') })
    const first = '2026-11-25T09:00:00.000Z'
    serving(subscriptionViewFixture(), { dueNow: { minor: 0, currency: 'eur' }, lines: [], recurringFrom: first })
    await open({ plan: 'personal' })
    expect(await button('Add a card, pay €195.00 on 25 Nov 2026')).toBeEnabled()
    expect(screen.getByText('Remaining 4 trial days stay free.')).toBeVisible()
  })

  it('by invoice asks for what an invoice needs, and saves it first', async () => {
    const details = { companyName: 'Nordträ AB', billingEmail: 'pay@example.com', taxId: '', poReference: '' }
    const calls = serving(
      subscriptionViewFixture(),
      {},
      {
        [DETAILS]: () => jsonResponse(subscriptionViewFixture({ details, version: 5 })),
        [BUY]: () => jsonResponse({ url: 'https://pay.test/invoice' }),
      },
    )
    const { container } = await open({ method: 'invoice' })
    const order = await button('Order by invoice')
    const company = screen.getByRole('textbox', { name: /Company name/ })
    await userEvent.clear(company)
    await userEvent.type(screen.getByRole('textbox', { name: 'EU VAT number' }), 'SE12')
    await userEvent.click(order)
    expect(company).toHaveFocus()
    expect(screen.getByText(/Enter the company name/)).toBeVisible()
    expect(screen.getByText(/Enter an EU VAT number/)).toBeVisible()
    expect((await axe.run(container)).violations).toEqual([])
    await userEvent.type(company, 'Nordträ AB')
    await userEvent.clear(screen.getByRole('textbox', { name: 'EU VAT number' }))
    await userEvent.click(order)
    await waitFor(() => expect(assign).toHaveBeenCalledExactlyOnceWith('https://pay.test/invoice'))
    expect(bodies(calls, DETAILS)).toEqual([{ ...details, billingEmail: 'anna@example.com', version: 4 }])
    const order5 = calls.map(({ method, path }) => `${method} ${path}`).filter((call) => [DETAILS, BUY].includes(call))
    expect(order5).toEqual([DETAILS, BUY])
  })

  it('finds what an invoice needs again after a reload, and nothing of it once it is ordered', async () => {
    const details = { companyName: 'Nordträ AB', billingEmail: 'anna@example.com', taxId: '', poReference: 'PO 4711' }
    serving(
      subscriptionViewFixture(),
      {},
      {
        [DETAILS]: () => jsonResponse(subscriptionViewFixture({ details, version: 5 })),
        [BUY]: () => jsonResponse({ url: 'https://pay.test/invoice' }),
      },
    )
    const reference = () => screen.findByRole('textbox', { name: 'Purchase order reference' })
    const first = await open({ method: 'invoice' })
    await userEvent.type(await reference(), 'PO 4711')
    first.unmount()
    await open({ method: 'invoice' })
    expect(await reference()).toHaveValue('PO 4711')
    expect(screen.getByText(/^Unsaved changes from /)).toBeVisible()
    await userEvent.click(await button('Order by invoice'))
    await waitFor(() => expect(assign).toHaveBeenCalledExactlyOnceWith('https://pay.test/invoice'))
    await waitFor(() => expect(Object.keys(localStorage).filter((key) => key.includes('checkout'))).toEqual([]))
  })

  it('saves what was chosen to stay before it', async () => {
    const calls = serving(
      subscriptionViewFixture(),
      { freezes: overLimitFixture() },
      {
        [KEEP]: () => jsonResponse(subscriptionViewFixture()),
        [BUY]: () => jsonResponse({ url: 'https://pay.test/1' }),
      },
    )
    await open({ plan: 'personal' })
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Ledger' }))
    await userEvent.click(screen.getByRole('checkbox', { name: 'Orders' }))
    expect(screen.getByText('Client portal')).toBeVisible()
    await userEvent.click(await button(/^Pay/))
    await waitFor(() => expect(assign).toHaveBeenCalledOnce())
    expect(bodies(calls, KEEP)).toEqual([
      { sources: ['src_new'], members: [], insights: [], groupings: [], forecasts: [] },
    ])
  })
})

describe('a change', () => {
  const NOW = { when: 'now', dueNow: { minor: 1_240, currency: 'eur' }, prorationAt: 1_795_000_000_000 } as const

  it('at once charges what was shown: the moment of its reckoning goes with it', async () => {
    const calls = serving(paidSubscriptionFixture(), NOW, {
      [CHANGE]: () => jsonResponse(paidSubscriptionFixture({ planId: 'professional', version: 5 })),
    })
    await open({ plan: 'professional' })
    expect(screen.queryByRole('radiogroup', { name: 'Payment' })).toBeNull()
    await userEvent.dblClick(await button('Change now for €12.40'))
    await waitFor(() => expect(onChanged).toHaveBeenCalledOnce())
    const asked = { planId: 'professional', interval: 'monthly', addOns: [], version: 4 }
    expect(bodies(calls, CHANGE)).toEqual([{ ...asked, prorationAt: NOW.prorationAt }])
    expect(
      calls
        .find(({ path, method }) => method === 'PUT' && path === '/api/subscription')
        ?.headers.get('idempotency-key'),
    ).toBeTruthy()
  })

  it('at the end of the period says so, and saves afterwards what stays', async () => {
    const at = '2026-12-01T09:00:00.000Z'
    const scheduled = { planId: 'personal', interval: 'monthly', addOns: {}, at } as const
    const calls = serving(
      paidSubscriptionFixture(),
      { when: 'periodEnd', at, freezes: overLimitFixture() },
      {
        [CHANGE]: () => jsonResponse(paidSubscriptionFixture({ scheduled, version: 5 })),
        [KEEP]: () => errorResponse('billing_unavailable'),
      },
    )
    await open({ plan: 'personal' })
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Ledger' }))
    await userEvent.click(await button('Change on 1 Dec 2026'))
    // The change is made: what failed after it is no reason to ask for it again.
    await waitFor(() => expect(onChanged).toHaveBeenCalledOnce())
    expect(bodies(calls, CHANGE)).toHaveLength(1)
    expect(bodies(calls, KEEP)).toHaveLength(1)
  })

  it('to nothing new has no button to order, and takes back what is planned', async () => {
    const scheduled = { planId: 'personal', interval: 'monthly', addOns: {}, at: '2026-12-01T09:00:00.000Z' } as const
    const calls = serving(
      paidSubscriptionFixture({ scheduled }),
      { when: 'none' },
      {
        'POST /api/subscription/resume': () => jsonResponse(paidSubscriptionFixture({ version: 5 })),
      },
    )
    await open()
    expect(await screen.findByText('Change to Personal scheduled for 1 Dec 2026')).toBeVisible()
    await userEvent.click(await button('Cancel change'))
    await waitFor(() => expect(bodies(calls, 'POST /api/subscription/resume')).toEqual([{ version: 4 }]))
  })
})

describe('the choice', () => {
  it('stands in the address, within the limits of each add-on', async () => {
    serving(subscriptionViewFixture(), {})
    await open()
    await userEvent.click(await screen.findByRole('radio', { name: /^Professional/ }))
    await userEvent.click(screen.getByText('Yearly'))
    await userEvent.click(screen.getByRole('button', { name: 'Add one 10-user pack' }))
    const expected = 'plan=professional&interval=yearly&addOns=user_pack_10:1&method=card'
    expect(address()).toBe(expected)
    expect(screen.getByRole('button', { name: 'Remove one Extra analyst' })).toBeDisabled()
    const field = screen.getByRole('textbox', { name: 'Extra analyst quantity' })
    await userEvent.clear(field)
    await userEvent.type(field, '1000')
    expect(address()).toContain('extra_analyst:100,')
    expect(screen.getByRole('button', { name: 'Add one Extra analyst' })).toBeDisabled()
  })

  it('sells hourly sync, once a workspace', async () => {
    serving(subscriptionViewFixture(), {})
    await open()
    const hourly = await screen.findByRole('switch', { name: 'Frequent sync' })
    expect(hourly).not.toBeChecked()
    await userEvent.click(hourly)
    expect(address()).toContain('frequent_sync:1')
  })

  it('says of amounts that they are without VAT, and of reverse charge once there is a VAT number', async () => {
    serving(subscriptionViewFixture(), {})
    await open({ method: 'invoice' })
    expect(await screen.findByText('All amounts excl. VAT')).toBeVisible()
    await userEvent.type(screen.getByRole('textbox', { name: 'EU VAT number' }), 'SE 556677-889901')
    expect(screen.getByText(/the invoice adds VAT or states reverse charge \(SE556677889901\)/)).toBeVisible()
  })

  it('is priced once it rests; until then the last figures are dimmed and cannot be ordered', async () => {
    const calls = serving(subscriptionViewFixture(), {})
    const { container } = await open({ plan: 'personal' })
    const pay = await button(/^Pay/)
    const figures = container.querySelector('[aria-busy]')
    expect(figures).toHaveAttribute('aria-busy', 'false')
    const more = screen.getByRole('button', { name: 'Add one Extra data source' })
    for (let count = 0; count < 5; count += 1) act(() => more.click())
    expect(figures).toHaveAttribute('aria-busy', 'true')
    expect(figures).toHaveTextContent('€195.00')
    expect(pay).toBeDisabled()
    await waitFor(() => expect(pay).toBeEnabled())
    expect(bodies(calls, PREVIEW)).toHaveLength(2)
    expect(bodies(calls, PREVIEW)[1]).toMatchObject({ addOns: [{ id: 'extra_source', qty: 5 }] })
  })
})

describe('what goes wrong', () => {
  it('with billing away loses nothing, and a second try is the same order', async () => {
    const calls = serving(
      subscriptionViewFixture(),
      {},
      {
        [BUY]: [() => errorResponse('billing_unavailable'), () => jsonResponse({ url: 'https://pay.test/1' })],
      },
    )
    await open({ plan: 'personal', addOns: 'extra_source:3' })
    await userEvent.click(await button(/^Pay/))
    expect(await screen.findByRole('alert')).toHaveTextContent(/Couldn’t reach billing.*won’t be charged twice/)
    expect(address()).toContain('extra_source:3')
    await waitFor(async () => expect(await button(/^Pay/)).toBeEnabled())
    await userEvent.click(await button(/^Pay/))
    await waitFor(() => expect(assign).toHaveBeenCalledOnce())
    const keys = calls
      .filter(({ path }) => path === '/api/stripe/checkout')
      .map(({ headers }) => headers.get('idempotency-key'))
    expect(keys).toHaveLength(2)
    expect(new Set(keys).size).toBe(1)
  })

  it('with a subscription bought meanwhile becomes a change of that one', async () => {
    const views = [() => jsonResponse(subscriptionViewFixture()), () => jsonResponse(paidSubscriptionFixture())]
    const previews = [
      () => jsonResponse(changePreviewFixture()),
      () => jsonResponse(changePreviewFixture({ when: 'now' })),
    ]
    serving(
      subscriptionViewFixture(),
      {},
      { 'GET /api/subscription': views, [PREVIEW]: previews, [BUY]: () => errorResponse('in_use') },
    )
    await open({ plan: 'professional' })
    await userEvent.click(await button(/^Pay/))
    expect(await screen.findByRole('heading', { name: 'Change plan' })).toBeVisible()
    expect(await button('Change now for €195.00')).toBeVisible()
    expect(screen.getByRole('alert')).toHaveTextContent('Already subscribed')
  })

  it('with a change by somebody else shows the new figures, to be confirmed again', async () => {
    const views = [
      () => jsonResponse(paidSubscriptionFixture()),
      () => jsonResponse(paidSubscriptionFixture({ version: 9 })),
    ]
    const calls = serving(
      subscriptionViewFixture(),
      { when: 'now' },
      {
        'GET /api/subscription': views,
        [CHANGE]: [
          () => errorResponse('version_conflict'),
          () => jsonResponse(paidSubscriptionFixture({ version: 10 })),
        ],
      },
    )
    await open({ plan: 'professional' })
    await userEvent.click(await button(/^Change now/))
    expect(await screen.findByRole('alert')).toHaveTextContent(/Subscription changed elsewhere/)
    await waitFor(async () => expect(await button(/^Change now/)).toBeEnabled())
    await userEvent.click(await button(/^Change now/))
    await waitFor(() => expect(onChanged).toHaveBeenCalledOnce())
    expect(bodies(calls, CHANGE)).toMatchObject([{ version: 4 }, { version: 9 }])
  })

  it('with no price known can be asked again, and nothing is ordered blindly', async () => {
    serving(
      subscriptionViewFixture(),
      {},
      { [PREVIEW]: [() => errorResponse('billing_unavailable'), () => jsonResponse(changePreviewFixture())] },
    )
    await open()
    await userEvent.click(await button('Try again'))
    expect(await button(/^Pay/)).toBeEnabled()
  })
})
