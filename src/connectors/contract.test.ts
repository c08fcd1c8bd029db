import { describe, expect, it } from 'vitest'
import { SourceError, type Cell, type ConnectorContext, type Cursor, type ReadPage } from './contract'
import { listConnectors } from './registry'
import { CLOSED_DOORS } from '../../test/worker/connectors/doors'
import { contextOf, FIXTURE_NOW, type ConnectorFixture } from '../../test/worker/connectors/fixture'
import { CONNECTOR_FIXTURES, SENT_FIXTURES } from '../../test/worker/connectors/fixtures'
import { faultyStores } from '../../test/worker/syncs/faulty-stores'
import type { SourceStream, StreamColumn } from '../shared/data-sources/connectors'
import { DoorError } from '../outbound/doors'

const kinds = listConnectors().map(({ connector }) => connector)
const CANONICAL: Record<StreamColumn['type'], RegExp> = {
  text: /^[^]*$/,
  integer: /^-?\d+$/,
  number: /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/,
  boolean: /^(true|false)$/,
  date: /^\d{4}-\d{2}-\d{2}$/,
  datetime: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z?$/,
}
const PAGES_MAX = 500
const BUDGET = { maxRows: 2, maxBytes: 1_000_000, deadlineAt: FIXTURE_NOW + 30_000 }

const drain = async (page: ReadPage): Promise<ReadPage> => {
  if (page.kind === 'file') await new Response(page.file.body).arrayBuffer()
  return page
}

/** Every page of one sync of a stream, from a cursor on. */
async function readAll(context: ConnectorContext, stream: SourceStream, from: Cursor | null, maxRows = 1000) {
  const connector = kindOf(context)
  const pages: ReadPage[] = []
  let cursor = from
  for (;;) {
    const request = { stream, mode: stream.modes[0], cursor, budget: { ...BUDGET, maxRows } }
    const page = await drain(await connector.read(context, request))
    pages.push(page)
    if (page.done) return { pages, rows: pages.flatMap((each) => (each.kind === 'rows' ? each.rows : [])) }
    if (pages.length > PAGES_MAX) throw new Error('a sync that has no end')
    expect(page.cursor).not.toEqual(cursor)
    cursor = page.cursor
  }
}

/** The streams of the fixture's own tables. */
async function ownStreams(context: ConnectorContext, { tables }: ConnectorFixture): Promise<SourceStream[]> {
  const streams = await kindOf(context).discover(context)
  return tables ? streams.filter(({ key }) => tables.includes(key)) : streams
}

const contexts = new WeakMap<ConnectorContext, (typeof kinds)[number]>()
function kindOf(context: ConnectorContext): (typeof kinds)[number] {
  const found = contexts.get(context)
  if (!found) throw new Error('a context of no connector')
  return found
}

async function open(connector: (typeof kinds)[number], change: Partial<ConnectorContext> = {}) {
  const fixture = CONNECTOR_FIXTURES[connector.describe().kind]?.()
  if (!fixture) throw new Error(`no fixture for ${connector.describe().kind}`)
  const context = { ...contextOf(fixture, await fixture.doors()), ...change }
  contexts.set(context, connector)
  return { fixture, context }
}
const isTestable = ({ skipped }: ConnectorFixture): boolean => skipped === undefined
const pulled = kinds.filter((connector) => {
  const fixture = CONNECTOR_FIXTURES[connector.describe().kind]?.()
  return connector.describe().delivery === 'pull' && (fixture === undefined || isTestable(fixture))
})

describe.each(kinds.map((connector) => ({ kind: connector.describe().kind, connector })))('$kind', ({ connector }) => {
  const described = connector.describe()

  it('says what it is: fields of their own names, what it reads and what it never does', () => {
    const keys = described.fields.map(({ key }) => key)
    expect(new Set(keys).size).toBe(keys.length)
    for (const { label, hint = '', control, options, when } of described.fields) {
      expect(label).toMatch(/^[A-Z].*[^.]$/)
      expect(hint.length).toBeLessThanOrEqual(60)
      expect(control === 'choice').toBe(options !== undefined)
      if (when) expect(keys).toContain(when.field)
    }
    expect(described.summary.length).toBeLessThanOrEqual(80)
    expect(described.reads.length).toBeGreaterThan(0)
    expect(described.never.length).toBeGreaterThan(0)
    expect(connector.authorise !== undefined).toBe(described.auth === 'oauth')
    for (const { key, control, secret } of described.fields)
      if (control === 'password') expect([key, secret]).toEqual([key, true])
  })
})

