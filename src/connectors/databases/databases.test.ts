import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { selectMistake } from './guarded-select'
import type { DatabaseLogin } from './client'
import { openMysql } from '../mysql/mysql-client'
import { mysqlConnector } from '../mysql/mysql-connector'
import { openPostgres } from '../postgres/postgres-client'
import { postgresConnector } from '../postgres/postgres-connector'
import { SourceError, type Connector, type ConnectorContext, type Cursor } from '../contract'
import { DoorError, type Doors } from '../../outbound/doors'
import {
  mariadbServerFixture,
  postgresFixture,
  postgresServerFixture,
  socketDoors,
  statementsOn,
} from '../../../test/worker/connectors/database-fixtures'
import { contextOf, FIXTURE_NOW } from '../../../test/worker/connectors/fixture'
import { scriptedDoors, type ScriptedTurn } from '../../../test/worker/connectors/scripted-server'
import type { SourceStream } from '../../shared/data-sources/connectors'

const LOGIN: DatabaseLogin = {
  ...{ host: 'db.example.com', port: 5432, database: 'shop', user: 'reader', password: 'pa55-marker' },
  ...{ tls: 'required', maxBytes: 1_000_000 },
}
const refusalOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  )
const int32 = (value: number): number[] => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255]
const pgMessage = (type: string, body: readonly number[]): number[] => [
  type.charCodeAt(0),
  ...int32(body.length + 4),
  ...body,
]
const READY = pgMessage('Z', [73])
const NO_PASSWORD = pgMessage('R', int32(0))
const chars = (text: string): number[] => [...new TextEncoder().encode(text)]

/** A PostgreSQL that lets everybody in, and does what it likes with the first statement. */
const openThen =
  (...answer: number[][]) =>
  async ({ hear, say }: ScriptedTurn): Promise<void> => {
    await hear()
    await say('S')
    await hear()
    await say(NO_PASSWORD, READY)
    await hear()
    await say(pgMessage('C', chars('SET\0')), READY)
    await hear()
    await say(...answer)
  }

describe('a hostile PostgreSQL', () => {
  it('gets no password without TLS', async () => {
    const heard: number[] = []
    const doors = scriptedDoors(async ({ hear, say }) => {
      heard.push((await hear())?.length ?? 0)
      await say('N')
      heard.push((await hear())?.length ?? 0)
    })
    const refusal = await refusalOf(openPostgres(doors, LOGIN))
    expect(refusal).toMatchObject({ reason: 'auth', message: expect.stringContaining('TLS') })
    expect([heard[0], doors.secured()]).toEqual([8, 0])
  })
  it('cannot say anything before TLS that is believed after it', async () => {
    const doors = scriptedDoors(async ({ hear, say }) => {
      await hear()
      await say(['S'.charCodeAt(0), ...NO_PASSWORD, ...READY])
    })
    expect(await refusalOf(openPostgres(doors, LOGIN))).toBeInstanceOf(SourceError)
    expect(doors.secured()).toBe(0)
  })
  it.each([
    ['the password itself', pgMessage('R', int32(3))],
    ['a way of its own', pgMessage('R', int32(7))],
    ['another SASL', pgMessage('R', [...int32(10), ...chars('PLAIN\0\0')])],
  ])('is told nothing when it asks for %s', async (_what, asked) => {
    let heard = ''
    const doors = scriptedDoors(async ({ hear, say }) => {
      await hear()
      await say('S')
      await hear()
      await say(asked)
      for (let part = await hear(); part; part = await hear()) heard += new TextDecoder().decode(part)
    })
    expect(await refusalOf(openPostgres(doors, LOGIN))).toMatchObject({ reason: 'auth' })
    expect(heard).not.toContain(LOGIN.password)
  })
  it('is not believed when it does not know the password either', async () => {
    const doors = scriptedDoors(async ({ hear, say }) => {
      await hear()
      await say('S')
      await hear()
      await say(pgMessage('R', [...int32(10), ...chars('SCRAM-SHA-256\0\0')]))
      const nonce = /r=([^,]+)$/.exec(new TextDecoder().decode((await hear()) ?? undefined))?.[1] ?? ''
      await say(pgMessage('R', [...int32(11), ...chars(`r=${nonce}server,s=c2FsdA==,i=4096`)]))
      await hear()
      await say(pgMessage('R', [...int32(12), ...chars('v=AAAA')]), NO_PASSWORD, READY)
    })
    expect(await refusalOf(openPostgres(doors, LOGIN))).toMatchObject({ reason: 'auth' })
  })
  it.each(['s=@@@,i=4096', 's=c2FsdA==,i=2000000000', 's=c2FsdA==,i=0', 's=,i=4096', 'i=4096'])(
    'is worked for no longer than sign-in takes: %s',
    async (asked) => {
      const doors = scriptedDoors(async ({ hear, say }) => {
        await hear()
        await say('S')
        await hear()
        await say(pgMessage('R', [...int32(10), ...chars('SCRAM-SHA-256\0\0')]))
        const nonce = /r=([^,]+)$/.exec(new TextDecoder().decode((await hear()) ?? undefined))?.[1] ?? ''
        await say(pgMessage('R', [...int32(11), ...chars(`r=${nonce}server,${asked}`)]))
      })
      expect(await refusalOf(openPostgres(doors, LOGIN))).toBeInstanceOf(SourceError)
    },
  )
  it.each([
    ['a message of 2 GB', [...chars('D'), ...int32(0x7fff_ffff)]],
    ['rows that are copied in', pgMessage('G', [0, 0, 0])],
    ['rows that are copied out', pgMessage('H', [0, 0, 0])],
    ['a call of a function', pgMessage('V', int32(-1))],
  ])('is hung up on when it answers with %s', async (_what, answer) => {
    const client = await openPostgres(scriptedDoors(openThen(answer)), LOGIN)
    const refusal = await refusalOf(client.query('SELECT 1'))
    expect(refusal instanceof SourceError || refusal instanceof DoorError).toBe(true)
  })
  it('sends no more than a connection may', async () => {
    const row = pgMessage('D', [0, 1, ...int32(60_000), ...new Array<number>(60_000).fill(65)])
    const client = await openPostgres(scriptedDoors(openThen(...new Array<number[]>(20).fill(row))), LOGIN)
    expect(await refusalOf(client.query('SELECT 1'))).toMatchObject({ reason: 'too_large' })
  })
  it('never has its own words repeated', async () => {
    const error = pgMessage('E', chars('SFATAL\0CXX000\0Mroot:hunter2\0\0'))
    const client = await openPostgres(scriptedDoors(openThen(error, READY)), LOGIN)
    const refusal = await refusalOf(client.query('SELECT 1'))
    expect(refusal).toBeInstanceOf(SourceError)
    expect(JSON.stringify(refusal) + String(refusal)).not.toContain('hunter2')
  })
})

