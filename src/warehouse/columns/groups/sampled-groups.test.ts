import { describe, expect, it } from 'vitest'
import { madeTable } from '../../../../test/worker/column-tables'
import { finished, runQuery } from '../../../../test/worker/run-query'
import {
  CALENDAR,
  column,
  columnsIn,
  DATASET,
  EVERYTHING,
  inSqlite,
  tableOf,
} from '../../../../test/worker/warehouse-rows'
import { queryPlanSchema } from '../../../shared/query/plan'
import { MEMORY } from '../memory'
import { sampledGroups } from './sampled-groups'
import { indexedSplit, type Split } from '../splits'
import { maskOf, numbersOf } from '../vectors'

const ROWS = 300_000
const CHUNK = 50_000
const source = { table: { ...madeTable(0, {}), rows: ROWS, chunks: Array.from({ length: ROWS / CHUNK }, () => CHUNK) } }
const splitBy = (valueOf: (row: number) => number): Split =>
  indexedSplit(
    numbersOf(({ chunk, rows }, to) => {
      for (let i = 0; i < rows; i += 1) to[i] = valueOf(chunk * CHUNK + i)
    }),
  )
const groupsOf = (...asked: Parameters<typeof sampledGroups>): number => finished(sampledGroups(...asked))
const everyRow = { mask: null, mayHold: () => true }
/** Spread over all rows, as customers are over orders. */
const scattered = (row: number, many: number): number => Math.floor((((row + 1) * 0.618_033_988_75) % 1) * many)

describe('groups of a sample', () => {
  it('are all of a few, and nearly as many as there are of many', () => {
    const found = (many: number): number =>
      groupsOf({ source, splits: [splitBy((row) => scattered(row * row, many))], sides: [everyRow] })
    expect(found(30)).toBe(30)
    expect(found(2_000)).toBeGreaterThan(1_800)
    expect(found(2_000)).toBeLessThan(2_200)
    expect(found(50_000)).toBeGreaterThan(35_000)
    expect(found(50_000)).toBeLessThan(65_000)
  })

  it('are as many as rows where each has its own, and one of two splits that say the same', () => {
    const own = splitBy((row) => row)
    expect(groupsOf({ source, splits: [own], sides: [everyRow] })).toBe(ROWS)
    const twice = [splitBy((row) => row % 50), splitBy((row) => (row % 50) * 7)]
    expect(groupsOf({ source, splits: twice, sides: [everyRow] })).toBe(50)
  })

  it.each([2, 5, 20, 1_000])('are as many as there are where %i rows of each lie together', (size) => {
    const lines = (rows: number): number => {
      const table = { ...source.table, rows, chunks: Array.from({ length: rows / CHUNK }, () => CHUNK) }
      return groupsOf({ source: { table }, splits: [splitBy((row) => Math.floor(row / size))], sides: [everyRow] })
    }
    // Of the longer one, not all chunks are looked into.
    for (const rows of [ROWS, 10 * ROWS]) {
      expect(lines(rows) * size).toBeGreaterThan(rows / 1.5)
      expect(lines(rows) * size).toBeLessThan(rows * 1.5)
    }
  })

  it('are as many as there are where not all chunks are looked into', () => {
    const rows = 10 * ROWS
    const table = { ...source.table, rows, chunks: Array.from({ length: rows / CHUNK }, () => CHUNK) }
    const found = (valueOf: (row: number) => number): number =>
      groupsOf({ source: { table }, splits: [splitBy(valueOf)], sides: [everyRow] })
    expect(found((row) => row)).toBe(rows)
    expect(found((row) => row % 50)).toBe(50)
    const customers = found((row) => scattered(row, 50_000))
    expect(customers).toBeGreaterThan(35_000)
    expect(customers).toBeLessThan(65_000)
  })

  it('are looked for a chunk at a time', () => {
    const read: number[] = []
    const split = splitBy((row) => row)
    const noted: Split = { ...split, fill: (place, ...rest) => (read.push(place.chunk), split.fill(place, ...rest)) }
    const steps = sampledGroups({ source, splits: [noted], sides: [everyRow] })
    const readAfter = Array.from({ length: ROWS / CHUNK }, () => (steps.next(), read.length))
    expect(readAfter).toEqual([1, 2, 3, 4, 5, 6])
    expect(steps.next()).toEqual({ done: true, value: ROWS })
  })

  it('are those of rows that count', () => {
    const mask = maskOf(({ rows }, to) => {
      for (let i = 0; i < rows; i += 1) to[i] = Number(i % 1_000 === 0)
    })
    const splits = [splitBy((row) => row % 100_000)]
    const some = groupsOf({ source, splits, sides: [{ mask, mayHold: (chunk) => chunk < 2 }] })
    expect(some).toBeLessThanOrEqual(100)
  })
})

