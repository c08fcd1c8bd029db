import { deletedStore } from './store'
import type { DeletedRow, Position } from './store'
import type { z } from 'zod'
import type { Scope } from '../../access/scope'
import type { Deps } from '../../deps'
import type { DeletedItem } from '../../shared/deleted'
import { ProductError } from '../../shared/errors'
import { DELETED_KEPT_MS } from '../../shared/limits'
import type { listQuerySchema, Page } from '../../shared/names'

const iso = (at: number): string => new Date(at).toISOString()
const view = ({ deletedAt, ...row }: DeletedRow): DeletedItem => ({
  ...row,
  deletedAt: iso(deletedAt),
  until: iso(deletedAt + DELETED_KEPT_MS),
})

/** What can still be brought back, the newest first. */
export async function listDeleted(
  deps: Deps,
  scope: Scope,
  ask: z.output<typeof listQuerySchema>,
): Promise<Page<DeletedItem>> {
  const since = deps.clock.now() - DELETED_KEPT_MS
  const rows = await deletedStore(deps.db, scope).list({ since, after: positionOf(ask.cursor), limit: ask.limit + 1 })
  const shown = rows.slice(0, ask.limit)
  const last = rows.length > ask.limit ? shown.at(-1) : undefined
  return { items: shown.map(view), nextCursor: last ? `${last.deletedAt}.${last.id}` : null }
}

/** @throws ProductError `invalid_input` for anything we did not write ourselves */
function positionOf(cursor: string | undefined): Position | null {
  if (cursor === undefined) return null
  const [, at, id] = /^(\d{1,15})\.([a-z]{2,4}_[0-9a-z]{20})$/.exec(cursor) ?? []
  if (at === undefined || id === undefined)
    throw new ProductError('invalid_input', { fields: { cursor: 'Start from the first page.' } })
  return { at: Number(at), id }
}
