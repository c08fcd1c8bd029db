import { ProductError } from '../shared/errors'
import { isId, type IdKind } from '../shared/ids'
import type { ListPage } from '../shared/field-schemas'

/** Where a page ends in a list with the newest first: by instant (epoch ms), then by id. */
export interface CursorPosition {
  at: number
  id: string
}

export const encodeCursor = ({ at, id }: CursorPosition): string => `${at}.${id}`

/**
 * The place that a cursor names; null without one.
 * @param kinds of the things in the list
 * @throws ProductError `invalid_input` for anything we did not write ourselves
 */
export function decodeCursor(cursor: string | undefined, ...kinds: [IdKind, ...IdKind[]]): CursorPosition | null {
  if (cursor === undefined) return null
  const [at = '', id = '', ...more] = cursor.split('.')
  if (more.length > 0 || !/^\d{1,15}$/.test(at) || !kinds.some((kind) => isId(kind, id)))
    throw new ProductError('invalid_input', { fields: { cursor: 'Start from the first page.' } })
  return { at: Number(at), id }
}

/** A page of rows, of which one more than `limit` was read where there are more. */
export function toPage<Row, Item>(
  rows: readonly Row[],
  { limit, item, cursor }: { limit: number; item: (row: Row) => Item; cursor: (last: Row) => string },
): ListPage<Item> {
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return { items: shown.map((row) => item(row)), nextCursor: last === undefined ? null : cursor(last) }
}
