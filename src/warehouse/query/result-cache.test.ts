import { expect, it } from 'vitest'
import { inSqlite } from '../../../test/worker/warehouse-rows'
import type { QueryResult } from '../../shared/query/result'
import { clearResultCache, resultCache, writeAnswers } from './result-cache'

const answerOf = (hash: string, chars: number): QueryResult => ({
  ...{ kind: 'aggregate', columns: [], rows: [['x'.repeat(chars)]], otherRow: null, totals: null, rowCount: 1 },
  ...{ truncated: false, period: null, words: '', datasets: [], dataAsOf: null, hash, cached: false },
})

it('keeps the newest answers, and lets go of the oldest long before they are twice as much as may be kept', async () => {
  const { found, chars, looks } = await inSqlite('result-cache', (sql) => {
    let looks = 0
    const counting = new Proxy(sql, {
      get: (target, name) =>
        name === 'exec'
          ? (text: string, ...values: SqlStorageValue[]) => {
              looks += Number(text.includes('sum(size)'))
              return target.exec(text, ...values)
            }
          : Reflect.get(target, name, target),
    })
    for (let n = 0; n < 300; n += 1) resultCache(counting, n).write(answerOf(`h${n}`, 50_000))
    const hashes = Array.from({ length: 300 }, (_, n) => `h${n}`)
    const kept = hashes.map((hash) => resultCache(counting, 300).read(hash) !== null)
    const { size } = sql.exec<{ size: number }>('SELECT sum(size) AS size FROM query_cache').one()
    return { found: kept, chars: size, looks }
  })
  expect(found.at(-1)).toBe(true)
  expect(found.slice(140)).not.toContain(false)
  expect(found.slice(0, 100)).not.toContain(true)
  expect(chars).toBeLessThan(9_000_000)
  // Each reads all that is kept.
  expect(looks).toBeLessThan(40)
})

/** The same rows in another life of the object, which remembers nothing. */
const reborn = (sql: SqlStorage): SqlStorage =>
  new Proxy(sql, {
    get: (target, name) => (name === 'exec' ? target.exec.bind(target) : Reflect.get(target, name, target)),
  })

it('has an answer at once, and in another life once answers were written, all of them together', async () => {
  const { before, early, late, cleared } = await inSqlite('result-cache-later', (sql) => {
    for (const hash of ['a', 'b']) resultCache(sql, 0).write(answerOf(hash, 10))
    const read = (from: SqlStorage) => ['a', 'b'].map((hash) => resultCache(from, 0).read(hash)?.cached ?? null)
    const [now, elsewhere] = [read(sql), read(reborn(sql))]
    writeAnswers(sql)
    const written = read(reborn(sql))
    clearResultCache(sql)
    writeAnswers(sql)
    return { before: now, early: elsewhere, late: written, cleared: [...read(sql), ...read(reborn(sql))] }
  })
  expect(before).toEqual([true, true])
  expect(early).toEqual([null, null])
  expect(late).toEqual([true, true])
  expect(cleared).toEqual([null, null, null, null])
})
