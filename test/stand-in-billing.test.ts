import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Stripe from 'stripe'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { startStripe, type StripeServer } from '../emulators/stripe/server.ts'
import { PRICE_CATALOGUE } from '../src/shared/billing/price-catalogue.ts'

const folder = mkdtempSync(join(tmpdir(), 'insikt-billing-'))
const running: StripeServer[] = []
afterEach(async () => {
  for (const server of running.splice(0)) await server.stop()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Nobody listens where its events go. */
async function start(file: string | null): Promise<StripeServer> {
  const server = await startStripe({ webhook: 'http://127.0.0.1:9/', file })
  running.push(server)
  return server
}

function libraryFor({ settings, address }: StripeServer): Stripe {
  const { hostname, port } = new URL(address)
  return new Stripe(settings['STRIPE_SECRET_KEY'] ?? '', {
    host: hostname,
    port: Number(port),
    protocol: 'http',
    telemetry: false,
    maxNetworkRetries: 0,
  })
}

/** The status of a call whose headers say this. */
const statusOf = (address: string, headers: Record<string, string>): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    request(`${address}/_sim/events`, { headers }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .on('error', reject)
      .end()
  })

/** Runs `npm run stripe:prices` against the stand-in; answers its exit code and what it printed. */
const syncPrices = ({ settings }: StripeServer): Promise<{ code: number | null; said: string }> =>
  new Promise((resolve) => {
    const script = spawn('node', ['scripts/stripe-prices.mjs'], { env: { ...process.env, ...settings } })
    let said = ''
    for (const stream of [script.stdout, script.stderr])
      stream.on('data', (chunk: Buffer) => (said += chunk.toString()))
    script.on('exit', (code) => resolve({ code, said }))
  })

describe('the stand-in for billing as it is served', () => {
  it('still knows after a restart what it knew before', async () => {
    const file = join(folder, 'billing.json')
    const first = await start(file)
    const { id } = await libraryFor(first).customers.create({ name: 'Nordiska Varor AB' })
    await first.stop()
    running.pop()
    const second = libraryFor(await start(file))
    expect(await second.customers.retrieve(id)).toMatchObject({ name: 'Nordiska Varor AB' })
  })

  it('answers pages and names of its own machine only', async () => {
    const { address } = await start(null)
    expect(await statusOf(address, {})).toBe(200)
    expect(await statusOf(address, { host: 'billing.example' })).toBe(403)
    expect(await statusOf(address, { origin: 'https://elsewhere.example' })).toBe(403)
  })

  it('leads nobody from its pages to another machine', async () => {
    const server = await start(null)
    const stripe = libraryFor(server)
    const { id: customer } = await stripe.customers.create({})
    const { url } = await stripe.billingPortal.sessions.create({ customer, return_url: 'https://elsewhere.example/' })
    const answer = await fetch(`${url}/back`, { redirect: 'manual' })
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
  })

  it('closes the connection when it is told to be down', async () => {
    const server = await start(null)
    // The library asks once more by itself when a connection is closed.
    await fetch(`${server.address}/_sim/fail`, { method: 'POST', body: '{"mode":"down","times":2}' })
    await expect(libraryFor(server).customers.list()).rejects.toBeInstanceOf(Stripe.errors.StripeConnectionError)
    expect((await libraryFor(server).customers.list()).data).toEqual([])
  })

  it('gets every price of the catalogue by the script, which has nothing to do the second time', async () => {
    const server = await start(null)
    const first = await syncPrices(server)
    expect(first).toMatchObject({ code: 0, said: expect.stringContaining(`Prices made (${PRICE_CATALOGUE.length})`) })
    const prices = await libraryFor(server).prices.list({ limit: 100 }).autoPagingToArray({ limit: 1_000 })
    expect(prices.map(({ lookup_key: key, unit_amount: amount }) => `${key} ${amount}`).toSorted()).toEqual(
      PRICE_CATALOGUE.map(({ lookupKey, minor }) => `${lookupKey} ${minor}`).toSorted(),
    )
    expect(await syncPrices(server)).toMatchObject({ code: 0, said: expect.stringContaining('Nothing to do') })
  })
})
