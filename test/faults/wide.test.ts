import { appendFileSync, mkdtempSync, openAsBlob, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, inject, it } from 'vitest'
import { workerdMemory } from '../bench/memory.ts'
import { Person } from '../http/person.ts'
import { startServer, createStateDirectory } from '../http/server.ts'
import type { SyncRun } from '../../src/shared/data-sources/data-sources.ts'

const LONG = process.env['LONG'] === '1'
/** Enough that a load is still under way when it is cancelled. */
const ROWS = LONG ? 1_000_000 : 120_000
const COLUMNS = 20
const TEXTS = 4
const GROWTH_MAX_BYTES = 250 * 1024 * 1024
const LOAD_MAX_MS = 120_000

const folder = mkdtempSync(join(tmpdir(), 'insikt-wide-'))
const state = createStateDirectory(inject('unused'))
let stop: () => Promise<void> = () => Promise.resolve()
afterAll(async () => {
  await stop()
  state.remove()
  rmSync(folder, { recursive: true, force: true })
})

/** Writes the file and answers the sum of its last column, in hundredths. */
function writeWide(path: string): number {
  let lines = Array.from({ length: COLUMNS }, (_, n) => `k${n}`).join(',') + '\n'
  let hundredths = 0
  writeFileSync(path, '')
  for (let row = 0; row < ROWS; row++) {
    lines += `${row},2025-0${(row % 9) + 1}-1${row % 9},A${row % 500},B${row % 40}`
    for (let column = TEXTS; column < COLUMNS; column++) lines += `,${(row * 7 + column) % 9973}.25`
    lines += '\n'
    hundredths += ((row * 7 + COLUMNS - 1) % 9973) * 100 + 25
    if (lines.length > 4_000_000) {
      appendFileSync(path, lines)
      lines = ''
    }
  }
  appendFileSync(path, lines)
  return hundredths
}

/** Waits until the first stretch of a file has been read. */
async function begun(person: Person, runId: string): Promise<void> {
  for (;;) {
    const { rowsRead } = await person.call<SyncRun>('GET', `/api/runs/${runId}`)
    if (rowsRead > 0) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

it(
  `loads ${ROWS} rows of ${COLUMNS} columns exactly in flat memory, and stops a second load without a trace`,
  { timeout: 600_000 },
  async () => {
    const path = join(folder, 'wide.csv')
    const hundredths = writeWide(path)
    const server = await startServer(state.path)
    stop = server.stop
    const person = new Person(server.address)
    await person.register('wide@example.com')
    const memory = workerdMemory(server.pid)
    const idle = memory()
    let peak = idle
    const watch = setInterval(() => (peak = Math.max(peak, memory())), 50)
    const started = performance.now()
    const uploadId = await person.upload('wide.csv', await openAsBlob(path))
    const { settings, columns } = await person.inspect(uploadId)
    const table = { name: 'Wide', uploadId, settings, columns }
    const source = await person.createSource({ name: 'Wide', tables: [table] })
    const run = await person.finished(source.lastRun?.id ?? '')
    const tookMs = performance.now() - started
    expect(run).toMatchObject({ state: 'succeeded', rowsWritten: ROWS, rowsRejected: 0 })
    const dataset = source.datasets[0]?.id ?? ''
    const sum = await person.query({
      v: 1,
      kind: 'aggregate',
      measures: [{ kind: 'column', agg: 'sum', field: { dataset, column: `c${COLUMNS - 1}` } }],
      dimensions: [],
      filters: [],
    })
    expect(Math.round(Number(sum.rows[0]?.[0]) * 100)).toBe(hundredths)

    const mapping = columns.map(({ index }) => ({ index, key: `c${index}` as const }))
    const half = columns.map((column, at) => ({ ...column, include: at < COLUMNS / 2 }))
    const second = await person.load(dataset, {
      uploadId,
      mode: 'replace',
      settings,
      columns: half,
      mapping: mapping.slice(0, COLUMNS / 2),
    })
    if (LONG) await begun(person, second.id)
    await person.call('POST', `/api/runs/${second.id}/cancel`)
    expect((await person.finished(second.id)).state).toBe('cancelled')
    const after = await person.call('GET', `/api/datasets/${dataset}`)
    expect(after).toMatchObject({ rowCount: ROWS, columns: { length: COLUMNS } })
    clearInterval(watch)
    expect(tookMs).toBeLessThan(LOAD_MAX_MS)
    expect(peak - idle).toBeLessThan(GROWTH_MAX_BYTES)
  },
)
