import { describe, expect, it } from 'vitest'
import { runQuery } from '../../../test/worker/run-query'
import { CALENDAR, column, EVERYTHING, inSqlite, onlyRows, tableOf } from '../../../test/worker/warehouse-rows'
import type { ScopeWire } from '../../scope'
import type { StorageValue } from '../../lib/storage-value'
import type { Column } from '../../shared/data-sources/data-sources'
import { dayFromIso } from '../../shared/dates'
import { unwrap, type RpcResult } from '../../shared/errors'
import { queryPlanSchema, type Dimension, type QueryPlanInput } from '../../shared/query/plan'
import { dimensionText } from '../../shared/query/dimension-text'
import type { QueryResult } from '../../shared/query/result'
import { rowWithKeys } from '../../semantic/key-columns-of-files'
import { disambiguatedLabels } from '../columns/texts/split-names'
import type { LiveDataset } from '../physical-layout'

const [ORDERS, CUSTOMERS] = ['ds_00000000000000000021', 'ds_00000000000000000022']
const CUSTOMER_OF = 'rel_00000000000000000021'
const day = (iso: string): number => dayFromIso(iso) ?? 0

const ORDER_COLUMNS: Column[] = [
  column(0, { type: 'integer', label: 'Customer no', role: 'id' }),
  column(1, { type: 'number', scale: 2, label: 'Amount' }),
  column(2, { type: 'date', label: 'Day', role: 'time' }),
  column(3, { type: 'text', label: 'Product' }),
]
const CUSTOMER_COLUMNS: Column[] = [
  column(0, { type: 'integer', label: 'Customer no', role: 'id' }),
  column(1, { type: 'text', label: 'Name' }),
  column(2, { type: 'text', label: 'Country' }),
]
/** Amounts in hundredths; 9 is nobody's number. */
const ORDER_ROWS: StorageValue[][] = [
  [1042, 50_00, day('2026-01-10'), 'Lamp'],
  [17, 70_00, day('2026-01-11'), 'Chair'],
  [1042, 70_00, day('2026-02-01'), 'Bed'],
  [3, 10_00, day('2026-02-03'), 'Lamp'],
  [9, 5_00, day('2026-02-04'), 'Sofa'],
  [null, 1_00, null, null],
]
const CUSTOMER_ROWS: StorageValue[][] = [
  [1042, 'Anna Berg', 'SE'],
  [17, 'Anna Berg', 'NO'],
  [3, 'Zed', 'SE'],
]

interface QueryInput {
  plan: Partial<QueryPlanInput>
  scope?: Partial<ScopeWire>
  hidden?: string
  orders?: StorageValue[][]
}
function ask({ plan, scope, hidden, orders = ORDER_ROWS }: QueryInput): Promise<RpcResult<QueryResult>> {
  return inSqlite('names-test', (sql) => {
    const live = (
      [
        [ORDERS, 'Orders', ORDER_COLUMNS, orders],
        [CUSTOMERS, 'Customers', CUSTOMER_COLUMNS, CUSTOMER_ROWS],
      ] as const
    ).map(([id, name, columns, rows]): LiveDataset => {
      const shown = columns.map((each) => ({ ...each, hidden: `${name}.${each.label}` === hidden }))
      return { ...tableOf([...columns], [...rows], { perChunk: 4 }), id, name, columns: shown }
    })
    const edge = {
      id: CUSTOMER_OF,
      from: { dataset: ORDERS, key: 'c0' },
      to: { dataset: CUSTOMERS, key: 'c0' },
    } as const
    return runQuery({
      ...{ sql, calendar: CALENDAR, now: 0, scope: { ...EVERYTHING, ...scope } },
      catalogue: { find: (id) => live.find((one) => one.id === id) ?? null, edges: [edge] },
      plan: queryPlanSchema.parse({
        ...{ v: 3, kind: 'aggregate', dataset: ORDERS, dimensions: [], filters: [] },
        measures: [{ kind: 'column', agg: 'sum', field: AMOUNT }],
        ...plan,
      }),
    })
  })
}
const answer = async (asked: QueryInput): Promise<QueryResult> => unwrap(await ask(asked))
const refusal = async (asked: QueryInput): Promise<string> => {
  const outcome = await ask(asked)
  return outcome.ok ? 'answered' : outcome.error.code
}
const of = (dataset: string, index: number) => ({ dataset, column: `c${index}` as const })
const AMOUNT = of(ORDERS, 1)
const BY_CUSTOMER: Dimension = { field: of(ORDERS, 0), label: of(CUSTOMERS, 1) }
const calledIn = ({ columns: [split], rows }: QueryResult): (string | undefined)[] =>
  rows.map(([key]) => split?.names?.of[String(key)])

