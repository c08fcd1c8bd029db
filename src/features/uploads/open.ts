import { openFile } from './open-file'
import type { Opened } from './open-file'
import { OpeningTurns } from './opening-turns'
import { uploadOf } from './service'
import { tableName } from './stored-tables'
import { uploadStore } from './store'
import type { NewTable, UploadRow } from './store'
import type { StoredTableInfo } from '../../db/schema'
import type { Scope } from '../../access/scope'
import { commit } from '../../db/commit'
import type { Deps } from '../../deps'
import type { Reply } from '../../http/idempotency'
import { ProductError } from '../../shared/errors'
import type { OpenedUpload, UploadTable } from '../../shared/files'
import { WORKSPACE_MAX_BYTES } from '../../shared/limits'

/** An opening that has not been heard of for this long is dead. */
const OPENING_LEASE_MS = 20_000
const RENEW_MS = 5_000
/** Readers offer a turn after every 64 kB. */
const PAUSE_EVERY = 4
/** How long a caller waits for those before it, and how often it looks. */
const WAIT_MS = 3 * 60_000
const LOOK_MS = 250
/** Of one isolate; the wide ones hold some 60 MB of its 128. */
const turns = new OpeningTurns(1)

interface Asked {
  scope: Scope
  id: string
  reply: Reply
}

/**
 * The tables of a complete upload. A file is taken apart once; who asks while that is going on waits for the result.
 * @throws ProductError `file_unreadable`, `too_large`, `busy` when another opening takes too long.
 */
export async function openUpload(deps: Deps, asked: Asked): Promise<OpenedUpload> {
  const giveUpAt = deps.clock.now() + WAIT_MS
  for (;;) {
    const upload = await uploadOf(deps, asked.scope, asked.id)
    if (upload.state !== 'complete') throw new ProductError('bad_request', {}, 'Finish the upload first.')
    const known = await knownTables(deps, asked.scope, upload)
    if (known) return known
    const now = deps.clock.now()
    const token = deps.ids.token(16)
    const store = uploadStore(deps.db, asked.scope)
    if (turns.take(token, now)) {
      try {
        if (await store.beginOpening(upload.id, { token, now, until: now + OPENING_LEASE_MS }))
          return await openNow(deps, { ...asked, upload, token })
      } finally {
        turns.leave(token)
      }
    }
    if (now >= giveUpAt) throw stillOpening()
    await scheduler.wait(LOOK_MS)
  }
}

const stillOpening = (): ProductError =>
  new ProductError(
    'busy',
    { retryAfter: 10 },
    'This file has not been opened yet: others are before it. Try again in a moment.',
  )

/** What an earlier opening found; a table out of a file is its own. */
async function knownTables(deps: Deps, scope: Scope, upload: UploadRow): Promise<OpenedUpload | null> {
  if (upload.tableInfo) {
    const { kind } = upload.tableInfo
    return { kind, tables: [viewTable(upload.id, upload.tableInfo)], warnings: upload.opened?.warnings ?? [] }
  }
  if (!upload.opened) return null
  const tables = await uploadStore(deps.db, scope).tablesOf(upload.id)
  return {
    ...upload.opened,
    tables: tables.flatMap(({ id, tableInfo }) => (tableInfo ? [viewTable(id, tableInfo)] : [])),
  }
}

const viewTable = (uploadId: string, { hints: _inside, ...info }: StoredTableInfo): UploadTable => ({
  uploadId,
  ...info,
})

async function openNow(deps: Deps, asked: Asked & { upload: UploadRow; token: string }): Promise<OpenedUpload> {
  const { scope, upload, token } = asked
  const store = uploadStore(deps.db, scope)
  try {
    const opened = await openFile(upload, {
      files: deps.files,
      nextKey: () => `${upload.objectKey}/${deps.ids.token(16)}`,
      breathe: breather(deps, token, (until) => store.keepOpening(upload.id, { token, until })),
    })
    return await remember(deps, asked, opened)
  } catch (error) {
    await store.keepOpening(upload.id, { token, until: 0 })
    throw error
  }
}

/** Lets others have their turn, and renews the lease now and then. */
function breather(deps: Deps, token: string, keep: (until: number) => Promise<unknown>): () => Promise<void> {
  let renewed = deps.clock.now()
  let offered = 0
  return async () => {
    if (offered++ % PAUSE_EVERY !== 0) return
    await scheduler.wait(1)
    const now = deps.clock.now()
    turns.keep(token, now)
    if (now - renewed < RENEW_MS) return
    renewed = now
    await keep(now + OPENING_LEASE_MS)
  }
}

async function remember(
  deps: Deps,
  { scope, upload, token, reply }: Asked & { upload: UploadRow; token: string },
  opened: Opened & { drop: () => Promise<void> },
): Promise<OpenedUpload> {
  const { kind, warnings } = opened
  const own = opened.kind === 'csv' ? ownTable(upload, opened.own) : null
  const tables: NewTable[] =
    opened.kind === 'csv'
      ? []
      : opened.tables.map(({ info, object }) => ({ id: deps.ids.next('upload'), info, ...object }))
  const views = own ? [viewTable(upload.id, own)] : tables.map(({ id, info }) => viewTable(id, info))
  const answer: OpenedUpload = { kind, tables: views, warnings }
  try {
    await commit(deps, {
      change: uploadStore(deps.db, scope).open(upload, { token, opened: { kind, warnings }, own, tables }),
      reply: reply(answer),
      expect: { onMissed: () => new ProductError('too_large', { what: 'workspace', max: WORKSPACE_MAX_BYTES }) },
    })
  } catch (error) {
    await opened.drop()
    // Where this one seemed dead, another may have been first.
    const known = await knownTables(deps, scope, await uploadOf(deps, scope, upload.id))
    if (known) return known
    const isMine = await uploadStore(deps.db, scope).keepOpening(upload.id, { token, until: 0 })
    throw isMine ? error : stillOpening()
  }
  return answer
}

const ownTable = (upload: UploadRow, facts: { rowCount: number; columnCount: number }): StoredTableInfo => ({
  name: tableName(upload.fileName.replace(/\.[^.]{1,5}$/, '')),
  kind: 'csv',
  ...facts,
  optional: false,
  warnings: [],
  hints: [],
})
