import { extractTables, type ExtractedFile } from './extract-tables'
import { LeasedSemaphore } from './leased-semaphore'
import { requireUpload } from './service'
import { cleanTableName } from './extracted-tables'
import { uploadStore, type NewTableUpload, type UploadRow, type StoredTableInfo } from './store'
import type { Scope } from '../../identity/scope'
import { commit } from '../../db/commit'
import type { Deps } from '../../deps'
import type { ReplyFactory } from '../../http/idempotency'
import { ProductError } from '../../shared/errors'
import type { OpenedUpload, UploadTable } from '../../shared/data-sources/files'
import { WORKSPACE_MAX_BYTES } from '../../shared/limits'

/** An opening that has not been heard of for this long is dead. */
const OPENING_LEASE_MS = 20_000
const LEASE_RENEW_MS = 5_000
/** Readers offer a turn after every 64 kB. */
const YIELD_EVERY_FLUSHES = 4
/** How long a caller waits for those before it, and how often it looks. */
const MAX_WAIT_MS = 3 * 60_000
const POLL_MS = 250
/** Of one isolate; the wide ones hold some 60 MB of its 128. */
const openingSlots = new LeasedSemaphore(1)

interface OpenUploadRequest {
  scope: Scope
  id: string
  reply: ReplyFactory
}

/**
 * The tables of a complete upload. A file is taken apart once; who asks while that is going on waits for the result.
 * @throws ProductError `file_unreadable`, `too_large`, `busy` when another opening takes too long.
 */
export async function openUpload(deps: Deps, request: OpenUploadRequest): Promise<OpenedUpload> {
  const giveUpAt = deps.clock.now() + MAX_WAIT_MS
  for (;;) {
    const upload = await requireUpload(deps, request.scope, request.id)
    if (upload.state !== 'complete') throw new ProductError('bad_request', {}, 'Finish the upload first.')
    const known = await findOpenedTables(deps, request.scope, upload)
    if (known) return known
    const now = deps.clock.now()
    const token = deps.ids.token(16)
    const store = uploadStore(deps.db, request.scope)
    if (openingSlots.acquire(token, now)) {
      try {
        if (await store.acquireOpenLease(upload.id, { token, now, until: now + OPENING_LEASE_MS }))
          return await openWithLease(deps, { ...request, upload, token })
      } finally {
        openingSlots.release(token)
      }
    }
    if (now >= giveUpAt) throw openingBusyError()
    await scheduler.wait(POLL_MS)
  }
}

const openingBusyError = (): ProductError =>
  new ProductError(
    'busy',
    { retryAfter: 10 },
    'This file has not been opened yet: others are before it. Try again in a moment.',
  )

/** What an earlier opening found; a table out of a file is its own. */
async function findOpenedTables(deps: Deps, scope: Scope, upload: UploadRow): Promise<OpenedUpload | null> {
  if (upload.tableInfo) {
    const { kind } = upload.tableInfo
    return { kind, tables: [toUploadTable(upload.id, upload.tableInfo)], warnings: upload.opened?.warnings ?? [] }
  }
  if (!upload.opened) return null
  const tables = await uploadStore(deps.db, scope).tablesOf(upload.id)
  return {
    ...upload.opened,
    tables: tables.flatMap(({ id, tableInfo }) => (tableInfo ? [toUploadTable(id, tableInfo)] : [])),
  }
}

const toUploadTable = (uploadId: string, { hints: _inside, ...info }: StoredTableInfo): UploadTable => ({
  uploadId,
  ...info,
})

async function openWithLease(
  deps: Deps,
  request: OpenUploadRequest & { upload: UploadRow; token: string },
): Promise<OpenedUpload> {
  const { scope, upload, token } = request
  const store = uploadStore(deps.db, scope)
  try {
    const opened = await extractTables(upload, {
      files: deps.files,
      nextKey: () => `${upload.objectKey}/${deps.ids.token(16)}`,
      onFlush: createYielder(deps, token, (until) => store.renewOpenLease(upload.id, { token, until })),
    })
    return await saveOpenedUpload(deps, request, opened)
  } catch (error) {
    await store.renewOpenLease(upload.id, { token, until: 0 })
    throw error
  }
}

/** Lets others have their turn, and renews the lease now and then. */
function createYielder(
  deps: Deps,
  token: string,
  renewLease: (until: number) => Promise<unknown>,
): () => Promise<void> {
  let renewed = deps.clock.now()
  let offered = 0
  return async () => {
    if (offered++ % YIELD_EVERY_FLUSHES !== 0) return
    await scheduler.wait(1)
    const now = deps.clock.now()
    openingSlots.renew(token, now)
    if (now - renewed < LEASE_RENEW_MS) return
    renewed = now
    await renewLease(now + OPENING_LEASE_MS)
  }
}

async function saveOpenedUpload(
  deps: Deps,
  { scope, upload, token, reply }: OpenUploadRequest & { upload: UploadRow; token: string },
  opened: ExtractedFile & { drop: () => Promise<void> },
): Promise<OpenedUpload> {
  const { kind, warnings } = opened
  const own = opened.kind === 'csv' ? csvTableInfo(upload, opened.own) : null
  const tables: NewTableUpload[] =
    opened.kind === 'csv'
      ? []
      : opened.tables.map(({ info, object }) => ({ id: deps.ids.next('upload'), info, ...object }))
  const views = own ? [toUploadTable(upload.id, own)] : tables.map(({ id, info }) => toUploadTable(id, info))
  const answer: OpenedUpload = { kind, tables: views, warnings }
  try {
    await commit(deps, {
      change: uploadStore(deps.db, scope).saveOpened(upload, { token, opened: { kind, warnings }, own, tables }),
      reply: reply(answer),
      expect: { onMissed: () => new ProductError('too_large', { what: 'workspace', max: WORKSPACE_MAX_BYTES }) },
    })
  } catch (error) {
    await opened.drop()
    // Where this one seemed dead, another may have been first.
    const known = await findOpenedTables(deps, scope, await requireUpload(deps, scope, upload.id))
    if (known) return known
    const isMine = await uploadStore(deps.db, scope).renewOpenLease(upload.id, { token, until: 0 })
    throw isMine ? error : openingBusyError()
  }
  return answer
}

const csvTableInfo = (upload: UploadRow, facts: { rowCount: number; columnCount: number }): StoredTableInfo => ({
  name: cleanTableName(upload.fileName.replace(/\.[^.]{1,5}$/, '')),
  kind: 'csv',
  ...facts,
  optional: false,
  warnings: [],
  hints: [],
})
