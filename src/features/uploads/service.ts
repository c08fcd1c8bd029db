import { unreadableError } from '../../formats/file-errors'
import { toIso } from '../../lib/iso'
import { storeDigested } from './digested-part'
import { readInChunks } from '../../lib/chunk-reader'
import { ProductError } from '../../shared/errors'
import { expiredUploads, deleteUploadRows, orphanObjects, uploadStore, type PartRow, type UploadRow } from './store'
import type { Scope } from '../../scope'
import { commit } from '../../db/commit'
import type { Deps } from '../../deps'
import type { ReplyFactory } from '../../http/idempotency'
import { objectSize } from '../../lib/compressed-object'
import { sha256Hex } from '../../lib/hash'
import { deleteObjects, partedKey, partKey } from '../../lib/object-parts'
import { fileTooLarge } from '../../shared/data-sources/file-size'
import type { CreateUploadInput, Upload } from '../../shared/data-sources/files'
import {
  UNFINISHED_UPLOADS_MAX,
  UPLOAD_PART_BYTES,
  UPLOAD_TTL_MS,
  WORKSPACE_STORED_MAX_BYTES,
} from '../../shared/limits'

/** What the sender sends. @throws ProductError when it is more or less than agreed */
async function* exactPieces(body: ReadableStream<Uint8Array>, expected: number): AsyncGenerator<Uint8Array> {
  const reader = readInChunks(body)
  let sent = 0
  let last = new Uint8Array(0)
  try {
    const next = () => reader.read().catch((cause: unknown) => Promise.reject(partIncompleteError(cause)))
    for (let piece = await next(); piece !== null; piece = await next()) {
      sent += piece.byteLength
      if (sent > expected) throw partTooLargeError(expected)
      // The last one waits until nothing follows it: with it the store has all that it was told of.
      if (sent === expected) last = piece.slice()
      else yield piece
    }
    if (sent < expected) throw partIncompleteError()
    yield last
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

const partTooLargeError = (max: number): ProductError =>
  new ProductError('too_large', { what: 'body', max }, 'This part is longer than agreed. Start the upload again.')

const partIncompleteError = (cause?: unknown): ProductError =>
  new ProductError('bad_request', {}, 'This part did not arrive whole. Send it again.', { cause })

const SWEEP_MAX = 50
const partCount = (size: number): number => Math.ceil(size / UPLOAD_PART_BYTES)
const partLength = (size: number, number: number): number =>
  number < partCount(size) ? UPLOAD_PART_BYTES : size - (number - 1) * UPLOAD_PART_BYTES

const toUpload = (row: UploadRow, parts: readonly Pick<PartRow, 'number'>[]): Upload => ({
  id: row.id,
  fileName: row.fileName,
  size: row.size,
  partBytes: UPLOAD_PART_BYTES,
  partCount: partCount(row.size),
  received: row.state === 'complete' ? allPartNumbers(row.size) : parts.map(({ number }) => number),
  state: row.state,
  expiresAt: toIso(row.expiresAt),
})
const allPartNumbers = (size: number): number[] => Array.from({ length: partCount(size) }, (_, at) => at + 1)

/** The upload of this scope. @throws ProductError `not_found`, also for a foreign or expired one. */
export async function requireUpload(deps: Deps, scope: Scope, id: string): Promise<UploadRow> {
  const row = await uploadStore(deps.db, scope).get(id)
  if (!row || row.expiresAt <= deps.clock.now()) throw new ProductError('not_found')
  return row
}

/** @throws ProductError `too_large` */
export function assertFileSize(...file: Parameters<typeof fileTooLarge>): void {
  const refused = fileTooLarge(...file)
  if (refused) throw new ProductError('too_large', refused.details, refused.message)
}

/** Why a file could not be announced. */
async function announceRefusal(deps: Deps, scope: Scope, now: number): Promise<ProductError> {
  const used = await uploadStore(deps.db, scope).unfinishedCount(now)
  if (used < UNFINISHED_UPLOADS_MAX)
    return new ProductError('too_large', { what: 'workspace', max: WORKSPACE_STORED_MAX_BYTES })
  return new ProductError(
    'limit_reached',
    { limit: 'uploads', used, max: UNFINISHED_UPLOADS_MAX },
    `${UNFINISHED_UPLOADS_MAX} files of this workspace are still uploading. Wait until one is done, or cancel one.`,
  )
}

/**
 * Announces a file: a place in the store under a random key, and a row that counts against the workspace's bytes.
 * @throws ProductError `file_unreadable` (empty), `too_large`, `limit_reached` while too many have not arrived
 */
export async function createUpload(
  deps: Deps,
  command: { scope: Scope; input: CreateUploadInput; reply: ReplyFactory },
) {
  const { scope, input } = command
  if (input.size === 0) throw unreadableError('empty', 'File is empty. Choose a file with rows.')
  assertFileSize({ name: input.fileName, size: input.size })
  const now = deps.clock.now()
  const row: UploadRow = {
    id: deps.ids.next('upload'),
    workspaceId: scope.workspaceId,
    userId: scope.actorId,
    fileName: input.fileName,
    size: input.size,
    objectKey: partedKey(`uploads/${deps.ids.token(20)}`, { size: input.size, partBytes: UPLOAD_PART_BYTES }),
    state: 'receiving',
    contentHash: null,
    createdAt: now,
    expiresAt: now + UPLOAD_TTL_MS,
    parentId: null,
    opened: null,
    tableInfo: null,
  }
  const view = toUpload(row, [])
  await commit(deps, {
    change: [uploadStore(deps.db, scope).insert(row)],
    reply: command.reply(view),
    expect: { onMissed: () => announceRefusal(deps, scope, now) },
  })
  return view
}

export async function getUpload(deps: Deps, scope: Scope, id: string): Promise<Upload> {
  const row = await requireUpload(deps, scope, id)
  return toUpload(row, await uploadStore(deps.db, scope).parts(id))
}

/**
 * One part, streamed: exactly its bytes or nothing. Sending a part again replaces it.
 * @throws ProductError `too_large` for more, `bad_request` for less or for a sender that gave up.
 */
export async function putPart(
  deps: Deps,
  scope: Scope,
  part: { uploadId: string; number: number; declared: number | null; body: ReadableStream<Uint8Array> | null },
): Promise<{ number: number; size: number }> {
  const upload = await requireUpload(deps, scope, part.uploadId)
  if (part.number > partCount(upload.size)) throw new ProductError('not_found')
  if (upload.state === 'complete') throw new ProductError('bad_request', {}, 'This upload is already complete.')
  const expected = partLength(upload.size, part.number)
  if (part.declared !== null && part.declared > expected) throw partTooLargeError(expected)
  if (!part.body || (part.declared !== null && part.declared < expected)) throw partIncompleteError()
  const key = partKey(upload.objectKey, part.number)
  const { digest } = await storeDigested(exactPieces(part.body, expected), expected, (bytes) =>
    deps.files.put(key, bytes),
  )
  const kept = await uploadStore(deps.db, scope).putPart({
    uploadId: upload.id,
    number: part.number,
    size: expected,
    digest,
  })
  if (!kept) {
    // Taken back while the part came: nothing else would find it.
    await deleteObjects(deps.files, await orphanObjects(deps.db, [upload.objectKey]))
    throw new ProductError('not_found')
  }
  return { number: part.number, size: expected }
}

/** Says that all parts have come. Repeating it answers the same. */
export async function completeUpload(
  deps: Deps,
  scope: Scope,
  command: { id: string; reply: ReplyFactory },
): Promise<Upload> {
  const store = uploadStore(deps.db, scope)
  const upload = await requireUpload(deps, scope, command.id)
  if (upload.state === 'complete') return toUpload(upload, [])
  const parts = await store.parts(upload.id)
  if (parts.length !== partCount(upload.size))
    throw new ProductError('bad_request', {}, 'Upload incomplete. Send the missing parts.')
  // One that an earlier release announced was to be joined.
  if ((await objectSize(deps.files, upload.objectKey)) !== upload.size)
    throw new ProductError('bad_request', {}, 'Upload damaged. Upload the file again.')
  const view = toUpload({ ...upload, state: 'complete' }, [])
  const contentHash = await sha256Hex(parts.map(({ digest }) => digest).join('\n'))
  await commit(deps, { change: [store.complete(upload.id, contentHash)], reply: command.reply(view) })
  return view
}

/** Takes an upload back with the tables found in it: bytes go, unless a load has taken them over. */
export async function cancelUpload(deps: Deps, scope: Scope, command: { id: string; reply: ReplyFactory }) {
  const store = uploadStore(deps.db, scope)
  const upload = await requireUpload(deps, scope, command.id)
  const loaded = await store.isLoaded(upload.objectKey)
  await commit(deps, { change: store.remove(upload.id), reply: command.reply({ id: upload.id }) })
  if (!loaded) await deleteObjects(deps.files, [upload.objectKey])
  await deleteOrphanObjects(deps, upload)
  return { id: upload.id }
}

/** Objects of a file's tables that nobody knows (any more): of a cancelled file, or of an opening that died. */
async function deleteOrphanObjects(
  deps: Pick<Deps, 'files' | 'db'>,
  { objectKey, parentId }: Pick<UploadRow, 'objectKey' | 'parentId'>,
): Promise<void> {
  if (parentId !== null) return
  const { objects } = await deps.files.list({ prefix: `${objectKey}/` })
  if (objects.length === 0) return
  const keys = await orphanObjects(
    deps.db,
    objects.map(({ key }) => key),
  )
  if (keys.length > 0) await deps.files.delete(keys)
}

/** Removes uploads whose time is over, with their bytes. */
export async function deleteExpiredUploads(deps: Deps): Promise<number> {
  const { results } = await expiredUploads(deps.db, deps.clock.now(), SWEEP_MAX)
  for (const upload of results) {
    if (upload.loaded === 0) await deleteObjects(deps.files, [upload.objectKey])
    await deleteUploadRows(deps.db, upload.id)
    await deleteOrphanObjects(deps, upload)
  }
  return results.length
}