const packet = (sequence: number, body: readonly number[]): number[] => [
  body.length & 255,
  body.length >> 8,
  0,
  sequence,
  ...body,
]
const greeting = (capabilities: number): number[] =>
  packet(0, [
    ...[10, ...chars('8.4.0\0'), 1, 0, 0, 0, ...chars('12345678'), 0, capabilities & 255, (capabilities >> 8) & 255],
    ...[45, 2, 0, (capabilities >> 16) & 255, 0, 21, ...new Array<number>(10).fill(0), ...chars('123456789012\0')],
    ...chars('caching_sha2_password\0'),
  ])
const [TLS, PLUGINS] = [0x800, 0x8_0000]
const SETTINGS = 5

describe('a hostile MySQL', () => {
  it('gets no password without TLS', async () => {
    let heard = 0
    const doors = scriptedDoors(async ({ hear, say }) => {
      await say(greeting(0x200 | PLUGINS))
      heard = (await hear())?.length ?? 0
    })
    expect(await refusalOf(openMysql(doors, LOGIN))).toMatchObject({
      reason: 'auth',
      message: expect.stringContaining('TLS'),
    })
    expect(heard).toBeLessThan(10)
  })
  it('is not told the password when it asks for it in the open', async () => {
    let heard = ''
    const doors = scriptedDoors(async ({ hear, say }) => {
      await say(greeting(0x200 | PLUGINS | TLS))
      await hear()
      await hear()
      await say(packet(3, [0xfe, ...chars('mysql_clear_password\0')]))
      for (let part = await hear(); part; part = await hear()) heard += new TextDecoder().decode(part)
    })
    expect(await refusalOf(openMysql(doors, LOGIN))).toMatchObject({ reason: 'auth' })
    expect(heard).not.toContain(LOGIN.password)
  })
  it.each([
    ['a file of ours', packet(1, [0xfb, ...chars('/etc/passwd')])],
    ['a packet of 16 MB', [255, 255, 255, 1]],
  ])('is hung up on when it answers with %s', async (_what, answer) => {
    let heard = ''
    const doors = scriptedDoors(async ({ hear, say }) => {
      await say(greeting(0x200 | PLUGINS | TLS))
      await hear()
      await hear()
      await say(packet(3, [0, 0, 0, 2, 0, 0, 0]))
      for (let i = 0; i < SETTINGS; i += 1) {
        await hear()
        await say(packet(1, [0, 0, 0, 2, 0, 0, 0]))
      }
      await hear()
      await say(packet(1, [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]))
      await hear()
      await say(answer)
      for (let part = await hear(); part; part = await hear()) heard += new TextDecoder().decode(part)
    })
    const client = await openMysql(doors, LOGIN)
    const refusal = await refusalOf(client.query('SELECT 1'))
    expect(refusal instanceof SourceError || refusal instanceof DoorError).toBe(true)
    expect(heard).not.toContain('root:')
  })
})

it('lets in one SELECT and nothing else', () => {
  for (const right of [
    'SELECT 1',
    'with a as (select 1) select * from a;',
    `SELECT ';drop' AS "delete", /* ; */ 1 -- ;x`,
  ])
    expect([right, selectMistake(right)]).toEqual([right, null])
  const wrong = ['', 'DELETE FROM a', 'SELECT 1; SELECT 2', 'WITH a AS (DELETE FROM b RETURNING *) SELECT * FROM a']
  for (const text of [...wrong, 'COPY a TO PROGRAM $$x$$', "SELECT 1 INTO OUTFILE '/x'", 'SELECT * FROM a FOR UPDATE'])
    expect([text, selectMistake(text)]).not.toEqual([text, null])
})

