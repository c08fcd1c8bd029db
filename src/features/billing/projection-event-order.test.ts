import { env } from 'cloudflare:test'
import fc from 'fast-check'
import type Stripe from 'stripe'
import { beforeAll, expect, it, vi } from 'vitest'
import { createBillingFixture } from '../../../test/worker/billing-fixture'
import { createCustomer, billingDeps } from '../../../test/worker/customers'
import { aWorkspace } from '../../../test/worker/factories'
import { handleEvent } from './webhook'
import { pickProjection } from './projection'
import { findAccountByCustomer } from './store'
import type { Deps } from '../../deps'

const PERMUTATIONS = env['LONG'] === '1' ? 1_000 : 6
const DAY_MS = 24 * 60 * 60 * 1000

/** The life of a subscription as Stripe told it: after each step what it answers, and the event that says so. */
interface Step {
  event: Stripe.Event
  /** Bodies of answers by path. */
  answers: Record<string, string>
}
const PATHS = ['/v1/subscriptions', '/v1/invoices']
/** One of each of these is delivered, in whatever order; updates are told three times. */
const TOLD = [
  'customer.subscription.created',
  'invoice.paid',
  'invoice.payment_failed',
  'customer.subscription.deleted',
]
const UPDATES = 3

let steps: Step[]
let deps: Deps
let endsAt: number
beforeAll(async () => {
  const billing = await createBillingFixture()
  const { stripe, emulator, clock } = billing
  const me = await createCustomer(billing)
  let seen = emulator.events().length
  steps = []
  /** Keeps what is told of now for each event of these types that came since. */
  const keep = async (...types: string[]): Promise<void> => {
    const answers: Record<string, string> = {}
    for (const path of PATHS) {
      const query = path === '/v1/invoices' ? 'status=open' : 'status=all'
      const headers = { authorization: 'Bearer sk_test_standin' }
      const answer = await emulator.fetch(
        new Request(`http://localhost:4242${path}?customer=${me.customerId}&${query}`, { headers }),
      )
      answers[path] = await answer.text()
    }
    const fresh = emulator.events().slice(seen)
    seen = emulator.events().length
    for (const type of types) {
      const event = fresh.findLast((one) => one.type === type)
      if (!event) throw new Error(`no ${type} among ${fresh.map((one) => one.type).join()}`)
      steps.push({ event: JSON.parse(JSON.stringify(event)), answers })
    }
  }
  const { id, items } = await me.buys(['standard_monthly'])
  await keep('customer.subscription.created', 'invoice.paid')
  const { data } = await stripe.prices.list({ lookup_keys: ['professional_monthly'] })
  const item = { id: items.data[0]?.id ?? '', price: data[0]?.id ?? '' }
  await stripe.subscriptions.update(id, { items: [item], proration_behavior: 'none' })
  await keep('customer.subscription.updated')
  const card = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer: me.customerId })
  await stripe.subscriptions.update(id, { default_payment_method: card.id })
  await keep('customer.subscription.updated')
  clock.move(32 * DAY_MS)
  await emulator.tick()
  await keep('invoice.payment_failed', 'customer.subscription.updated')
  await stripe.subscriptions.cancel(id)
  await keep('customer.subscription.deleted')
  expect(steps.map(({ event }) => event.type).toSorted()).toEqual(
    [...TOLD, ...Array.from({ length: UPDATES }, () => 'customer.subscription.updated')].toSorted(),
  )
  deps = billingDeps(billing)
  endsAt = clock.now() - DAY_MS
})

const told = (at: number): Step => {
  const step = steps[at]
  if (!step) throw new Error(`no step ${at}`)
  return step
}

let serial = 0
/** Delivers events by their steps, `at` once; Stripe is never behind what it has told of. */
async function delivered(turns: number[][]): Promise<unknown> {
  const customer = `cus_order${++serial}`
  const { id } = await aWorkspace({ subscription: { trialEndsAt: endsAt } })
  await env.DB.prepare('UPDATE subscriptions SET customer_id = ? WHERE workspace_id = ?').bind(customer, id).run()
  let present = 0
  for (const turn of turns) {
    const [before, after] = [present, Math.max(present, ...turn)]
    present = after
    await Promise.all(
      turn.map(async (step) => {
        let asked = 0
        // The first question of each was answered while Stripe knew no more than this event; time has gone on since.
        const operatorFetcher = async (request: Request): Promise<Response> => {
          const { answers } = told(asked++ < PATHS.length ? Math.max(before, step) : after)
          return new Response(answers[new URL(request.url).pathname], {
            headers: { 'content-type': 'application/json' },
          })
        }
        const { event } = told(step)
        const data = { object: { ...event.data.object, customer } }
        const given: Stripe.Event = JSON.parse(JSON.stringify({ ...event, id: `evt_order${serial}_${step}`, data }))
        await handleEvent({ ...deps, operatorFetcher }, given)
      }),
    )
  }
  const row = await findAccountByCustomer(deps.db, customer)
  return row && pickProjection(row)
}

/** Every step at least once, some several times, in some order, some at the same moment. */
const turnsOf = fc
  .tuple(
    fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6], { minLength: 7 }),
    fc.array(fc.nat({ max: 6 }), { maxLength: 4 }),
    fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 11, maxLength: 11 }),
  )
  .map(([order, again, sizes]) => {
    const all = again.reduce((list, step, at) => list.toSpliced((step * 3 + at) % list.length, 0, step), order)
    const turns: number[][] = []
    for (let from = 0; from < all.length; from += turns.at(-1)?.length ?? 1)
      turns.push(all.slice(from, from + (sizes[turns.length] ?? 1)))
    return turns
  })

const TITLE = `ends in one state in whatever order, how often and how many at once ${PERMUTATIONS} times (WH-3)`
it(TITLE, { timeout: 600_000 }, async () => {
  // Nobody keeps anybody waiting here, and the runtime holds no more than 10 000 deadlines at once.
  const deadlines = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal)
  const inOrder = await delivered(steps.map((_, at) => [at]))
  expect(inOrder).toMatchObject({ state: 'canceled', planId: null, subscriptionId: null, pastDueSince: null })
  // On the way it was something else: what comes first is not what stays.
  expect(await delivered([[0], [1], [2]])).toMatchObject({ state: 'active', planId: 'professional' })
  expect(await delivered([[0], [4], [5]])).toMatchObject({ state: 'past_due', planId: 'professional' })
  await fc.assert(
    fc.asyncProperty(turnsOf, async (turns) => {
      expect(await delivered(turns)).toEqual(inOrder)
    }),
    { numRuns: PERMUTATIONS },
  )
  deadlines.mockRestore()
})
