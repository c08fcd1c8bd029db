import { ProductError } from '../../shared/errors'
import type { CsvSettings } from '../../shared/data-sources/files'
import { SAMPLE_MAX_ROWS } from '../../shared/limits'
import type { CsvReader, FileSample } from '../contract'
import { unclosedQuoteError, recordTooLongError } from './csv-errors'
import { createDiagnosticCsvReader } from './csv-reader'
import type { StrayQuotes } from './record-scanner'
import type { CsvRecord } from './dialect-trial'
import { isSameRecord, isTellingHeader } from './repeated-headers'
import { totalRowLabel } from './total-rows'

/** What a reader is given at once: it copies what it is given, and makes room for more. */
export const CHUNK_BYTES = 64 * 1024
/** Cells looked at in all: a very wide file is judged by fewer rows. */
const SAMPLE_MAX_CELLS = 400_000
/** Footnotes that are looked at one by one. */
export const FOOTNOTES_MAX = 10_000
/** Of a window that was cut anywhere, this share must have the right number of cells, or it was cut inside quotes. */
const WINDOW_MIN_SHARE = 0.7

type SampleSettings = Omit<CsvSettings, 'decimalMark' | 'dateOrder' | 'header' | 'repeatedHeader'>

export interface RowSample {
  /** The first record: names or a row. */
  first: CsvRecord | null
  /** The records after it, evenly spread over what was read. */
  rows: string[][]
  /** The records right after the first. */
  firstRows: CsvRecord[]
  /** Records in the whole file, the first included. */
  count: number
  exact: boolean
  comments: number
  quotes: StrayQuotes
  /** Rows that look like totals of others: how many, and the first one; its line only when it was counted there. */
  totals: { count: number; line: number | null; word: string }
  /** Records that are the first one again: how many, and the line of the first; null when it was not counted there. */
  repeats: { count: number; line: number | null }
  /** Rows with fewer, or with more filled cells than the width; the line of the first of each. */
  short: { count: number; line: number }
  long: { count: number; line: number }
  /** Rows of which most is missing, the first of them: notes, or a table of another kind below. */
  footnotes: CsvRecord[]
  /** Records of the file's middle and end, where it is too large to be read in full. */
  windowRows: string[][]
}

/** Keeps at most `max` of any number of rows, evenly: when full, every second is let go and the stride doubles. */
class StrideSampler {
  rows: string[][] = []
  private stride = 1
  private seen = 0
  constructor(private readonly max: number) {}

  add(cells: string[]): void {
    if (this.seen++ % this.stride !== 0) return
    this.rows.push(cells)
    if (this.rows.length < this.max) return
    this.rows = this.rows.filter((_, i) => i % 2 === 0)
    this.stride *= 2
  }
}

/** Feeds a reader any number of bytes, little by little. */
export function pushInChunks(reader: Pick<CsvReader, 'push'>, bytes: Uint8Array): void {
  for (let from = 0; from < bytes.length; from += CHUNK_BYTES) reader.push(bytes.subarray(from, from + CHUNK_BYTES))
}

const emptySample = (exact: boolean): RowSample => ({
  first: null,
  rows: [],
  firstRows: [],
  count: 0,
  exact,
  comments: 0,
  quotes: { loose: 0, looseLine: 0, unclosed: 0, unclosedLine: 0 },
  totals: { count: 0, line: null, word: '' },
  repeats: { count: 0, line: null },
  short: { count: 0, line: 0 },
  long: { count: 0, line: 0 },
  footnotes: [],
  windowRows: [],
})

/**
 * Reads the head in full and what fits of the other windows.
 * @throws ProductError when the head cannot be read with these settings.
 */
