import { expect, it } from 'vitest'
import { distinctCounts } from './distinct-counts'
import { ProductError } from '../../shared/errors'
import type { Breakdown } from './breakdowns'
import type { QueryPlan } from '../../shared/query/plan'
import type { QueryResult } from '../../shared/query/result'

const SPLITS = (['c0', 'c1', 'c2', 'c3', 'c4', 'c5', 'c6'] as const).map((column): Breakdown => ({
  ...{ key: column, label: column, field: { dataset: 'ds_1', column } },
}))

const resultOf = (rows: QueryResult['rows']): QueryResult => ({
  ...{ kind: 'aggregate', columns: [], rows, otherRow: null, totals: null, rowCount: rows.length, truncated: false },
  ...{ period: null, words: '', datasets: [], dataAsOf: null, hash: '', cached: false },
})

/** Each column has one value more than its number. */
function serviceRefusing(column: string, error: ProductError) {
  const asked: string[][] = []
  const answer = ({ measures }: QueryPlan): Promise<QueryResult> => {
    const columns = measures.flatMap((each) => (each.kind === 'column' && each.field ? [each.field.column] : []))
    asked.push(columns)
    if (columns.some((each) => each === column)) return Promise.reject(error)
    const row = columns.map((each) => Number(each.slice(1)) + 1)
    return Promise.resolve(resultOf([row]))
  }
  return { asked, answer }
}

it('counts five columns in one query, and each in its own where that one is refused', async () => {
  const service = serviceRefusing('c1', new ProductError('bad_request'))
  const counts = await distinctCounts(service, { dataset: 'ds_1', splits: SPLITS })
  expect([...counts.values()]).toEqual([1, 0, 3, 4, 5, 6, 7])
  const [five, two] = [SPLITS.slice(0, 5), SPLITS.slice(5)].map((some) => some.map(({ key }) => key))
  expect(service.asked).toEqual([five, ...(five ?? []).map((one) => [one]), two])
})

it('fails where a question is only held up', async () => {
  const service = serviceRefusing('c1', new ProductError('busy'))
  await expect(distinctCounts(service, { dataset: 'ds_1', splits: SPLITS })).rejects.toMatchObject({ code: 'busy' })
})
