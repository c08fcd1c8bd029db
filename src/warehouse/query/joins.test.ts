import { describe, expect, it } from 'vitest'
import { CALENDAR, column, EVERYTHING, inSqlite, onlyRows, tableOf } from '../../../test/worker/warehouse-rows'
import { pathToField, relationGraph, type RelationEdge, type UnusedRelation } from './plan/relation-graph'
import { runQuery } from '../../../test/worker/run-query'
import type { ScopeWire } from '../../scope'
import type { RpcResult } from '../../shared/errors'
import { shortestPaths } from '../../shared/query/relation-paths'
import { queryPlanSchema } from '../../shared/query/plan'
import type { Filter, QueryPlanInput } from '../../shared/query/plan'
import type { Expr } from '../../shared/query/expression'
import type { QueryResult } from '../../shared/query/result'
import type { Column } from '../../shared/data-sources/data-sources'
import type { StorageValue } from '../../lib/storage-value'

const idOf = (n: number): string => `ds_${String(n).padStart(20, '0')}`
const relation = (n: number): string => `rel_${String(n).padStart(20, '0')}`
const [CUSTOMERS, ORDERS, TICKETS, PEOPLE] = [idOf(1), idOf(2), idOf(3), idOf(4)] as const
const at = (dataset: string, index: number, via?: number) => ({
  dataset,
  column: `c${index}` as const,
  ...(via === undefined ? {} : { via: [relation(via)] }),
})
const edge = (n: number, from: [string, number], to: [string, number]): RelationEdge => ({
  id: relation(n),
  from: { dataset: from[0], key: `c${from[1]}` },
  to: { dataset: to[0], key: `c${to[1]}` },
})
const EDGES = [
  edge(1, [ORDERS, 1], [CUSTOMERS, 0]),
  edge(2, [TICKETS, 0], [CUSTOMERS, 0]),
  edge(3, [CUSTOMERS, 3], [PEOPLE, 0]),
  edge(4, [PEOPLE, 2], [PEOPLE, 0]),
]
const text = (index: number, label: string): Column => column(index, { type: 'text', label })
const whole = (index: number, label: string): Column => column(index, { type: 'integer', label })
const TABLES: { id: string; name: string; columns: Column[]; rows: StorageValue[][] }[] = [
  {
    id: CUSTOMERS,
    name: 'Customers',
    columns: [text(0, 'Id'), text(1, 'Country'), whole(2, 'Credit'), whole(3, 'Owner')],
    rows: [
      ['1', 'Sweden', 100, 2],
      ['2', 'Sweden', 50, 2],
      ['3', 'Norway', 10, 9],
      ['4', null, 7, null],
    ],
  },
  {
    id: ORDERS,
    name: 'Orders',
    columns: [
      whole(0, 'Number'),
      whole(1, 'Customer'),
      column(2, { type: 'number', scale: 2, label: 'Amount' }),
      column(3, { type: 'date', label: 'Day', role: 'time' }),
    ],
    rows: [
      [10, 1, 10000, 20_500],
      [11, 1, 5000, 20_531],
      [12, 2, 100, 20_531],
      [13, 3, 25, 20_531],
      [14, 77, 1, 20_531],
      [15, null, 2, 20_531],
    ],
  },
  {
    id: TICKETS,
    name: 'Tickets',
    columns: [text(0, 'Customer'), text(1, 'Kind')],
    rows: [
      ['1', 'bug'],
      ['1', 'bug'],
      ['1', 'ask'],
      ['4', 'ask'],
    ],
  },
  {
    id: PEOPLE,
    name: 'People',
    columns: [whole(0, 'Id'), text(1, 'Name'), whole(2, 'Reports to')],
    rows: [
      [1, 'Ada', null],
      [2, 'Bo', 1],
    ],
  },
]