export function sampleRows(
  sample: FileSample,
  settings: SampleSettings,
  at: { width: number; previewRows: number; keepsRepeats?: boolean },
): RowSample {
  const whole = sample.head.length >= sample.size
  const found = emptySample(whole)
  const max = Math.max(200, Math.min(SAMPLE_MAX_ROWS, Math.floor(SAMPLE_MAX_CELLS / Math.max(1, at.width))))
  const kept = new StrideSampler(whole ? max : Math.floor(max / 2))
  const reader = createDiagnosticCsvReader({
    settings: { ...settings, header: false, leaveOutTotals: undefined },
    startByte: 0,
    startLine: 1,
    onRecord: (cells, line) => {
      if (!at.keepsRepeats && countRepeat(found, cells, line)) return
      const isTotal = found.first !== null && countTotalRow(found, cells, line)
      if (isTotal && settings.leaveOutTotals) return
      found.count++
      if (found.first === null) {
        found.first = { cells, line }
        return
      }
      countRaggedRow(found, { cells, line }, Math.max(at.width, found.first.cells.length))
      if (found.firstRows.length < at.previewRows) found.firstRows.push({ cells, line })
      // What is added up from a column is no value of it, nor is a note below the table: “Summa” or “Source: …” among
      // dates says nothing of the dates.
      if (isTotal) return
      if (!isFootnote(cells, at.width)) kept.add(cells)
      else if (found.footnotes.length < FOOTNOTES_MAX) found.footnotes.push({ cells, line })
    },
  })
  pushInChunks(reader, sample.head)
  if (whole) reader.end()
  else if (found.count === 0)
    throw reader.inQuotes() ? unclosedQuoteError(reader.nextLine()) : recordTooLongError(reader.nextLine())
  found.comments = reader.commentCount()
  found.quotes = reader.strayQuotes()
  for (const bytes of [sample.middle, sample.tail]) {
    const rows = readWindow(bytes, { settings, width: at.width, atEnd: bytes === sample.tail })
    const once = at.keepsRepeats ? rows : rows.filter((cells) => !countRepeat(found, cells, null))
    const values = once.filter((cells) => !countTotalRow(found, cells, null))
    for (const cells of values) found.windowRows.push(cells)
    found.rows.push(...takeEvenly(values, Math.floor(max / 4)))
  }
  found.rows.unshift(...kept.rows)
  if (!whole) found.count = estimateRowCount(sample.size, found.count, reader.consumedBytes())
  return found
}

function countRepeat({ first, repeats }: RowSample, cells: string[], line: number | null): boolean {
  if (first === null || !isSameRecord(cells, first.cells) || !isTellingHeader(cells)) return false
  if (repeats.count++ === 0) repeats.line = line
  return true
}

function countTotalRow({ totals }: RowSample, cells: string[], line: number | null): boolean {
  const word = totalRowLabel(cells)
  if (word === null) return false
  if (totals.count++ === 0) Object.assign(totals, { line, word })
  return true
}

/** A row of which most is missing: a note, or a table of another kind below. */
export const isFootnote = (cells: string[], width: number): boolean => width >= 3 && cells.length < width / 2

/** More values than columns; what is only empty at the end is none. */
export const isTooWide = (cells: string[], width: number): boolean => cells.slice(width).some((cell) => cell !== '')

function countRaggedRow(found: RowSample, { cells, line }: CsvRecord, width: number): void {
  if (cells.length === width) return
  const kind = cells.length < width ? found.short : isTooWide(cells, width) ? found.long : null
  if (!kind) return
  if (kind.count++ === 0) kind.line = line
}

const takeEvenly = (rows: string[][], max: number): string[][] => {
  const stride = Math.ceil(rows.length / Math.max(1, max))
  return stride <= 1 ? rows : rows.filter((_, i) => i % stride === 0)
}

/** Records of a window cut anywhere, without the partial first one; none when it was evidently cut inside quotes. */
function readWindow(
  bytes: Uint8Array | undefined,
  { settings, width, atEnd }: { settings: SampleSettings; width: number; atEnd: boolean },
): string[][] {
  if (!bytes || bytes.length === 0) return []
  const rows: string[][] = []
  try {
    const reader = createDiagnosticCsvReader({
      settings: { ...settings, header: false, leaveOutTotals: undefined },
      startByte: 1,
      startLine: 1,
      onRecord: (cells) => rows.push(cells),
    })
    pushInChunks(reader, bytes)
    if (atEnd) reader.end()
  } catch (error) {
    if (!(error instanceof ProductError)) throw error
    return []
  }
  rows.shift()
  const right = rows.filter((cells) => cells.length === width)
  return right.length >= rows.length * WINDOW_MIN_SHARE ? right : []
}

function estimateRowCount(size: number, records: number, bytes: number): number {
  return bytes === 0 ? records : Math.max(records, Math.round((size / bytes) * records))
}
