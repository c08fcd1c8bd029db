import { extractTables, isSmallToOpen, type ExtractedFile } from './extract-tables'
import { OpeningTurns, type OpeningArrival, type OpeningLane, type OpeningTicket } from './opening-turns'
import { OutputBudget } from './output-budget'
import { requireUpload } from './service'
import { cleanTableName, FLUSH_DUE_BYTES } from './extracted-tables'
import type { OfferTurn } from './object-writer'
import { r2ByteSource } from './r2-byte-source'
import { uploadStore, type NewTableUpload, type UploadRow, type StoredTableInfo } from './store'
import type { Scope } from '../../scope'
import { commit } from '../../db/commit'
import type { Deps } from '../../deps'
import type { ByteSource } from '../../formats/contract'
import type { ReplyFactory } from '../../http/idempotency'
import { ProductError } from '../../shared/errors'
import type { OpenedUpload, UploadTable } from '../../shared/data-sources/files'
import { WORKSPACE_STORED_MAX_BYTES } from '../../shared/limits'

/** An opening that has not been heard of for this long is dead. */
const OPENING_LEASE_MS = 20_000
const LEASE_RENEW_MS = 5_000
/**
 * After so many bytes read and written it is looked whether others should have their turn: at once where another file is
 * opened or waits, else when it was so long since the last turn, or so much was done.
 */
const PIECE_BYTES = 256 * 1024
const STRETCH_MS = 8
const STRETCH_BYTES = 2 * 1024 * 1024
/** How long an opening pauses at most for others after a piece, and how often it looks whether they are done. */
const PAUSE_MAX_MS = 200
const PAUSE_POLL_MS = 5
/** How long a caller waits for those before it, and how often it looks: for its turn here, for the end of one elsewhere. */
export const MAX_WAIT_MS = 3 * 60_000
const TURN_POLL_MS = 15
const LEASE_POLL_MS = 250
/** What one opening may take, and never as long as those behind it wait; a file of ours takes a fiftieth. */
const OPENING_FREE_MS = 30_000
const OPENING_MS_PER_MB = 2_000
const OPENING_MAX_MS = 2 * 60_000
/** How long the opening of a file of so many bytes may take, ms. */
export const openingMaxMs = (bytes: number): number =>
  Math.min(OPENING_MAX_MS, OPENING_FREE_MS + (OPENING_MS_PER_MB * bytes) / (1024 * 1024))
/** What was read of a file of so many bytes is kept while it waits for its turn. */
const HELD_FILE_MAX_BYTES = 64 * 1024
/** Of one isolate. */
const openingTurns = new OpeningTurns()

interface OpenUploadRequest {
  scope: Scope
  id: string
  reply: ReplyFactory
}

/**
 * The tables of a complete upload. A file is taken apart once; who asks while that is going on waits for the result. Of a
 * workspace one file is opened at a time, here and in every other isolate.
 * @throws ProductError `file_unreadable`, `too_large`, `busy` when the openings before it take too long.
 */
export async function openUpload(deps: Deps, request: OpenUploadRequest): Promise<OpenedUpload> {
  const { scope } = request
  const giveUpAt = deps.clock.now() + MAX_WAIT_MS
  const found = await joinOpenings(deps, request, giveUpAt)
  if ('known' in found) return found.known
  const { upload, source } = found
  let { ticket } = found
  try {
    for (;;) {
      const own = ticket
      await waitUntil(deps, () => openingTurns.isNext(own, deps.clock.now()), giveUpAt)
      const now = deps.clock.now()
      if (!openingTurns.acquire(ticket, now)) continue
      const token = deps.ids.token(16)
      const lease = { token, now, until: now + OPENING_LEASE_MS }
      const isMine = await uploadStore(deps.db, scope).acquireOpenLease(upload.id, lease)
      const opened = isMine ? await openWithLease(deps, { ...request, upload, source, token, ticket }) : null
      if (opened) return opened
      openingTurns.leave(ticket, deps.clock.now())
      const { known } = await findUpload(deps, request)
      if (known) return known
      if (isMine) ticket = joinTurns(deps, ticket, 'wide')
      else await waitForOther(deps, giveUpAt)
    }
  } finally {
    openingTurns.leave(ticket, deps.clock.now())
  }
}