interface QueryInput {
  scope?: Partial<ScopeWire>
  edges?: RelationEdge[]
  unused?: UnusedRelation[]
  computed?: { dataset: string; column: Column }
  today?: string
}
const ask = (
  given: Partial<QueryPlanInput>,
  { scope, edges = EDGES, unused, computed, today = CALENDAR.today }: QueryInput = {},
) =>
  inSqlite('joins-test', (sql): RpcResult<QueryResult> => {
    const live = TABLES.map(({ id, name, columns, rows }) => {
      const table = tableOf(columns, rows)
      const more = computed?.dataset === id ? [computed.column] : []
      return { ...table, id, name, columns: [...columns, ...more] }
    })
    const plan = queryPlanSchema.parse({ v: 1, kind: 'aggregate', measures: [], dimensions: [], filters: [], ...given })
    const catalogue = {
      find: (id: string) => live.find((dataset) => dataset.id === id) ?? null,
      edges,
      ...(unused ? { unused } : {}),
    }
    return runQuery({
      sql,
      catalogue,
      scope: { ...EVERYTHING, ...scope },
      plan,
      calendar: { ...CALENDAR, today },
      now: 0,
    })
  })
const answer = async (given: Partial<QueryPlanInput>, more: QueryInput = {}): Promise<QueryResult> => {
  const outcome = await ask(given, more)
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.error))
  return outcome.value
}
const refusal = async (given: Partial<QueryPlanInput>, more: QueryInput = {}): Promise<[string, string]> => {
  const outcome = await ask(given, more)
  return outcome.ok ? ['answered', ''] : [outcome.error.code, outcome.error.message ?? '']
}
const amount = { kind: 'column', agg: 'sum', field: at(ORDERS, 2) } as const
const credit = { kind: 'column', agg: 'sum', field: at(CUSTOMERS, 2) } as const
const rowsOf = (dataset: string) => ({ kind: 'column', agg: 'count', dataset }) as const
const country = { field: at(CUSTOMERS, 1) }

describe('fields over relations', () => {
  it('split by what a row points at; rows that point at nothing are the group without a value', async () => {
    const { rows, words, columns } = await answer({ measures: [amount], dimensions: [country] })
    expect(rows).toEqual([
      ['Sweden', 151],
      ['Norway', 0.25],
      [null, 0.03],
    ])
    expect(words).toBe('Sum of Amount by Country of Customers')
    expect(columns[0]?.label).toBe('Country')
  })

  it('filter, page and sort records by columns of other rows', async () => {
    const result = await answer({
      kind: 'rows',
      dataset: ORDERS,
      columns: [at(ORDERS, 0), at(CUSTOMERS, 1), at(PEOPLE, 1)],
      filters: [{ field: at(CUSTOMERS, 1), any: [{ op: 'notEmpty' }] }],
      sort: [{ by: { column: 1 }, dir: 'asc' }],
      limit: 2,
    })
    expect([result.rows, result.rowCount]).toEqual([
      [
        [13, 'Norway', null],
        [10, 'Sweden', 'Bo'],
      ],
      4,
    ])
    expect(result.columns.map(({ label }) => label)).toEqual(['Number', 'Country of Customers', 'Name of People'])
  })

  it('go along the relation named, also to rows of the same data', async () => {
    const { rows, words } = await answer({
      measures: [rowsOf(PEOPLE)],
      dimensions: [{ field: at(PEOPLE, 1, 4) }],
    })
    expect(rows).toEqual([
      ['Ada', 1],
      [null, 1],
    ])
    expect(words).toBe('Number of rows by Name of People (via Reports to)')
    const bosses = await answer({ measures: [amount], dimensions: [{ field: at(PEOPLE, 1, 4) }] })
    expect(bosses.rows).toEqual([
      ['Ada', 151],
      [null, 0.28],
    ])
  })

  it('are refused without a way, and name the ways when there are several', async () => {
    const plan = { measures: [amount], dimensions: [country] }
    const [none, why] = await refusal(plan, { edges: [] })
    expect([none, why]).toEqual(['invalid_input', expect.stringContaining('from Orders to Customers')])
    const second = edge(7, [ORDERS, 0], [CUSTOMERS, 0])
    const [, choose] = await refusal(plan, { edges: [...EDGES, second] })
    expect(choose).toMatch(/Customer of Orders → Customers .*; Number of Orders → Customers/)
    const chosen = { ...plan, dimensions: [{ field: at(CUSTOMERS, 1, 7) }] }
    expect((await answer(chosen, { edges: [...EDGES, second] })).rows).toEqual([[null, 151.28]])
    expect((await refusal({ ...plan, dimensions: [{ field: at(CUSTOMERS, 1, 3) }] }))[0]).toBe('unknown_field')
    expect((await refusal({ measures: [credit], dimensions: [{ field: at(ORDERS, 0) }] }))[0]).toBe('invalid_input')
  })

  it('stop after six relationships in a row', async () => {
    const loop = EDGES.filter(({ id }) => id === relation(4))
    const far = { dataset: PEOPLE, column: 'c1' as const, via: Array.from({ length: 6 }, () => relation(4)) }
    expect((await answer({ measures: [rowsOf(PEOPLE)], dimensions: [{ field: far }] }, { edges: loop })).rows).toEqual([
      [null, 2],
    ])
    expect((await refusal({ measures: [amount], dimensions: [{ field: far }] }))[0]).toBe('query_too_complex')
  })
})

