import { act, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { CheckoutReturn } from './checkout-return'
import { subscription, trial } from './samples'
import { WAITS } from './use-checkout-return'
import { setSession } from '../../lib/session'
import { member } from '../../test/page-data'
import { show } from '../../test/render'
import { json, refuse, serve } from '../../test/server'
import type { Reply } from '../../test/server'

const REFRESH = 'POST /api/subscription/refresh'
const asked = (reply: Reply | Reply[]) => serve({ [REFRESH]: reply, 'GET /api/session': () => json(member()) })
const STEP = 250
const realTimeout = globalThis.setTimeout
/** Lets time pass in small steps, and answers arrive between them. */
const pass = (ms: number) =>
  act(async () => {
    for (let gone = 0; gone <= ms; gone += STEP) {
      await vi.advanceTimersByTimeAsync(STEP)
      await new Promise((resolve) => realTimeout(resolve, 0))
    }
  })
const ALL = WAITS.reduce((sum, ms) => sum + ms, 0)

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  setSession(member())
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('says what happens while the payment is on its way, and thanks once billing knows of it', async () => {
  const calls = asked([() => json(trial()), () => json(trial()), () => json(subscription())])
  await show(<CheckoutReturn outcome="done" view={subscription()} />)
  await pass(0)
  expect(screen.getByRole('status')).toHaveTextContent('Waiting for the payment')
  await pass(1_000)
  expect(screen.getByRole('status')).toHaveTextContent('Waiting for the payment')
  await pass(2_500)
  expect(screen.getByRole('status')).toHaveTextContent('Thank you. Standard is active.')
  await pass(ALL)
  expect(calls.filter(({ path }) => path.endsWith('/refresh'))).toHaveLength(3)
})

it('grants and claims nothing by the address alone: without a payment it stops asking and says so', async () => {
  const calls = asked(() => json(trial()))
  await show(<CheckoutReturn outcome="done" view={trial()} />)
  await pass(ALL)
  expect(screen.getByRole('status')).toHaveTextContent('Not confirmed yet')
  expect(screen.getByRole('status')).toHaveTextContent(/has not seen a payment/)
  await pass(ALL)
  expect(calls.filter(({ path }) => path.endsWith('/refresh'))).toHaveLength(1 + WAITS.length)
})

it('says when billing could not be asked, and asks again when told to', async () => {
  asked([
    ...Array.from({ length: 1 + WAITS.length }, () => () => refuse('billing_unavailable')),
    () => json(subscription()),
  ])
  await show(<CheckoutReturn outcome="done" view={subscription()} />)
  await pass(ALL)
  expect(screen.getByRole('status')).toHaveTextContent(/Billing cannot be reached right now/)
  act(() => screen.getByRole('button', { name: 'Ask again' }).click())
  await pass(0)
  expect(screen.getByRole('status')).toHaveTextContent('Thank you. Standard is active.')
})

it('says that nothing was bought when the payment page was left, and asks nothing', async () => {
  const calls = asked(() => json(trial()))
  await show(<CheckoutReturn outcome="cancelled" view={trial()} />)
  expect(screen.getByRole('status')).toHaveTextContent(/Nothing was bought.*Nothing is charged/)
  await pass(ALL)
  expect(calls).toEqual([])
})
