import { openAsBlob, statSync } from 'node:fs'
import type { Person } from '../http/person.ts'
import { untilAnalyzed } from './findings-rows.ts'
import { watchMemory } from './memory.ts'
import type { OrderTotals } from './orders.ts'
import { sqliteLoadSeconds } from './reference.ts'
import { MB, quantile, type Row } from './row.ts'
import type { FileColumn } from '../../src/shared/data-sources/files.ts'
import type { Column } from '../../src/shared/data-sources/data-sources.ts'

export interface LoadedTable {
  rows: Row[]
  dataset: string
  /** How often the same file was loaded, each time into a dataset of its own. */
  times: number
  columns: Pick<Column, 'key' | 'label'>[]
}

/** The median of this many loads, and of as many of the reference's: one alone tells more of the disk than of us. */
const TIMES = 3

/** As often as the page of a source asks: each look takes several milliseconds of the thread that loads. */
const POLL_MS = 800

interface Load {
  seconds: number
  uploadSeconds: number
  dataset: string
  columns: FileColumn[]
}

/** Upload → queryable over HTTP; the sum is checked to the cent. */
async function loadOnce(person: Person, at: { file: string; totals: OrderTotals; name: string }): Promise<Load> {
  const { file, totals, name } = at
  const started = performance.now()
  const startedAt = Date.now()
  const uploadId = await person.upload('orders.csv', await openAsBlob(file))
  const uploaded = performance.now()
  const { settings, columns } = await person.inspect(uploadId)
  const source = await person.createSource({ name, tables: [{ name, uploadId, settings, columns }] })
  const run = await person.finished(source.lastRun?.id ?? '', undefined, POLL_MS)
  if (run.state !== 'succeeded') throw new Error(`the load ${run.state}: ${JSON.stringify(run.error)}`)
  // By the run's own record of its end, whose clock is this machine's: it does not depend on when it was asked for.
  const seconds = (Date.parse(run.finishedAt ?? '') - startedAt) / 1000
  const dataset = source.datasets[0]?.id ?? ''
  await checkSum(person, { dataset, columns, totals })
  // Neither the reference nor the next load is to share the processors with what follows a load.
  await untilAnalyzed(person, dataset)
  return { seconds, uploadSeconds: (uploaded - started) / 1000, dataset, columns }
}

/** I1 and I2: loads against the reference, and the memory that the first of them takes. */
export async function loadRows(
  person: Person,
  at: { file: string; totals: OrderTotals; pid: number; once: boolean },
): Promise<LoadedTable> {
  const { file, totals, pid } = at
  const memory = watchMemory(pid)
  const first = await loadOnce(person, { file, totals, name: 'Orders' })
  const growth = memory.stop()
  const loads = [first]
  const references = [await sqliteLoadSeconds(file)]
  while (!at.once && loads.length < TIMES) {
    loads.push(await loadOnce(person, { file, totals, name: `Orders ${loads.length}` }))
    references.push(await sqliteLoadSeconds(file))
  }
  const middle = (sample: number[]): number => quantile(sample, 0.5)
  const seconds = middle(loads.map((load) => load.seconds))
  const upload = middle(loads.map((load) => load.uploadSeconds)).toFixed(1)
  const reference = middle(references)
  const rate = (time: number): string => `${Math.round(totals.rows / time / 1000)} k rows/s`
  const size = Math.round(statSync(file).size / MB)
  return {
    dataset: first.dataset,
    times: loads.length,
    columns: first.columns.map(({ index, label }) => ({ key: `c${index}`, label })),
    rows: [
      {
        id: 'I1',
        what: `CSV ${totals.rows} × 11, ${size} MB: upload (${upload} s) to queryable, median of ${loads.length}`,
        ours: rate(seconds),
        reference: `${rate(reference)} (node:sqlite)`,
        ratio: (reference / seconds).toFixed(2),
        better: 'higher',
      },
      {
        id: 'I2',
        what: `growth of memory over idle, ${size} MB`,
        ours: `${Math.round(growth / MB)} MB`,
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
