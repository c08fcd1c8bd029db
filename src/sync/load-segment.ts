import { unreadableError } from '../formats/file-errors'
import { RowBatcher, UNIT_BYTES_MAX, type RowBatch } from './row-batcher'
import { typedColumns, type KeptParts, type LoadRequest } from './load-request'
import type { ByteRecord } from '../formats/contract'
import { createByteCsvReader, decodeRecord } from '../formats/csv/byte-csv-reader'
import { createCsvReader } from '../formats/csv/csv-reader'
import { createCellDecoder } from '../formats/encoding/text-decoder'
import { createRowCleaner, type CleaningState } from '../formats/cleaning/clean-rows'
import { createRowParser, rejectOverlongRow } from '../formats/values/row-parser'
import { readInChunks } from '../lib/chunk-reader'
import { ProductError } from '../shared/errors'
import { DATASET_MAX_ROWS, LOAD_SEGMENT_BYTES } from '../shared/limits'
import type { StagedRows } from '../warehouse/contract'

/** Where a load stands between two steps. */
export interface LoadPosition {
  segment: number
  nextByte: number
  nextLine: number
  rowsRead: number
  rejected: number
  /** What the warehouse had taken in; absent at the start, and of a position that an earlier release answered. */
  staged?: StagedRows
  /** What the recipe knows there; absent where there is none, and at the start. */
  cleaning?: CleaningState
}
export const START_POSITION: LoadPosition = { segment: 0, nextByte: 0, nextLine: 1, rowsRead: 0, rejected: 0 }

export interface SegmentInput {
  request: LoadRequest
  size: number
  from: LoadPosition
  /** Bytes of the stretch; {@link segmentBytesOf} its recipe where it is not given. */
  segmentBytes?: number
  /** Bytes of the file from an offset. */
  read: (offset: number, length: number) => Promise<ReadableStream<Uint8Array>>
  /** Several at once: each call writes, and a chunk of rows comes of a full one. */
  stage: (batches: RowBatch[]) => Promise<void>
  /** Lets whatever else waits on this thread have its turn. */
  pause: () => Promise<void>
  /** Told how many rows the load has read when the stretch ends by an error. */
  brokenAfter?: (rowsRead: number) => void
}

/** Where everything runs on one thread, a load that never pauses would keep every page waiting until its end: a pause every 40 ms or so. */
const PAUSE_EVERY_BYTES = 2 * 1024 * 1024
/** A recipe makes more of its rows: that counts as so many bytes, and a chunk is read in pieces, each of which fits memory. */
const PIECE_MIN_BYTES = 1024
function* piecesOf(chunk: Uint8Array, growth: number): Generator<Uint8Array> {
  const bytes = Math.max(PIECE_MIN_BYTES, Math.ceil(chunk.byteLength / growth))
  for (let from = 0; from < chunk.byteLength; from += bytes) yield chunk.subarray(from, from + bytes)
}

/** Where a recipe makes much of little, a stretch is shorter; not by so much that a large file has more than a load has steps. */
const SEGMENT_MIN_BYTES = 4 * 1024 * 1024
export const segmentBytesOf = (growth: number): number =>
  Math.max(SEGMENT_MIN_BYTES, Math.floor(LOAD_SEGMENT_BYTES / growth))

/**
 * Reads one stretch of the file, types its rows and stages them; answers where the next stretch begins.
 * The next batches are prepared while the last ones are being inserted; never more than one call is under way.
 */
export async function loadSegment(work: SegmentInput): Promise<LoadPosition> {
  const { request, size, from } = work
  const batcher = new RowBatcher(request.columns, from.rejected)
  const { reader, cleaner } = createSegmentReader(work, batcher)
  const growth = cleaner?.growth ?? 1
  const segmentBytes = work.segmentBytes ?? segmentBytesOf(growth)
  const length = Math.min(segmentBytes, size - from.nextByte)
  const isLast = from.nextByte + length >= size
  const sender = serialQueue(work.stage)
  const chunks = readInChunks(await work.read(from.nextByte, length))
  try {
    let received = 0
    let sincePause = 0
    for (let chunk = await chunks.read(); chunk !== null; chunk = await chunks.read()) {
      for (const piece of piecesOf(chunk, growth)) {
        reader.push(piece)
        assertRowCount(from.rowsRead + batcher.rowsRead)
        sincePause += piece.byteLength * growth
        if (sincePause >= PAUSE_EVERY_BYTES) {
          sincePause = 0
          await work.pause()
        }
        const full = batcher.takeFull()
        if (full.length > 0) await sender.send(full)
      }
      received += chunk.byteLength
    }
    // A stream that ends early would otherwise pass for a shorter file.
    if (received !== length) throw new Error(`the file ended after ${received} of ${length} bytes`)
    if (isLast) reader.end()
    await sender.send(batcher.takeRest())
  } catch (error) {
    work.brokenAfter?.(from.rowsRead + batcher.rowsRead)
    throw error
  } finally {
    await chunks.cancel().catch(() => undefined)
    await sender.settled()
  }
  const rowsRead = from.rowsRead + batcher.rowsRead
  assertRowCount(rowsRead)
  const nextByte = isLast ? size : from.nextByte + reader.consumedBytes()
  // A single record of more than a short stretch.
  if (nextByte === from.nextByte && !isLast && segmentBytes < LOAD_SEGMENT_BYTES)
    return loadSegment({ ...work, segmentBytes: LOAD_SEGMENT_BYTES })
  if (nextByte === from.nextByte && !isLast) throw unreadableError('broken', 'Row too long.', { line: from.nextLine })
  return {
    segment: from.segment + 1,
    nextByte,
    nextLine: reader.nextLine(),
    rowsRead,
    rejected: from.rejected + batcher.rejected,
    ...(cleaner ? { cleaning: cleaner.state() } : {}),
  }
}