describe.each(pulled.map((connector) => ({ kind: connector.describe().kind, connector })))(
  '$kind, read',
  ({ connector }) => {
    it('lets in credentials that work', async () => {
      const { context } = await open(connector)
      expect((await connector.test(context)).warnings).toBeInstanceOf(Array)
    })

    it('says of refused credentials that they are, and repeats no secret', async () => {
      const { fixture } = await open(connector)
      if (!fixture.refused) return
      const { context } = await open(connector, { connection: fixture.refused })
      const refusal = await connector.test(context).then(
        () => null,
        (error: unknown) => error,
      )
      expect(refusal).toBeInstanceOf(SourceError)
      if (!(refusal instanceof SourceError)) return
      expect(refusal.reason).toBe('auth')
      expect(refusal.mend).not.toBe('')
      for (const secret of Object.values(fixture.refused.secrets).filter((text) => text.length > 3))
        expect(`${refusal.message} ${refusal.mend}`).not.toContain(secret)
    })

    it('says of a source that does not answer that it is down', async () => {
      const { context } = await open(connector, { doors: CLOSED_DOORS })
      const refusal = await connector.test(context).then(
        () => null,
        (error: unknown) => error,
      )
      const reason = refusal instanceof SourceError || refusal instanceof DoorError ? refusal.reason : refusal
      expect(reason).toBe('down')
    })

    it('offers the same streams each time, under keys of their own', async () => {
      const { context, fixture } = await open(connector)
      expect((await ownStreams(context, fixture)).length).toBeGreaterThan(0)
      const streams = await connector.discover(context)
      expect(new Set(streams.map(({ key }) => key)).size).toBe(streams.length)
      expect(await connector.discover(context)).toEqual(streams)
      for (const { columns, keyColumns, incrementalColumn, modes } of streams) {
        const names = columns?.map(({ name }) => name) ?? []
        expect(new Set(names).size).toBe(names.length)
        if (!columns) continue
        for (const name of [...keyColumns, ...(incrementalColumn === null ? [] : [incrementalColumn])])
          expect(names).toContain(name)
        if (modes.includes('upsert')) expect(keyColumns.length).toBeGreaterThan(0)
      }
    })

    it('reads every stream to its end in pages of any size: equal rows, in the form of their types', async () => {
      const { context, fixture } = await open(connector)
      for (const stream of await ownStreams(context, fixture)) {
        const whole = await readAll(context, stream, null)
        const small = await readAll((await open(connector)).context, stream, null, BUDGET.maxRows)
        const sorted = (rows: Cell[][]): string[] => rows.map((row) => JSON.stringify(row)).toSorted()
        expect(new Set(sorted(small.rows))).toEqual(new Set(sorted(whole.rows)))
        for (const page of small.pages)
          if (page.kind === 'rows') expect(page.rows.length).toBeLessThanOrEqual(BUDGET.maxRows)
        const { columns } = stream
        for (const row of whole.rows) {
          expect(row.length).toBe(columns?.length)
          columns?.forEach(({ type, name }, at) => {
            const cell = row[at] ?? null
            if (cell !== null) expect([name, cell]).toEqual([name, expect.stringMatching(CANONICAL[type])])
          })
        }
      }
    })

    it('goes on from a cursor that was kept as text, and answers no secret in it', async () => {
      const { context, fixture } = await open(connector)
      const [stream] = await ownStreams(context, fixture)
      if (!stream) throw new Error('no stream')
      const { pages } = await readAll(context, stream, null, BUDGET.maxRows)
      for (const { cursor } of pages) {
        const kept = JSON.stringify(cursor)
        expect(kept.length).toBeLessThan(8192)
        for (const secret of Object.values(fixture.connection.secrets).filter((text) => text.length > 3))
          expect(kept).not.toContain(secret)
      }
      const last: Cursor | null = pages.at(-1)?.cursor ?? null
      const again = await readAll(context, stream, last === null ? null : JSON.parse(JSON.stringify(last)))
      // Nothing new came in: what an overlap reads again is at most what there was.
      const first = pages.reduce((sum, page) => sum + (page.kind === 'rows' ? page.rows.length : 0), 0)
      expect(again.rows.length).toBeLessThanOrEqual(first)
    })
  },
)

const sent = kinds.filter((connector) => connector.describe().delivery === 'push')

