import type { DataSource } from '../../src/shared/data-sources/data-sources.ts'
import type { Person } from '../http/person.ts'
import { workerdSeconds } from './memory.ts'
import { ms, p95, quantile, type Row } from './row.ts'

const CLIENTS = 20
const BATCHES = 1_000
const ROWS_OF_BATCH = 5
const GOAL_MS = 300
const VISIBLE_MS = 1_000
const POLL_MS = 25

interface Pushing {
  person: Person
  sourceId: string
  token: string
}

/** Sends a batch as a program does, again with the same key where the answer did not come; answers after how long. */
async function push({ person, sourceId, token }: Pushing, key: string, rows: object[]): Promise<number> {
  const began = performance.now()
  const answer = await fetch(`${person.address}/api/ingest/${sourceId}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify(rows),
  })
  if (answer.status !== 202) throw new Error(`push: ${answer.status} ${await answer.text()}`)
  await answer.arrayBuffer()
  return performance.now() - began
}

/** Rows of the source's table, and the sum of their amounts. */
async function totals(person: Person, sourceId: string): Promise<{ rows: number; sum: number }> {
  const { datasets } = await person.call<DataSource>('GET', `/api/data-sources/${sourceId}`)
  const [dataset] = datasets
  const amount = dataset?.columns.find(({ label }) => label === 'amount')?.key
  // A table is listed before its first rows stand, and with them its columns.
  if (!dataset || amount === undefined) return { rows: 0, sum: 0 }
  const { rows } = await person.query({
    v: 1,
    kind: 'aggregate',
    dataset: dataset.id,
    measures: [
      { kind: 'column', agg: 'count' },
      { kind: 'column', agg: 'sum', field: { dataset: dataset.id, column: amount } },
    ],
    dimensions: [],
    filters: [],
  })
  const [row] = rows
  return { rows: Number(row?.[0]), sum: Number(row?.[1]) }
}

async function visibleAfter(of: Pushing, rows: number): Promise<number> {
  const began = performance.now()
  while ((await totals(of.person, of.sourceId)).rows < rows) await new Promise((go) => setTimeout(go, POLL_MS))
  return performance.now() - began
}

/** P1: a thousand batches from twenty clients: how long each waited for its answer, and when all of it is in the table. */
export async function pushRows(person: Person, pid: number): Promise<Row[]> {
  const { source, token } = await person.call<{ source: DataSource; token: string }>(
    'POST',
    '/api/connectors/sources',
    {
      ...{ kind: 'push', name: 'Pushed', settings: { key: 'id' }, secrets: {}, streams: [], frequencyHours: 24 },
    },
  )
  const of = { person, sourceId: source.id, token }
  await push(of, 'first', [{ id: 'first', amount: 1 }])
  const alone = await visibleAfter(of, 1)
  const seconds = workerdSeconds(pid)
  const before = seconds()
  const waits: number[] = []
  let next = 0
  const began = performance.now()
  const client = async (): Promise<void> => {
    for (let n = next++; n < BATCHES; n = next++) {
      const rows = Array.from({ length: ROWS_OF_BATCH }, (_, at) => ({ id: `${n}-${at}`, amount: n }))
      waits.push(await push(of, `batch-${n}`, rows))
      // Every tenth is sent twice, as by a program that heard no answer.
      if (n % 10 === 0) await push(of, `batch-${n}`, rows)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  const all = performance.now() - began
  const behind = await visibleAfter(of, BATCHES * ROWS_OF_BATCH + 1)
  const cost = ((seconds() - before) * 1_000) / BATCHES
  const found = await totals(person, source.id)
  const expected = ROWS_OF_BATCH * ((BATCHES * (BATCHES - 1)) / 2) + 1
  if (found.rows !== BATCHES * ROWS_OF_BATCH + 1 || found.sum !== expected)
    throw new Error(`pushed rows are lost or double: ${JSON.stringify(found)}, expected a sum of ${expected}`)
  return [
    {
      id: 'P1',
      what: `a batch of ${CLIENTS} clients answered: median, p95, last (${Math.round(BATCHES / (all / 1_000))} batches/s, ${ms(cost)} of processor each)`,
      ours: `${ms(quantile(waits, 0.5))}, ${ms(p95(waits))}, ${ms(Math.max(...waits))}`,
      reference: `${GOAL_MS} ms (goal)`,
      ratio: (p95(waits) / GOAL_MS).toFixed(2),
    },
    {
      id: 'P1',
      what: 'its rows seen by a question: a batch alone, all after the last of a thousand; none lost or double',
      ours: `${ms(alone)}, ${ms(behind)}`,
      reference: `${VISIBLE_MS} ms (goal)`,
      ratio: (behind / VISIBLE_MS).toFixed(2),
    },
  ]
}
