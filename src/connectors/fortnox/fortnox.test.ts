import { describe, expect, it } from 'vitest'
import { fortnoxConnector } from './fortnox-connector'
import { SourceError, type Cell, type ConnectorContext, type Cursor } from '../contract'
import { contextOf, FIXTURE_NOW } from '../../../test/worker/connectors/fixture'
import { FORTNOX_OPERATOR, fortnoxWithAccess } from '../../../test/worker/connectors/fortnox-fixture'
import { smallCompany, vendorCompany } from '../../../emulators/vendors/company.ts'
import type { SourceStream } from '../../shared/data-sources/connectors'

const HOUR_MS = 3_600_000

function opened(options: Parameters<typeof fortnoxWithAccess>[0] = {}) {
  const { emulator, access, doors } = fortnoxWithAccess(options)
  const connection = {
    settings: { tenant: '555001', company: 'Nordviks' },
    secrets: { accessToken: access, expiresAt: String(FIXTURE_NOW + HOUR_MS) },
  }
  const context: ConnectorContext = contextOf({ connection, operator: FORTNOX_OPERATOR, doors: () => doors }, doors)
  return { emulator, context }
}

const budget = (maxRows: number) => ({ maxRows, maxBytes: 10_000_000, deadlineAt: FIXTURE_NOW + 60_000 })
const streamOf = async (context: ConnectorContext, key: string): Promise<SourceStream> => {
  const found = (await fortnoxConnector.discover(context)).find((stream) => stream.key === key)
  if (!found) throw new Error(`no stream ${key}`)
  return found
}

async function pages(
  context: ConnectorContext,
  stream: SourceStream,
  { maxRows = 500, from = null as Cursor | null } = {},
) {
  const read = []
  let cursor = from
  for (;;) {
    const mode = stream.modes[0]
    const page = await fortnoxConnector.read(context, { stream, mode, cursor, budget: budget(maxRows) })
    read.push(page.kind === 'rows' ? page.rows : [])
    cursor = page.cursor
    if (page.done) return { pages: read, rows: read.flat(), cursor }
  }
}

const refusalOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  )
const at = (stream: SourceStream, name: string): number =>
  stream.columns?.findIndex((column) => column.name === name) ?? -1
const sumOf = (rows: Cell[][], column: number): number =>
  rows.reduce((sum, row) => sum + Math.round(Number(row[column]) * 100), 0)

describe('lists', () => {
  it.each([
    ['none', 0, [0]],
    ['exactly a page', 4, [4]],
    ['a page and one', 5, [4, 1]],
    ['two whole pages', 8, [4, 4]],
  ])('end after the last page: %s', async (_name, orders, sizes) => {
    const { context } = opened({ company: smallCompany('2026-06-15', { orders }) })
    const stream = await streamOf(context, 'invoices')
    expect((await pages(context, stream, { maxRows: 4 })).pages.map(({ length }) => length)).toEqual(sizes)
  })

  it('ask for pages of what a call may take, and of no more than Fortnox gives', async () => {
    const { context, emulator } = opened()
    const stream = await streamOf(context, 'invoices')
    await pages(context, stream, { maxRows: 10_000 })
    expect(emulator.world.calls.at(-1)).toContain('limit=500')
  })

  it('take no page for the next one that comes twice', async () => {
    const { context, emulator } = opened()
    const stream = await streamOf(context, 'invoices')
    emulator.world.order('repeat-page', { after: 1 })
    const refusal = await refusalOf(pages(context, stream, { maxRows: 2 }))
    expect(refusal).toMatchObject({ reason: 'down', retryAfterMs: 5_000 })
  })

  it('of invoices ask the next time for those that changed, a day before the last sync included', async () => {
    const { context, emulator } = opened({ company: smallCompany('2026-06-15', { orders: 60 }) })
    const stream = await streamOf(context, 'invoices')
    const first = await pages(context, stream)
    expect(first.cursor).toEqual({ since: '2026-06-14 12:00' })
    const [paid, added] = [emulator.books.payInvoice(FIXTURE_NOW), emulator.books.addInvoice(FIXTURE_NOW)]
    const again = await pages(context, stream, { from: first.cursor })
    const numbers = again.rows.map(([number]) => number)
    expect(numbers).toEqual(expect.arrayContaining([paid, added]))
    expect(numbers.length).toBeLessThan(first.rows.length / 2)
    const row = again.rows.find(([number]) => number === paid)
    expect(row?.[at(stream, 'balance')]).toBe('0')
  })
})

