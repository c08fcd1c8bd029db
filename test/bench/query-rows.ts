import { duckdbTimes } from './duckdb.ts'
import type { Person } from '../http/person.ts'
import { questions } from './questions.ts'
import type { Question } from './questions.ts'
import { ms, p95 } from './row.ts'
import type { Row } from './row.ts'
import type { QueryResult } from '../../src/shared/query/result.ts'
import type { Column } from '../../src/shared/data-sources/data-sources.ts'

const TIMES = 8
/** Seconds in which nothing more is made before the rest counts as given up. */
const PATIENCE_ROUNDS = 5

/**
 * Asks each question once, as a dashboard did before its rows were renewed, and waits until the background has made what
 * such questions are answered from, or gave up on it.
 */
export async function prepared(person: Person, list: readonly Question[]): Promise<void> {
  for (const question of list) await asked(person, question, 0)
  let open = list.length
  let still = 0
  for (let round = 1; open > 0 && still < PATIENCE_ROUNDS; round++) {
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    const before = open
    open = 0
    for (const question of list) if (!(await answerTo(person, question, -round)).rolled) open += 1
    still = open === before ? still + 1 : 0
  }
}

/** The answer to a question; with `cold` in words of its own, for which no answer is kept. */
function answerTo(person: Person, { plan }: Question, cold: number | null): Promise<QueryResult> {
  const [first, ...others] = plan.measures
  const measures = cold === null || !first ? plan.measures : [{ ...first, label: `Cold ${cold}` }, ...others]
  return person.query({ ...plan, measures })
}

/** Milliseconds of one question over HTTP. */
export async function asked(person: Person, question: Question, cold: number | null): Promise<number> {
  const started = performance.now()
  const answer = await answerTo(person, question, cold)
  const taken = performance.now() - started
  if (answer.cached !== (cold === null))
    throw new Error(`a question was ${answer.cached ? '' : 'not '}answered from the cache`)
  return taken
}

/** The twelve questions over a loaded file. */
export const questionsOf = (at: { dataset: string; columns: Pick<Column, 'key' | 'label'>[] }): Question[] =>
  questions((label) => {
    const key = at.columns.find((column) => column.label === label)?.key
    if (!key) throw new Error(`no column ${label}`)
    return { dataset: at.dataset, column: key }
  })

/** Q1 and Q2: the twelve questions, cold and again, the whole way over HTTP, against native DuckDB in process. */
export async function queryRows(
  person: Person,
  at: { dataset: string; columns: Pick<Column, 'key' | 'label'>[]; file: string; rows: number },
): Promise<{ rows: Row[]; detail: object[] }> {
  const list = questionsOf(at)
  await prepared(person, list)
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
