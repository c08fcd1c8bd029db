import { expect, it } from 'vitest'
import { resultByMonth } from './ledger-questions'

it('asks for the result as the builder writes it: the amount, times minus one', () => {
  const field = (column: 'c0' | 'c1' | 'c2') => ({ dataset: 'ds_one', column })
  const { plan } = resultByMonth({ date: field('c0'), account: field('c1'), amount: field('c2') }, false)
  expect(plan.measures).toMatchObject([
    { row: { op: 'multiply', left: { kind: 'field', field: field('c2') }, right: { kind: 'number', value: -1 } } },
  ])
})
