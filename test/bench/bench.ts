// npm run bench [-- --rows 1000000]: our figure beside a reference measured in the same run on the same machine.
import { mkdtempSync, openAsBlob, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Person } from '../http/person.ts'
import { startServer, stateFolder } from '../http/server.ts'
import { workerdBytes } from './memory.ts'
import { writeOrders } from './orders.ts'
import { sqliteLoadSeconds } from './reference.ts'

const { values } = parseArgs({ options: { rows: { type: 'string', default: '1000000' } } })
const rows = Number(values.rows)
const MB = 1024 * 1024
const folder = mkdtempSync(join(tmpdir(), 'insikt-bench-'))
const file = join(folder, 'orders.csv')
const totals = writeOrders(file, rows)
const state = stateFolder()
const server = await startServer(state.path)

interface Row {
  id: string
  what: string
  ours: string
  reference: string
  ratio: string
}

async function load(): Promise<Row[]> {
  const person = new Person(server.address)
  await person.register('bench@example.com')
  const idle = workerdBytes(server.pid)
  let peak = idle
  const watch = setInterval(() => (peak = Math.max(peak, workerdBytes(server.pid))), 50)
  const started = performance.now()
  const uploadId = await person.upload('orders.csv', await openAsBlob(file))
  const uploaded = performance.now()
  const { settings, columns } = await person.inspect(uploadId)
  const source = await person.createSource({
    name: 'Orders',
    tables: [{ name: 'Orders', uploadId, settings, columns }],
  })
  const run = await person.finished(source.lastRun?.id ?? '')
  const seconds = (performance.now() - started) / 1000
  clearInterval(watch)
  if (run.state !== 'succeeded') throw new Error(`the load ${run.state}: ${JSON.stringify(run.error)}`)
  const amountKey = `c${columns.findIndex(({ label }) => label === 'amount')}` as const
  const dataset = source.datasets[0]?.id ?? ''
  const sum = await person.query({
    v: 1,
    kind: 'aggregate',
    measures: [{ kind: 'column', agg: 'sum', field: { dataset, column: amountKey } }],
    dimensions: [],
    filters: [],
  })
  if (Math.round(Number(sum.rows[0]?.[0]) * 100) !== totals.amountCents) throw new Error('the sum is not exact')
  const reference = await sqliteLoadSeconds(file)
  const rate = (time: number): string => `${Math.round(rows / time / 1000)} k rows/s`
  return [
    {
      id: 'I1',
      what: `CSV ${rows} × 11, ${Math.round(statSync(file).size / MB)} MB: upload (${((uploaded - started) / 1000).toFixed(1)} s) to queryable`,
      ours: rate(seconds),
      reference: `${rate(reference)} (node:sqlite)`,
      ratio: (reference / seconds).toFixed(2),
    },
    {
      id: 'I2',
      what: 'growth of memory over idle during I1',
      ours: `${Math.round((peak - idle) / MB)} MB`,
      reference: '–',
      ratio: '–',
    },
  ]
}

try {
  console.table(await load())
} finally {
  await server.stop()
  state.remove()
  rmSync(folder, { recursive: true, force: true })
}
