import { describe, expect, it } from 'vitest'
import { shopifyConnector } from './shopify-connector'
import type { Cell, ConnectorContext, Cursor } from '../contract'
import { contextOf, FIXTURE_NOW } from '../../../test/worker/connectors/fixture'
import { shopifyFixture, shopifyStore } from '../../../test/worker/connectors/shopify-fixture'
import { smallCompany } from '../../../emulators/vendors/company.ts'
import { SHOPIFY_TEST_TOKEN } from '../../../emulators/vendors/test-keys.ts'
import type { SourceStream, StreamMode } from '../../shared/data-sources/connectors'

const byToken = {
  settings: { shop: 'nordvik.myshopify.com', access: 'token' },
  secrets: { token: SHOPIFY_TEST_TOKEN },
}
function opened(
  options: Parameters<typeof shopifyStore>[0] = {},
  connection = byToken as ConnectorContext['connection'],
) {
  const { emulator, doors } = shopifyStore(options)
  return { emulator, context: contextOf({ ...shopifyFixture(), connection }, doors) }
}
const budget = (maxRows: number) => ({ maxRows, maxBytes: 10_000_000, deadlineAt: FIXTURE_NOW + 60_000 })
const refusalOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  )
async function streamOf(context: ConnectorContext, key: string): Promise<SourceStream> {
  const found = (await shopifyConnector.discover(context)).find((stream) => stream.key === key)
  if (!found) throw new Error(`no stream ${key}`)
  return found
}
async function read(
  context: ConnectorContext,
  stream: SourceStream,
  { maxRows = 1_000, from = null as Cursor | null, mode = 'upsert' as StreamMode } = {},
) {
  const rows: Cell[][] = []
  const waits: number[] = []
  let cursor = from
  for (;;) {
    const page = await shopifyConnector.read(context, { stream, mode, cursor, budget: budget(maxRows) })
    if (page.kind === 'rows') rows.push(...page.rows)
    waits.push(page.retryAfterMs ?? 0)
    cursor = page.cursor
    if (page.done) return { rows, waits, cursor }
  }
}
const columnOf = ({ columns }: SourceStream, rows: Cell[][], name: string): Cell[] => {
  const at = columns?.findIndex((column) => column.name === name) ?? -1
  return rows.map((row) => row[at] ?? null)
}

describe('a store of Shopify', () => {
  it('gives every line of every order once, of orders with more lines than a page too', async () => {
    const company = smallCompany('2026-06-15', { orders: 40 })
    const { context } = opened({ company })
    const stream = await streamOf(context, 'order_lines')
    const sold = company.placed.filter(({ net }) => net > 0).flatMap(({ lines }) => lines)
    for (const maxRows of [3, 1_000]) {
      const { rows } = await read(context, stream, { maxRows })
      expect(new Set(columnOf(stream, rows, 'id')).size).toBe(sold.length)
      expect(rows.length).toBe(sold.length)
      const total = columnOf(stream, rows, 'total').reduce((sum, amount) => sum + Number(amount), 0)
      expect(Math.round(total * 100)).toBe(sold.reduce((sum, { amount }) => sum + amount, 0))
    }
  })

  it('names things by the numbers that people know, in the currency of the store', async () => {
    const { context } = opened()
    const stream = await streamOf(context, 'orders')
    const { rows } = await read(context, stream)
    expect(columnOf(stream, rows, 'id').every((id) => /^\d+$/.test(id ?? ''))).toBe(true)
    expect(new Set(columnOf(stream, rows, 'currency'))).toEqual(new Set(['SEK']))
    const total = stream.columns?.find(({ name }) => name === 'total')
    expect(total).toMatchObject({ type: 'number', scale: 3, currencyColumn: 'currency' })
  })

  it('gives the next time what changed since, an old order that was refunded too, and nothing else', async () => {
    const { context, emulator } = opened({ company: smallCompany('2026-06-10', { orders: 30 }) })
    const [orders, refunds] = [await streamOf(context, 'orders'), await streamOf(context, 'refunds')]
    const first = { orders: await read(context, orders), refunds: await read(context, refunds) }
    const send = (what: string) =>
      emulator.fetch(new Request(`https://shop.example/_sim/change/${what}`, { method: 'POST' }))
    await send('refund')
    const placed: { id: string } = await (await send('order')).json()
    const again = await read(context, orders, { from: first.orders.cursor })
    expect(again.rows.length).toBe(2)
    expect(columnOf(orders, again.rows, 'id')).toContain(placed.id.split('/').at(-1))
    expect((await read(context, refunds, { from: first.refunds.cursor })).rows.length).toBe(1)
    const whole = await read(context, orders, { from: first.orders.cursor, mode: 'replace' })
    expect(whole.rows.length).toBe(first.orders.rows.length + 1)
  })

  it('is asked no faster than its points come back', async () => {
    const company = smallCompany('2026-06-15', { orders: 120 })
    const { context } = opened({ company, callMs: 1 })
    const stream = await streamOf(opened({ company }).context, 'order_lines')
    const refusal = await refusalOf(read(context, stream))
    expect(refusal).toMatchObject({ reason: 'down', message: 'Shopify allows no more calls at the moment.' })
    expect(Reflect.get(Object(refusal), 'retryAfterMs')).toBeGreaterThan(0)
    const slow = opened({ company, callMs: 200 })
    let cursor: Cursor | null = null
    for (let page = 0; ; page += 1) {
      const given = await shopifyConnector.read(slow.context, { stream, mode: 'upsert', cursor, budget: budget(1_000) })
      slow.emulator.world.advance(given.retryAfterMs ?? 0)
      cursor = given.cursor
      if (given.done) break
      expect(page).toBeLessThan(200)
    }
  })
})

