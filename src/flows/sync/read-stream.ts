import { failureOf, LoopError, StepTimeoutError, type SyncFailure } from './sync-failure'
import { maySync } from './sync-owner'
import type { Cursor, ReadPage } from '../../connectors/contract'
import type { Deps } from '../../deps'
import { ObjectWriter } from '../../features/uploads/object-writer'
import { canonicalCsvRecord } from '../../formats/csv/canonical-csv'
import { sha256Hex } from '../../lib/hash'
import type { SyncSourceParams } from '../../shared/data-sources/connections'
import { connectionStore, type StreamRow } from '../../sync/connection-store'
import { openConnection } from '../../sync/credentials'

/** What one durable step takes before it tells what it has. */
const STEP_BYTES = 4 * 1024 * 1024
const STEP_MS = 25_000
const PAGE_MAX_ROWS = 5_000
const ROWS_MAX_BYTES = 4 * 1024 * 1024
/** What is waited for within a step; a longer wait is a sleep of the workflow. */
const WAIT_HERE_MAX_MS = 1_000

export interface StoredPart {
  objectKey: string
  size: number
  hash: string
  name: string
}
/** What a step read: rows as canonical text, a file as it was, or nothing new. */
export type ReadStep =
  | {
      ok: true
      kind: 'rows' | 'file' | 'unchanged'
      part: StoredPart | null
      /** Of a file: it is one of those that take the place of all rows. */
      reloads: boolean
      rows: number
      cursor: Cursor | null
      seen: string[]
      done: boolean
      waitMs: number
    }
  | { ok: false; failure: SyncFailure }
  | { ok: false; stopped: true }

export interface ReadFrom {
  stream: StreamRow
  cursor: Cursor | null
  /** Where it stands in the sync: for keys and progress. */
  at: { stream: number; part: number; rows: number; bytes: number }
}

const encoder = new TextEncoder()
const never = async (): Promise<void> => undefined

/** Reads on from a cursor until the step is full. What it stores is stored again under the same key by another try. */
export async function readStep(deps: Deps, params: SyncSourceParams, from: ReadFrom): Promise<ReadStep> {
  const store = connectionStore(deps.db, params.workspaceId)
  const row = await store.get(params.sourceId)
  const progress = { now: deps.clock.now(), rowsRead: from.at.rows, bytesRead: from.at.bytes }
  if (!row || !(await store.beat(params.syncId, progress)) || !(await maySync(deps, row)))
    return { ok: false, stopped: true }
  const timeout = AbortSignal.timeout(STEP_MS * 2)
  try {
    const { registered, context } = await openConnection(deps, row, timeout)
    const read = (cursor: Cursor | null): Promise<ReadPage> =>
      registered.connector.read(context, {
        stream: from.stream.stream,
        mode: from.stream.mode,
        cursor,
        budget: { maxRows: PAGE_MAX_ROWS, maxBytes: ROWS_MAX_BYTES, deadlineAt: deps.clock.now() + STEP_MS },
      })
    return await readPages(deps, params, { ...from, read, title: row.name, timeout })
  } catch (error) {
    const failure = failureOf(error, row.name)
    if (!failure) throw error
    return { ok: false, failure }
  }
}

interface PageRead extends ReadFrom {
  read: (cursor: Cursor | null) => Promise<ReadPage>
  title: string
  timeout: AbortSignal
}

async function readPages(deps: Deps, params: SyncSourceParams, reading: PageRead): Promise<ReadStep> {
  const begun = deps.clock.now()
  const objectKey = `syncs/${params.workspaceId}/${params.syncId}/${reading.at.stream}/${reading.at.part}`
  let [text, rows, cursor]: [string, number, Cursor | null] = ['', 0, reading.cursor]
  const seen: string[] = []
  for (;;) {
    const page = await inTime(reading.read(cursor), reading)
    if (!page.done && JSON.stringify(page.cursor) === JSON.stringify(cursor)) throw new LoopError(reading.title)
    cursor = page.cursor
    if (!page.done) seen.push(await sha256Hex(JSON.stringify(cursor)))
    if (page.kind === 'file') {
      // One file a step: rows read before it are another kind of stream.
      const part = await storeFile(deps, objectKey, page.file)
      const [reloads, waitMs] = [page.reloads ?? false, page.retryAfterMs ?? 0]
      return { ok: true, kind: 'file', part, reloads, rows: 0, cursor, seen, done: page.done, waitMs }
    }
    if (page.kind === 'rows') {
      for (const row of page.rows) text += canonicalCsvRecord(row, reading.at.rows + ++rows)
    }
    const waitMs = page.retryAfterMs ?? 0
    const isFull = text.length >= STEP_BYTES || deps.clock.now() - begun >= STEP_MS || waitMs > WAIT_HERE_MAX_MS
    if (page.done || isFull) {
      const part = rows === 0 ? null : await storeText(deps, objectKey, { text, name: reading.stream.stream.label })
      const kind = page.kind === 'unchanged' ? 'unchanged' : 'rows'
      return { ok: true, kind, part, reloads: false, rows, cursor, seen, done: page.done, waitMs }
    }
    if (waitMs > 0) await scheduler.wait(waitMs)
  }
}

async function inTime<T>(work: Promise<T>, { timeout, title }: PageRead): Promise<T> {
  const over = new Promise<never>((_resolve, reject) => {
    timeout.addEventListener('abort', () => reject(new StepTimeoutError(title)), { once: true })
  })
  over.catch(() => undefined)
  return Promise.race([work, over])
}

async function storeText(
  deps: Deps,
  objectKey: string,
  { text, name }: { text: string; name: string },
): Promise<StoredPart> {
  const bytes = encoder.encode(text)
  await deps.files.put(objectKey, bytes)
  return { objectKey, size: bytes.byteLength, hash: await sha256Hex(text), name }
}

async function storeFile(
  deps: Deps,
  objectKey: string,
  file: { name: string; body: ReadableStream<Uint8Array> },
): Promise<StoredPart> {
  const writer = new ObjectWriter(deps.files, objectKey, { budget: null, offerTurn: never })
  try {
    for await (const chunk of file.body) {
      writer.add(chunk)
      await writer.flush()
    }
    const { size, contentHash } = await writer.finish()
    return { objectKey, size, hash: contentHash, name: file.name }
  } catch (error) {
    await writer.discard()
    throw error
  }
}

/** Joins the parts of a stream into the one object that a load reads. */
export async function joinParts(deps: Deps, parts: StoredPart[]): Promise<StoredPart> {
  const [first] = parts
  if (!first) throw new Error('no parts to join')
  if (parts.length === 1) return first
  const objectKey = `${first.objectKey}-joined`
  const writer = new ObjectWriter(deps.files, objectKey, { budget: null, offerTurn: never })
  for (const part of parts) {
    const object = await deps.files.get(part.objectKey)
    if (!object) throw new Error('a part of a sync is gone')
    for await (const chunk of object.body) {
      writer.add(chunk)
      await writer.flush()
    }
  }
  const { size, contentHash } = await writer.finish()
  await deps.files.delete(parts.map((part) => part.objectKey))
  return { objectKey, size, hash: contentHash, name: first.name }
}
