import { env } from 'cloudflare:test'
import { beforeAll, describe, expect, it } from 'vitest'
import { openPostgres } from './postgres-client'
import { postgresConnector } from './postgres-connector'
import { CLOSED_DOORS } from '../../../test/worker/connectors/doors'
import { portOf, postgresFixture, postgresServerFixture } from '../../../test/worker/connectors/database-fixtures'
import { contextOf } from '../../../test/worker/connectors/fixture'
import { scriptedDoors } from '../../../test/worker/connectors/scripted-server'
import { casesOf } from '../../../test/long'
import { databasePools, parsePoolLogin } from '../../outbound/database-pools'
import type { Doors } from '../../outbound/doors'
import { readSettings } from '../../settings'
import type { DatabaseClient, DatabaseLogin } from '../databases/client'

const HOST = 'db.internal.example.com'
/** As people enter it: a server that only the pool can reach. */
const LOGIN: DatabaseLogin = {
  ...{ host: HOST, port: 5432, database: 'shop', user: 'analyst', password: 'of-the-analyst' },
  ...{ tls: 'required', maxBytes: 64_000_000 },
}
const loginsOf = (binding: string): string => `${binding}=postgresql://analyst:of-the-analyst@${HOST}/shop`
/** No other way out than the pool. */
const doorsOf = (binding: string): Doors => ({ ...CLOSED_DOORS, pool: databasePools(env, loginsOf(binding)) })

interface Server {
  binding: 'HYPERDRIVE_PGLITE' | 'HYPERDRIVE_POSTGRES'
  start: () => Promise<unknown>
}
const SERVERS = casesOf<Server>(
  [
    { binding: 'HYPERDRIVE_PGLITE', start: () => portOf('pglite-socket', []) },
    { binding: 'HYPERDRIVE_POSTGRES', start: postgresServerFixture },
  ],
  { binding: 'HYPERDRIVE_PGLITE', start: () => portOf('pglite-socket', []) },
)

describe.each(SERVERS)('a database behind $binding', ({ binding, start }) => {
  let isThere = false
  beforeAll(async () => {
    await postgresFixture().doors()
    isThere = (await start()) !== null
  })
  const opened = async (skip: (is: boolean, why: string) => void): Promise<DatabaseClient> => {
    skip(!isThere, 'There is no such server on this machine.')
    return openPostgres(doorsOf(binding), LOGIN)
  }
  const oneOf = async (client: DatabaseClient, text: string): Promise<string | null | undefined> =>
    (await client.query(text)).rows[0]?.[0]

  it('is read through the pool by whoever enters its login, and by nobody else', async ({ skip }) => {
    const client = await opened(skip)
    expect((await client.query('SELECT id::text, buyer FROM orders WHERE id = $1::text::integer', ['1'])).rows).toEqual(
      [['1', 'Åsa']],
    )
    await client.close()
    const doors = doorsOf(binding)
    await expect(openPostgres(doors, { ...LOGIN, password: 'guessed' })).rejects.toMatchObject({ refusal: 'password' })
    for (const change of [{ user: 'other' }, { database: 'other' }, { port: 5433 }, { host: 'db.example.com' }])
      await expect(openPostgres(doors, { ...LOGIN, ...change })).rejects.toMatchObject({ reason: 'down' })
  })

  it('writes nothing, keeps to 30 seconds, and speaks of moments in UTC, statement by statement', async ({ skip }) => {
    const client = await opened(skip)
    await expect(client.query('CREATE TABLE written ()')).rejects.toMatchObject({ refusal: 'read_only' })
    await expect(client.query(`SELECT set_config('transaction_read_only', 'off', true)`)).rejects.toThrow()
    const settings = ['transaction_read_only', 'statement_timeout', 'TimeZone', 'DateStyle', 'extra_float_digits']
    for (let twice = 0; twice < 2; twice += 1)
      expect(
        await Promise.all([
          oneOf(client, `SELECT concat_ws('|', ${settings.map((name) => `current_setting('${name}')`).join(', ')})`),
        ]),
      ).toEqual(['on|30s|UTC|ISO, YMD|1'])
    await expect(client.query('SELECT * FROM gone')).rejects.toMatchObject({ refusal: 'missing' })
    expect(await oneOf(client, 'SELECT 7::text')).toBe('7')
    await client.close()
  })

  it('is tested and read as any database is, and sees at once what was written', async ({ skip }) => {
    skip(!isThere, 'There is no such server on this machine.')
    const settings = { host: HOST, port: '5432', database: 'shop', user: 'analyst', what: 'tables' }
    const doors = doorsOf(binding)
    const context = contextOf(
      { connection: { settings, secrets: { password: 'of-the-analyst' } }, doors: async () => doors },
      doors,
    )
    const tested = await postgresConnector.test(context)
    expect(tested.account).toBe(`shop at ${HOST}`)
    const stream = (await postgresConnector.discover(context)).find(({ label }) => label === 'orders')
    expect(stream?.columns?.length).toBe(7)
    const name = binding === 'HYPERDRIVE_PGLITE' ? 'pglite-socket' : 'postgres'
    const client = await openPostgres(doors, LOGIN)
    const total = (): Promise<string | null | undefined> => oneOf(client, 'SELECT COUNT(*)::text FROM orders')
    const before = await total()
    await portOf(name, ['INSERT INTO orders (id) VALUES (90)'])
    expect(Number(await total())).toBe(Number(before) + 1)
    await portOf(name, ['DELETE FROM orders WHERE id = 90'])
    await client.close()
  })
})