/** Types the records of a stretch into a batcher: from their bytes, or where there is a recipe as the texts that it makes. */
function createSegmentReader({ request, from }: SegmentInput, batcher: RowBatcher) {
  const { settings, cleaning } = request
  const typer = createRowParser(typedColumns(request), { ...settings, fileWidth: request.fileWidth })
  const isKept = keptPartsTest(request.keptParts)
  const addRow = (cells: string[], line: number): void => {
    if (!isKept?.(cells)) batcher.add(typer.parse(cells, line), line)
  }
  const stretch = { settings, startByte: from.nextByte, startLine: from.nextLine }
  if (cleaning) {
    const cleaner = createRecordCleaner(cleaning, { from: from.cleaning, addRow, batcher })
    // A recipe takes texts: those of a whole piece are decoded at once, sooner than cell by cell.
    return { reader: createCsvReader({ ...stretch, onRecord: cleaner.push }), cleaner }
  }
  if (isKept) return { reader: createCsvReader({ ...stretch, onRecord: addRow }), cleaner: null }
  const decode = createCellDecoder(settings.encoding)
  const reader = createByteCsvReader({
    ...stretch,
    onRecord: addRow,
    onBytes: (record, line) => {
      if (batcher.reserve(textBytesMax(record)) && typer.parseBytes(record, batcher)) batcher.take()
      else addRow(decodeRecord(record, decode), line)
    },
  })
  return { reader, cleaner: null }
}

/** Whether a row is of a part that stays as it is; null where there is none. */
function keptPartsTest(kept: KeptParts | undefined): ((cells: readonly string[]) => boolean) | null {
  if (!kept) return null
  const nameOf = (cells: readonly string[]): string => JSON.stringify(cells)
  const names = new Set(kept.parts.map(nameOf))
  return (cells) => names.has(nameOf(kept.columns.map((at) => cells[at] ?? '')))
}

function assertRowCount(rows: number): void {
  if (rows > DATASET_MAX_ROWS) throw new ProductError('too_large', { what: 'rows', max: DATASET_MAX_ROWS })
}

/** Records go through the recipe; what comes out counts as rows of the record's line. */
function createRecordCleaner(
  { header, steps }: NonNullable<LoadRequest['cleaning']>,
  to: { from: CleaningState | undefined; addRow: (cells: string[], line: number) => void; batcher: RowBatcher },
) {
  let at = 0
  const cleaner = createRowCleaner({ header, steps, from: to.from }, (cells) => to.addRow(cells, at))
  return {
    growth: cleaner.growth,
    push: (cells: string[], line: number): void => {
      at = line
      const overlong = rejectOverlongRow(cells, line, header.length)
      if (overlong) to.batcher.add(overlong, line)
      else cleaner.push(cells)
    },
    state: (): CleaningState => cleaner.state(),
  }
}

/** Bytes of UTF-8 that the texts of a record come to at most. */
const textBytesMax = ({ starts, ends, count }: ByteRecord): number =>
  ((ends[count - 1] ?? 0) - (starts[0] ?? 0)) * UNIT_BYTES_MAX

/** Sends one thing at a time; `send` waits for the one before, not for its own. */
function serialQueue<T>(work: (item: T) => Promise<void>) {
  let last: Promise<void> = Promise.resolve()
  return {
    async send(item: T): Promise<void> {
      await last
      last = work(item)
      // Whoever sends next, or `settled`, sees the refusal; until then it must not count as unhandled.
      last.catch(() => undefined)
    },
    settled: (): Promise<void> => last,
  }
}