describe('the ledger', () => {
  it('balances, each year once, to the last öre', async () => {
    const { context } = opened({ company: smallCompany('2026-06-15', { vouchers: 9 }) })
    const entries = await streamOf(context, 'ledger.entries')
    const { rows } = await pages(context, entries)
    expect(rows.length).toBeGreaterThan(40)
    expect(sumOf(rows, at(entries, 'amount'))).toBe(0)
    expect(new Set(rows.map((row) => row[at(entries, 'fiscal_year')]))).toEqual(new Set(['2025', '2026']))
    const balances = await streamOf(context, 'ledger.balances')
    const stored = (await pages(context, balances)).rows
    const names = stored.map((row) => [row[2], row[4], row[5]].join(' '))
    expect(new Set(names).size).toBe(names.length)
  })

  it('takes a voucher that is posted between two pages in, and no row twice', async () => {
    const { context, emulator } = opened({ company: smallCompany('2026-06-15', { vouchers: 9 }) })
    const stream = await streamOf(context, 'ledger.entries')
    const nameOf = (row: Cell[]): string => `${row[2]} ${row[5]}`
    const before = (await pages(context, stream)).rows.map(nameOf)
    const request = { stream, mode: 'replace' as const, budget: budget(before.length - 3) }
    const first = await fortnoxConnector.read(context, { ...request, cursor: null })
    emulator.books.postRent()
    const rest = await pages({ ...context }, stream, { from: first.cursor, maxRows: 500 })
    const read = [...(first.kind === 'rows' ? first.rows : []), ...rest.rows].map(nameOf)
    expect(new Set(read).size).toBe(read.length)
    expect(new Set(read)).toEqual(new Set([...before, ...read]))
    expect(read.length).toBe(before.length + 2)
  })

  it('is not taken from an export that broke off', async () => {
    const { context, emulator } = opened()
    const stream = await streamOf(context, 'ledger.entries')
    emulator.world.order('cut-off', { after: 1 })
    const request = { stream, mode: 'replace' as const, cursor: null, budget: budget(100) }
    expect(await refusalOf(fortnoxConnector.read({ ...context }, request))).toMatchObject({ reason: 'down' })
  })

  it('of three years of a wholesaler is read in few calls', async () => {
    const { context, emulator } = opened({ company: vendorCompany('2026-06-15') })
    const stream = await streamOf(context, 'ledger.entries')
    const before = emulator.world.calls.length
    const { rows, pages: read } = await pages({ ...context }, stream, { maxRows: 10_000 })
    expect(sumOf(rows, at(stream, 'amount'))).toBe(0)
    expect(rows.length).toBeGreaterThan(10_000)
    // The years, and each of their files once, however many pages they make.
    expect([read.length > 1, emulator.world.calls.length - before]).toEqual([true, 4])
  })
})

