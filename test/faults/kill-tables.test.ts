import { afterAll, expect, inject, it } from 'vitest'
import { Person } from '../http/person.ts'
import { startServer, createStateDirectory } from '../http/server.ts'
import type { OpenedUpload } from '../../src/shared/data-sources/files.ts'
import type { DataSource, NewTableInput } from '../../src/shared/data-sources/data-sources.ts'

const KILLS = process.env['LONG'] === '1' ? 12 : 1
const EMAIL = 'tables@example.com'
const ORDERS = 30_000
/** Kills come at moments spread over these, from when the call was sent. */
const OPEN_MS = 1_200
const CREATE_MS = 1_500
const SETTLE_MS = 240_000

/** Orders with two lines each: a table of orders and one of lines. */
const file = (): Blob => {
  const order = (n: number) => JSON.stringify({ id: n, sum: n + 0.25, lines: [{ sku: `A${n % 50}` }, { sku: 'B' }] })
  return new Blob([Array.from({ length: ORDERS }, (_, n) => order(n)).join('\n')])
}
const ROWS = [ORDERS, ORDERS * 2]

const state = createStateDirectory(inject('unused'))
afterAll(state.remove)

it(
  `opens a file whole, and creates a source with all its tables or none, after ${KILLS * 2} kills of the process`,
  { timeout: 900_000 },
  async () => {
    let server = await startServer(state.path)
    let person = new Person(server.address)
    await person.register(EMAIL)
    /** Sends a call, kills the process some time after, and comes back as the same person. */
    const killedDuring = async (work: Promise<unknown>, afterMs: number): Promise<void> => {
      work.catch(() => undefined)
      await new Promise((resolve) => setTimeout(resolve, afterMs))
      await server.kill()
      server = await startServer(state.path)
      person = new Person(server.address)
      await person.signIn(EMAIL)
    }
    const open = (id: string) => person.call<OpenedUpload>('POST', `/api/uploads/${id}/open`)

    for (let kill = 1; kill <= KILLS; kill++) {
      const id = await person.upload('orders.ndjson', file())
      await killedDuring(open(id), (OPEN_MS * (kill - 0.5)) / KILLS)
      const opened = await open(id)
      expect(opened.tables.map(({ rowCount }) => rowCount)).toEqual(ROWS)
      expect(await open(id)).toEqual(opened)

      const tables: NewTableInput[] = []
      for (const { uploadId, name } of opened.tables) {
        const { settings, columns } = await person.inspect(uploadId)
        tables.push({ name, uploadId, settings, columns })
      }
      const name = `Orders ${kill}`
      const creating = person.createSource({ name, tables })
      await killedDuring(creating, (CREATE_MS * (kill - 0.5)) / KILLS)
      const { items } = await person.call<{ items: DataSource[] }>('GET', `/api/data-sources?search=${name}`)
      expect(items.length).toBeLessThanOrEqual(1)
      const source = items[0] ?? (await person.createSource({ name, tables }))
      expect([source.datasets.length, source.lastRuns.length]).toEqual([2, 2])

      const ended = await settled(person, source.id)
      for (const [at, { rowCount }] of ended.datasets.entries()) expect([0, ROWS[at]]).toContain(rowCount)
      const broken = ended.lastRuns.filter(({ state: how }) => how !== 'succeeded')
      expect(ended.state).toBe(broken.length === 0 ? 'ready' : broken.length === 2 ? 'failed' : 'degraded')
      for (const run of broken) await person.call('POST', `/api/runs/${run.id}/retry`)
      const whole = await settled(person, source.id)
      expect(whole.datasets.map(({ rowCount }) => rowCount)).toEqual(ROWS)
      expect(whole.state).toBe('ready')
      await person.call('DELETE', `/api/data-sources/${source.id}?version=${whole.version}`)
    }
    await server.stop()
  },
)

/** The source once none of its loads is under way: resumed by itself, or shown as interrupted. */
async function settled(person: Person, id: string): Promise<DataSource> {
  const deadline = Date.now() + SETTLE_MS
  for (;;) {
    const source = await person.call<DataSource>('GET', `/api/data-sources/${id}`)
    if (source.state !== 'syncing') return source
    if (Date.now() > deadline) throw new Error('the source is still loading')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
