import { act, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { CheckoutReturnNotice, POLL_DELAYS_MS } from './stripe-return'
import { subscriptionFixture, trialFixture } from '../../../test/subscription'
import { setSession } from '../../../lib/session'
import { memberPageData } from '../../../test/page-data'
import { renderWithProviders } from '../../../test/render'
import { jsonResponse, errorResponse, mockServer, type MockReply } from '../../../test/mock-server'

const REFRESH = 'POST /api/subscription/refresh'
const asked = (reply: MockReply | MockReply[]) =>
  mockServer({ [REFRESH]: reply, 'GET /api/session': () => jsonResponse(memberPageData()) })
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
const ALL = POLL_DELAYS_MS.reduce((sum, ms) => sum + ms, 0)

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  setSession(memberPageData())
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('says what happens while the payment is on its way, and thanks once billing knows of it', async () => {
  const calls = asked([
    () => jsonResponse(trialFixture()),
    () => jsonResponse(trialFixture()),
    () => jsonResponse(subscriptionFixture()),
  ])
  await renderWithProviders(<CheckoutReturnNotice outcome="done" view={subscriptionFixture()} />)
  await pass(0)
  expect(screen.getByRole('status')).toHaveTextContent('Confirming payment')
  await pass(1_000)
  expect(screen.getByRole('status')).toHaveTextContent('Confirming payment')
  await pass(2_500)
  expect(screen.getByRole('status')).toHaveTextContent('Standard is active')
  await pass(ALL)
  expect(calls.filter(({ path }) => path.endsWith('/refresh'))).toHaveLength(3)
})

it('grants and claims nothing by the address alone: without a payment it stops asking and says so', async () => {
  const calls = asked(() => jsonResponse(trialFixture()))
  await renderWithProviders(<CheckoutReturnNotice outcome="done" view={trialFixture()} />)
  await pass(ALL)
  expect(screen.getByRole('status')).toHaveTextContent('Payment not confirmed yet')
  expect(screen.getByRole('status')).toHaveTextContent(/your plan starts automatically/)
  await pass(ALL)
  expect(calls.filter(({ path }) => path.endsWith('/refresh'))).toHaveLength(1 + POLL_DELAYS_MS.length)
})

it('says when billing could not be asked, and asks again when told to', async () => {
  asked([
    ...Array.from({ length: 1 + POLL_DELAYS_MS.length }, () => () => errorResponse('billing_unavailable')),
    () => jsonResponse(subscriptionFixture()),
  ])
  await renderWithProviders(<CheckoutReturnNotice outcome="done" view={subscriptionFixture()} />)
  await pass(ALL)
  expect(screen.getByRole('status')).toHaveTextContent(/Couldn’t reach billing/)
  act(() => screen.getByRole('button', { name: 'Check again' }).click())
  await pass(0)
  expect(screen.getByRole('status')).toHaveTextContent('Standard is active')
})

it('says that nothing was bought when the payment page was left, and asks nothing', async () => {
  const calls = asked(() => jsonResponse(trialFixture()))
  await renderWithProviders(<CheckoutReturnNotice outcome="cancelled" view={trialFixture()} />)
  expect(screen.getByRole('status')).toHaveTextContent(/Checkout cancelled.*You weren’t charged/)
  await pass(ALL)
  expect(calls).toEqual([])
})