describe('relations in both directions', () => {
  const customerName = { field: at(CUSTOMERS, 0) }
  const ofPeople = { ...edge(9, [PEOPLE, 0], [CUSTOMERS, 0]), oneToOne: true as const }
  const edges = [ofPeople, edge(1, [ORDERS, 1], [CUSTOMERS, 0])]

  it('lead back where they are one-to-one, also when they are named', async () => {
    const plan = { measures: [amount], dimensions: [{ field: at(PEOPLE, 1) }] }
    const { rows, words } = await answer(plan, { edges })
    expect(rows).toEqual([
      ['Ada', 150],
      ['Bo', 1],
      [null, 0.28],
    ])
    expect(words).toBe('Sum of Amount by Name of People')
    const named = { ...plan, dimensions: [{ field: at(PEOPLE, 1, 9) }] }
    expect((await answer(named, { edges })).rows).toEqual(rows)
    const many = edges.map(({ id, from, to }) => ({ id, from, to }))
    expect((await refusal(named, { edges: many }))[0]).toBe('unknown_field')
  })

  it('find rows of the one side by those of the other', async () => {
    const orders: Filter = { kind: 'exists', dataset: CUSTOMERS, relation: relation(3), filters: [] }
    const back = [{ ...edge(3, [PEOPLE, 0], [CUSTOMERS, 3]), oneToOne: true as const }]
    const counted = await answer({ measures: [rowsOf(PEOPLE)], filters: [orders] }, { edges: back })
    expect(counted.rows).toEqual([[1]])
  })

  it('lead through no row that the asker may not see', async () => {
    const norway = {
      rowFilters: [onlyRows(CUSTOMERS, { field: at(CUSTOMERS, 1), any: [{ op: 'eq', value: 'Norway' }] })],
    }
    const plan = { measures: [amount], dimensions: [{ field: at(PEOPLE, 1) }] }
    expect((await answer(plan, { edges, scope: norway })).rows).toEqual([[null, 151.28]])
  })

  it('are refused by name: not one-to-one, too far, not confirmed, broken', async () => {
    const plan = { measures: [credit], dimensions: [{ field: at(ORDERS, 0) }] }
    expect((await refusal(plan))[1]).toBe(
      'No confirmed relationship from Customers to Orders. Customer of Orders → Customers isn’t one-to-one: a row of Customers may have several rows of Orders. Query them separately.',
    )
    const [of, name] = [edge(1, [ORDERS, 1], [CUSTOMERS, 0]), { measures: [amount], dimensions: [customerName] }]
    const why = async (state: 'proposed' | 'broken'): Promise<string> =>
      (await refusal(name, { edges: [], unused: [{ ...of, state }] }))[1]
    expect(await why('proposed')).toBe(
      'No confirmed relationship from Orders to Customers. Confirm Customer of Orders → Customers.',
    )
    expect(await why('broken')).toBe(
      'No confirmed relationship from Orders to Customers. Customer of Orders → Customers is broken: keys of Customers are in several rows.',
    )
  })
})

