import { z } from 'zod'
import type { Condition, FieldFilter, QueryPlan } from './plan'
import type { ColumnType } from '../data-sources/files'
import type { Cell, QueryResult, ResultColumn } from './result'

/** How somebody looks at the table of an answer: one column it is sorted by, and what of its columns is shown. */

const columnIndexSchema = z.int().min(0).max(499)
const boundSchema = z.union([z.number(), z.string().max(40)]).nullable()
const columnFilterSchema = z.discriminatedUnion('op', [
  z.strictObject({ column: columnIndexSchema, op: z.literal('contains'), value: z.string().trim().min(1).max(200) }),
  /** Inclusive; null = open. Days (ISO) of dates and moments, numbers of figures. */
  z.strictObject({ column: columnIndexSchema, op: z.literal('range'), from: boundSchema, to: boundSchema }),
  z.strictObject({ column: columnIndexSchema, op: z.literal('is'), value: z.boolean() }),
])
export const COLUMN_FILTERS_MAX = 10
export const tableViewSchema = z.strictObject({
  sort: z.strictObject({ column: columnIndexSchema, dir: z.enum(['asc', 'desc']) }).nullable(),
  filters: z.array(columnFilterSchema).max(COLUMN_FILTERS_MAX),
})
export type ColumnFilter = z.infer<typeof columnFilterSchema>
export type TableView = z.infer<typeof tableViewSchema>
export type TableSort = NonNullable<TableView['sort']>
export const PLAIN_VIEW: TableView = { sort: null, filters: [] }

export type ColumnKind = 'text' | 'number' | 'date' | 'boolean'

/** Whether whole numbers name things, as postal codes, accounts and years do: they are shown without digit grouping. */
export const isCode = ({ type, role }: Pick<ResultColumn, 'type' | 'role'>): boolean =>
  role === 'id' || (role === 'dimension' && type === 'integer')

/** As what a column is sorted and filtered. Identifiers are texts: nobody asks for those between two of them. */
export function columnKind({ kind, type, role, grain }: ResultColumn): ColumnKind {
  if (type === 'date' || type === 'datetime' || grain !== undefined) return 'date'
  if (type === 'boolean') return 'boolean'
  const isFigure = type === 'number' || type === 'integer'
  return isFigure && kind !== 'dimension' && role !== 'id' ? 'number' : 'text'
}

const numberOf = (cell: Cell): number | null => {
  if (typeof cell === 'number') return cell
  return typeof cell === 'string' && /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(cell) ? Number(cell) : null
}
const isEmpty = (cell: Cell): boolean => cell === null || cell === ''

const collator = new Intl.Collator('sv', { numeric: true, sensitivity: 'base' })

/** Numbers by size, everything else as a Swedish list; `10` after `9`. */
function compareCells(a: Cell, b: Cell): number {
  const [x, y] = [numberOf(a), numberOf(b)]
  return x !== null && y !== null ? x - y : collator.compare(String(a), String(b))
}

function matchesFilter(cell: Cell, filter: ColumnFilter, text: string | null): boolean {
  if (filter.op === 'contains')
    return !isEmpty(cell) && (text ?? String(cell)).toLocaleLowerCase().includes(filter.value.toLocaleLowerCase())
  if (filter.op === 'is') return cell === filter.value
  if (isEmpty(cell)) return false
  const { from, to } = filter
  const within = (bound: string | number): number =>
    typeof bound === 'number' ? (numberOf(cell) ?? NaN) - bound : String(cell).slice(0, 10).localeCompare(bound)
  return (from === null || within(from) >= 0) && (to === null || within(to) <= 0)
}

/**
 * Which rows of a whole answer are shown, in order: places in `rows`. Empty cells come last in either direction, and so
 * does *Other*, which is no value of its column. `textOf`: what a cell is called, where it is not what it stands as.
 */
export function rowsInView(
  result: Pick<QueryResult, 'rows' | 'otherRow'> & { columns?: QueryResult['columns'] },
  { sort, filters }: TableView,
  textOf: (cell: Cell, column: number) => string | null = () => null,
): number[] {
  const { rows, otherRow } = result
  const shown = rows.flatMap((row, at) =>
    filters.every((filter) => {
      const cell = row[filter.column] ?? null
      return matchesFilter(cell, filter, textOf(cell, filter.column))
    })
      ? [at]
      : [],
  )
  if (!sort) return shown
  // Keys are sorted by what they are called.
  const isNamed = result.columns?.[sort.column]?.names !== undefined
  const cellOf = (at: number): Cell => {
    const cell = rows[at]?.[sort.column] ?? null
    return isNamed ? (textOf(cell, sort.column) ?? cell) : cell
  }
  const sign = sort.dir === 'asc' ? 1 : -1
  return shown.sort((a, b) => {
    if (a === otherRow || b === otherRow) return a === otherRow ? 1 : -1
    const [x, y] = [cellOf(a), cellOf(b)]
    if (isEmpty(x) || isEmpty(y)) return Number(isEmpty(x)) - Number(isEmpty(y)) || a - b
    return sign * compareCells(x, y) || a - b
  })
}

