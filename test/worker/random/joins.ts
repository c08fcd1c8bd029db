import type { RowRule } from '../../../src/scope'
import { rowRules } from './plans'
import fc from 'fast-check'
import type { NaiveTable } from '../naive/values'
import { COLUMNS, fieldOf, plansOver, row } from './plans'
import type { PlanFields } from './plans'
import { column } from '../warehouse-rows'
import type { QueryPlan } from '../../../src/shared/query/plan'
import type { Expr } from '../../../src/shared/query/expression'
import type { Field } from '../../../src/shared/query/field'
import type { Column } from '../../../src/shared/data-sources/data-sources'
import type { RelationEdge } from '../../../src/warehouse/query/plan/relation-graph'
import type { StorageValue } from '../../../src/lib/storage-value'

/**
 * Seven related datasets: lines → orders → customers → regions, payments → customers, orders → regions directly too,
 * customers that point at other customers, and extras ↔ profiles ↔ customers, one to one. Keys are text on one side and whole numbers on the other.
 */
const idOf = (n: number): string => `ds_${String(n).padStart(20, '0')}`
export const [ORDERS, CUSTOMERS, REGIONS, PAYMENTS, LINES] = [idOf(11), idOf(12), idOf(13), idOf(14), idOf(15)] as const
const [PROFILES, EXTRAS] = [idOf(16), idOf(17)] as const
const edge = (n: number, from: [string, number], to: [string, number]): RelationEdge => ({
  id: `rel_${String(n).padStart(20, '0')}`,
  from: { dataset: from[0], key: `c${from[1]}` },
  to: { dataset: to[0], key: `c${to[1]}` },
})
const PARENT = edge(5, [CUSTOMERS, 9], [CUSTOMERS, 8])
export const EDGES: RelationEdge[] = [
  edge(1, [ORDERS, 9], [CUSTOMERS, 8]),
  edge(2, [CUSTOMERS, 10], [REGIONS, 8]),
  edge(3, [PAYMENTS, 8], [CUSTOMERS, 8]),
  edge(4, [LINES, 8], [ORDERS, 8]),
  PARENT,
  edge(6, [ORDERS, 10], [REGIONS, 8]),
  { ...edge(7, [PROFILES, 8], [CUSTOMERS, 8]), oneToOne: true },
  { ...edge(8, [EXTRAS, 8], [PROFILES, 8]), oneToOne: true },
]

const field = (dataset: string, index: number): Expr => ({ kind: 'field', field: fieldOf(dataset, index) })
/** Quantity times two plus the amount, where there is one. */
const doubled = (dataset: string): Expr => ({
  kind: 'binary',
  op: 'add',
  left: { kind: 'binary', op: 'multiply', left: field(dataset, 1), right: { kind: 'number', value: 2 } },
  right: { kind: 'coalesce', items: [field(dataset, 2), { kind: 'number', value: 0.5 }] },
})
const named = (dataset: string): Expr => ({
  kind: 'concat',
  items: [field(dataset, 0), { kind: 'text', value: '/' }, field(dataset, 1), field(dataset, 5)],
})
const NUMBER_AT = 20
const TEXT_AT = 21

/** The eight typed columns, the keys of one dataset, and two computed ones. */
const columnsOf = (dataset: string, keys: Column['type'][]): Column[] => [
  ...COLUMNS,
  ...keys.map((type, i) => column(COLUMNS.length + i, { type, label: `Key ${i}`, role: 'id' })),
  column(NUMBER_AT, { type: 'number', label: 'Doubled', computed: doubled(dataset) }),
  column(TEXT_AT, { type: 'text', label: 'Named', computed: named(dataset) }),
]
const COMPUTED: StorageValue[] = [null, null]

const CUSTOMERS_MAX = 6
const REGIONS_MAX = 3
const ORDERS_MAX = 8
/** A key of some row, or of none, or nothing. */
const key = (max: number): fc.Arbitrary<number | null> =>
  fc.option(fc.integer({ min: 1, max: max + 1 }), { freq: 8, nil: null })
const textKey = (max: number): fc.Arbitrary<string | null> => key(max).map((n) => (n === null ? null : String(n)))

interface Shape {
  id: string
  keys: Column['type'][]
  own: fc.Arbitrary<StorageValue[]>
  /** Whether the first key numbers the rows. */
  numbered: boolean
  max: number
}
const SHAPES: Shape[] = [
  {
    id: ORDERS,
    keys: ['integer', 'integer', 'integer'],
    own: fc.tuple(key(CUSTOMERS_MAX), key(REGIONS_MAX)),
    numbered: true,
    max: ORDERS_MAX,
  },
  {
    id: CUSTOMERS,
    keys: ['text', 'text', 'integer'],
    own: fc.tuple(textKey(CUSTOMERS_MAX), key(REGIONS_MAX)),
    numbered: true,
    max: CUSTOMERS_MAX,
  },
  { id: REGIONS, keys: ['integer'], own: fc.constant([]), numbered: true, max: REGIONS_MAX },
  { id: PAYMENTS, keys: ['text'], own: fc.tuple(textKey(CUSTOMERS_MAX)), numbered: false, max: 8 },
  { id: LINES, keys: ['integer'], own: fc.tuple(key(ORDERS_MAX)), numbered: false, max: 10 },
  { id: PROFILES, keys: ['integer'], own: fc.constant([]), numbered: true, max: 5 },
  { id: EXTRAS, keys: ['text'], own: fc.constant([]), numbered: true, max: 6 },
]

