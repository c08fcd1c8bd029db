import type { QueryField } from './graphql.ts'

/** A refusal of a query, as it stands in the body of a success. */
export class QueryRefusal extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

export interface StoreRecord {
  id: string
  createdAt: string
  updatedAt: string
  [field: string]: unknown
}
/** Lists of objects that are paged through by a cursor; a plain array is a plain list. */
export class Connection {
  readonly items: readonly StoreRecord[]
  constructor(items: readonly StoreRecord[]) {
    this.items = items
  }
}

const FIRST_MAX = 250
const numberOf = (id: string): number => Number(id.slice(id.lastIndexOf('/') + 1))
const cursorOf = (key: string, { id }: StoreRecord): string => btoa(JSON.stringify({ key, id: numberOf(id) }))

/** What is searched for: a moment of the last change, and states of payment. Others are refused, so that none is ignored. */
function matcherOf(query: unknown): (record: StoreRecord) => boolean {
  if (typeof query !== 'string' || query === '') return () => true
  const tests = query.split(' AND ').map((term) => {
    const changed = /^updated_at:>='([^']+)'$/.exec(term)?.[1]
    if (changed !== undefined) return ({ updatedAt }: StoreRecord) => updatedAt >= changed
    const states = [...term.matchAll(/financial_status:(\w+)/g)].map(([, state = '']) => state.toUpperCase())
    if (states.length === 0) throw new QueryRefusal('BAD_REQUEST', `Unknown search: ${term}`)
    return (record: StoreRecord) => states.includes(String(record['displayFinancialStatus']))
  })
  return (record) => tests.every((test) => test(record))
}

/** Sorted by number, or by the moment of the last change. */
const keyOf = (sort: unknown, record: StoreRecord): string =>
  sort === 'UPDATED_AT'
    ? `${record.updatedAt} ${String(numberOf(record.id)).padStart(12, '0')}`
    : String(numberOf(record.id)).padStart(12, '0')

function pageOf(connection: Connection, { args, fields, name }: QueryField): Record<string, unknown> {
  const { first, after, sortKey, query } = args
  if (typeof first !== 'number')
    throw new QueryRefusal('BAD_REQUEST', `you must provide one of first or last on ${name}`)
  if (first < 1 || first > FIRST_MAX) throw new QueryRefusal('BAD_REQUEST', `first must be between 1 and ${FIRST_MAX}`)
  const matches = matcherOf(query)
  const sorted = connection.items
    .filter(matches)
    .map((record) => ({ record, key: keyOf(sortKey, record) }))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
  const from = typeof after === 'string' ? keyAfter(after) : ''
  const left = sorted.filter(({ key }) => key > from)
  const page = left.slice(0, first)
  const edges = page.map(({ record, key }) => ({ cursor: cursorOf(key, record), node: record }))
  const whole = {
    edges,
    nodes: page.map(({ record }) => record),
    pageInfo: { hasNextPage: left.length > page.length, endCursor: edges.at(-1)?.cursor ?? null },
  }
  return selected(whole, fields ?? [])
}

function keyAfter(cursor: string): string {
  try {
    return String(JSON.parse(atob(cursor)).key)
  } catch {
    throw new QueryRefusal('BAD_REQUEST', 'Invalid cursor for current pagination sort.')
  }
}

/** What a selection asks of an object. @throws QueryRefusal for a field that it has not */
export function selected(object: object, fields: readonly QueryField[]): Record<string, unknown> {
  return Object.fromEntries(
    fields.map((field) => {
      const value: unknown = Object.entries(object).find(([name]) => name === field.name)?.[1]
      if (value === undefined) throw new QueryRefusal('undefinedField', `Field '${field.name}' doesn't exist`)
      return [field.alias, answerOf(value, field)]
    }),
  )
}

function answerOf(value: unknown, field: QueryField): unknown {
  if (value instanceof Connection) return pageOf(value, field)
  if (value === null || field.fields === null) return value
  const { fields, args } = field
  if (!Array.isArray(value)) return typeof value === 'object' ? selected(value, fields) : value
  const first = typeof args['first'] === 'number' ? args['first'] : value.length
  return value.slice(0, first).map((each: object) => selected(each, fields))
}
