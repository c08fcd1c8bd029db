import { describe, expect, it } from 'vitest'
import { vismaConnector } from './visma-connector'
import type { Cell, ConnectorContext, Cursor } from '../contract'
import { contextOf, FIXTURE_NOW } from '../../../test/worker/connectors/fixture'
import { vismaFixture, vismaWithAccess } from '../../../test/worker/connectors/visma-fixture'
import { smallCompany } from '../../../emulators/vendors/company.ts'
import type { SourceStream } from '../../shared/data-sources/connectors'

const HOUR_MS = 3_600_000

async function opened(options: Parameters<typeof vismaWithAccess>[0] = {}) {
  const { emulator, secrets, doors } = await vismaWithAccess(options)
  const fixture = vismaFixture()
  const context = contextOf({ ...fixture, connection: { ...fixture.connection, secrets } }, doors)
  return { emulator, context }
}
const refusalOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  )
const budget = (maxRows: number) => ({ maxRows, maxBytes: 10_000_000, deadlineAt: FIXTURE_NOW + 60_000 })

async function streamOf(context: ConnectorContext, key: string): Promise<SourceStream> {
  const found = (await vismaConnector.discover(context)).find((stream) => stream.key === key)
  if (!found) throw new Error(`no stream ${key}`)
  return found
}
async function pages(
  context: ConnectorContext,
  stream: SourceStream,
  { maxRows = 500, from = null as Cursor | null } = {},
) {
  const read: Cell[][][] = []
  let cursor = from
  for (;;) {
    const mode = stream.modes[0]
    const page = await vismaConnector.read(context, { stream, mode, cursor, budget: budget(maxRows) })
    read.push(page.kind === 'rows' ? page.rows : [])
    cursor = page.cursor
    if (page.done) return { sizes: read.map(({ length }) => length), rows: read.flat(), cursor }
  }
}
const at = (stream: SourceStream, name: string): number =>
  stream.columns?.findIndex((column) => column.name === name) ?? -1
const sumOf = (rows: Cell[][], column: number): number =>
  rows.reduce((sum, row) => sum + Math.round(Number(row[column]) * 100), 0)

describe('the ledger of Visma', () => {
  it('balances to the last öre, and says of each entry where it belongs', async () => {
    const { context } = await opened({ company: smallCompany('2026-06-15', { vouchers: 12 }) })
    const stream = await streamOf(context, 'ledger.entries')
    const { rows } = await pages(context, stream, { maxRows: 7 })
    expect(rows.length).toBeGreaterThan(40)
    expect(sumOf(rows, at(stream, 'amount'))).toBe(0)
    expect(new Set(rows.map((row) => `${row[2]} ${row[5]}`)).size).toBe(rows.length)
    expect(rows.find((row) => row[at(stream, 'dim_1')] === '20')?.[at(stream, 'dim_1_name')]).toBe('Lager')
    expect(rows[0]?.slice(0, 2)).toEqual(['555555-5555', '2025'])
  })

  it('goes from opening balances by its entries to closing ones', async () => {
    const { context } = await opened()
    const balances = await streamOf(context, 'ledger.balances')
    const entries = await streamOf(context, 'ledger.entries')
    const [stored, posted] = [(await pages(context, balances)).rows, (await pages(context, entries)).rows]
    const of = (year: string, account: string, kind: string): number =>
      sumOf(
        stored.filter((row) => row[1] === year && row[3] === account && row[5] === kind),
        at(balances, 'amount'),
      )
    for (const year of ['2025', '2026'])
      for (const account of ['1510', '1930', '2440']) {
        const moved = posted.filter((row) => row[1] === year && row[at(entries, 'account')] === account)
        expect([account, of(year, account, 'IB') + sumOf(moved, at(entries, 'amount'))]).toEqual([
          account,
          of(year, account, 'UB'),
        ])
      }
  })

  it('takes a bill that is posted between two syncs in', async () => {
    const { context, emulator } = await opened()
    const stream = await streamOf(context, 'ledger.entries')
    const before = (await pages(context, stream)).rows.length
    emulator.books.postRent()
    const { rows } = await pages(context, stream)
    expect([rows.length, sumOf(rows, at(stream, 'amount'))]).toEqual([before + 2, 0])
  })
})

describe('lists of Visma', () => {
  it.each([
    ['none', 0, [0]],
    ['exactly a page', 4, [4]],
    ['a page and one', 5, [4, 1]],
  ])('end after the last page: %s', async (_name, orders, sizes) => {
    const { context } = await opened({ company: smallCompany('2026-06-15', { orders }) })
    expect((await pages(context, await streamOf(context, 'invoices'), { maxRows: 4 })).sizes).toEqual(sizes)
  })

  it('take no page for the next one that comes twice', async () => {
    const { context, emulator } = await opened()
    const stream = await streamOf(context, 'invoices')
    emulator.world.order('repeat-page', { after: 1 })
    expect(await refusalOf(pages(context, stream, { maxRows: 2 }))).toMatchObject({ reason: 'down' })
  })

  it('of invoices ask the next time for those that changed', async () => {
    const { context } = await opened({ company: smallCompany('2026-06-15', { orders: 60 }) })
    const stream = await streamOf(context, 'invoices')
    const first = await pages(context, stream)
    expect(first.cursor).toEqual({ since: '2026-06-15T11:00:00.000Z' })
    expect((await pages(context, stream, { from: first.cursor })).rows).toEqual([])
  })
})

describe('access to Visma', () => {
  it('is renewed with a token that each renewal replaces, and the one before is worth nothing', async () => {
    const { context, emulator } = await opened()
    emulator.world.advance(2 * HOUR_MS)
    expect(await refusalOf(vismaConnector.test(context))).toMatchObject({ reason: 'auth' })
    const issued = await vismaConnector.authorise?.renew(context)
    expect(issued?.secrets['refreshToken']).not.toBe(context.connection.secrets['refreshToken'])
    const secrets = { ...context.connection.secrets, ...issued?.secrets }
    const renewed = { ...context, connection: { ...context.connection, secrets } }
    expect((await vismaConnector.test(renewed)).account).toContain('Nordviks')
    const lost = { reason: 'auth', message: 'Visma eAccounting no longer accepts our access.' }
    expect(await refusalOf(vismaConnector.authorise?.renew(context) ?? Promise.resolve())).toMatchObject(lost)
  })

  it.each([
    ['rate-limit', { reason: 'down', retryAfterMs: 60_000 }],
    ['error', { reason: 'down' }],
    ['cut-off', { reason: 'down' }],
    ['unauthorized', { reason: 'auth', mend: 'Reconnect.' }],
  ] as const)('says what went wrong, and what to do: %s', async (mode, refusal) => {
    const { context, emulator } = await opened()
    emulator.world.order(mode)
    expect(await refusalOf(vismaConnector.test(context))).toMatchObject(refusal)
  })
})
