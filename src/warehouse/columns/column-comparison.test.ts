import { describe, expect, it } from 'vitest'
import { answerRows, askRows } from '../../../test/worker/ask-rows'
import { column, DATASET } from '../../../test/worker/warehouse-rows'
import type { Condition } from '../../shared/query/plan'
import type { ComparisonOperator } from '../../shared/query/functions'

const field = (index: number) => ({ dataset: DATASET, column: `c${index}` as const })
const SEK = { style: 'currency', currency: 'SEK' } as const
const EUR = { style: 'currency', currency: 'EUR' } as const
const columns = [
  column(0, { type: 'date', label: 'Required' }),
  column(1, { type: 'datetime', zoned: true, label: 'Shipped' }),
  column(2, { type: 'number', scale: 2, label: 'Net', format: SEK }),
  column(3, { type: 'integer', label: 'Limit', format: SEK }),
  column(4, { type: 'text', label: 'Billed to' }),
  column(5, { type: 'text', label: 'Sent to' }),
  column(6, { type: 'number', scale: 2, format: EUR }),
]
const at = (iso: string): number => Date.parse(iso)
const day = (iso: string): number => at(`${iso}T00:00:00Z`) / 86_400_000
/** On time, late by the clock of Stockholm alone, later, never sent, and a row with nothing. */
const rows = [
  [day('2026-03-10'), at('2026-03-10T20:00:00Z'), 10_000, 100, 'Åhléns', 'Åhléns', 1],
  [day('2026-03-10'), at('2026-03-10T23:30:00Z'), 10_001, 100, 'Bo', 'Åhléns', 1],
  [day('2026-03-10'), at('2026-03-12T08:00:00Z'), 9_999, 100, 'Cia', 'Bo', 1],
  [day('2026-03-10'), null, null, 100, 'Cia', null, 1],
  [null, null, null, null, null, null, null],
]
const count = async (index: number, condition: Condition): Promise<unknown> => {
  const plan = { filters: [{ field: field(index), any: [condition] }] }
  const calendar = { timeZone: 'Europe/Stockholm' }
  return (await answerRows('column-comparison', { columns, rows, plan, calendar })).rows[0]?.[0]
}
const beside = (index: number, compare: ComparisonOperator, other: number) =>
  count(index, { op: 'column', compare, field: field(other) })

describe('a condition between two columns', () => {
  it('compares a moment with a day by the workspace’s clock', async () => {
    expect(await beside(1, 'gt', 0)).toBe(2)
    expect(await beside(0, 'ge', 1)).toBe(1)
  })

  it('compares numbers of unlike decimals exactly', async () => {
    expect([await beside(2, 'eq', 3), await beside(2, 'gt', 3), await beside(2, 'lt', 3)]).toEqual([2, 1, 1])
  })

  it('finds two empty cells the same, and one alone unlike', async () => {
    expect([await beside(4, 'eq', 5), await beside(4, 'ne', 5)]).toEqual([2, 3])
    expect(await beside(2, 'ne', 3)).toBe(3)
  })

  it('compares texts in their order', async () => {
    expect([await beside(4, 'gt', 5), await beside(4, 'lt', 5)]).toEqual([1, 1])
  })

  it('leaves out what a text contains or begins with, and keeps empty cells', async () => {
    expect(await count(4, { op: 'notContains', value: 'i' })).toBe(3)
    expect(await count(4, { op: 'notStartsWith', value: 'C' })).toBe(3)
  })

  it('is told in words', async () => {
    const filters = [{ field: field(1), any: [{ op: 'column' as const, compare: 'gt' as const, field: field(0) }] }]
    const { words } = await answerRows('column-comparison', { columns, rows, plan: { filters } })
    expect(words).toBe('Number of rows, where Shipped is more than Required')
  })

  it.each([
    ['a text and a number', 4, 2],
    ['amounts of two currencies', 2, 6],
  ])('is refused between %s', async (_, own, other) => {
    const any = [{ op: 'column' as const, compare: 'eq' as const, field: field(other) }]
    const outcome = await askRows('column-comparison', {
      columns,
      rows,
      plan: { filters: [{ field: field(own), any }] },
    })
    expect(outcome.ok ? null : outcome.error.details).toMatchObject({
      fields: { 'plan.filters.0.any': expect.any(String) },
    })
  })
})