describe('a long way', () => {
  it('is six relations, however they are turned', () => {
    const chain = (length: number) =>
      Array.from({ length }, (_, n) => ({
        ...edge(n, [idOf(50 + n + 1), 0], [idOf(50 + n), 0]),
        oneToOne: true as const,
      }))
    const ends = (length: number) => ({ from: idOf(50), to: idOf(50 + length), least: 0 as const })
    expect(shortestPaths(chain(6), ends(6))[0]).toHaveLength(6)
    expect(shortestPaths(chain(7), ends(7))).toEqual([])
    const graph = relationGraph({ edges: chain(7), find: (id) => ({ name: id.slice(-2), columns: [] }) })
    const asked = () => pathToField(graph, idOf(50), { field: { dataset: idOf(57), column: 'c0' }, at: 'x' })
    expect(asked).toThrow('57 is 7 relationships from 50. At most 6 can be followed.')
  })

  it('is not looked for where a shorter one leads from the many to the one', () => {
    const forward = [edge(1, [idOf(50), 0], [idOf(51), 0]), edge(2, [idOf(51), 0], [idOf(52), 0])]
    const back = { ...edge(3, [idOf(52), 0], [idOf(50), 0]), oneToOne: true as const }
    const ways = shortestPaths([...forward, back], { from: idOf(50), to: idOf(52), least: 0 })
    expect(ways.map((way) => way.map(({ id }) => id))).toEqual([[relation(1), relation(2)]])
  })
})

describe('several facts', () => {
  it('count nothing twice: no fan-out from many orders to one customer', async () => {
    const { rows, totals } = await answer({ measures: [amount, credit], dimensions: [country], totals: true })
    expect(rows).toEqual([
      ['Sweden', 151, 150],
      ['Norway', 0.25, 10],
      [null, 0.03, 7],
    ])
    expect(totals).toEqual([null, 151.28, 167])
  })

  it('fall into no chasm: orders and tickets of one customer do not multiply', async () => {
    const { rows, words } = await answer({
      measures: [rowsOf(ORDERS), rowsOf(TICKETS)],
      dimensions: [{ field: at(CUSTOMERS, 0) }],
      sort: [{ by: { dimension: 0 }, dir: 'asc' }],
    })
    expect(rows).toEqual([
      ['1', 2, 3],
      ['2', 1, 0],
      ['3', 1, 0],
      ['4', 0, 1],
      [null, 2, 0],
    ])
    expect(words).toBe('Number of rows of Orders and number of rows of Tickets by Id of Customers')
  })

  it('divide one by the other, limit by both, and fold the rest of a top-N', async () => {
    const perOrder = { kind: 'ratio', over: rowsOf(TICKETS), under: rowsOf(ORDERS) } as const
    const split = { field: at(CUSTOMERS, 0), topN: 1 }
    const top = await answer({ measures: [rowsOf(TICKETS), rowsOf(ORDERS), perOrder], dimensions: [split] })
    expect(top.rows).toEqual([
      ['1', 3, 2, 1.5],
      ['Other', 1, 4, 0.25],
    ])
    const limited = await answer({
      measures: [rowsOf(TICKETS), rowsOf(ORDERS)],
      dimensions: [{ field: at(CUSTOMERS, 0) }],
      having: [{ measure: 1, op: 'ge', value: 2 }],
      totals: true,
    })
    // A total of all groups would stand below some of them.
    expect([limited.rows, limited.rowCount, limited.totals]).toEqual([
      [
        ['1', 3, 2],
        [null, 0, 2],
      ],
      2,
      null,
    ])
  })

  it('are refused a split that one of them has not', async () => {
    const plan = { measures: [rowsOf(ORDERS), rowsOf(TICKETS)], dimensions: [{ field: at(ORDERS, 0) }] }
    expect((await refusal(plan))[1]).toContain('from Tickets to Orders')
  })

  it('compare with the period before, each in its own days', async () => {
    const range = { kind: 'absolute', from: '2026-03-01', to: '2026-03-31' } as const
    const period = { field: at(ORDERS, 3), range, compare: 'previous' } as const
    const { rows } = await answer({ measures: [amount], dimensions: [country], period }, { today: '2026-04-01' })
    expect(rows).toEqual([
      ['Sweden', 51, 100, -49, -0.49],
      ['Norway', 0.25, null, null, null],
      [null, 0.03, null, null, null],
    ])
  })
})

describe('records', () => {
  it('show what thirty relations lead to beside each other', async () => {
    const self = Array.from({ length: 30 }, (_, n) => edge(100 + n, [PEOPLE, 2], [PEOPLE, 0]))
    const columns = self.map((_, n) => at(PEOPLE, 1, 100 + n))
    const asked = { kind: 'rows' as const, dataset: PEOPLE, columns }
    expect((await answer(asked, { edges: self })).rows[1]).toEqual(columns.map(() => 'Ada'))
  })
})

