import { act, screen, waitFor, within } from '@testing-library/react'
import { notifications } from '@mantine/notifications'
import userEvent from '@testing-library/user-event'
import axe from 'axe-core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  invoiceFixture,
  openInvoiceFixture,
  subscriptionFixture,
  trialFixture,
  upcomingFixture,
} from '../../../test/subscription'
import { SubscriptionScreen } from './subscription-screen'
import { setSession } from '../../../lib/session'
import { memberPageData } from '../../../test/page-data'
import { renderWithProviders } from '../../../test/render'
import { jsonResponse, errorResponse, mockServer, type MockReply } from '../../../test/mock-server'
import type { InvoiceView, SubscriptionView } from '../../../../src/shared/billing/subscription'

const plain = (text: string | null | undefined): string => (text ?? '').replace(/\s/g, ' ')

/** A server with this subscription; `over` replaces or adds answers. */
const selling = (view: SubscriptionView, over: Record<string, MockReply | MockReply[]> = {}) =>
  mockServer({
    'GET /api/subscription': () => jsonResponse(view),
    'GET /api/subscription/upcoming': () => jsonResponse(upcomingFixture),
    'GET /api/subscription/invoices': () => jsonResponse({ items: [invoiceFixture()], nextCursor: null }),
    'GET /api/session': () => jsonResponse(memberPageData()),
    ...over,
  })
const listing = (items: InvoiceView[]): Record<string, MockReply> => ({
  'GET /api/subscription/invoices': () => jsonResponse({ items, nextCursor: null }),
})
const billing = (value: 'live' | 'test' | 'off') => {
  const page = memberPageData()
  setSession({ ...page, config: { ...page.config, billing: value } })
}
const section = (name: string) => screen.findByRole('region', { name })
const sent = (calls: ReturnType<typeof mockServer>, key: string) =>
  calls.filter(({ method, path }) => `${method} ${path}` === key)

beforeEach(() => setSession(memberPageData()))
afterEach(() => {
  vi.unstubAllGlobals()
  sessionStorage.clear()
})