/** A moment for the opening elsewhere that holds the workspace's lease. @throws ProductError `busy` after the last one */
async function waitForOther({ clock }: Pick<Deps, 'clock'>, giveUpAt: number): Promise<void> {
  if (clock.now() >= giveUpAt) throw openingBusyError()
  await scheduler.wait(LEASE_POLL_MS)
}

/** @throws ProductError `busy` when too many wait */
function joinTurns(
  { clock }: Pick<Deps, 'clock'>,
  { workspaceId, arrivedAt }: OpeningArrival,
  lane: OpeningLane,
): OpeningTicket {
  const ticket = openingTurns.join(workspaceId, lane, clock.now(), arrivedAt)
  if (!ticket) throw openingBusyError()
  return ticket
}

/** A place in the list for a file that is not opened yet. @throws ProductError `busy` when too many wait */
async function joinOpenings(
  deps: Deps,
  request: OpenUploadRequest,
  giveUpAt: number,
): Promise<{ known: OpenedUpload } | { upload: UploadRow; ticket: OpeningTicket; source?: ByteSource }> {
  const { workspaceId } = request.scope
  const arrival = openingTurns.arrive(workspaceId, deps.clock.now())
  if (!arrival) throw openingBusyError()
  try {
    await waitUntil(deps, () => openingTurns.isLookupNext(arrival, deps.clock.now()), giveUpAt)
    const { upload, known } = await findUpload(deps, request)
    if (known) return { known }
    const source = r2ByteSource(deps.files, upload)
    const lane = (await isSmallToOpen(source)) ? 'small' : 'wide'
    const ticket = joinTurns(deps, arrival, lane)
    return upload.size > HELD_FILE_MAX_BYTES ? { upload, ticket } : { upload, ticket, source }
  } finally {
    openingTurns.depart(arrival)
  }
}

/** A complete upload, and what an earlier opening found in it. */
async function findUpload(
  deps: Deps,
  { scope, id }: OpenUploadRequest,
): Promise<{ upload: UploadRow; known: OpenedUpload | null }> {
  const upload = await requireUpload(deps, scope, id)
  if (upload.state !== 'complete') throw new ProductError('bad_request', {}, 'Finish the upload first.')
  return { upload, known: await findOpenedTables(deps, scope, upload) }
}

/** @throws ProductError `busy` after the last moment */
async function waitUntil({ clock }: Pick<Deps, 'clock'>, isTime: () => boolean, giveUpAt: number): Promise<void> {
  while (!isTime()) {
    if (clock.now() >= giveUpAt) throw openingBusyError()
    await scheduler.wait(TURN_POLL_MS)
  }
}

const openingBusyError = (): ProductError =>
  new ProductError('busy', { retryAfter: 10 }, 'Server busy. Try again shortly.')

