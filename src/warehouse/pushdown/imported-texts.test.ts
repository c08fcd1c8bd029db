import { expect, it } from 'vitest'
import { CHDB, MARIADB, PGLITE } from '../../../test/worker/foreign/engines'
import { askEngine, askForeign, foreignTables, type TestEngine } from '../../../test/worker/foreign/tables'
import { casesOf, LONG } from '../../../test/long'
import type { NaiveTable } from '../../../test/worker/naive/values'
import { storeTables } from '../../../test/worker/random/stored-tables'
import { runQuery } from '../../../test/worker/run-query'
import { CALENDAR, column, DATASET, EVERYTHING, inSqlite } from '../../../test/worker/warehouse-rows'
import { parseText } from '../../shared/values/cell-parsers'
import type { RowRule } from '../../scope'
import type { RpcResult } from '../../shared/errors'
import type { Column } from '../../shared/data-sources/data-sources'
import { queryPlanSchema, type Condition, type QueryPlanInput } from '../../shared/query/plan'
import type { QueryResult } from '../../shared/query/result'
import { clearResultCache } from '../query/result-cache'
import { SPELLINGS_MAX } from './imported-texts'

const composed = 'Malmö'
const apart = 'Malmo\u0308'
/** Texts that are one and the same here, and texts that a database may take for the same. */
const TEXTS: (string | null)[] = [
  ...[
    composed,
    apart,
    'malmö',
    'MALMÖ',
    'Malmo',
    ' Malmö',
    'Malmö ',
    'Malmö\u00a0',
    `${apart} hamn`,
    'Malm\u00f6 hamn',
  ],
  ...['', ' ', '   ', '\t', '\u00a0', '\u202f \u3000', '\u3000', ' \u3000\ufeff', '\u0001', ' \u0001', null],
  ...[
    '\u212b',
    'A\u030a',
    '\u00c5',
    '\u2126',
    '\u03a9',
    'e\u0323\u0302',
    'e\u0302\u0323',
    '\u1ec7',
    '\u1100\u1161\u11a8',
    '각',
  ],
  ...[
    'Straße',
    'STRASSE',
    'Strasse',
    '\ufb01n',
    'fin',
    'a\u200b',
    'a',
    'A',
    '\u0130',
    'i\u0307',
    '日本',
    '😀',
    "O'Hara",
  ],
  ...['100 %', '100 _', 'c\u0327a', '\u00e7a', 'กำ', 'שלום', 'بَيت'],
]
const NOWHERE = ['Malm', 'mö', 'o\u0308', 'Malmö\u0308', '\u00f6 h', 'Örebro']
/** Every text of the tables and what stands in none; in the short run those that differ in one way each. */
const ASKED = casesOf(
  [...TEXTS.flatMap((text) => text ?? []), ...NOWHERE].filter((text) => text !== ''),
  ...[
    apart,
    'malmö',
    'Malmö ',
    ' ',
    '\u00a0',
    '\u3000',
    '\u212b',
    'e\u0302\u0323',
    '\ufb01n',
    'i\u0307',
    'mö',
    '100 %',
  ],
)
/** Figures of one question. */
const FIGURES_MAX = 5
const [ORDERS, CITIES] = [DATASET, 'ds_00000000000000000012']
const field = (dataset: string, key: number) => ({ dataset, column: `c${key}` as const })
const TEXT = field(ORDERS, 0)

const computed = (index: number, expr: NonNullable<Column['computed']>): Column =>
  column(index, { type: 'text', computed: expr })
