import { z } from 'zod'
import { askStore, QueryTooCostlyError, type StoreAnswer } from './shopify-calls'
import { SHOPIFY } from './shopify-store'
import { pageQuery, partsQuery, type ShopifyList } from './shopify-streams'
import {
  SourceError,
  type Cell,
  type ConnectorContext,
  type Cursor,
  type ReadPage,
  type ReadRequest,
} from '../contract'
import { rowOf, type VendorRecord } from '../records'
import { unexpectedAnswer } from '../vendor-calls'

/** Changes of the last minutes are read again: one that began before may be told after. */
const OVERLAP_MS = 5 * 60_000

/** Between pages: behind which object, since when (epoch ms), when the sync began, and within which object we are. */
interface Position {
  after: string | null
  since: number
  began: number
  parent: string | null
  partsAfter: string | null
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

function positionOf(cursor: Cursor | null, { mode, now }: { mode: ReadRequest['mode']; now: number }): Position {
  const { since, began } = cursor ?? {}
  return {
    after: textOf(cursor?.['after']),
    since: mode === 'upsert' && typeof since === 'number' ? since : 0,
    began: typeof began === 'number' ? began : now,
    parent: textOf(cursor?.['parent']),
    partsAfter: textOf(cursor?.['partsAfter']),
  }
}

const pageInfoSchema = z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() })
const connectionSchema = z.object({
  edges: z.array(z.object({ cursor: z.string(), node: z.looseObject({ id: z.string() }) })),
  pageInfo: pageInfoSchema,
})
const partsSchema = z.object({ nodes: z.array(z.looseObject({})), pageInfo: pageInfoSchema })
const plainPartsSchema = z.array(z.looseObject({}))

/** Rows of one object, and behind which of its parts there are more. */
function partsOf(list: ShopifyList, node: VendorRecord): { rows: Cell[][]; more: string | null } {
  const { nested, columns } = list
  if (!nested) return { rows: [rowOf(node, columns)], more: null }
  const { [nested.field]: given, ...parent } = node
  const parsed = nested.pages ? partsSchema.safeParse(given) : plainPartsSchema.safeParse(given)
  if (!parsed.success) throw unexpectedAnswer(SHOPIFY)
  const { data } = parsed
  const parts = Array.isArray(data) ? data : data.nodes
  const info = Array.isArray(data) ? null : data.pageInfo
  // A plain list has no second page.
  if (info === null && parts.length >= nested.size)
    throw new SourceError('too_large', {
      message: `An order has more ${list.label.toLowerCase()} than we can read.`,
      mend: 'Remove this stream.',
    })
  if (info?.hasNextPage && !info.endCursor) throw unexpectedAnswer(SHOPIFY)
  return {
    rows: parts.map((part) => rowOf({ ...part, parent }, columns)),
    more: info?.hasNextPage ? (info.endCursor ?? null) : null,
  }
}

const searchOf = ({ filter }: ShopifyList, since: number): string | null => {
  const changed = since > 0 ? `updated_at:>='${new Date(since).toISOString()}'` : ''
  return [filter ?? '', changed].filter((part) => part !== '').join(' AND ') || null
}

/** A page as large as the budget and the store's limit of costs allow. */
async function askSmaller(ask: (scale: number) => Promise<StoreAnswer>): Promise<StoreAnswer> {
  for (let scale = 1; ; scale /= 2) {
    try {
      return await ask(scale)
    } catch (error) {
      if (!(error instanceof QueryTooCostlyError) || scale < 1 / 64) throw error
    }
  }
}
const scaled = (size: number, scale: number): number => Math.max(1, Math.floor(size * scale))

/** One page of a list. */
export async function readList(context: ConnectorContext, list: ShopifyList, request: ReadRequest): Promise<ReadPage> {
  const at = positionOf(request.cursor, { mode: request.mode, now: context.clock.now() })
  return at.parent === null ? readObjects(context, list, { at, request }) : readParts(context, list, { at, request })
}

interface PageRequest {
  at: Position
  request: ReadRequest
}

async function readObjects(
  context: ConnectorContext,
  list: ShopifyList,
  { at, request }: PageRequest,
): Promise<ReadPage> {
  const { maxRows } = request.budget
  const size = Math.min(list.nested?.size ?? 1, maxRows)
  const first = Math.max(1, Math.min(list.pageSize, Math.floor(maxRows / size)))
  const query = pageQuery(list, at.since > 0)
  const answer = await askSmaller((scale) =>
    askStore(context, query, {
      first: scaled(first, scale),
      after: at.after,
      query: searchOf(list, at.since),
      ...(list.nested ? { parts: list.nested.pages ? scaled(size, Math.min(1, scale * 8)) : list.nested.size } : {}),
    }),
  )
  const parsed = connectionSchema.safeParse(answer.data[list.root])
  if (!parsed.success) throw unexpectedAnswer(SHOPIFY)
  const { edges, pageInfo } = parsed.data
  const rows: Cell[][] = []
  for (const { cursor, node } of edges) {
    const found = partsOf(list, node)
    rows.push(...found.rows)
    // What comes behind an object of many parts is asked for again, once these are read.
    if (found.more !== null)
      return pageTo(rows, { ...at, after: cursor, parent: node.id, partsAfter: found.more }, answer.waitMs)
  }
  if (!pageInfo.hasNextPage) return lastPage(rows, at)
  const last = edges.at(-1)?.cursor ?? null
  // A page that ends where the one before did would go on for ever.
  if (last === null || last === at.after) throw unexpectedAnswer(SHOPIFY)
  return pageTo(rows, { ...at, after: last }, answer.waitMs)
}

/** Further parts of the object whose first ones stood in a page. */
async function readParts(
  context: ConnectorContext,
  list: ShopifyList,
  { at, request }: PageRequest,
): Promise<ReadPage> {
  const size = Math.min(100, request.budget.maxRows)
  const answer = await askSmaller((scale) =>
    askStore(context, partsQuery(list), { id: at.parent, parts: scaled(size, scale), after: at.partsAfter }),
  )
  const { order } = answer.data
  const objects = { ...at, parent: null, partsAfter: null }
  // It is gone meanwhile.
  if (order === null) return pageTo([], objects, answer.waitMs)
  const parsed = z.looseObject({ id: z.string() }).safeParse(order)
  if (!parsed.success) throw unexpectedAnswer(SHOPIFY)
  const { rows, more } = partsOf(list, parsed.data)
  if (more !== null && more === at.partsAfter) throw unexpectedAnswer(SHOPIFY)
  return pageTo(rows, more === null ? objects : { ...at, partsAfter: more }, answer.waitMs)
}

const pageTo = (rows: Cell[][], to: Position, waitMs: number): ReadPage => ({
  ...{ kind: 'rows', rows, cursor: { ...to }, done: false },
  ...(waitMs > 0 ? { retryAfterMs: waitMs } : {}),
})
const lastPage = (rows: Cell[][], { began }: Position): ReadPage => ({
  ...{ kind: 'rows', rows, cursor: { since: began - OVERLAP_MS }, done: true },
})