/** The ways in which one word is commonly written: the warehouse compares texts letter by letter. */
function spellings(text: string): string[] {
  const lower = text.toLocaleLowerCase()
  const titled = lower.replace(/(^|\s)\p{L}/gu, (start) => start.toLocaleUpperCase())
  const capital = lower.charAt(0).toLocaleUpperCase() + lower.slice(1)
  return [...new Set([text, lower, text.toLocaleUpperCase(), titled, capital])]
}

function conditionsOf(filter: ColumnFilter, type: ColumnType | undefined): Condition[] {
  // The warehouse looks for parts of texts only; what is no number is no value of a column of numbers.
  if (filter.op === 'contains' && type !== 'text') {
    const value = numberOf(filter.value)
    return value === null ? [{ op: 'in', values: [] }] : [{ op: 'eq', value }]
  }
  if (filter.op === 'contains') return spellings(filter.value).map((value) => ({ op: 'contains', value }))
  if (filter.op === 'is') return [{ op: 'eq', value: filter.value }]
  const { from, to } = filter
  if (from !== null && to !== null) return [{ op: 'between', from, to }]
  if (from !== null) return [{ op: 'ge', value: from }]
  return to === null ? [] : [{ op: 'le', value: to }]
}

type HavingConditions = NonNullable<QueryPlan['having']>
type PlanSort = NonNullable<QueryPlan['sort']>[number]

const havingOf = (filter: ColumnFilter, measure: number): HavingConditions | null => {
  if (filter.op !== 'range') return null
  const bound = (op: 'ge' | 'le', value: string | number | null): HavingConditions =>
    typeof value === 'number' ? [{ measure, op, value }] : []
  return [...bound('ge', filter.from), ...bound('le', filter.to)]
}

/** Place of a column among those of its kind: the n-th dimension, the n-th measure. */
const placeOf = (columns: readonly ResultColumn[], at: number): number =>
  columns.slice(0, at).filter(({ kind }) => kind === columns[at]?.kind).length

function sortOf(columns: readonly ResultColumn[], { column: at, dir }: TableSort): PlanSort | null {
  const column = columns[at]
  if (column?.kind === 'measure') return { by: { measure: placeOf(columns, at) }, dir }
  if (column?.kind === 'dimension') return { by: { dimension: placeOf(columns, at) }, dir }
  // An amount in another currency stands beside the column it is from, which has its place in the question.
  if (!column?.field) return null
  return { by: { column: columns.slice(0, at).filter(({ field }) => field !== undefined).length }, dir }
}

/** What a filter adds to the question; null where the question has no words for it. */
function filterOf(
  { plan, columns }: ViewedAnswer,
  filter: ColumnFilter,
): { filters: FieldFilter[]; having: HavingConditions } | null {
  const column = columns[filter.column]
  const any = conditionsOf(filter, column?.type)
  if (column?.field) return { filters: any.length > 0 ? [{ field: column.field, any }] : [], having: [] }
  const place = placeOf(columns, filter.column)
  if (column?.kind === 'measure') {
    const having = havingOf(filter, place)
    return having && { filters: [], having }
  }
  const dimension = column?.kind === 'dimension' ? plan.dimensions[place] : undefined
  // Through a grouping the values are names of groups, and beside a top-N a filter would change what *Other* is.
  if (
    !dimension ||
    dimension.part ||
    dimension.bins ||
    dimension.grouping ||
    dimension.topN !== undefined ||
    any.length === 0
  )
    return null
  return dimension.grain ? null : { filters: [{ field: dimension.label ?? dimension.field, any }], having: [] }
}

interface ViewedAnswer {
  plan: QueryPlan
  columns: readonly ResultColumn[]
}

/**
 * The question whose answer is what is looked at, for answers of which only a part is here; null where the view cannot
 * be asked for. `columns` are those of the answer to `plan`.
 */
export function viewedPlan(answer: ViewedAnswer, { sort, filters }: TableView): QueryPlan | null {
  const { plan, columns } = answer
  const asked = sort && sortOf(columns, sort)
  const parts = filters.map((filter) => filterOf(answer, filter))
  if ((sort && !asked) || parts.includes(null)) return null
  const having = [...(plan.having ?? []), ...parts.flatMap((part) => part?.having ?? [])]
  return {
    ...plan,
    ...(asked ? { sort: [asked] } : {}),
    filters: [...plan.filters, ...parts.flatMap((part) => part?.filters ?? [])],
    ...(having.length > 0 ? { having } : {}),
  }
}