const openingTooLongError = (): ProductError =>
  new ProductError(
    'too_large',
    { what: 'file' },
    'This file takes too long to open. Split it, or save its tables as CSV, and upload those.',
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

interface HeldOpening extends OpenUploadRequest {
  upload: UploadRow
  /** Where it is held since it was looked up. */
  source: ByteSource | undefined
  token: string
  ticket: OpeningTicket
}

/** Thrown out of an opening that takes the memory of a wide one while another has that turn. */
class WideTurnNeeded extends Error {}

/** @returns null when it has to begin again with a wide turn */
async function openWithLease(deps: Deps, opening: HeldOpening): Promise<OpenedUpload | null> {
  const { scope, upload, source, token, ticket } = opening
  const budget = new OutputBudget(upload.size)
  const { offerTurn, settle } = createYielder(deps, opening, budget)
  await pauseForOthers(deps, ticket, 0)
  try {
    const opened = await extractTables(upload, {
      files: deps.files,
      nextKey: () => `${upload.objectKey}/${deps.ids.token(16)}`,
      budget,
      offerTurn,
      ...(source ? { source } : {}),
    })
    return await saveOpenedUpload(deps, opening, opened)
  } catch (error) {
    settle()
    await uploadStore(deps.db, scope).renewOpenLease(upload.id, { token, until: 0 })
    if (error instanceof WideTurnNeeded) return null
    throw error
  }
}

interface Yielder {
  offerTurn: OfferTurn
  /** Counts what was done since the last turn of others: a refused opening may have done all of it in one go. */
  settle: () => void
}

/** Lets others have their turn, renews the lease now and then, and ends what takes too long. */
function createYielder(deps: Deps, { scope, upload, token, ticket }: HeldOpening, budget: OutputBudget): Yielder {
  const begun = deps.clock.now()
  const maxMs = openingMaxMs(upload.size)
  let renewed = begun
  let paused = begun
  let piece = 0
  let done = 0
  const settle = (): void => {
    openingTurns.worked(ticket, done + piece + budget.stretch, deps.clock.now())
  }
  const offerTurn: OfferTurn = async (bytes) => {
    piece += bytes
    if (piece < PIECE_BYTES && budget.stretch < FLUSH_DUE_BYTES) return
    done += piece
    piece = 0
    budget.endStretch()
    if (budget.isMuch && ticket.lane === 'small' && !openingTurns.widen(ticket)) throw new WideTurnNeeded()
    if (
      done < STRETCH_BYTES &&
      deps.clock.now() - paused < STRETCH_MS &&
      openingTurns.isAlone(ticket, deps.clock.now())
    )
      return
    await pauseForOthers(deps, ticket, done)
    done = 0
    const now = deps.clock.now()
    paused = now
    if (now - begun > maxMs) throw openingTooLongError()
    if (now - renewed < LEASE_RENEW_MS) return
    renewed = now
    await uploadStore(deps.db, scope).renewOpenLease(upload.id, { token, until: now + OPENING_LEASE_MS })
  }
  return { offerTurn, settle }
}

/** A moment for whatever else waits for this thread, and a longer one for openings that are to go first. */
async function pauseForOthers({ clock }: Pick<Deps, 'clock'>, ticket: OpeningTicket, done: number): Promise<void> {
  const until = clock.now() + PAUSE_MAX_MS
  let isToPause = openingTurns.worked(ticket, done, clock.now())
  await scheduler.wait(0)
  while (isToPause && clock.now() < until) {
    await scheduler.wait(PAUSE_POLL_MS)
    isToPause = openingTurns.isToPause(ticket, clock.now())
  }
}

async function saveOpenedUpload(
  deps: Deps,
  { scope, upload, token, reply }: OpenUploadRequest & { upload: UploadRow; token: string },
  opened: ExtractedFile & { drop: () => Promise<void> },
): Promise<OpenedUpload> {
  const { kind, warnings } = opened
  const own = opened.own ? csvTableInfo(upload, opened.own) : null
  const tables: NewTableUpload[] = opened.own
    ? []
    : opened.tables.map(({ info, object }) => ({ id: deps.ids.next('upload'), info, ...object }))
  const views = own ? [toUploadTable(upload.id, own)] : tables.map(({ id, info }) => toUploadTable(id, info))
  const answer: OpenedUpload = { kind, tables: views, warnings }
  try {
    await commit(deps, {
      change: uploadStore(deps.db, scope).saveOpened(upload, { token, opened: { kind, warnings }, own, tables }),
      reply: reply(answer),
      expect: { onMissed: () => new ProductError('too_large', { what: 'workspace', max: WORKSPACE_STORED_MAX_BYTES }) },
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