describe('exists', () => {
  const tickets = (kind: 'exists' | 'notExists', filters: Filter[] = []): Filter => ({
    kind,
    dataset: TICKETS,
    filters,
  })
  const counted = async (filters: Filter[], dataset: string = CUSTOMERS) =>
    (await answer({ dataset, measures: [{ kind: 'column', agg: 'count' }], filters })).rows[0]?.[0]

  it('finds rows with and without related ones, and with such as pass', async () => {
    expect(await counted([tickets('exists')])).toBe(2)
    expect(await counted([tickets('notExists')])).toBe(2)
    const bugs = tickets('exists', [{ field: at(TICKETS, 1), any: [{ op: 'eq', value: 'bug' }] }])
    expect(await counted([bugs])).toBe(1)
  })

  it('asks for rows that meet at a third, and counts what points at nothing as without', async () => {
    expect(await counted([tickets('exists')], ORDERS)).toBe(2)
    expect(await counted([tickets('notExists')], ORDERS)).toBe(4)
  })

  it('stands within filters of measures and within itself, and says so in words', async () => {
    const loud = { ...rowsOf(ORDERS), filter: [tickets('exists')] }
    const withOrders: Filter = { kind: 'exists', dataset: ORDERS, filters: [tickets('notExists')] }
    expect((await answer({ measures: [loud] })).rows).toEqual([[2]])
    expect(await counted([withOrders])).toBe(2)
    const { words } = await answer({ measures: [rowsOf(CUSTOMERS)], filters: [tickets('notExists')] })
    expect(words).toBe('Number of rows, where they have no rows in Tickets')
  })
})

describe('what may not be seen', () => {
  const swedes = {
    rowFilters: [onlyRows(CUSTOMERS, { field: at(CUSTOMERS, 1), any: [{ op: 'eq', value: 'Sweden' }] })],
  }

  it('counts as not there, wherever a relation leads', async () => {
    const { rows } = await answer({ measures: [amount], dimensions: [country] }, { scope: swedes })
    expect(rows).toEqual([
      ['Sweden', 151],
      [null, 0.28],
    ])
    const exists: Filter = { kind: 'exists', dataset: CUSTOMERS, filters: [] }
    const people = { measures: [rowsOf(PEOPLE)], filters: [exists] }
    expect((await answer(people, { scope: swedes })).rows).toEqual([[1]])
    const hidden = { rowFilters: [onlyRows(CUSTOMERS, { field: at(CUSTOMERS, 9), any: [{ op: 'notEmpty' }] })] }
    expect((await answer({ measures: [amount], dimensions: [country] }, { scope: hidden })).rows).toEqual([
      [null, 151.28],
    ])
  })

  it('keeps answers of different rights apart', async () => {
    const plan = { measures: [amount], dimensions: [country] }
    const [all, some] = [await answer(plan), await answer(plan, { scope: swedes })]
    expect(all.hash).not.toBe(some.hash)
    expect((await answer(plan, { edges: [edge(1, [ORDERS, 0], [CUSTOMERS, 0])] })).hash).not.toBe(all.hash)
  })
})

describe('computed columns over relations', () => {
  const items: Expr[] = [
    { kind: 'field', field: at(CUSTOMERS, 1) },
    { kind: 'text', value: `'); DROP TABLE x; --` },
    { kind: 'field', field: at(CUSTOMERS, 2) },
  ]
  const named = { ...column(20, { type: 'text', label: 'Named' }), computed: { kind: 'concat' as const, items } }

  it('are worked out where their rows are, with text of a person as a value only', async () => {
    const plan = { measures: [amount], dimensions: [{ field: at(CUSTOMERS, 20) }] }
    const { rows } = await answer(plan, { computed: { dataset: CUSTOMERS, column: named } })
    expect(rows.map(([name]) => name)).toEqual([
      `Sweden'); DROP TABLE x; --100`,
      `Sweden'); DROP TABLE x; --50`,
      `Norway'); DROP TABLE x; --10`,
      null,
    ])
  })
})
