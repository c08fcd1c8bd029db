import { duckdbTimes } from './duckdb.ts'
import type { Person } from '../http/person.ts'
import { questions } from './questions.ts'
import type { Question } from './questions.ts'
import { ms, p95 } from './row.ts'
import type { Row } from './row.ts'
import type { Column } from '../../src/shared/sources.ts'

const TIMES = 8
const PATIENCE_MS = 120_000

/** Waits until the background has built what answers are read from, as it would have minutes after a load. */
async function settled(person: Person, dataset: string): Promise<void> {
  const until = performance.now() + PATIENCE_MS
  while (performance.now() < until) {
    const { preparing } = await person.call<{ preparing?: boolean }>('GET', `/api/datasets/${dataset}`)
    if (preparing !== true) return
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}

/** Milliseconds of one question over HTTP; with `cold` in words of its own, for which no answer is kept. */
async function asked(person: Person, { plan }: Question, cold: number | null): Promise<number> {
  const [first, ...others] = plan.measures
  const measures = cold === null || !first ? plan.measures : [{ ...first, label: `Cold ${cold}` }, ...others]
  const started = performance.now()
  const answer = await person.query({ ...plan, measures })
  const taken = performance.now() - started
  if (answer.cached !== (cold === null))
    throw new Error(`a question was ${answer.cached ? '' : 'not '}answered from the cache`)
  return taken
}

/** Q1 and Q2: the twelve questions, cold and again, the whole way over HTTP, against native DuckDB in process. */
export async function queryRows(
  person: Person,
  at: { dataset: string; columns: Pick<Column, 'key' | 'label'>[]; file: string; rows: number },
): Promise<{ rows: Row[]; detail: object[] }> {
  await settled(person, at.dataset)
  const list = questions((label) => {
    const key = at.columns.find((column) => column.label === label)?.key
    if (!key) throw new Error(`no column ${label}`)
    return { dataset: at.dataset, column: key }
  })
  const cold: number[][] = []
  const warm: number[][] = []
  for (const question of list) {
    const own: number[] = []
    for (let n = 1; n <= TIMES; n++) own.push(await asked(person, question, n))
    cold.push(own)
    await person.query(question.plan)
    const again: number[] = []
    for (let n = 0; n < TIMES; n++) again.push(await asked(person, question, null))
    warm.push(again)
  }
  const native = await duckdbTimes(at.file, list, TIMES)
  const reference = p95(native.flat())
  const row = (id: string, what: string, sample: number[][]): Row => ({
    id,
    what: `${what}, ${at.rows} rows, p95`,
    ours: ms(p95(sample.flat())),
    reference: `${ms(reference)} (DuckDB)`,
    ratio: (p95(sample.flat()) / reference).toFixed(2),
  })
  const detail = list.map(({ name }, i) => ({
    question: name,
    cold: ms(p95(cold[i] ?? [])),
    again: ms(p95(warm[i] ?? [])),
    duckdb: ms(p95(native[i] ?? [])),
  }))
  return { rows: [row('Q1', '12 questions, cold', cold), row('Q2', '12 questions, again', warm)], detail }
}