describe('an app of Shopify', () => {
  it('that may not read everything opens what it may, and says what it may not', async () => {
    const { context } = opened({ scopes: ['read_orders', 'write_orders'] })
    expect((await shopifyConnector.discover(context)).map(({ key }) => key)).toEqual([
      ...['orders', 'order_lines', 'refunds'],
    ])
    const { warnings, account } = await shopifyConnector.test(context)
    expect([account, warnings]).toEqual([
      'Nordviks Grossist',
      [
        'The app may change the store. Read scopes are enough.',
        'The app can’t read: Products, Product variants, Customers.',
        'Only orders of the last 60 days are seen without read_all_orders.',
      ],
    ])
    expect(await refusalOf(shopifyConnector.test(opened({ scopes: [] }).context))).toMatchObject({ reason: 'auth' })
  })

  it('asks for a token of a day with its own credentials, and for another once it ends or the secret is another', async () => {
    const { context, emulator } = opened({}, shopifyFixture().connection)
    const { secrets } = (await shopifyConnector.renewal?.renew(context)) ?? { secrets: {} }
    const held = { ...context.connection.secrets, ...secrets }
    const isDue = (of: Record<string, string>, now = FIXTURE_NOW) => shopifyConnector.renewal?.isDue(of, now)
    expect([isDue(context.connection.secrets), isDue(held), isDue(held, FIXTURE_NOW + 86_200_000)]).toEqual([
      ...[true, false, true],
    ])
    expect([isDue({ ...held, clientSecret: 'another' }), isDue(byToken.secrets)]).toEqual([true, false])
    const stored = { ...context, connection: { ...context.connection, secrets: held } }
    const stream = await streamOf(stored, 'customers')
    const before = emulator.world.calls.length
    await read(stored, stream)
    expect(emulator.world.calls.slice(before).every((call) => call.startsWith('Page'))).toBe(true)
  })

  it('that was taken out of the store stops at once', async () => {
    const { context, emulator } = opened()
    const stream = await streamOf(context, 'orders')
    await emulator.fetch(new Request('https://shop.example/_sim/revoke', { method: 'POST' }))
    expect(await refusalOf(read(context, stream))).toMatchObject({ reason: 'auth' })
  })

  it.each([
    'nordvik',
    'nordvik.myshopify.com.evil.example',
    'https://nordvik.myshopify.com',
    'evil.example/.myshopify.com',
  ])('is sent to no address but a store’s own: %s', (shop) => {
    expect(shopifyConnector.check?.({ shop })).toHaveProperty('shop')
    expect(shopifyConnector.check?.({ shop: 'nordvik.myshopify.com' })).toEqual({})
  })
})

