import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { withoutDictionary } from '../../../test/worker/column-tables'
import { bothAnswers, isNaiveAnswer } from '../../../test/worker/random/stored-tables'
import { naiveAnswer } from '../../../test/worker/naive/evaluator'
import { aggregatePlans, calendars, COLUMNS, row } from '../../../test/worker/random/plans'
import { runQuery } from '../../../test/worker/run-query'
import { seedOf } from '../../../test/seed'
import { CALENDAR, columnsIn, DATASET, EVERYTHING, inSqlite, tableOf } from '../../../test/worker/warehouse-rows'
import { MEMORY, type MemoryBounds } from '../columns/memory'
import type { LiveDataset } from '../physical-layout'
import { unwrap, type RpcResult } from '../../shared/errors'
import type { Calendar } from '../../shared/dates'
import type { QueryPlan } from '../../shared/query/plan'
import type { StorageValue } from '../../lib/storage-value'

const LONG = env['LONG'] === '1'
const DATASETS = LONG ? 500 : 1
const PLANS = 12
const HANG_MS = LONG ? 3_600_000 : 180_000
const ROWS_PER_CHUNK = 7

/** So little memory of each kind that answers take many passes. */
const TINY = {
  groups: fc.integer({ min: 1, max: 6 }),
  cells: fc.integer({ min: 2, max: 20 }),
  values: fc.integer({ min: 1, max: 8 }),
  pairs: fc.integer({ min: 1, max: 8 }),
  texts: fc.integer({ min: 1, max: 2 }),
  textBytes: fc.integer({ min: 1, max: 12 }),
}

/** A plan is refused where even one group at a time is more than it may hold: seldom. */
const REFUSED_MAX = 0.05

interface RandomQuestion {
  plan: QueryPlan
  calendar: Calendar
}
interface StoredRows {
  rows: StorageValue[][]
  dataset: LiveDataset
  memory: MemoryBounds
}
const stored = (rows: StorageValue[][], memory: MemoryBounds): StoredRows => {
  const shape = { perChunk: ROWS_PER_CHUNK, texts: withoutDictionary(COLUMNS, rows) }
  return { rows, dataset: tableOf(COLUMNS, rows, shape), memory }
}

/** Little memory may refuse a plan; all of it may not. */
const isRefused = (result: RpcResult<unknown>, memory: MemoryBounds): boolean =>
  !result.ok && result.error.code === 'query_too_complex' && memory !== MEMORY

/** Answers how many chunks were read, and whether the plan was refused for what it would hold. */
function answered(
  sql: SqlStorage,
  { plan, calendar, rows, dataset, memory }: RandomQuestion & StoredRows,
): { reads: number; refused: boolean } {
  const kept = columnsIn(sql)
  const all = kept.table(dataset)
  let reads = 0
  const table: typeof all = {
    ...all,
    read(key, chunk) {
      reads += 1
      return all.read(key, chunk)
    },
    readTexts(key, at) {
      reads += 1
      return all.readTexts(key, at)
    },
  }
  const catalogue = { find: () => dataset, edges: [] }
  const columns = { ...kept, table: () => table, memory }
  const answer = runQuery({ sql, plan, calendar, now: 0, catalogue, scope: EVERYTHING, columns })
  if (isRefused(answer, memory)) return { reads, refused: true }
  const result = unwrap(answer)
  const naive = naiveAnswer({ tables: [{ id: DATASET, columns: COLUMNS, rows }], edges: [], calendar }, plan)
  const told = { plan, calendar, memory, rows, ...bothAnswers(result, naive, plan) }
  if (!isNaiveAnswer(result, naive, plan)) throw new Error(`differs:\n${JSON.stringify(told)}`)
  return { reads, refused: false }
}

const manyRows = fc.array(row, { minLength: 20, maxLength: 34 }).map((rows): StorageValue[][] => rows)
/** Whose texts have no dictionary. */
const evenRows = manyRows.map((rows) => rows.slice(rows.length % 2))
/** Told apart by a text, so that more of them are met than fit, whatever the others ask. */
const byText: QueryPlan = {
  ...{ v: 3, kind: 'aggregate', dataset: DATASET, filters: [], totals: true },
  measures: [{ kind: 'column', agg: 'count' }],
  dimensions: [{ field: { dataset: DATASET, column: 'c0' } }],
}
const asked = fc.array(fc.record({ plan: aggregatePlans, calendar: calendars }), { minLength: PLANS, maxLength: PLANS })

/** How many chunks were read, with all memory and with little, and the share of plans that little memory refused. */
async function chunksRead(
  name: string,
  memories: fc.Arbitrary<Partial<MemoryBounds>>,
): Promise<{ few: number; many: number; refused: number }> {
  let [few, many, questions, refusals] = [0, 0, 0, 0]
  await inSqlite(`passes-${name}`, (sql) => {
    fc.assert(
      fc.property(name.startsWith('text') ? evenRows : manyRows, asked, memories, (rows, each, memory) => {
        // Rows of their own: an answer is kept by its rows and plan, whatever memory it was found in.
        const [little, all] = [stored(rows, { ...MEMORY, marks: 0, ...memory }), stored(rows, MEMORY)]
        for (const ask of [{ plan: byText, calendar: CALENDAR }, ...each]) {
          const { reads, refused } = answered(sql, { ...ask, ...little })
          questions += 1
          if (refused) refusals += 1
          else [few, many] = [few + answered(sql, { ...ask, ...all }).reads, many + reads]
        }
      }),
      { numRuns: DATASETS, endOnFailure: true, seed: seedOf(LONG) },
    )
  })
  return { few, many, refused: refusals / questions }
}

it.each([
  ['everything', fc.record({ ...TINY, sorted: fc.integer({ min: 1, max: 4 }) })] as const,
  ...Object.entries(TINY).map(([name, bound]) => [name, bound.map((value) => ({ [name]: value }))] as const),
])(
  `answers ${DATASETS * PLANS} random plans in little memory for %s, in more passes`,
  async (name, memories) => {
    const { few, many, refused } = await chunksRead(name, memories)
    expect(many).toBeGreaterThan(few)
    expect(refused).toBeLessThan(REFUSED_MAX)
  },
  HANG_MS,
)