describe.each(sent.map((connector) => ({ kind: connector.describe().kind })))('$kind, sent', ({ kind }) => {
  const begin = async () => {
    const fixture = await SENT_FIXTURES[kind]?.()
    if (!fixture) throw new Error(`no fixture for ${kind}`)
    return fixture
  }
  const TYPES: Record<string, StreamColumn['type']> = {
    ...{ id: 'text', amount: 'number', day: 'date', at: 'datetime', paid: 'boolean' },
  }
  const ROWS = Array.from({ length: 7 }, (_, n) => ({
    ...{ id: `k${n}`, amount: n % 3 === 0 ? null : n * -1.25, day: `2026-02-0${n + 1}` },
    ...{ at: `2026-02-0${n + 1}T12:00:00.5Z`, paid: n % 2 === 0 },
  }))
  const REFUSED = ['', 'Bearer', `Bearer ${'0'.repeat(64)}`, 'Basic dXNlcjpwYXNz']

  it('lets in credentials that work', async () => {
    const { send } = await begin()
    const answer = await send(JSON.stringify(ROWS))
    expect([answer.status, await answer.json()]).toMatchObject([202, { accepted: ROWS.length }])
  })

  it('says of refused credentials that they are, and repeats no secret', async () => {
    const [mine, others] = [await begin(), await begin()]
    for (const authorization of [...REFUSED, `Bearer ${others.token}`, `Basic ${mine.token}`, mine.token]) {
      const answer = await mine.send(JSON.stringify(ROWS), { authorization })
      const text = await answer.text()
      expect([authorization, answer.status, text]).toEqual([
        authorization,
        401,
        expect.stringContaining('unauthenticated'),
      ])
      for (const secret of [mine.token, others.token]) expect(text).not.toContain(secret)
    }
    expect(await mine.rows()).toEqual([])
  })

  it('says of a place that does not answer that it is busy, and takes the same batch later once', async () => {
    const { send, rows } = await begin()
    for (const failing of ['before', 'after'] as const) {
      const stores = faultyStores()
      stores.breakAt(2, failing)
      const answer = await send(JSON.stringify(ROWS), { key: 'once', bindings: stores.bindings })
      expect([stores.calls[1], answer.status, Number(answer.headers.get('retry-after')) > 0]).toEqual([
        ...['INBOX.receive', 503, true],
      ])
    }
    expect((await send(JSON.stringify(ROWS), { key: 'once' })).status).toBe(202)
    expect(await rows()).toHaveLength(ROWS.length)
  })

  it('offers the same stream each time, whose columns are those of what came', async () => {
    const { send, stream } = await begin()
    for (const row of ROWS) await send(JSON.stringify(row))
    const { columns, keyColumns, modes } = await stream()
    expect([keyColumns, modes]).toEqual([['id'], ['upsert']])
    expect(Object.fromEntries(columns?.map(({ name, type }) => [name, type]) ?? [])).toEqual(TYPES)
  })

  it('takes rows in batches of any size and either form: equal rows, in the form of their types', async () => {
    const lines = ROWS.map((row) => JSON.stringify(row))
    const batches = [
      [{ body: JSON.stringify(ROWS), type: 'application/json' }],
      [0, 2, 4, 6].map((at) => ({ body: lines.slice(at, at + 2).join('\n'), type: 'application/x-ndjson' })),
      lines.map((body) => ({ body, type: 'application/json' })),
    ]
    const tables = await Promise.all(
      batches.map(async (each) => {
        const { send, rows } = await begin()
        for (const { body, type } of each) expect((await send(body, { type })).status).toBe(202)
        return rows()
      }),
    )
    expect(tables[0]).toHaveLength(ROWS.length)
    for (const table of tables) expect(table).toEqual(tables[0])
    const { send } = await begin()
    await send(JSON.stringify(ROWS))
    for (const [name, type] of Object.entries(TYPES)) {
      if (type === 'text') continue
      const answer = await send(JSON.stringify([{ id: 'odd', [name]: 'no value of it' }]))
      expect([name, answer.status, await answer.text()]).toEqual([name, 422, expect.stringContaining(`0.${name}`)])
    }
  })

  it('goes on from what it has: a batch again adds nothing, a key again is the newer row', async () => {
    const { send, rows, token } = await begin()
    for (let again = 0; again < 3; again += 1) {
      const answer = await send(JSON.stringify(ROWS), { key: 'first' })
      expect([answer.status, (await answer.text()).includes(token)]).toEqual([202, false])
    }
    const before = await rows()
    expect((await send('[{"id":"k1","amount":99}]')).status).toBe(202)
    const after = await rows()
    expect([before.length, after.length]).toEqual([ROWS.length, ROWS.length])
    expect(after.filter((row) => !before.includes(row))).toEqual([expect.stringContaining('99')])
  })
})

it('has a fixture for every kind that programs send to', () => {
  expect(sent.map((connector) => connector.describe().kind)).toEqual(Object.keys(SENT_FIXTURES))
})

it('has an emulator for every kind that is read', () => {
  const missing = kinds
    .filter((connector) => connector.describe().delivery === 'pull')
    .filter((connector) => CONNECTOR_FIXTURES[connector.describe().kind] === undefined)
  expect(missing.map((connector) => connector.describe().kind)).toEqual([])
})
