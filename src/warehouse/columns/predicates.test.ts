import { expect, it } from 'vitest'
import { runQuery } from '../../../test/worker/run-query'
import { CALENDAR, column, DATASET, EVERYTHING, inSqlite, onlyRows, tableOf } from '../../../test/worker/warehouse-rows'
import { unwrap } from '../../shared/errors'
import { queryPlanSchema, type Condition, type FieldFilter } from '../../shared/query/plan'
import type { ColumnType } from '../../shared/data-sources/files'
import type { StorageValue } from '../../lib/storage-value'

const TYPES = ['text', 'integer', 'boolean', 'date', 'number', 'datetime'] as const
const COLUMNS = TYPES.map((type, at) => column(at, { type }))
const ROWS: StorageValue[][] = [
  ['a', 1, 1, 20_000, 1.5, 1_700_000_000_000],
  ['b', 2, 0, 20_001, 2.5, 1_700_000_060_000],
  [null, null, null, null, null, null],
]
const fieldOf = (type: ColumnType) => ({
  dataset: DATASET,
  column: `c${TYPES.findIndex((each) => each === type)}` as const,
})

/** How many rows a rule of access lets through. */
const passing = (filter: Omit<FieldFilter, 'field'>, type: ColumnType): Promise<unknown> =>
  inSqlite('rules', (sql) => {
    const dataset = tableOf(COLUMNS, ROWS, { perChunk: 2 })
    const rule = onlyRows(DATASET, { field: fieldOf(type), ...filter })
    const request = {
      ...{ catalogue: { find: () => dataset, edges: [] }, calendar: CALENDAR, now: 0 },
      scope: { ...EVERYTHING, rowFilters: [rule] },
      plan: queryPlanSchema.parse({
        ...{ v: 3, kind: 'aggregate', dataset: DATASET, dimensions: [], filters: [] },
        measures: [{ kind: 'column', agg: 'count' }],
      }),
    }
    return unwrap(runQuery({ ...request, sql })).rows
  })

const MISFITS: [type: ColumnType, condition: Condition][] = [
  ['text', { op: 'ne', value: 5 }],
  ['text', { op: 'notIn', values: [5] }],
  ['text', { op: 'eq', value: 5 }],
  ['text', { op: 'lt', value: 5 }],
  ['text', { op: 'between', from: 5, to: 6 }],
  ['integer', { op: 'ne', value: 'N' }],
  ['integer', { op: 'notIn', values: ['N'] }],
  ['integer', { op: 'in', values: ['N', 'M'] }],
  ['integer', { op: 'ne', value: true }],
  ['integer', { op: 'notContains', value: 'a' }],
  ['boolean', { op: 'ne', value: 'yes' }],
  ['boolean', { op: 'notIn', values: [7] }],
  ['date', { op: 'ne', value: 5 }],
  ['date', { op: 'le', value: 99_999 }],
  ['date', { op: 'ne', value: 'nonsense' }],
  ['date', { op: 'notIn', values: [true] }],
  ['number', { op: 'ne', value: 'N' }],
  ['number', { op: 'notIn', values: ['N'] }],
  ['text', { op: 'column', compare: 'ne', field: fieldOf('integer') }],
  ['integer', { op: 'column', compare: 'ne', field: fieldOf('boolean') }],
  ['datetime', { op: 'column', compare: 'ne', field: fieldOf('number') }],
]
it.each(MISFITS)('a rule over a %s that does not fit it lets nothing through: %j', async (type, condition) => {
  expect(await passing({ any: [condition] }, type)).toEqual([[0]])
})

const PARTS: [type: ColumnType, filter: Omit<FieldFilter, 'field'>][] = [
  ['integer', { part: 'weekday', any: [{ op: 'ne', value: 1 }] }],
  ['date', { part: 'hourOfDay', any: [{ op: 'ne', value: 1 }] }],
  ['date', { part: 'weekday', any: [{ op: 'column', compare: 'ne', field: fieldOf('datetime') }] }],
]
it.each(PARTS)('a rule over a part that a %s has not lets nothing through: %j', async (type, filter) => {
  expect(await passing(filter, type)).toEqual([[0]])
})

it('a rule that fits lets through the rows that it names, and those without a value where it says "not"', async () => {
  const two = [[2]]
  expect(await passing({ any: [{ op: 'ne', value: 'a' }] }, 'text')).toEqual(two)
  expect(await passing({ any: [{ op: 'notIn', values: [1] }] }, 'integer')).toEqual(two)
  expect(await passing({ any: [{ op: 'column', compare: 'lt', field: fieldOf('number') }] }, 'integer')).toEqual(two)
})