describe('a split by keys with labels', () => {
  it('keeps equal names apart, and says which is which', async () => {
    const result = await answer({ plan: { dimensions: [BY_CUSTOMER] } })
    expect(result.rows).toEqual([
      [1042, 120],
      [17, 70],
      [3, 10],
      [9, 5],
      [null, 1],
    ])
    expect(calledIn(result)).toEqual(['Anna Berg (1042)', 'Anna Berg (17)', 'Zed', '9', undefined])
    expect(result.columns[0]).toMatchObject({ label: 'Name', type: 'text', names: { key: 'Customer no' } })
    expect(result.words).toBe('Sum of Amount by Name of Customers (by Customer no)')
  })

  it('tells nothing apart when a filter leaves one of them', async () => {
    const filters = [{ field: of(CUSTOMERS, 2), any: [{ op: 'eq' as const, value: 'NO' }] }]
    expect(calledIn(await answer({ plan: { dimensions: [BY_CUSTOMER], filters } }))).toEqual(['Anna Berg'])
  })

  it('sorts by name, keys without one as they stand and empty ones last', async () => {
    const sort = [{ by: { dimension: 0 }, dir: 'desc' as const }]
    const { rows } = await answer({ plan: { dimensions: [BY_CUSTOMER], sort } })
    expect(rows.map(([key]) => key)).toEqual([3, 17, 1042, 9, null])
  })

  it('takes the key from the related rows, too', async () => {
    const dimensions = [{ field: of(CUSTOMERS, 0), label: of(CUSTOMERS, 1) }]
    const result = await answer({ plan: { dimensions } })
    expect(result.rows).toEqual([
      [1042, 120],
      [17, 70],
      [3, 10],
      [null, 6],
    ])
  })

  it('keeps the keys of a top N and folds all others', async () => {
    const result = await answer({ plan: { dimensions: [{ ...BY_CUSTOMER, topN: 1 }], totals: true } })
    expect(result.rows).toEqual([
      [1042, 120],
      ['Other', 86],
    ])
    expect(calledIn(result)).toEqual(['Anna Berg', undefined])
    expect(result.totals).toEqual([null, 206])
  })

  it('takes neither Other nor an empty key for the key that reads like it', async () => {
    const orders: StorageValue[][] = ['null', null, 'Other', 'rest'].map((key, i) => [3, 40_00 - i, null, key])
    const split = { field: of(ORDERS, 3), label: of(CUSTOMERS, 1) }
    const all = await answer({ plan: { dimensions: [split] }, orders })
    const called = ({ columns, rows }: QueryResult): (string | null)[] =>
      rows.map(([key = null]) => dimensionText(key, columns[0] ?? {}, { numbers: 'en-GB', dates: 'en-GB' }))
    expect(all.rows.map(([key]) => key)).toEqual(['null', null, 'Other', 'rest'])
    expect(called(all)).toEqual(['Zed (null)', null, 'Zed (Other)', 'Zed (rest)'])
    const top = await answer({ plan: { dimensions: [{ ...split, topN: 3 }] }, orders })
    expect(top.rows.map(([key]) => key)).toEqual(['null', null, 'Other', 'Other'])
    expect(called(top)).toEqual(['Zed (null)', null, null, null])
    const lines = top.rows.map((row) => rowWithKeys(row, top.columns).slice(0, 2))
    expect(lines).toEqual([
      ['Zed (null)', 'null'],
      [null, null],
      ['Other', null],
      ['Other', null],
    ])
  })

  it('calls a key as its last row with a name does, whatever rows without one follow', async () => {
    const [key, label] = [of(ORDERS, 0), of(ORDERS, 3)]
    const orders: StorageValue[][] = ['Lamp', 'Chair', '', null].map((text) => [3, 1_00, null, text])
    expect(calledIn(await answer({ plan: { dimensions: [{ field: key, label }] }, orders }))).toEqual(['Chair'])
  })

  it('lists keys by name without any measure', async () => {
    const result = await answer({ plan: { dimensions: [BY_CUSTOMER], measures: [] } })
    expect(calledIn(result)).toEqual(['9', 'Anna Berg (1042)', 'Anna Berg (17)', 'Zed', undefined])
  })

  it('names nobody whose row the asker may not see', async () => {
    const rowFilters = [onlyRows(CUSTOMERS, { field: of(CUSTOMERS, 2), any: [{ op: 'eq', value: 'SE' }] })]
    const result = await answer({ plan: { dimensions: [BY_CUSTOMER] }, scope: { rowFilters } })
    expect(calledIn(result)).toEqual(['Anna Berg', '17', 'Zed', '9', undefined])
  })

  it('is refused where the key or the label is hidden, and where they are no key or no text', async () => {
    expect(await refusal({ plan: { dimensions: [BY_CUSTOMER] }, hidden: 'Customers.Name' })).toBe('unknown_field')
    expect(await refusal({ plan: { dimensions: [BY_CUSTOMER] }, hidden: 'Orders.Customer no' })).toBe('unknown_field')
    const bad: Dimension[] = [
      { field: AMOUNT, label: of(CUSTOMERS, 1) },
      { field: of(ORDERS, 0), label: AMOUNT },
      { field: of(ORDERS, 0), label: of(CUSTOMERS, 1), bins: { width: 10 } },
    ]
    for (const one of bad) expect(await refusal({ plan: { dimensions: [one] } })).toBe('invalid_input')
  })
})