describe('answers that no store gives', () => {
  /** The same doors, whose answers to questions are changed on their way. */
  function changed(context: ConnectorContext, change: (answer: unknown) => unknown): ConnectorContext {
    const http: ConnectorContext['doors']['http'] = async (call) => {
      const response = await context.doors.http(call)
      return call.url.endsWith('graphql.json')
        ? { ...response, text: async () => JSON.stringify(change(JSON.parse(await response.text()))) }
        : response
    }
    return { ...context, doors: { ...context.doors, http } }
  }
  const first = { mode: 'upsert' as const, cursor: null, budget: budget(2) }

  it('are waited for no longer than an hour, whatever points they tell of', async () => {
    const { context } = opened()
    const stream = await streamOf(context, 'orders')
    const cost = { requestedQueryCost: 1e308, throttleStatus: { currentlyAvailable: 0, restoreRate: 1e-300 } }
    const slow = changed(context, (answer) => ({ ...Object(answer), extensions: { cost } }))
    expect(await shopifyConnector.read(slow, { ...first, stream })).toMatchObject({ retryAfterMs: 3_600_000 })
    const throttled = changed(context, () => ({
      errors: [{ extensions: { code: 'THROTTLED' } }],
      extensions: { cost },
    }))
    const refusal = await refusalOf(shopifyConnector.read(throttled, { ...first, stream }))
    expect(refusal).toMatchObject({ reason: 'down', retryAfterMs: 3_600_000 })
  })

  it('are told as they are where a moment is none', async () => {
    const { context } = opened()
    const stream = await streamOf(context, 'orders')
    const odd = changed(context, (answer) =>
      JSON.parse(JSON.stringify(answer).replaceAll(/"createdAt":"[^"]*"/g, '"createdAt":"2026-99-99T99:99:99+99:99"')),
    )
    const page = await shopifyConnector.read(odd, { ...first, stream })
    expect(page.kind === 'rows' && columnOf(stream, page.rows, 'created')[0]).toBe('2026-99-99T99:99:99+99:99')
  })

  const UNREADABLE: [string, unknown][] = [
    ['nothing', null],
    ['no list', { data: { orders: 7 } }],
    ['a page without an end', { data: { orders: { edges: [], pageInfo: { hasNextPage: true } } } }],
    ['objects without ids', { data: { orders: { edges: [{ cursor: 'a', node: {} }], pageInfo: {} } } }],
    ['an error of its own', { errors: [{ message: 'evil' }] }],
    ['names that objects have by birth', JSON.parse('{"data":{"__proto__":{"edges":[]}}}')],
  ]
  it.each(UNREADABLE)('end in words: %s', async (_what, answer) => {
    const { context } = opened()
    const stream = await streamOf(context, 'orders')
    const refusal = await refusalOf(
      shopifyConnector.read(
        changed(context, () => answer),
        { ...first, stream },
      ),
    )
    expect(refusal).toMatchObject({ reason: 'down', message: expect.stringContaining('Shopify') })
  })
})

describe('troubles of Shopify', () => {
  it.each(['rate-limit', 'error', 'cut-off'] as const)('are tried again from the same page: %s', async (mode) => {
    const { context, emulator } = opened()
    const stream = await streamOf(context, 'orders')
    const request = { stream, mode: 'upsert' as const, budget: budget(2) }
    const first = await shopifyConnector.read(context, { ...request, cursor: null })
    emulator.world.order(mode)
    const next = { ...request, cursor: first.cursor }
    expect(await refusalOf(shopifyConnector.read(context, next))).toMatchObject({ reason: 'down' })
    expect(await shopifyConnector.read(context, next)).toMatchObject({ kind: 'rows' })
  })

  it('end a sync whose page comes again and again', async () => {
    const { context, emulator } = opened()
    const stream = await streamOf(context, 'orders')
    const request = { stream, mode: 'upsert' as const, budget: budget(2) }
    const first = await shopifyConnector.read(context, { ...request, cursor: null })
    emulator.world.order('repeat-page')
    const again = shopifyConnector.read(context, { ...request, cursor: first.cursor })
    expect(await refusalOf(again)).toMatchObject({ reason: 'down' })
  })
})