const own = { kind: 'field' as const, field: TEXT }
const text = (value: string) => ({ kind: 'text' as const, value })
const COLUMNS: Column[] = [
  column(0, { type: 'text' }),
  column(1, { type: 'integer', role: 'measure' }),
  column(2, { type: 'text' }),
  computed(3, { kind: 'concat', items: [own, text('/'), { kind: 'field', field: field(ORDERS, 2) }] }),
  computed(4, { kind: 'coalesce', items: [own, text(apart)] }),
  computed(5, {
    ...{ kind: 'function', fn: 'if' },
    items: [{ kind: 'compare', op: 'eq', left: own, right: text(apart) }, text('here'), text('elsewhere')],
  }),
]
const otherAt = (at: number): string | null => TEXTS[(at * 7 + 3) % TEXTS.length] ?? null
const CITY_COLUMNS = [column(0, { type: 'text', role: 'id' }), column(1, { type: 'text' })]
/** Towns by names that nothing else here is taken for. */
const CITY_ROWS = [
  [apart, 'Skåne'],
  ['\u00c5', 'Jämtland'],
  ['Straße', null],
  ['fin', 'A\u030aland'],
]
const tablesOf = (read: (value: string) => string | null): NaiveTable[] => {
  const held = (value: string | null | undefined): string | null =>
    value === null || value === undefined ? null : read(value)
  return [
    {
      id: ORDERS,
      columns: COLUMNS,
      rows: TEXTS.map((value, at) => [held(value), 2 ** (at % 20) + at, held(otherAt(at)), null, null, null]),
    },
    { id: CITIES, columns: CITY_COLUMNS, rows: CITY_ROWS.map((row) => row.map(held)) },
  ]
}
const EDGE = {
  id: 'rel_00000000000000000001',
  from: { dataset: ORDERS, key: 'c0' },
  to: { dataset: CITIES, key: 'c0' },
} as const

const conditionsOf = (value: string): Condition[] => [
  ...(['eq', 'ne', 'lt', 'le', 'gt', 'ge'] as const).map((op) => ({ op, value })),
  ...(['contains', 'notContains', 'startsWith', 'notStartsWith'] as const).map((op) => ({ op, value })),
  ...[
    { op: 'in' as const, values: [value, 'fin'] },
    { op: 'notIn' as const, values: [value, 'fin', null] },
  ],
  { op: 'between', from: value, to: `${value}z` },
]
const sum = { kind: 'column', agg: 'sum', field: field(ORDERS, 1) } as const
const aggregate = (change: Partial<QueryPlanInput>): QueryPlanInput => ({
  ...{ v: 2, kind: 'aggregate', dataset: ORDERS, dimensions: [], filters: [], measures: [sum] },
  ...change,
})
const inText = (...any: Condition[]) => ({ field: TEXT, any })
const foldsOf = (of: ReturnType<typeof field>) =>
  (['countDistinct', 'min', 'max', 'count'] as const).map((agg) => ({ kind: 'column' as const, agg, field: of }))

