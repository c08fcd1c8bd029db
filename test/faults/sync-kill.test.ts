import { afterAll, expect, inject } from 'vitest'
import type { ListPage } from '../../src/shared/field-schemas.ts'
import type { SourceSync } from '../../src/shared/data-sources/connections.ts'
import type { DataSource } from '../../src/shared/data-sources/data-sources.ts'
import { createSeededRandom } from '../../src/sample/random.ts'
import { Person } from '../http/person.ts'
import { createStateDirectory, startServer, type RunningServer } from '../http/server.ts'
import { itLong } from '../long.ts'
import { seedOf } from '../seed.ts'

const KILLS = Number(process.env['HARDENING_COUNT']) || 50
/** A kill comes at most this long after a sync was asked for: a whole one takes about as long. */
const SYNC_MS = 2_500
const SETTLED_MS = 300_000
const POLL_MS = 500
const ROWS = 20_000

const state = createStateDirectory(inject('unused'))
afterAll(state.remove)

/** Runs a statement in the PostgreSQL beside the server, as its owner. */
async function runAtSource(server: RunningServer, statement: string): Promise<void> {
  const address = `http://127.0.0.1:${Number(new URL(server.address).port) + 4}/_sim/postgres/run`
  expect((await fetch(address, { method: 'POST', body: statement })).status).toBe(200)
}

async function connected(person: Person): Promise<DataSource> {
  const settings = {
    host: 'localhost',
    port: String(Number(new URL(person.address).port) + 5),
    database: 'postgres',
    user: 'reader',
    what: 'tables',
  }
  const made = await person.call<{ source: DataSource }>('POST', '/api/connectors/sources', {
    ...{ name: 'Shop', kind: 'postgresql', settings, secrets: { password: 'reader-of-test' } },
    ...{ streams: [{ key: 'public.amounts', mode: 'replace' }], frequencyHours: 24 },
  })
  return made.source
}

const syncsOf = async (person: Person, source: string): Promise<SourceSync[]> =>
  (await person.call<ListPage<SourceSync>>('GET', `/api/data-sources/${source}/syncs`)).items

/** As if a sync had been silent for so long that its process is looked for: on a machine alone nothing else wakes it. */
const SILENT_MS = 6 * 60_000
const letWake = (server: RunningServer): Promise<void> =>
  server.write(`UPDATE syncs SET beat_at = beat_at - ${SILENT_MS} WHERE state = 'running'`)

/** Waits until no sync is under way; the round of every minute may come at any moment. */
async function settled(person: Person, source: string): Promise<SourceSync | undefined> {
  const deadline = Date.now() + SETTLED_MS
  for (;;) {
    const syncs = await syncsOf(person, source)
    if (syncs.every((sync) => sync.state !== 'running')) return syncs[0]
    if (Date.now() > deadline) throw new Error(`still running after five minutes: ${JSON.stringify(syncs[0])}`)
    await fetch(`${person.address}/cdn-cgi/local/scheduled`)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

/** Rows and sum of the table, as a question answers. */
async function shown(person: Person, dataset: string, column: `c${number}`): Promise<string> {
  const { rows } = await person.query({
    ...{ v: 1, kind: 'aggregate', dimensions: [], filters: [] },
    measures: [
      { kind: 'column', agg: 'count', dataset },
      { kind: 'column', agg: 'sum', field: { dataset, column } },
    ],
  })
  return rows[0]?.map(Number).join() ?? ''
}
const expected = (amount: number): string => [ROWS, ROWS * amount].join()

itLong(
  `shows the table of before or after a sync, never a part, over ${KILLS} kills of the runtime, and ends each sync (SYN-2)`,
  { timeout: 120_000 + KILLS * 60_000 },
  async () => {
    const dice = createSeededRandom(seedOf(true))
    const server = await startServer(state.path)
    const person = new Person(server.address)
    await person.register('sync.kill@example.com')
    await runAtSource(
      server,
      `CREATE TABLE amounts AS SELECT n AS id, 1::numeric AS amount FROM generate_series(1, ${ROWS}) AS n`,
    )
    const source = await connected(person)
    await settled(person, source.id)
    const { datasets } = await person.call<DataSource>('GET', `/api/data-sources/${source.id}`)
    const [dataset] = datasets
    const column = dataset?.columns.find(({ label }) => label === 'amount')
    if (!dataset || !column) throw new Error('the table is not there')
    const look = (): Promise<string> => shown(person, dataset.id, column.key)
    expect(await look()).toBe(expected(1))
    let cutOff = 0
    for (let kill = 1; kill <= KILLS; kill++) {
      const [before, after] = [kill, kill + 1].map((amount) => expected(amount))
      await runAtSource(server, `UPDATE amounts SET amount = ${kill + 1}`)
      await server.write(`UPDATE connections SET synced_at = synced_at - 3600000 WHERE source_id = '${source.id}'`)
      await person.call('POST', `/api/data-sources/${source.id}/sync`, {})
      await new Promise((resolve) => setTimeout(resolve, dice.unit() * SYNC_MS))
      await server.killRuntime()
      await letWake(server)
      if ((await syncsOf(person, source.id))[0]?.state === 'running') cutOff += 1
      expect([before, after]).toContain(await look())
      const last = await settled(person, source.id)
      expect(await look()).toBe(last?.state === 'succeeded' ? after : before)
      if (last?.state !== 'succeeded') {
        await person.call('POST', `/api/data-sources/${source.id}/sync`, {})
        await settled(person, source.id)
      }
      expect(await look()).toBe(after)
    }
    expect(cutOff).toBeGreaterThan(KILLS / 3)
    await server.stop()
  },
)