describe('the value at the least or largest of another column', () => {
  const at = (agg: 'first' | 'last', field: ReturnType<typeof of>, by = AMOUNT) =>
    ({ kind: 'column', agg, field, by }) as const

  it('is that of one row; of several the least, whatever order they lie in', async () => {
    const measures = [at('last', of(ORDERS, 2)), at('last', of(ORDERS, 3)), at('first', of(CUSTOMERS, 1))]
    const { rows, columns, words } = await answer({ plan: { measures } })
    // The least of all has neither a day, a product nor a customer; the least of the others is no customer's.
    expect(rows).toEqual([['2026-01-11', 'Bed', 'Zed']])
    expect(columns.map(({ type }) => type)).toEqual(['date', 'text', 'text'])
    expect(words).toBe('Day at maximum Amount, Product at maximum Amount and Name of Customers at minimum Amount')
  })

  it('keeps the format and decimals of what is shown, by group, in totals and beside an earlier period', async () => {
    const { rows, totals, columns } = await answer({
      plan: {
        dimensions: [BY_CUSTOMER],
        measures: [at('last', AMOUNT, of(ORDERS, 2)), at('first', of(ORDERS, 2))],
        period: {
          field: of(ORDERS, 2),
          range: { kind: 'absolute', from: '2026-02-01', to: '2026-02-28' },
          compare: 'previous',
        },
        totals: true,
      },
    })
    expect(columns.map(({ key }) => key)).toEqual([
      'd0',
      'm0',
      'm0.previous',
      'm0.change',
      'm0.changePercent',
      'm1',
      'm1.previous',
    ])
    expect(rows).toContainEqual([1042, 70, 50, 20, 0.4, '2026-02-01', '2026-01-10'])
    expect(totals).toEqual([null, 5, 70, -65, -65 / 70, '2026-02-04', '2026-01-10'])
  })

  it('sees only rows that the asker may see, and no hidden column', async () => {
    const rowFilters = [onlyRows(ORDERS, { field: of(ORDERS, 3), any: [{ op: 'eq', value: 'Lamp' }] })]
    const measures = [at('last', of(ORDERS, 2))]
    expect((await answer({ plan: { measures }, scope: { rowFilters } })).rows).toEqual([['2026-01-10']])
    expect(await refusal({ plan: { measures }, hidden: 'Orders.Amount' })).toBe('unknown_field')
  })

  it('is refused of other aggregates', async () => {
    const measures = [{ kind: 'column' as const, agg: 'max' as const, field: AMOUNT, by: of(ORDERS, 2) }]
    expect(await refusal({ plan: { measures } })).toBe('invalid_input')
  })
})

it('tells apart names made to run into each other', () => {
  const [others, links] = [150_000, 3_000]
  const texts = new Map<string | number, string>(Array.from({ length: others }, (_, n) => [n, `other ${n}`]))
  // The name that "a" is given is each time the text of one more key.
  texts.set('a', 'x').set('b', 'x')
  for (let n = 1; n <= links; n += 1) texts.set(`k${n}`, `x${' (a)'.repeat(n)}`)
  const names = disambiguatedLabels(texts)
  expect(new Set(names.values()).size).toBe(texts.size)
  expect(names.get('a')).toBe(`x${' (a)'.repeat(links + 1)}`)
  expect(names.get('k2')).toBe('x (a) (a) (k2)')
})

it('tells names apart until no two are alike', () => {
  const names = disambiguatedLabels(
    new Map([
      [1, 'A'],
      [2, 'A'],
      [3, 'A (1)'],
      [4, null],
      [5, ''],
      [6, '4'],
    ]),
  )
  expect([...names.values()]).toEqual(['A (1) (1)', 'A (2)', 'A (1) (3)', '4 (4)', '5', '4 (6)'])
})