describe('refusals', () => {
  const testing = (context: ConnectorContext) => refusalOf(fortnoxConnector.test(context))

  it('over the limit say when there is room again', async () => {
    const { context } = opened({ callMs: 1 })
    for (let call = 0; call < 25; call += 1) await fortnoxConnector.test(context)
    expect(await testing(context)).toMatchObject({ reason: 'down', retryAfterMs: 5_000 })
  })

  it('of access that was taken back say so in plain words, also when it is renewed', async () => {
    const { context, emulator } = opened()
    emulator.desk.revoke('555001')
    const lost = { reason: 'auth', message: 'Fortnox no longer accepts our access.', mend: 'Reconnect.' }
    expect(await testing(context)).toMatchObject(lost)
    expect(await refusalOf(fortnoxConnector.authorise?.renew(context) ?? Promise.resolve())).toMatchObject(lost)
  })

  it('of a fault at Fortnox are tried again', async () => {
    const { context, emulator } = opened()
    emulator.world.order('error')
    expect(await testing(context)).toMatchObject({ reason: 'down' })
    emulator.world.order('cut-off')
    const stream = (await fortnoxConnector.discover(opened().context)).find(({ key }) => key === 'customers')
    if (!stream) throw new Error('no customers')
    const request = { stream, mode: 'replace' as const, cursor: null, budget: budget(10) }
    expect(await refusalOf(fortnoxConnector.read(context, request))).toBeInstanceOf(SourceError)
  })

  it('of a right that is missing leave its stream out', async () => {
    const { context, emulator } = opened()
    const redirectUri = 'https://insikt.example/callback'
    const scope = 'companyinformation bookkeeping'
    emulator.desk.agree({ account: '555001', scope }, { redirectUri, challenge: null })
    const accessToken = emulator.desk.forAccount('555001')?.access ?? ''
    const secrets = { ...context.connection.secrets, accessToken }
    const narrow = { ...context, connection: { ...context.connection, secrets } }
    const keys = (await fortnoxConnector.discover(narrow)).map(({ key }) => key)
    expect(keys).toContain('ledger.entries')
    expect(keys).not.toContain('invoices')
  })
})

describe('consent', () => {
  const at = { state: 'state-1', redirectUri: 'http://localhost/callback' }
  const verifier = 'a-verifier-that-is-long-enough-for-the-rules-of-pkce'

  async function consented(decision: 'allow' | 'deny') {
    const { context, emulator } = opened()
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier)))
    const codeChallenge = btoa(String.fromCharCode(...digest))
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replaceAll('=', '')
    const url = new URL(fortnoxConnector.authorise?.url(context, { ...at, codeChallenge }) ?? '')
    url.searchParams.set('decision', decision)
    const answer = await emulator.fetch(new Request(url))
    return { context, emulator, back: new URL(answer.headers.get('location') ?? '') }
  }
  const exchange = (context: ConnectorContext, code: string, codeVerifier = verifier) =>
    fortnoxConnector.authorise?.exchange(context, { code, redirectUri: at.redirectUri, codeVerifier, query: {} })

  it('comes back with the state, and opens the company that agreed', async () => {
    const { context, back } = await consented('allow')
    expect(back.searchParams.get('state')).toBe('state-1')
    const issued = await exchange(context, back.searchParams.get('code') ?? '')
    expect(issued?.settings).toEqual({ tenant: '555001', company: 'Nordviks Grossist AB (exempelbolag)' })
    expect(Object.keys(issued?.secrets ?? {})).toEqual(['accessToken', 'expiresAt'])
  })

  it('is worth nothing twice, or to who did not begin it', async () => {
    const { context, back } = await consented('allow')
    const code = back.searchParams.get('code') ?? ''
    expect(await refusalOf(exchange(context, code, 'another-verifier') ?? Promise.resolve())).toMatchObject({
      reason: 'auth',
    })
    expect(await refusalOf(exchange(context, code) ?? Promise.resolve())).toMatchObject({ reason: 'auth' })
  })

  it('comes back refused when it was', async () => {
    const { back } = await consented('deny')
    expect(back.searchParams.get('error')).toBe('access_denied')
  })

  it('is renewed before an hour is over, with our own keys and no token that could be lost', async () => {
    const { context, emulator } = opened()
    const { authorise } = fortnoxConnector
    const { secrets } = context.connection
    expect(authorise?.isDue(secrets, FIXTURE_NOW)).toBe(false)
    expect(authorise?.isDue(secrets, FIXTURE_NOW + HOUR_MS - 60_000)).toBe(true)
    emulator.world.advance(2 * HOUR_MS)
    expect(await refusalOf(fortnoxConnector.test(context))).toMatchObject({ reason: 'auth' })
    const issued = await authorise?.renew(context)
    const renewed = { ...context, connection: { ...context.connection, secrets: issued?.secrets ?? {} } }
    expect((await fortnoxConnector.test(renewed)).account).toContain('Nordviks')
    expect(emulator.desk.issued).toMatchObject({ refresh: 0 })
  })
})
