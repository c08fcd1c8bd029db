import { describe, expect, it } from 'vitest'
import { keptTogether } from './kept-together'
import type { AskedQuery } from '../../warehouse/contract'
import type { QueryResult } from '../../shared/query/result'

const asking = (limit: number): AskedQuery => ({
  plan: { v: 1, kind: 'aggregate', measures: [], dimensions: [], filters: [], limit },
  calendar: { timeZone: 'UTC', weekStart: 'monday', fiscalYearStart: 1, today: '2026-03-02' },
})
const answerTo = ({ plan }: AskedQuery): QueryResult => ({
  ...{ kind: 'aggregate', columns: [], rows: [], otherRow: null, totals: null, rowCount: plan.limit ?? 0 },
  ...{ truncated: false, period: null, words: '', datasets: [], dataAsOf: null, hash: '', cached: true },
})

/** A warehouse that has kept what is asked with an even limit, and the sizes of its calls. */
function warehouse() {
  const calls: number[] = []
  const read = async (asks: AskedQuery[]) => {
    calls.push(asks.length)
    return asks.map((asked) => ((asked.plan.limit ?? 1) % 2 === 0 ? answerTo(asked) : null))
  }
  return { calls, read }
}

describe('kept answers to the questions of a page', () => {
  it('are asked for in one call, each told to who asked, null where there is none', async () => {
    const { calls, read } = warehouse()
    const kept = keptTogether(read)
    const answers = await Promise.all([2, 3, 4, 5].map((limit) => kept(asking(limit))))
    expect(answers.map((answer) => answer?.rowCount ?? null)).toEqual([2, null, 4, null])
    expect(calls).toEqual([4])
  })

  it('are asked for anew by whoever comes later, and in several calls where there are many', async () => {
    const { calls, read } = warehouse()
    const kept = keptTogether(read)
    await Promise.all([kept(asking(2)), kept(asking(4))])
    await Promise.all(Array.from({ length: 50 }, (_, at) => kept(asking(2 * at))))
    expect(calls).toEqual([2, 24, 24, 2])
  })

  it('are not looked for where a question comes alone', async () => {
    const { calls, read } = warehouse()
    expect(await keptTogether(read)(asking(2))).toBeNull()
    expect(calls).toEqual([])
  })

  it('are none where they cannot be read: each question asks for itself', async () => {
    const kept = keptTogether(() => Promise.reject(new Error('moved')))
    expect(await Promise.all([kept(asking(2)), kept(asking(4))])).toEqual([null, null])
  })
})