const tableOf = ({ id, keys, own, numbered, max }: Shape): fc.Arbitrary<NaiveTable> =>
  fc.array(fc.tuple(row, own), { maxLength: max }).map((rows) => ({
    id,
    columns: columnsOf(id, keys),
    rows: rows.map(([typed, given], i) => {
      const number: StorageValue[] = numbered ? [keys[0] === 'text' ? String(i + 1) : i + 1] : []
      return [...typed, ...number, ...given, ...COMPUTED]
    }),
  }))
export const relatedTables: fc.Arbitrary<NaiveTable[]> = fc.tuple(...SHAPES.map(tableOf))

/** Where the second halves of keys stand, one for each key. */
const HALVES_AT = 30
const isKeyAt = (at: number): boolean => at >= COLUMNS.length && at < NUMBER_AT
/** A key in two columns: nobody's first half is unique, and a key without its second half is none. */
function halvesOf(cell: StorageValue, type: Column['type']): [StorageValue, StorageValue] {
  if (cell === null) return [null, null]
  const key = Number(cell)
  const [first, second] = [Math.ceil(key / 2), key % 5 === 4 ? null : key % 2]
  return type === 'text' ? [String(first), second] : [first, second === null ? null : String(second)]
}
/** The same tables with each key in two columns; where the first is a text, the second is a whole number. */
export const withCompositeKeys = (tables: readonly NaiveTable[]): NaiveTable[] =>
  tables.map((table) => {
    const keys = table.columns.flatMap(({ key: name, type }, at) =>
      isKeyAt(Number(name.slice(1))) ? [{ at, type, n: Number(name.slice(1)) - COLUMNS.length }] : [],
    )
    const halves = keys.map(({ type, n }) =>
      column(HALVES_AT + n, { type: type === 'text' ? 'integer' : 'text', label: `Half ${n}`, role: 'id' }),
    )
    const rows = table.rows.map((cells) => {
      const split = new Map(keys.map(({ at, type }) => [at, halvesOf(cells[at] ?? null, type)]))
      const firsts = cells.map((cell, at) => split.get(at)?.[0] ?? (split.has(at) ? null : cell))
      return [...firsts, ...[...split.values()].map(([, second]) => second)]
    })
    return { ...table, columns: [...table.columns, ...halves], rows }
  })
const halfOf = (name: Column['key']): Column['key'] => `c${HALVES_AT + Number(name.slice(1)) - COLUMNS.length}`
export const COMPOSITE_EDGES: RelationEdge[] = EDGES.map((one) => ({
  ...one,
  further: [{ from: halfOf(one.from.key), to: halfOf(one.to.key) }],
}))

/** Where the rows of a dataset lead. */
const REACHED: Record<string, string[]> = {
  [LINES]: [ORDERS, CUSTOMERS, REGIONS, PROFILES, EXTRAS],
  [ORDERS]: [CUSTOMERS, REGIONS, PROFILES, EXTRAS],
  [PAYMENTS]: [CUSTOMERS, REGIONS, PROFILES, EXTRAS],
  [CUSTOMERS]: [REGIONS, PROFILES, EXTRAS],
  [PROFILES]: [CUSTOMERS, REGIONS, EXTRAS],
  [REGIONS]: [],
}
/** Columns of one type: the stored one, and the computed one of that kind. */
const alike = (index: number): number[] => (index === 0 ? [0, TEXT_AT] : index === 2 ? [2, NUMBER_AT] : [index])
export function reached(dataset: string, index: number): Field[] {
  const plain = [dataset, ...(REACHED[dataset] ?? [])].flatMap((id) => alike(index).map((at) => fieldOf(id, at)))
  const parents = dataset === REGIONS ? [] : [fieldOf(CUSTOMERS, index, [PARENT.id])]
  return [...plain, ...parents]
}

export const fieldsFor = (facts: string[]): PlanFields => ({
  home: facts[0] ?? ORDERS,
  facts,
  of: reached,
  shared: (index) => {
    const [first = [], ...others] = facts.map((fact) => reached(fact, index))
    const same = (a: Field, b: Field): boolean => JSON.stringify(a) === JSON.stringify(b)
    return first.filter((one) => others.every((other) => other.some((each) => same(one, each))))
  },
  related: facts.every((fact) => fact !== REGIONS) ? [ORDERS, PAYMENTS] : [],
})

/** One fact, two that meet at a dimension (a chasm), one that points at the other (a fan). */
const FACTS = [
  ...[[ORDERS], [LINES], [CUSTOMERS], [PROFILES], [ORDERS, PAYMENTS], [LINES, ORDERS]],
  ...[
    [PROFILES, ORDERS],
    [PAYMENTS, LINES, CUSTOMERS],
  ],
]
export const relatedPlans: fc.Arbitrary<QueryPlan> = fc
  .constantFrom(...FACTS)
  .chain((facts) => plansOver(fieldsFor(facts)))

/** Rows that the asker may see: conditions on what they hold, and on what they point at. */
export const rulesOfAccess: fc.Arbitrary<RowRule[]> = fc.oneof(
  { weight: 1, arbitrary: fc.constant<RowRule[]>([]) },
  {
    weight: 2,
    arbitrary: fc.uniqueArray(
      fc
        .constantFrom(ORDERS, CUSTOMERS, REGIONS, PAYMENTS, PROFILES, LINES)
        .chain((dataset) => rowRules(dataset, (index) => reached(dataset, index))),
      { minLength: 1, maxLength: 2, selector: ({ dataset }) => dataset },
    ),
  },
)
