import { afterAll, expect, inject, it } from 'vitest'
import { Person } from '../http/person.ts'
import { startServer, createStateDirectory } from '../http/server.ts'

const LONG = process.env['LONG'] === '1'
const KILLS = LONG ? 10 : 2
const EMAIL = 'kill@example.com'
const OLD_ROWS = 20_000
const NEW_ROWS = 150_000
const SETTLE_MS = 60_000

const table = (rows: number, amount: number): Blob => {
  const lines = ['day,customer,amount']
  for (let n = 0; n < rows; n++)
    lines.push(`2026-01-${String((n % 28) + 1).padStart(2, '0')},Customer ${n % 500},${amount}.25`)
  return new Blob([lines.join('\n')])
}
const OLD = { rows: OLD_ROWS, sum: OLD_ROWS * 1.25 }
const NEW = { rows: NEW_ROWS, sum: NEW_ROWS * 2.25 }

const state = createStateDirectory(inject('unused'))
afterAll(state.remove)

async function totals(person: Person, datasetId: string): Promise<{ rows: unknown; sum: unknown }> {
  const amount = { dataset: datasetId, column: 'c2' as const }
  const { rows } = await person.query({
    v: 1,
    kind: 'aggregate',
    measures: [
      { kind: 'column', agg: 'count' },
      { kind: 'column', agg: 'sum', field: amount },
    ],
    dimensions: [],
    filters: [{ field: amount, any: [{ op: 'ge', value: 0 }] }],
  })
  return { rows: rows[0]?.[0], sum: rows[0]?.[1] }
}

it(
  `shows the old or the new table, never part, after ${KILLS} kills of the process during loads`,
  { timeout: 600_000 },
  async () => {
    let server = await startServer(state.path)
    const first = new Person(server.address)
    await first.register(EMAIL)
    const oldUpload = await first.upload('sales.csv', table(OLD_ROWS, 1))
    const found = await first.inspect(oldUpload)
    const created = await first.createSource({
      name: 'Sales',
      tables: [{ name: 'Sales', uploadId: oldUpload, settings: found.settings, columns: found.columns }],
    })
    const datasetId = created.datasets[0]?.id ?? ''
    expect((await first.finished(created.lastRun?.id ?? '')).state).toBe('succeeded')
    expect(await totals(first, datasetId)).toEqual(OLD)
    const replacement = {
      mode: 'replace' as const,
      settings: found.settings,
      columns: found.columns,
      mapping: found.columns.map(({ index }) => ({ index, key: `c${index}` as const })),
    }

    for (let kill = 0; kill < KILLS; kill++) {
      const person = new Person(server.address)
      await person.signIn(EMAIL)
      const uploadId = await person.upload('sales.csv', table(NEW_ROWS, 2))
      const run = await person.load(datasetId, { ...replacement, uploadId })
      await new Promise((resolve) => setTimeout(resolve, (1_500 * (kill + 1)) / KILLS))
      await server.kill()

      server = await startServer(state.path)
      const after = new Person(server.address)
      await after.signIn(EMAIL)
      const seen = await totals(after, datasetId)
      expect([OLD, NEW]).toContainEqual(seen)
      const state_ = await settled(after, run.id)
      expect(['succeeded', 'unchanged', 'interrupted', 'failed']).toContain(state_)
      expect(await totals(after, datasetId)).toEqual(state_ === 'succeeded' ? NEW : seen)
      await backToOld(after, datasetId, replacement)
    }
    await server.stop()

    async function backToOld(person: Person, dataset: string, load: typeof replacement): Promise<void> {
      const uploadId = await person.upload('sales.csv', table(OLD_ROWS, 1))
      const run = await person.load(dataset, { ...load, uploadId })
      expect(['succeeded', 'unchanged']).toContain((await person.finished(run.id)).state)
      expect(await totals(person, dataset)).toEqual(OLD)
    }
  },
)

/** The end of a run that was cut off: resumed by itself, or shown as interrupted once its lease has run out. */
async function settled(person: Person, runId: string): Promise<string> {
  const deadline = Date.now() + SETTLE_MS * 4
  for (;;) {
    const run = await person.call<{ state: string }>('GET', `/api/runs/${runId}`)
    if (!['queued', 'running'].includes(run.state)) return run.state
    if (Date.now() > deadline) throw new Error(`the run is still ${run.state}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