/** A pool that gives the first answer again, as query caching does. */
it('refuses a pool whose answers come from a cache', async () => {
  const message = (type: string, body: readonly number[]): number[] => {
    const length = body.length + 4
    return [type.charCodeAt(0), length >>> 24, (length >>> 16) & 255, (length >>> 8) & 255, length & 255, ...body]
  }
  const chars = (text: string): number[] => [...new TextEncoder().encode(text)]
  const ready = message('Z', [73])
  const row = message('D', [0, 1, 0, 0, 0, 8, ...chars('10:00:00')])
  const doors = scriptedDoors(async ({ hear, say }) => {
    await hear()
    await say(message('R', [0, 0, 0, 0]), ready)
    for (let at = 0; at < 6; at += 1) {
      await hear()
      await say(...(at % 3 === 1 ? [row] : []), message('C', chars('OK\0')), ready)
    }
  })
  const socket = await doors.connect({ host: HOST, port: 5432, tls: 'off' })
  const pool = { connect: () => socket, signIn: { user: 'u', password: 'p', database: 'd' } }
  const client = await openPostgres({ ...doors, pool: () => pool }, LOGIN)
  await expect(client.assertUncached?.()).rejects.toMatchObject({ message: expect.stringContaining('cache') })
})

it('reads logins of pools as they are written, and says which are not', () => {
  expect(parsePoolLogin('SHOP_DB=postgres://u%40x:p%2Fw@DB.Example.com:6543/my%20shop')).toEqual({
    binding: 'SHOP_DB',
    address: { host: 'db.example.com', port: 6543, database: 'my shop', user: 'u@x', password: 'p/w' },
  })
  const wrong = [
    '',
    'SHOP_DB',
    'shop=postgres://u:p@h/d',
    'A=mysql://u:p@h/d',
    'A=postgres://u@h/d',
    'A=postgres://u:p@h/',
    'A=postgres://u:%zz@h/d',
  ]
  expect(wrong.map(parsePoolLogin)).toEqual(wrong.map(() => null))
  const settings = { ...env, HYPERDRIVE_LOGINS: `${loginsOf('A')}\n${loginsOf('B')}` }
  expect(readSettings({ ...settings }).ok).toBe(true)
  expect(readSettings({ ...settings, HYPERDRIVE_LOGINS: 'A=mysql://u:p@h/d' })).toMatchObject({ ok: false })
  // A binding that is not there keeps no pool: the database is connected to as any other.
  expect(databasePools(env, loginsOf('NOT_BOUND'))(LOGIN)).toBeNull()
})
