import { duckdbTimes } from './duckdb.ts'
import { ApiError, type Person } from '../http/person.ts'
import { questions, type Question } from './questions.ts'
import { watchMemory } from './memory.ts'
import { MB, ms, p95, type Row } from './row.ts'
import type { QueryResult } from '../../src/shared/query/result.ts'
import type { Column } from '../../src/shared/data-sources/data-sources.ts'

/** From here on first asks are Q3, and each question is asked once more only: an answer takes seconds. */
const MANY_ROWS = 10_000_000
/** How often each question is asked cold, again, and of the reference; few rows only show that the bench works. */
const timesOf = (rows: number): number => (rows >= MANY_ROWS ? 1 : rows < 1_000_000 ? 2 : 8)

/** Asks each question once, as a dashboard does after its rows were renewed. Answers the milliseconds. */
export async function firstAsks(person: Person, list: readonly Question[]): Promise<number[]> {
  const first: number[] = []
  for (const question of list) first.push(await askCold(person, question))
  return first
}

/** How often questions were asked in words of their own: no two of a run are alike, so that no answer is kept for any of them. */
let coldAsks = 0
function coldAnswer(person: Person, { plan }: Question): Promise<QueryResult> {
  const [first, ...others] = plan.measures
  coldAsks += 1
  return person.query({ ...plan, measures: first ? [{ ...first, label: `Cold ${coldAsks}` }, ...others] : others })
}

/** One person may ask so many questions a minute; on a fast machine a run asks more, and waits. */
const LIMIT_WINDOW_MS = 61_000

async function timed(answering: () => Promise<QueryResult>, cached: boolean): Promise<number> {
  const started = performance.now()
  let answer: QueryResult
  try {
    answer = await answering()
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 429) throw error
    await new Promise((resolve) => setTimeout(resolve, LIMIT_WINDOW_MS))
    return timed(answering, cached)
  }
  const taken = performance.now() - started
  if (answer.cached !== cached) throw new Error(`a question was ${cached ? 'not ' : ''}answered from the cache`)
  return taken
}

/** Milliseconds of one question over HTTP for which no answer is kept. */
export const askCold = (person: Person, question: Question): Promise<number> =>
  timed(() => coldAnswer(person, question), false)

/** Milliseconds of one question over HTTP whose answer is kept. */
export const askAgain = (person: Person, question: Question): Promise<number> =>
  timed(() => person.query(question.plan), true)

/** The twelve questions over a loaded file. */
export const questionsOf = (at: { dataset: string; columns: Pick<Column, 'key' | 'label'>[] }): Question[] =>
  questions((label) => {
    const key = at.columns.find((column) => column.label === label)?.key
    if (!key) throw new Error(`no column ${label}`)
    return { dataset: at.dataset, column: key }
  })

/**
 * Q0 (of many rows Q3), Q1 and Q2: the twelve questions, asked for the first time after the load, cold and again, the whole way over HTTP,
 * against native DuckDB in process.
 */
export async function queryRows(
  person: Person,
  at: { dataset: string; columns: Pick<Column, 'key' | 'label'>[]; file: string; rows: number; pid: number },
): Promise<{ rows: Row[]; detail: object[] }> {
  const list = questionsOf(at)
  const memory = watchMemory(at.pid)
  const first = await firstAsks(person, list)
  const growth = memory.stop()
  const times = timesOf(at.rows)
  const cold: number[][] = []
  const warm: number[][] = []
  for (const question of list) {
    const own: number[] = []
    for (let n = 0; n < times; n++) own.push(await askCold(person, question))
    cold.push(own)
    await person.query(question.plan)
    const again: number[] = []
    for (let n = 0; n < times; n++) again.push(await askAgain(person, question))
    warm.push(again)
  }
  const native = await duckdbTimes(at.file, list, times)
  const reference = p95(native.flat())
  const [worst, worstNative] = [Math.max(...first), Math.max(...native.flat())]
  const q0: Row = {
    id: at.rows >= MANY_ROWS ? 'Q3' : 'Q0',
    what: `12 questions, first asks, ${at.rows} rows, worst`,
    ours: ms(worst),
    reference: `${ms(worstNative)} (DuckDB)`,
    ratio: (worst / worstNative).toFixed(2),
  }
  const grown: Row = {
    id: q0.id,
    what: 'the same, growth of memory over what the load left',
    ours: `${Math.round(growth / MB)} MB`,
    reference: '250 MB (goal)',
    ratio: (growth / MB / 250).toFixed(2),
  }
  const row = (id: string, what: string, sample: number[][]): Row => ({
    id,
    what: `${what}, ${at.rows} rows, p95`,
    ours: ms(p95(sample.flat())),
    reference: `${ms(reference)} (DuckDB)`,
    ratio: (p95(sample.flat()) / reference).toFixed(2),
  })
  const detail = list.map(({ name }, i) => ({
    question: name,
    first: ms(first[i] ?? 0),
    cold: ms(p95(cold[i] ?? [])),
    again: ms(p95(warm[i] ?? [])),
    duckdb: ms(p95(native[i] ?? [])),
  }))
  return { rows: [q0, grown, row('Q1', '12 questions, cold', cold), row('Q2', '12 questions, again', warm)], detail }
}
