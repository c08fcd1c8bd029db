import { openAsBlob, statSync } from 'node:fs'
import type { Person } from '../http/person.ts'
import { workerdMemory } from './memory.ts'
import type { OrderTotals } from './orders.ts'
import { sqliteLoadSeconds } from './reference.ts'
import { MB } from './row.ts'
import type { Row } from './row.ts'
import type { FileColumn } from '../../src/shared/files.ts'
import type { Column } from '../../src/shared/sources.ts'

export interface Loaded {
  rows: Row[]
  dataset: string
  columns: Pick<Column, 'key' | 'label'>[]
}

/** I1 and I2: upload → queryable over HTTP, and the memory it takes; the sum is checked to the cent. */
export async function loadRows(
  person: Person,
  at: { file: string; totals: OrderTotals; pid: number },
): Promise<Loaded> {
  const { file, totals, pid } = at
  const memory = workerdMemory(pid)
  const idle = memory()
  let peak = idle
  const watch = setInterval(() => (peak = Math.max(peak, memory())), 50)
  const started = performance.now()
  const uploadId = await person.upload('orders.csv', await openAsBlob(file))
  const uploaded = performance.now()
  const { settings, columns } = await person.inspect(uploadId)
  const table = { name: 'Orders', uploadId, settings, columns }
  const source = await person.createSource({ name: `Orders ${totals.rows}`, tables: [table] })
  const run = await person.finished(source.lastRun?.id ?? '')
  const seconds = (performance.now() - started) / 1000
  clearInterval(watch)
  if (run.state !== 'succeeded') throw new Error(`the load ${run.state}: ${JSON.stringify(run.error)}`)
  const dataset = source.datasets[0]?.id ?? ''
  await checkSum(person, { dataset, columns, totals })
  const reference = await sqliteLoadSeconds(file)
  const rate = (time: number): string => `${Math.round(totals.rows / time / 1000)} k rows/s`
  const size = Math.round(statSync(file).size / MB)
  return {
    dataset,
    columns: columns.map(({ index, label }) => ({ key: `c${index}`, label })),
    rows: [
      {
        id: 'I1',
        what: `CSV ${totals.rows} × 11, ${size} MB: upload (${((uploaded - started) / 1000).toFixed(1)} s) to queryable`,
        ours: rate(seconds),
        reference: `${rate(reference)} (node:sqlite)`,
        ratio: (reference / seconds).toFixed(2),
      },
      {
        id: 'I2',
        what: `growth of memory over idle, ${size} MB`,
        ours: `${Math.round((peak - idle) / MB)} MB`,
        reference: '–',
        ratio: '–',
      },
    ],
  }
}

async function checkSum(
  person: Person,
  at: { dataset: string; columns: FileColumn[]; totals: OrderTotals },
): Promise<void> {
  const key = `c${at.columns.findIndex(({ label }) => label === 'amount')}` as const
  const sum = await person.query({
    v: 1,
    kind: 'aggregate',
    measures: [{ kind: 'column', agg: 'sum', field: { dataset: at.dataset, column: key } }],
    dimensions: [],
    filters: [],
  })
  if (Math.round(Number(sum.rows[0]?.[0]) * 100) !== at.totals.amountCents) throw new Error('the sum is not exact')
}