interface Kind {
  name: string
  connector: Connector
  database: string
  server: () => Promise<{ port: number; user: string; database: string } | null>
}
const KINDS: Kind[] = [
  { name: 'PostgreSQL', connector: postgresConnector, database: 'postgres', server: postgresServerFixture },
  { name: 'MariaDB', connector: mysqlConnector, database: 'mariadb', server: mariadbServerFixture },
]
const ORDERS = [
  ['1', 'Åsa', '12.50', '0.25', 'true', '2026-01-31', '2026-02-01T10:00:00.125'],
  ['2', "O'Hara", '-3.00', null, 'false', null, '2026-02-02T10:00:00.000'],
  ['3', null, '1000000.99', expect.stringMatching(/^1e\+?20$/), null, '2024-02-29', '2026-02-02T10:00:00.000'],
  ['4', '', '0.00', '-1.5', 'true', '2026-03-01', null],
  ['5', '日本', null, '2', 'false', '2026-03-02', '2026-03-03T00:00:00.000'],
]

/** Servers take seconds to start. */
describe.skipIf(env.LONG !== '1').each(KINDS)('$name over TCP (long run)', ({ connector, database, server }) => {
  const contextAt = (
    doors: Doors,
    change: Record<string, string> = {},
    password = 'secret-of-reader',
  ): ConnectorContext => {
    const { connection } = postgresFixture()
    const settings = { ...connection.settings, user: 'reader', ...change }
    return contextOf({ connection: { settings, secrets: { password } }, doors: () => doors }, doors)
  }
  const opened = async () => {
    const found = await server()
    return found && contextAt(socketDoors(found.port), { database: found.database })
  }
  async function sync(context: ConnectorContext, stream: SourceStream, from: Cursor | null) {
    const rows: (string | null)[][] = []
    let cursor = from
    for (;;) {
      const budget = { maxRows: 2, maxBytes: 10_000, deadlineAt: FIXTURE_NOW + 1000 }
      const page = await connector.read(context, { stream, mode: stream.modes[0], cursor, budget })
      if (page.kind === 'rows') rows.push(...page.rows)
      cursor = page.cursor
      if (page.done) return { rows, cursor }
    }
  }

  it('reads every type as canonical text, and then only what changed', async ({ skip }) => {
    const context = await opened()
    if (!context) return skip('There is no such server on this machine.')
    const stream = (await connector.discover(context)).find(({ key }) => key.endsWith('.orders'))
    if (!stream) throw new Error('no orders')
    expect(stream).toMatchObject({
      keyColumns: ['id'],
      incrementalColumn: 'updated_at',
      modes: ['upsert', 'replace', 'live'],
    })
    const first = await sync(context, stream, null)
    expect(first.rows).toEqual(ORDERS)
    await statementsOn(database, [`UPDATE orders SET amount = 7, updated_at = '2026-05-01 00:00:00' WHERE id = 4`])
    const next = await sync(context, stream, first.cursor)
    expect(next.rows.map(([id]) => id)).toEqual(['5', '4'])
    expect((await sync(context, stream, next.cursor)).rows.map(([id]) => id)).toEqual(['4'])
  })

  it('says in words what is wrong with the password, the database and a table', async ({ skip }) => {
    const context = await opened()
    if (!context) return skip('There is no such server on this machine.')
    expect(
      await refusalOf(connector.test({ ...context, ...contextAt(context.doors, {}, 'wrong-marker') })),
    ).toMatchObject({
      reason: 'auth',
      message: expect.stringContaining('password'),
    })
    const elsewhere = contextAt(context.doors, { database: 'nothing_here' })
    expect(await refusalOf(connector.test(elsewhere))).toMatchObject({ reason: 'auth' })
    const settings = { ...context.connection.settings, what: 'select', select: 'SELECT * FROM gone' }
    const gone = { ...context, connection: { ...context.connection, settings } }
    expect(await refusalOf(connector.test(gone))).toMatchObject({ reason: 'drift' })
  })

  it('reads one SELECT, and none that writes', async ({ skip }) => {
    const context = await opened()
    if (!context) return skip('There is no such server on this machine.')
    const asked = (select: string): ConnectorContext => ({
      ...context,
      connection: { ...context.connection, settings: { ...context.connection.settings, what: 'select', select } },
    })
    const context1 = asked('SELECT day, COUNT(*) AS n FROM orders WHERE day IS NOT NULL GROUP BY day;')
    const [stream] = await connector.discover(context1)
    if (!stream) throw new Error('no stream')
    expect((await sync(context1, stream, null)).rows).toHaveLength(4)
    const writing = asked('SELECT 1) AS t; DROP TABLE orders; SELECT * FROM (SELECT 1')
    expect(await refusalOf(connector.discover(writing))).toBeInstanceOf(SourceError)
    expect((await connector.discover(context)).map(({ label }) => label)).toContain('orders')
  })
})
