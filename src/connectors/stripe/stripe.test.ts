import { describe, expect, it } from 'vitest'
import { stripeAmount } from './stripe-amount'
import { stripeConnector } from './stripe-connector'
import type { Cell, ConnectorContext, Cursor } from '../contract'
import { contextOf, FIXTURE_NOW } from '../../../test/worker/connectors/fixture'
import { stripeFixture, stripeWithKey } from '../../../test/worker/connectors/stripe-fixture'
import { smallCompany } from '../../../emulators/vendors/company.ts'
import type { SourceStream, StreamMode } from '../../shared/data-sources/connectors'

function opened(options: Parameters<typeof stripeWithKey>[0] = {}, key?: string) {
  const { emulator, doors } = stripeWithKey(options)
  const fixture = stripeFixture()
  const connection = key === undefined ? fixture.connection : { settings: {}, secrets: { key } }
  return { emulator, context: contextOf({ ...fixture, connection }, doors) }
}
const budget = (maxRows: number) => ({ maxRows, maxBytes: 10_000_000, deadlineAt: FIXTURE_NOW + 60_000 })
const refusalOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  )

async function streamOf(context: ConnectorContext, key: string): Promise<SourceStream> {
  const found = (await stripeConnector.discover(context)).find((stream) => stream.key === key)
  if (!found) throw new Error(`no stream ${key}`)
  return found
}
async function pages(
  context: ConnectorContext,
  stream: SourceStream,
  { maxRows = 100, from = null as Cursor | null, mode = stream.modes[0] as StreamMode } = {},
) {
  const read: Cell[][][] = []
  let cursor = from
  for (;;) {
    const page = await stripeConnector.read(context, { stream, mode, cursor, budget: budget(maxRows) })
    read.push(page.kind === 'rows' ? page.rows : [])
    cursor = page.cursor
    if (page.done) return { sizes: read.map(({ length }) => length), rows: read.flat(), cursor }
  }
}

describe('an amount of Stripe', () => {
  it.each([
    [1_050, 'sek', '10.50'],
    [-5, 'eur', '-0.05'],
    [1_050, 'jpy', '1050'],
    [1_050, 'bhd', '1.050'],
    [1_000, 'isk', '10.00'],
    [null, 'sek', null],
  ])('%s %s is %s', (value, currency, text) => {
    expect(stripeAmount(value, currency)).toBe(text)
  })
})

describe('lists of Stripe', () => {
  it.each([
    ['none', 0, [0]],
    ['exactly a page', 4, [4]],
    ['a page and one', 5, [4, 1]],
  ])('end after the last page: %s', async (_name, orders, sizes) => {
    const { context } = opened({ company: smallCompany('2026-06-15', { orders }) })
    expect((await pages(context, await streamOf(context, 'charges'), { maxRows: 4 })).sizes).toEqual(sizes)
  })

  it('write amounts in whole units, beside a currency in capitals', async () => {
    const { context, emulator } = opened()
    const stream = await streamOf(context, 'balance_transactions')
    const { rows } = await pages(context, stream)
    const at = (name: string) => stream.columns?.findIndex((column) => column.name === name) ?? -1
    expect(stream.columns?.[at('fee')]).toMatchObject({ type: 'number', scale: 3, currencyColumn: 'currency' })
    const [first] = rows
    const [move] = emulator.account.lists.balance_transactions
    expect(Number(first?.[at('amount')]) * 100).toBeCloseTo(Number(move?.['amount']))
    for (const row of rows) {
      expect(row[at('currency')]).toMatch(/^[A-Z]{3}$/)
      expect(Number(row[at('amount')]) - Number(row[at('fee')])).toBeCloseTo(Number(row[at('net')]), 6)
      expect(row[at('created')]).toMatch(/Z$/)
    }
  })

  it('ask the next time for what was made since two weeks before the last sync, with what came in meanwhile', async () => {
    const { context, emulator } = opened({ company: smallCompany('2026-06-15', { orders: 300 }) })
    const stream = await streamOf(context, 'balance_transactions')
    const first = await pages(context, stream)
    expect(first.cursor).toEqual({ since: FIXTURE_NOW / 1000 - 14 * 86_400 })
    const id = emulator.account.charge(FIXTURE_NOW / 1000 + 5, { amount: 1_000, currency: 'sek' })
    const again = await pages(context, stream, { from: first.cursor })
    expect(again.rows.map(([name]) => name)).toContain(`txn_${id}`)
    expect(again.rows.length).toBeLessThan(first.rows.length)
    const whole = await pages(context, stream, { from: first.cursor, mode: 'replace' })
    expect(whole.rows.length).toBe(first.rows.length + 1)
  })

  it('take what came in between two pages the next time, and none twice', async () => {
    const { context, emulator } = opened()
    const stream = await streamOf(context, 'charges')
    const request = { stream, mode: 'upsert' as const, budget: budget(2) }
    const first = await stripeConnector.read(context, { ...request, cursor: null })
    const id = emulator.account.charge(FIXTURE_NOW / 1000 + 5, { amount: 1_000, currency: 'sek' })
    const rest = await pages(context, stream, { from: first.cursor, maxRows: 2 })
    const names = [...(first.kind === 'rows' ? first.rows : []), ...rest.rows].map(([name]) => name)
    expect([new Set(names).size, names.includes(id)]).toEqual([names.length, false])
    expect((await pages(context, stream, { from: rest.cursor })).rows.map(([name]) => name)).toContain(id)
  })
})

describe('a key of Stripe', () => {
  it('that may not read everything opens what it may, and says what it may not', async () => {
    const { context } = opened({ rights: { rk_live_narrow: ['charges', 'payouts'] } }, 'rk_live_narrow')
    expect((await stripeConnector.discover(context)).map(({ key }) => key)).toEqual(['charges', 'payouts'])
    const { warnings } = await stripeConnector.test(context)
    expect(warnings).toEqual([expect.stringMatching(/can’t read: Balance transactions, Refunds/)])
  })

  it('without any right is refused, and so is what is no key', async () => {
    const { context } = opened({ rights: { rk_live_none: [] } }, 'rk_live_none')
    expect(await refusalOf(stripeConnector.test(context))).toMatchObject({ reason: 'auth' })
    expect(await refusalOf(stripeConnector.test(opened({}, 'password').context))).toMatchObject({ reason: 'auth' })
  })

  it('that was rolled stops at once', async () => {
    const { context, emulator } = opened()
    const stream = await streamOf(context, 'charges')
    await emulator.fetch(new Request('https://stripe.example/_sim/revoke', { method: 'POST' }))
    expect(await refusalOf(pages(context, stream))).toMatchObject({
      reason: 'auth',
      mend: 'Enter a new restricted key.',
    })
  })
})

describe('troubles of Stripe', () => {
  it.each([
    ['rate-limit', { reason: 'down', retryAfterMs: 1_000 }],
    ['error', { reason: 'down' }],
    ['cut-off', { reason: 'down' }],
  ] as const)('are tried again from the same page: %s', async (mode, refusal) => {
    const { context, emulator } = opened()
    const stream = await streamOf(context, 'charges')
    const request = { stream, mode: 'upsert' as const, budget: budget(2) }
    const first = await stripeConnector.read(context, { ...request, cursor: null })
    emulator.world.order(mode)
    const next = { ...request, cursor: first.cursor }
    expect(await refusalOf(stripeConnector.read(context, next))).toMatchObject(refusal)
    expect(await stripeConnector.read(context, next)).toMatchObject({ kind: 'rows', done: false })
  })
})
