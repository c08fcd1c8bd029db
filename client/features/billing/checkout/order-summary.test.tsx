import { screen, within } from '@testing-library/react'
import axe from 'axe-core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  button,
  renderCheckout,
  pageDataFor,
  serveCheckout,
  paidSubscriptionFixture,
  subscriptionViewFixture,
} from './checkout.fixture'
import { setSession } from '../../../lib/session'

beforeEach(() => setSession(pageDataFor()))
afterEach(() => vi.unstubAllGlobals())

/** The price list of the facts, literally. */
const FACTS = {
  monthly: {
    plans: ['Personal, €195.00 per month', 'Standard, €450.00 per month', 'Professional, €895.00 per month'],
    addOns: ['Extra analyst €20.00', '10-user pack €20.00', 'Extra data source €20.00', 'Frequent sync €20.00'],
    premium: ['1 source €8.50', '3 sources €18.00', '5 sources €26.00', '10 sources €35.00'],
    older: { 1: '495.00', 3: '995.00', 5: '1,495.00', 10: '1,995.00', 50: '2,995.00' },
  },
  yearly: {
    plans: ['Personal, €2,340.00 per year', 'Standard, €5,400.00 per year', 'Professional, €10,740.00 per year'],
    addOns: ['Extra analyst €240.00', '10-user pack €240.00', 'Extra data source €240.00', 'Frequent sync €240.00'],
    premium: ['1 source €85.00', '3 sources €180.00', '5 sources €260.00', '10 sources €350.00'],
    older: { 1: '4,950.00', 3: '9,950.00', 5: '14,950.00', 10: '19,950.00', 50: '29,950.00' },
  },
} as const
const PERIOD = { monthly: 'per month', yearly: 'per year' } as const

const nameOf = (element: Element): string => element.getAttribute('aria-label') ?? ''
const textOf = (element: Element | null | undefined): string => (element?.textContent ?? '').replace(/\s+/g, ' ')
/** Each line of add-ons: its name and what it costs. */
const addOnLines = () =>
  within(screen.getByRole('region', { name: 'Add-ons' }))
    .getAllByRole('listitem')
    .map((line) => `${textOf(line.querySelector('p'))} ${textOf(line.querySelector('.figure'))}`)

describe.each(['monthly', 'yearly'] as const)('prices, paid %s,', (interval) => {
  it('are those of the facts', async () => {
    serveCheckout(subscriptionViewFixture(), {})
    await renderCheckout({ interval })
    await button(/^Pay/)
    const plans = within(screen.getByRole('radiogroup', { name: 'Plan' })).getAllByRole('radio')
    expect(plans.map(nameOf)).toEqual(FACTS[interval].plans)
    for (const [at, name] of FACTS[interval].plans.entries())
      expect(textOf(plans[at])).toContain(name.replace(/^\w+, /, ''))
    expect(addOnLines()).toEqual(FACTS[interval].addOns)
  })

  it('of Premium sync are those of the facts', async () => {
    serveCheckout(paidSubscriptionFixture({ planId: 'legacy', tier: 3, interval, addOns: {} }), { when: 'none' })
    await renderCheckout()
    const sizes = within(await screen.findByRole('radiogroup', { name: 'Premium sync' }))
      .getAllByRole('radio')
      .slice(1)
    const shown = sizes.map((size) => textOf(size.closest('div')?.parentElement?.querySelector('label')))
    expect(shown).toEqual(FACTS[interval].premium.map((one) => `Premium sync, ${one} ${PERIOD[interval]}`))
  })

  it.each([1, 3, 5, 10, 50] as const)('of the older tier of %i are those of the facts', async (tier) => {
    serveCheckout(paidSubscriptionFixture({ planId: 'legacy', tier, interval }), { when: 'none' })
    await renderCheckout()
    const own = await screen.findByRole('radio', { name: /older tier/ })
    expect(nameOf(own).replace(/\s/g, ' ')).toMatch(
      new RegExp(`(kr|SEK) ?${FACTS[interval].older[tier]} ${PERIOD[interval]}$`),
    )
    expect(textOf(own.querySelector('.figure'))).toContain(FACTS[interval].older[tier])
  })
})

describe('where there is nothing to buy', () => {
  it.each([
    ['for a viewer', 'No access to plans', () => setSession(pageDataFor('viewer'))],
    [
      'with billing off',
      'Billing is off',
      () => {
        const page = pageDataFor()
        setSession({ ...page, config: { ...page.config, billing: 'off' } })
      },
    ],
    ['under an agreement of its own', 'Custom agreement', () => undefined],
  ])('%s, the page says so and leads on', async (_, title, given) => {
    given()
    serveCheckout(paidSubscriptionFixture({ custom: true }), {})
    const { container } = await renderCheckout()
    expect(await screen.findByRole('heading', { name: title })).toBeVisible()
    expect(container.querySelectorAll('.surface a, main a').length).toBeGreaterThan(0)
    expect(screen.queryByRole('radiogroup')).toBeNull()
    expect((await axe.run(container)).violations).toEqual([])
  })
})