describe('a split into more groups than are held', () => {
  const COLUMNS = [column(0, { type: 'integer' }), column(1, { type: 'integer', role: 'measure' })]
  /** As though there were so many rows: what is read of them is much less. */
  const ask = (told: number, different: number) =>
    inSqlite('expected-shares', (sql) => {
      const rows = 4_000
      const table = madeTable(rows, {
        c0: { valueAt: (row) => (row % different) * 100_003 },
        c1: { valueAt: (row) => row },
      })
      const bounds = { c0: { min: 0, max: different * 100_003 }, c1: { min: 0, max: rows } }
      const dataset = { ...tableOf(COLUMNS, []), rowCount: told, bounds }
      const plan = queryPlanSchema.parse({
        ...{ v: 2, kind: 'aggregate', filters: [] },
        measures: [{ kind: 'column', agg: 'sum', field: { dataset: DATASET, column: 'c1' } }],
        dimensions: [{ field: { dataset: DATASET, column: 'c0' } }],
        limit: 10,
      })
      let reads = 0
      const read: typeof table.read = (key, chunk) => {
        reads += Number(key === 'c1')
        return table.read(key, chunk)
      }
      const columns = { ...columnsIn(sql), table: () => ({ ...table, read }), memory: { ...MEMORY, groups: 64 } }
      const catalogue = { find: () => dataset, edges: [] }
      const answer = runQuery({ sql, plan, columns, catalogue, scope: EVERYTHING, calendar: CALENDAR, now: 0 })
      return { answer, reads }
    })

  it('is refused before it is read as often as would take too long', async () => {
    const { answer, reads } = await ask(20_000_000, 4_000)
    expect(answer).toMatchObject({
      ok: false,
      error: { code: 'query_too_complex', details: { what: 'time', max: 45 } },
    })
    expect(reads).toBe(0)
  })

  it('is answered in shares where not even the texts of a sample are held', async () => {
    const rows = Array.from({ length: 1_000 }, (_, n) => [`Order ${n}`, n])
    const columns = [column(0, { type: 'text' }), column(1, { type: 'integer', role: 'measure' })]
    const plan = queryPlanSchema.parse({
      ...{ v: 2, kind: 'aggregate', filters: [], limit: 10 },
      measures: [{ kind: 'column', agg: 'sum', field: { dataset: DATASET, column: 'c1' } }],
      dimensions: [{ field: { dataset: DATASET, column: 'c0' } }],
    })
    const answer = await inSqlite('sampled-texts', (sql) => {
      const dataset = tableOf(columns, rows, { texts: ['c0'] })
      const sources = { ...columnsIn(sql), memory: { ...MEMORY, groups: 300, texts: 300 } }
      const catalogue = { find: () => dataset, edges: [] }
      return runQuery({ sql, plan, columns: sources, catalogue, scope: EVERYTHING, calendar: CALENDAR, now: 0 })
    })
    expect(answer).toMatchObject({ ok: true, value: { rowCount: 1_000 } })
  })

  it('is answered where there are few groups, however far apart their values are, and where there is time', async () => {
    const few = await ask(20_000_000, 60)
    expect([few.answer.ok && few.answer.value.rowCount, few.reads]).toEqual([60, 1])
    const many = await ask(4_000, 2_400)
    expect(many.answer.ok && many.answer.value.rowCount).toBe(2_400)
    // Not tried with one share, two, four …: half of them would not do.
    expect(many.reads).toBeGreaterThanOrEqual(64)
    expect(many.reads).toBeLessThan(64 + 8)
  })
})