describe('the page of a paid plan', () => {
  it('says what comes next of Premium sync beside an older tier, in its own currency', async () => {
    const tier = { ...upcomingFixture, total: { minor: 99_500, currency: 'sek' } }
    const beside = { at: '2026-12-21T09:00:00.000Z', total: { minor: 2_600, currency: 'eur' }, lines: [] }
    selling(subscriptionFixture({ planId: 'legacy', tier: 3, addOns: { premium_sync_3: 1 } }), {
      'GET /api/subscription/upcoming': () => jsonResponse({ ...tier, beside }),
    })
    await renderWithProviders(<SubscriptionScreen />)
    const next = within(await section('Next invoice'))
    const premium = within(await next.findByRole('table', { name: 'Next Premium sync invoice' }))
    expect(plain(premium.getByRole('row', { name: /Total.*21 Dec 2026/ }).textContent)).toMatch(/26,00 €/)
    expect(plain(next.getByRole('row', { name: /Total.*20 Dec 2026/ }).textContent)).toMatch(/995,00 kr/)
  })

  it('opens on plan, next invoice and usage in words, with the plans behind a link, without offence', async () => {
    selling(subscriptionFixture({ addOns: { extra_analyst: 2 } }))
    const { container } = await renderWithProviders(<SubscriptionScreen />)
    const standing = await section('Standard, billed monthly')
    expect(plain(standing.textContent)).toMatch(
      /Active490,00 € per month, excl. VAT: Standard 450,00 €, 2 × Extra analyst 40,00 €/,
    )
    const meters = within(await section('Usage'))
    expect(meters.getByText('Data sources').closest('li')).toHaveTextContent(/5 of 3.*2 over limit/)
    expect(meters.getByText('Analysts').closest('li')).toHaveTextContent(/3 of 3.*Limit reached/)
    expect(meters.getByText('Custom insights').closest('li')).toHaveTextContent(/17 of 20.*3 left/)
    expect(meters.getByText('AI messages').closest('li')).toHaveTextContent(/40.*Unlimited/)
    expect(meters.queryByText('BI feeds')).toBeNull()
    expect(screen.queryByRole('list', { name: 'Plans' })).toBeNull()
    const next = within(await section('Next invoice'))
    expect(plain((await next.findByRole('row', { name: /Total.*20 Dec 2026/ })).textContent)).toMatch(/470,00 €/)
    const row = await screen.findByRole('row', { name: /INS-0001/ })
    expect(plain(row.textContent)).toMatch(/20 Nov 2026Paid.*450,00 €/)
    expect(within(row).getByRole('link', { name: 'PDF of invoice INS-0001' })).toHaveAttribute(
      'href',
      'https://pay.example.com/in_1.pdf',
    )
    expect(screen.getByText('Test billing')).toBeVisible()
    expect((await axe.run(container)).violations).toEqual([])
  })

  it('marks the current plan, and leads to every other with the choice in the address', async () => {
    selling(subscriptionFixture())
    await renderWithProviders(<SubscriptionScreen />, '?show=plans')
    const plans = within(await screen.findByRole('list', { name: 'Plans' }))
    expect(plans.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual([
      ...['Personal', 'Standard', 'Professional', 'Enterprise'],
    ])
    expect(plans.getByText('Current plan')).toBeVisible()
    // As the table below writes it.
    expect(plans.getAllByText(/AI messages a month/).map(({ textContent }) => plain(textContent))).toEqual([
      'Insight bot, 100 AI messages a month',
      'Insight bot, 1 000 AI messages a month',
    ])
    expect(plans.getByRole('link', { name: 'Change to Professional' })).toHaveAttribute(
      'href',
      expect.stringMatching(/checkout\?plan=professional&interval=monthly/),
    )
    await userEvent.click(screen.getByText('Yearly'))
    expect(plain(plans.getByText('Standard').closest('li')?.textContent)).toMatch(/5 400,00 € per year, excl. VAT/)
    const addOns = within(await section('Add-ons'))
    expect(plain(addOns.getByText('Extra analyst').closest('li')?.textContent)).toMatch(/240,00 € per year, excl. VAT/)
    expect(
      decodeURIComponent(addOns.getByRole('link', { name: 'Add Extra analyst' }).getAttribute('href') ?? ''),
    ).toMatch(/interval=yearly/)
    expect(plans.getByRole('link', { name: 'Switch to yearly' })).toHaveAttribute(
      'href',
      expect.stringMatching(/plan=standard&interval=yearly/),
    )
  })

  it('leads to add-ons with what is held and one of them', async () => {
    selling(subscriptionFixture({ addOns: { extra_analyst: 2 } }))
    const { container } = await renderWithProviders(<SubscriptionScreen />, '?show=plans')
    const addOns = within(await section('Add-ons'))
    expect(
      decodeURIComponent(addOns.getByRole('link', { name: 'Add 10-user pack' }).getAttribute('href') ?? ''),
    ).toMatch(/plan=standard.*addOns=.*extra_analyst:2,user_pack_10:1/)
    expect(addOns.getByText('You have 2')).toBeVisible()
    expect((await axe.run(container)).violations).toEqual([])
  })

  it('cancels only after it has said what that means, and takes it back', async () => {
    const cancelled = subscriptionFixture({ cancelAt: '2026-12-20T09:00:00.000Z', version: 5 })
    const calls = selling(subscriptionFixture(), {
      'POST /api/subscription/cancel': () => jsonResponse(cancelled),
      'POST /api/subscription/resume': () => jsonResponse(subscriptionFixture({ version: 6 })),
    })
    await renderWithProviders(<SubscriptionScreen />)
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel subscription' }))
    const dialog = await screen.findByRole('dialog')
    expect(dialog).toHaveTextContent(/Works until 20 Dec 2026.*Nothing is deleted/)
    await userEvent.click(within(dialog).getByRole('button', { name: 'Cancel subscription' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Resume subscription' }))
    await screen.findByRole('button', { name: 'Cancel subscription' })
    expect(sent(calls, 'POST /api/subscription/cancel')[0]?.body).toEqual({ version: 4 })
    expect(sent(calls, 'POST /api/subscription/resume')[0]?.body).toEqual({ version: 5 })
  })

  it('names a change that waits, and undoes it', async () => {
    const scheduled = {
      ...({ planId: 'personal', interval: 'monthly', addOns: {} } as const),
      at: '2026-12-20T09:00:00.000Z',
    }
    const calls = selling(subscriptionFixture({ scheduled }), {
      'POST /api/subscription/resume': () => jsonResponse(subscriptionFixture({ version: 5 })),
    })
    await renderWithProviders(<SubscriptionScreen />)
    expect(await screen.findByText('Personal, billed monthly, from 20 Dec 2026')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Cancel change' }))
    await waitFor(() => expect(screen.queryByText(/from 20 Dec 2026/)).toBeNull())
    expect(sent(calls, 'POST /api/subscription/resume')).toHaveLength(1)
  })
})

it('after the payment portal asks billing once, and shows what was done there', async () => {
  sessionStorage.setItem('payment-portal', 'ws_one')
  const calls = selling(subscriptionFixture(), {
    'POST /api/subscription/refresh': () => jsonResponse(subscriptionFixture({ cancelAt: '2026-12-20T09:00:00.000Z' })),
  })
  await renderWithProviders(<SubscriptionScreen />)
  expect(await screen.findByText('Ends 20 Dec 2026')).toBeVisible()
  expect(sent(calls, 'POST /api/subscription/refresh')).toHaveLength(1)
  expect(sessionStorage).toHaveLength(0)
})

it('says of an invoice that the customer pays its VAT, with both numbers', async () => {
  const numbers = { sellerVatNumber: 'SE556677889901', customerVatNumber: 'DE123456789' }
  const reversed = invoiceFixture({ reverseCharge: numbers })
  selling(subscriptionFixture(), listing([reversed, invoiceFixture({ id: 'in_9', number: 'INS-0009' })]))
  await renderWithProviders(<SubscriptionScreen />)
  const rows = within(await screen.findByRole('grid', { name: 'Invoices' }))
  const note = 'Reverse charge: VAT to be paid by the customer'
  expect(rows.getByRole('row', { name: /INS-0001/ })).toHaveTextContent(
    `${note}Our VAT number: SE556677889901 · Yours: DE123456789`,
  )
  expect(rows.getByRole('row', { name: /INS-0009/ })).not.toHaveTextContent(note)
})

describe('a payment that waits', () => {
  const waiting = subscriptionFixture({ state: 'past_due', method: 'invoice', graceEndsAt: '2026-12-04T09:00:00.000Z' })

  it('leads to the overdue invoice, and asks billing when told that it is paid', async () => {
    const late = openInvoiceFixture({ id: 'in_0', overdue: true, url: 'https://pay.example.com/late' })
    const calls = selling(waiting, {
      ...listing([openInvoiceFixture(), late]),
      'POST /api/subscription/refresh': [() => jsonResponse(waiting), () => jsonResponse(subscriptionFixture())],
    })
    await renderWithProviders(<SubscriptionScreen />)
    const pay = await screen.findByRole('link', { name: 'Pay invoice' })
    expect(pay).toHaveAttribute('href', 'https://pay.example.com/late')
    expect(await screen.findByText('Overdue')).toBeVisible()
    const told = vi.spyOn(notifications, 'show')
    await userEvent.click(screen.getByRole('button', { name: 'Check payment' }))
    await waitFor(() => expect(told.mock.calls[0]?.[0].message).toMatch(/No payment received yet/))
    await userEvent.click(screen.getByRole('button', { name: 'Check payment' }))
    await waitFor(() => expect(screen.queryByText('Payment overdue')).toBeNull())
    expect(told).toHaveBeenCalledOnce()
    expect(sent(calls, 'POST /api/subscription/refresh')).toHaveLength(2)
    expect(sent(calls, 'GET /api/session')).not.toHaveLength(0)
  })

  it('shows a payment within a minute, unasked', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    selling(waiting, {
      ...listing([openInvoiceFixture({ overdue: true })]),
      'POST /api/subscription/refresh': [() => jsonResponse(waiting), () => jsonResponse(subscriptionFixture())],
    })
    await renderWithProviders(<SubscriptionScreen />)
    await screen.findByText('Payment overdue')
    await act(() => vi.advanceTimersByTimeAsync(60_000))
    expect(await screen.findByText('Active')).toBeVisible()
    vi.useRealTimers()
  })

  it('by card leads to the invoice, and to the payment portal', async () => {
    const calls = selling(
      { ...waiting, method: 'card' },
      { ...listing([openInvoiceFixture()]), 'POST /api/stripe/portal': () => errorResponse('billing_unavailable') },
    )
    await renderWithProviders(<SubscriptionScreen />)
    expect(await screen.findByRole('link', { name: 'Pay invoice' })).toHaveAttribute('href', openInvoiceFixture().url)
    await userEvent.click(await screen.findByRole('button', { name: 'Update card' }))
    expect(await screen.findByText(/Couldn’t reach billing/)).toBeVisible()
    expect(sent(calls, 'POST /api/stripe/portal')).toHaveLength(1)
  })

  it('can be found while billing cannot be reached: the rest of the page stands', async () => {
    selling(waiting, {
      'GET /api/subscription/invoices': () => errorResponse('billing_unavailable'),
      'GET /api/subscription/upcoming': () => errorResponse('billing_unavailable'),
    })
    await renderWithProviders(<SubscriptionScreen />)
    const invoices = within(await section('Invoices'))
    expect(await invoices.findByRole('alert')).toHaveTextContent(/Couldn’t reach billing/)
    expect(await within(await section('Next invoice')).findByRole('alert')).toBeVisible()
    expect(await section('Usage')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Pay invoice' })).toBeVisible()
  })
})

describe('what is frozen', () => {
  const item = (id: string, name: string, stays: boolean) => ({
    id,
    name,
    createdAt: '2026-05-02T08:00:00.000Z',
    stays,
  })
  const frozen = {
    sources: { max: 1, items: [item('src_1', 'Ledger', true), item('src_2', 'Orders', false)] },
    ...{ analysts: null, users: null, insights: null, groupings: null, forecasts: null },
    gates: ['userGrouping' as const],
  }

  it('is named with its reason; what stays can be chosen', async () => {
    const calls = selling(trialFixture({ state: 'trial_expired', frozen, mayChoose: true }), {
      'PUT /api/subscription/keep': () => jsonResponse(trialFixture({ state: 'trial_expired', frozen: null })),
    })
    await renderWithProviders(<SubscriptionScreen />)
    const card = await section('Over plan limits')
    expect(card).toHaveTextContent(/1 of 2 data sources over the limit of 1.*Orders.*Read-only.*User groups/)
    await userEvent.click(within(card).getByRole('button', { name: 'Choose what stays' }))
    const dialog = await screen.findByRole('dialog')
    await userEvent.click(within(dialog).getByRole('checkbox', { name: 'Ledger' }))
    await userEvent.click(within(dialog).getByRole('checkbox', { name: 'Orders' }))
    expect((await axe.run(dialog)).violations).toEqual([])
    await userEvent.click(within(dialog).getByRole('button', { name: 'Save choice' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(sent(calls, 'PUT /api/subscription/keep')[0]?.body).toEqual({
      sources: ['src_2'],
      members: [],
      insights: [],
      groupings: [],
      forecasts: [],
    })
  })
})

it('lets choose beforehand what stays when a smaller plan begins', async () => {
  const scheduled = {
    ...({ planId: 'personal', interval: 'monthly', addOns: { extra_source: 1 } } as const),
    at: '2026-12-20T09:00:00.000Z',
  }
  const item = { id: 'src_1', name: 'Ledger', createdAt: '2026-05-02T08:00:00.000Z', stays: true }
  const freezes = {
    sources: { max: 1, items: [item, { ...item, id: 'src_2', name: 'Orders', stays: false }] },
    ...{ analysts: null, users: null, insights: null, groupings: null, forecasts: null, gates: [] },
  }
  const calls = selling(subscriptionFixture({ scheduled, mayChoose: true }), {
    'POST /api/subscription/preview': () => jsonResponse({ freezes }),
    'PUT /api/subscription/keep': () => jsonResponse(subscriptionFixture({ scheduled, mayChoose: true })),
  })
  await renderWithProviders(<SubscriptionScreen />)
  await userEvent.click(await screen.findByRole('button', { name: 'Choose what stays' }))
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Ledger' }))
  await userEvent.click(screen.getByRole('checkbox', { name: 'Orders' }))
  await userEvent.click(screen.getByRole('button', { name: 'Save choice' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sent(calls, 'POST /api/subscription/preview')[0]?.body).toMatchObject({
    ...{ planId: 'personal', interval: 'monthly', addOns: [{ id: 'extra_source', qty: 1 }] },
  })
  expect(sent(calls, 'PUT /api/subscription/keep')[0]?.body).toMatchObject({ sources: ['src_2'] })
})

describe('billing details', () => {
  const fill = async (label: string, text: string) => {
    const field = await screen.findByLabelText(label)
    await userEvent.clear(field)
    await userEvent.type(field, text)
  }

  it('are checked beside their fields, then saved', async () => {
    const details = { companyName: 'Nordträ AB', billingEmail: '', taxId: 'SE556677889901', poReference: '' }
    const calls = selling(subscriptionFixture(), {
      'PUT /api/subscription/details': () => jsonResponse(subscriptionFixture({ details, version: 5 })),
    })
    await renderWithProviders(<SubscriptionScreen />)
    await fill('EU VAT number', 'SE 55')
    await userEvent.click(screen.getByRole('button', { name: 'Save details' }))
    expect(await screen.findByText(/Enter an EU VAT number/)).toBeVisible()
    await fill('EU VAT number', 'SE 5566778899-01')
    await userEvent.click(screen.getByRole('button', { name: 'Save details' }))
    await waitFor(() => expect(screen.getByLabelText('EU VAT number')).toHaveValue('SE556677889901'))
    expect(sent(calls, 'PUT /api/subscription/details')).toHaveLength(1)
  })

  it('keep what is entered while they are saved', async () => {
    const saved = Promise.withResolvers<Response>()
    selling(subscriptionFixture(), { 'PUT /api/subscription/details': () => saved.promise })
    await renderWithProviders(<SubscriptionScreen />)
    await fill('Purchase order reference', 'PO 8')
    await userEvent.click(screen.getByRole('button', { name: 'Save details' }))
    await fill('EU VAT number', 'SE556677889901')
    const details = { ...subscriptionFixture().details, poReference: 'PO 8' }
    saved.resolve(jsonResponse(subscriptionFixture({ details, version: 5 })))
    const button = screen.getByRole('button', { name: 'Save details' })
    await waitFor(() => expect(button).not.toHaveAttribute('data-loading'))
    expect(screen.getByLabelText('EU VAT number')).toHaveValue('SE556677889901')
    expect(button).toBeEnabled()
  })

  it('that somebody else changed meanwhile are shown beside one’s own', async () => {
    const theirs = subscriptionFixture({
      version: 9,
      details: { ...subscriptionFixture().details, poReference: 'PO 7' },
    })
    const calls = selling(subscriptionFixture(), {
      'GET /api/subscription': [() => jsonResponse(subscriptionFixture()), () => jsonResponse(theirs)],
      'PUT /api/subscription/details': [
        () => errorResponse('version_conflict'),
        () => jsonResponse({ ...theirs, version: 10 }),
      ],
    })
    await renderWithProviders(<SubscriptionScreen />)
    await fill('Purchase order reference', 'PO 8')
    await userEvent.click(screen.getByRole('button', { name: 'Save details' }))
    const dialog = await screen.findByRole('dialog')
    expect(within(dialog).getByRole('row', { name: 'Purchase order reference PO 8 PO 7' })).toBeVisible()
    await userEvent.click(within(dialog).getByRole('button', { name: 'Save mine' }))
    await waitFor(() => expect(sent(calls, 'PUT /api/subscription/details')).toHaveLength(2))
    expect(sent(calls, 'PUT /api/subscription/details')[1]?.body).toMatchObject({ poReference: 'PO 8', version: 9 })
  })

  it('are saved over a payment that came in meanwhile, without a question', async () => {
    const calls = selling(subscriptionFixture(), {
      'GET /api/subscription': [
        () => jsonResponse(subscriptionFixture()),
        () => jsonResponse(subscriptionFixture({ version: 9 })),
      ],
      'PUT /api/subscription/details': [
        () => errorResponse('version_conflict'),
        () => jsonResponse(subscriptionFixture({ version: 10 })),
      ],
    })
    await renderWithProviders(<SubscriptionScreen />)
    await fill('Purchase order reference', 'PO 8')
    await userEvent.click(screen.getByRole('button', { name: 'Save details' }))
    await waitFor(() => expect(sent(calls, 'PUT /api/subscription/details')).toHaveLength(2))
    expect(sent(calls, 'PUT /api/subscription/details')[1]?.body).toMatchObject({ poReference: 'PO 8', version: 9 })
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})

describe('a trial', () => {
  it('leads to the plans, and offers nothing that only customers have', async () => {
    selling(trialFixture(), listing([]))
    await renderWithProviders(<SubscriptionScreen />)
    expect(await screen.findByRole('link', { name: 'Choose a plan' })).toHaveAttribute(
      'href',
      expect.stringMatching(/show=plans/),
    )
    expect(screen.queryByRole('button', { name: 'Cancel subscription' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Open payment portal' })).toBeNull()
    expect(screen.queryByRole('region', { name: 'Next invoice' })).toBeNull()
    expect(await screen.findByText('No invoices yet')).toBeVisible()
  })

  it('lets one ask about Enterprise', async () => {
    const calls = selling(trialFixture(), {
      'POST /api/subscription/contact': () => jsonResponse({ sent: true }, 202),
    })
    await renderWithProviders(<SubscriptionScreen />, '?show=plans')
    await screen.findByRole('list', { name: 'Plans' })
    await userEvent.click(screen.getByRole('button', { name: 'Contact us' }))
    const dialog = await screen.findByRole('dialog')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Send question' }))
    expect(await within(dialog).findByText('Enter what you need.')).toBeVisible()
    await userEvent.type(within(dialog).getByLabelText('What you need'), 'Fifty companies')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Send question' }))
    expect(await within(dialog).findByText(/Question sent/)).toBeVisible()
    expect(sent(calls, 'POST /api/subscription/contact')[0]?.body).toEqual({ people: 100, message: 'Fifty companies' })
  })
})

it('of an older tier shows its price in kronor, and both ways to pay', async () => {
  selling(subscriptionFixture({ planId: 'legacy', tier: 5, interval: 'monthly', addOns: { premium_sync_5: 1 } }))
  await renderWithProviders(<SubscriptionScreen />)
  const standing = await section('5 data sources (older tier), billed monthly')
  expect(plain(standing.textContent)).toMatch(/1 495,00 kr and 26,00 € per month/)
  const tier = await section('Older tier')
  expect(plain(tier.textContent)).toMatch(/1 495,00 kr per month.*Current.*14 950,00 kr per year/)
})

it('of an older tier sells no plan of today beside it, and marks the Premium sync that is held', async () => {
  selling(subscriptionFixture({ planId: 'legacy', tier: 5, interval: 'monthly', addOns: { premium_sync_5: 1 } }))
  await renderWithProviders(<SubscriptionScreen />, '?show=plans')
  const plans = within(await screen.findByRole('list', { name: 'Plans' }))
  expect(plans.queryByRole('link')).toBeNull()
  expect(screen.getByText(/Cancel the older tier first/)).toBeVisible()
  const premium = within(await section('Premium sync'))
  expect(premium.getByText('Included')).toBeVisible()
  expect(plain(premium.getByText('Premium sync, 5 sources').closest('li')?.textContent)).toMatch(/26,00 € per month/)
  expect(premium.getAllByRole('listitem')).toHaveLength(4)
})

it('of an older tier without Premium sync offers all of its sizes', async () => {
  selling(subscriptionFixture({ planId: 'legacy', tier: 5, interval: 'monthly', addOns: {} }))
  await renderWithProviders(<SubscriptionScreen />, '?show=plans')
  const premium = within(await section('Premium sync'))
  expect(premium.getAllByRole('listitem')).toHaveLength(4)
  expect(premium.queryByText('Included')).toBeNull()
})

it('of an agreement sells nothing, and says whom to write to', async () => {
  selling(subscriptionFixture({ custom: true, planId: 'enterprise', method: null, interval: null }))
  await renderWithProviders(<SubscriptionScreen />)
  expect(await section('Enterprise')).toHaveTextContent(/as agreed/)
  expect(screen.getByRole('button', { name: 'Contact us' })).toBeVisible()
  expect(screen.queryByRole('region', { name: 'Plans' })).toBeNull()
  expect(screen.queryByRole('region', { name: 'Add-ons' })).toBeNull()
})

it('with billing off shows what there is and asks billing for nothing', async () => {
  billing('off')
  const calls = selling(trialFixture())
  await renderWithProviders(<SubscriptionScreen />)
  expect(await screen.findByText('Billing is off')).toBeVisible()
  expect(await section('Usage')).toBeVisible()
  expect(screen.queryByRole('region', { name: 'Plans' })).toBeNull()
  expect(calls.map(({ path }) => path)).toEqual(['/api/subscription'])
})

it.each(['analyst', 'viewer'] as const)('tells an %s by name who can, and reads nothing of it', async (role) => {
  setSession(memberPageData(role))
  const calls = selling(subscriptionFixture(), {
    'GET /api/members': () => jsonResponse({ items: [{ name: 'Bo Ek' }], nextCursor: null }),
  })
  await renderWithProviders(<SubscriptionScreen />)
  expect(await screen.findByText('Bo Ek can view and change it.')).toBeVisible()
  expect(screen.getByRole('link', { name: 'View members' })).toBeVisible()
  expect(calls.map(({ path }) => path)).toEqual(['/api/members'])
})

it('that cannot be read says so and tries again', async () => {
  selling(subscriptionFixture(), {
    'GET /api/subscription': [() => errorResponse('internal'), () => jsonResponse(subscriptionFixture())],
  })
  await renderWithProviders(<SubscriptionScreen />)
  await userEvent.click(await screen.findByRole('button', { name: 'Try again' }))
  expect(await section('Standard, billed monthly')).toBeVisible()
})