interface TextQuestion {
  plan: QueryPlanInput
  rules?: RowRule[]
}
const asks = (): TextQuestion[] => [
  // Every value by every operator.
  ...ASKED.flatMap((value) => {
    const measures = conditionsOf(value).map((each) => ({ ...sum, filter: [inText(each)] }))
    return Array.from({ length: Math.ceil(measures.length / FIGURES_MAX) }, (_, at) => ({
      plan: aggregate({ measures: measures.slice(at * FIGURES_MAX, (at + 1) * FIGURES_MAX) }),
    }))
  }),
  ...[composed, apart, '\u212b', ' ', 'i\u0307'].flatMap((value) =>
    [
      inText({ op: 'eq', value }),
      inText({ op: 'contains', value }),
      inText({ op: 'in', values: [value, null] }),
    ].flatMap((filter) => [
      { plan: aggregate({}), rules: [{ dataset: ORDERS, anyOf: [[filter]], noneOf: [] }] },
      { plan: aggregate({}), rules: [{ dataset: ORDERS, anyOf: 'all' as const, noneOf: [[filter]] }] },
    ]),
  ),
  ...[0, 2, 3, 4, 5].flatMap((key) => [
    {
      plan: aggregate({
        dimensions: [{ field: field(ORDERS, key) }],
        measures: [{ ...sum, agg: 'median' }, ...foldsOf(TEXT)],
      }),
    },
    { plan: aggregate({ dimensions: [{ field: field(ORDERS, key), topN: 5 }] }) },
    { plan: aggregate({ measures: foldsOf(field(ORDERS, key)) }) },
  ]),
  ...(['empty', 'notEmpty'] as const).map((op) => ({ plan: aggregate({ filters: [inText({ op })] }) })),
  ...(['eq', 'ne', 'lt', 'ge'] as const).map((compare) => ({
    plan: aggregate({ filters: [inText({ op: 'column', compare, field: field(ORDERS, 2) })] }),
  })),
  ...(['asc', 'desc'] as const).map((dir) => ({
    plan: {
      ...{
        v: 2 as const,
        kind: 'rows' as const,
        dataset: ORDERS,
        measures: [],
        dimensions: [],
        filters: [],
        limit: 200,
      },
      ...{ columns: [TEXT, field(ORDERS, 1), field(ORDERS, 3)], sort: [{ by: { column: 0 }, dir }] },
    },
  })),
  { plan: aggregate({ dimensions: [{ field: field(CITIES, 1) }] }) },
  { plan: aggregate({ filters: [{ field: field(CITIES, 1), any: [{ op: 'eq', value: '\u212bland' }] }] }) },
]

const shown = (answer: RpcResult<QueryResult>) =>
  answer.ok ? { rows: answer.value.rows, totals: answer.value.totals, count: answer.value.rowCount } : answer

const skipReason = async (engine: TestEngine): Promise<string | null> => {
  if (engine !== PGLITE && !LONG) return 'Servers are started by the long run.'
  return (await askEngine(engine.name, [])) ? null : `There is no ${engine.name} on this machine.`
}

it.for([PGLITE, MARIADB, CHDB])(
  '$name compares, sorts and groups texts as imported ones are',
  async (engine, { skip }) => {
    const reason = await skipReason(engine)
    skip(reason !== null, reason ?? '')
    const catalogue = storeTables(tablesOf(parseText), [EDGE])
    const database = await foreignTables(engine, tablesOf(String), { [CITIES]: [['c0']] }, { textsAsImported: true })
    await inSqlite(`texts ${engine.name}`, async (sql) => {
      for (const { plan, rules = [] } of asks()) {
        const scope = { ...EVERYTHING, rowFilters: rules }
        const request = { sql, catalogue, plan: queryPlanSchema.parse(plan), calendar: CALENDAR, scope, now: 0 }
        clearResultCache(sql)
        const here = shown(runQuery(request))
        clearResultCache(sql)
        expect({ plan, rules, ...shown(await askForeign(request, database)) }).toEqual({ plan, rules, ...here })
        expect(here).not.toHaveProperty('error')
      }
    })
  },
)

it('refuses in words to compare more texts than can be composed, where a database composes none', async ({ skip }) => {
  const reason = await skipReason(MARIADB)
  skip(reason !== null, reason ?? '')
  const rows = Array.from({ length: SPELLINGS_MAX + 1 }, (_, at) => [`${apart} ${at}`, at, null, null, null, null])
  const tables = [{ id: ORDERS, columns: COLUMNS, rows }]
  const database = await foreignTables(MARIADB, tables, {}, { textsAsImported: true })
  await inSqlite('texts refused', async (sql) => {
    const catalogue = storeTables(tables, [])
    const plan = queryPlanSchema.parse(aggregate({ filters: [inText({ op: 'eq', value: composed })] }))
    const answer = await askForeign({ sql, catalogue, plan, calendar: CALENDAR, scope: EVERYTHING, now: 0 }, database)
    expect(answer).toMatchObject({
      error: { code: 'query_too_complex', message: expect.stringContaining('separate accents') },
    })
  })
})
