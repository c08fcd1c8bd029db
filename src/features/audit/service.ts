import { watchRights } from '../../identity/access/rights-watch'
import { Temporal } from 'temporal-polyfill'
import type { z } from 'zod'
import { auditStore, type AuditFilter } from './store'
import { workspaceAuditEntry } from '../../db/audit'
import { auditStatement } from '../../db/commit'
import { streamCsv } from '../../http/download'
import { encodeCursor, decodeCursor, toPage, type CursorPosition } from '../../http/pagination'
import type { RequestContext } from '../../http/request-context'
import type { AuditItem, exportAuditSchema, listAuditSchema } from '../../shared/audit'
import { ProductError } from '../../shared/errors'
import type { ListPage } from '../../shared/field-schemas'

type AuditFilters = z.output<typeof exportAuditSchema>

/** A longer file is no list anybody reads, and asks the database too often in one call. */
export const AUDIT_EXPORT_MAX = 100_000
const PAGE_ROWS = 1_000

/** The newest first. Lines that are written meanwhile move none that was there. */
export async function listAudit(
  context: RequestContext,
  input: z.output<typeof listAuditSchema>,
): Promise<ListPage<AuditItem>> {
  const { cursor, limit, ...filters } = input
  const found = await auditStore(context.deps.db, context.scope).list(toStoreFilter(context, filters), {
    limit: limit + 1,
    after: decodeCursor(cursor, 'audit'),
  })
  return toPage(found, {
    limit,
    item: (line) => line,
    cursor: ({ at, id }) => encodeCursor({ at: Date.parse(at), id }),
  })
}

/** Days are those of the workspace's zone; a day may have 23 or 25 hours. */
function toStoreFilter(
  { membership }: RequestContext,
  { actor, action, entityId, from, to }: AuditFilters,
): AuditFilter {
  const { timeZone } = membership.settings
  const startOf = (day: string, later: number): number =>
    Temporal.PlainDate.from(day).add({ days: later }).toZonedDateTime(timeZone).epochMilliseconds
  return {
    actor: actor ?? null,
    action: action ?? null,
    entityId: entityId ?? null,
    from: from === undefined ? null : startOf(from, 0),
    to: to === undefined ? null : startOf(to, 1),
  }
}

export interface AuditFile {
  fileName: string
  body: ReadableStream<Uint8Array>
}

/**
 * The same list as a CSV file, written while it is read; taking it along is itself a line of the log.
 * @throws ProductError `too_large` with the count, before anything is sent
 */
export async function exportAudit(context: RequestContext, filters: AuditFilters): Promise<AuditFile> {
  const { deps, scope, membership } = context
  const now = deps.clock.now()
  // Nothing that happens from here on is in the file, its own line neither.
  const requestedFilter = toStoreFilter(context, filters)
  const filter = { ...requestedFilter, to: Math.min(requestedFilter.to ?? now, now) }
  const size = await auditStore(deps.db, scope).count(filter)
  if (size > AUDIT_EXPORT_MAX) {
    const message = `Too many lines: ${size.toLocaleString('en')} of at most ${AUDIT_EXPORT_MAX.toLocaleString('en')}. Choose fewer days.`
    throw new ProductError('too_large', { what: 'lines', size, max: AUDIT_EXPORT_MAX }, message)
  }
  const entry = workspaceAuditEntry(scope, 'audit.export', { after: filters })
  await (await auditStatement(deps, entry, now)).run()
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(membership.settings.timeZone)
  const fileName = `${membership.workspaceName} audit log ${today.toPlainDate().toString()}.csv`
  return { fileName, body: streamCsv(csvRows(context, filter)) }
}

const HEADINGS = [
  ...['Time (UTC)', 'Person', 'Person ID', 'Event', 'Action', 'Type', 'ID'],
  ...['Hash before', 'Hash after', 'Country'],
]

async function* csvRows({ deps, scope }: RequestContext, filter: AuditFilter): AsyncGenerator<(string | null)[]> {
  yield HEADINGS
  const stillAllowed = await watchRights(deps, scope)
  const store = auditStore(deps.db, scope)
  for (let after: CursorPosition | null = null; ;) {
    const items: AuditItem[] = await store.list(filter, { limit: PAGE_ROWS, after })
    yield* items.map(({ at, actor, words, action, entity, entityId, beforeHash, afterHash, country }) => {
      const who = [actor?.name ?? null, actor?.userId ?? null]
      return [at, ...who, words, action, entity, entityId, beforeHash, afterHash, country]
    })
    const last = items.at(-1)
    if (!last || items.length < PAGE_ROWS) return
    await stillAllowed()
    after = { at: Date.parse(last.at), id: last.id }
  }
}
