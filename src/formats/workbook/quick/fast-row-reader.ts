import { CELL_MAX_BYTES } from '../../../shared/limits'
import { encodeCells, type CellBytes, type EncodedCells } from '../../csv/canonical-records'
import { SHEET_MAX_ROWS } from '../cell-address'
import type { CellContext } from '../cell-writer'
import type { NumberFormat } from '../number-format'
import { CELL_TYPES, ROW_NEEDS_CARE, RowScanner } from './row-scanner'
import { numberToText, serialToText, type DateSystem } from '../serial-date'
import { isLossyText, type CellTraits } from '../sheet-columns'
import type { SheetTableWriter } from '../sheet-table'
import { TEXT_IS_LOSSY, TEXT_IS_WIDE, TEXT_NEEDS_CARE } from '../string-table'

const [MINUS, POINT, ZERO, NINE, COMMA, QUOTE, LF, UNDERSCORE] = [45, 46, 48, 57, 44, 34, 10, 95] as const
const FIRST_LETTER = 58
const ASCII_END = 0x80
const PLAIN_MAX_BYTES = CELL_MAX_BYTES / 3
/** Digits that a double gives back as they are written. */
const EXACT_DIGITS = 15
const SMALL_MAX_ZEROS = 5
const DATES_MAX = 20_000
const WHOLE_MAX_DIGITS = 7

const TEXT: CellTraits = { kind: 'text', format: undefined, isLossy: false }
const LOSSY: CellTraits = { kind: 'text', format: undefined, isLossy: true }
const BOOLEAN: CellTraits = { kind: 'boolean', format: undefined, isLossy: false }

/** What cells of a style are. */
interface StyleTraits {
  kind: NumberFormat['kind']
  number: CellTraits
  lossy: CellTraits
  date: CellTraits
}
/** How a cell of the row is written. */
type CellEncoding =
  | { from: 'nothing' | 'bytes' | 'shared' }
  | { from: 'text'; text: string }
  | { from: 'cells'; cells: EncodedCells }
const [NOTHING, BYTES, SHARED] = [
  { from: 'nothing' },
  { from: 'bytes' },
  { from: 'shared' },
] as const satisfies CellEncoding[]

interface KnownDate {
  writing: CellEncoding
  chars: number
}

/** Texts of whole numbers under formats of days, for all sheets of a workbook: the same days come over and over. */
export class DateTexts {
  private readonly dates = new Map<NumberFormat['kind'], Map<number, KnownDate>>()

  constructor(private readonly system: DateSystem) {}

  of(kind: NumberFormat['kind'], whole: number): KnownDate {
    let dates = this.dates.get(kind)
    if (!dates || dates.size > DATES_MAX) this.dates.set(kind, (dates = new Map()))
    const known = dates.get(whole)
    if (known) return known
    const text = serialToText(whole, kind, this.system) ?? String(whole)
    const cells = encodeCells([text])
    const made: KnownDate = { writing: cells ? { from: 'cells', cells } : { from: 'text', text }, chars: text.length }
    dates.set(whole, made)
    return made
  }
}

/**
 * Reads rows of a sheet from their bytes and writes them as bytes, as long as they are plainly written. What it does not
 * read has changed nothing, and is read tag by tag, to the same rows.
 */
export class FastRowReader {
  private readonly found = new RowScanner()
  private readonly styles: StyleTraits[] = []
  private readonly decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })
  private readonly writings: CellEncoding[] = []
  private readonly traits: CellTraits[] = []
  private readonly indexes: number[] = []
  private readonly range = { start: 0, end: 0, needsQuotes: false }
  private chars = 0

  constructor(
    private readonly table: SheetTableWriter,
    private readonly shared: CellContext,
    private readonly dates: DateTexts,
  ) {}

  /** Line of the row that was read last. */
  get line(): number {
    return this.found.line
  }

  /** @returns where the row ends that begins here, or as {@link RowScanner.row} why it was not read. */
  row(bytes: Uint8Array, { at, end, before }: { at: number; end: number; before: number }): number {
    const { found } = this
    const next = found.row(bytes, at, end)
    if (next < 0) return next
    if (found.line === 0) found.line = before + 1
    if (found.line > SHEET_MAX_ROWS) return ROW_NEEDS_CARE
    let last = -1
    this.chars = 0
    for (let n = 0; n < found.count; n += 1) {
      if (!this.prepare(bytes, n)) return ROW_NEEDS_CARE
      if (this.writings[n] !== NOTHING) last = n
    }
    if (last < 0) {
      this.table.beginRow(found.line)
      this.table.endRow()
      return next
    }
    const cells = this.table.beginBytes(found.line, { cells: (found.columns[last] ?? 0) + 1, chars: this.chars })
    if (!cells) return ROW_NEEDS_CARE
    let column = 0
    for (let n = 0; n <= last; n += 1) {
      if (this.writings[n] === NOTHING) continue
      const at = found.columns[n] ?? 0
      if (at > column) cells.empty(at - column)
      this.write(cells, bytes, n)
      this.table.note(at, this.traits[n] ?? TEXT)
      column = at + 1
    }
    this.table.endBytes()
    return next
  }

  private write(cells: CellBytes, bytes: Uint8Array, n: number): void {
    const writing = this.writings[n] ?? NOTHING
    const { starts, ends } = this.found
    if (writing.from === 'bytes') {
      this.range.start = starts[n] ?? 0
      this.range.end = ends[n] ?? 0
      cells.plain(bytes, this.range)
    } else if (writing.from === 'text') cells.text(writing.text)
    else if (writing.from === 'cells') cells.cells(writing.cells)
    else {
      const view = this.shared.strings.view?.(this.indexes[n] ?? 0)
      if (view) cells.plain(view.bytes, view)
    }
  }

  private set(n: number, chars: number, writing: CellEncoding, traits: CellTraits): true {
    this.writings[n] = writing
    this.traits[n] = traits
    this.chars += chars
    return true
  }

  /** Says how a cell is written. False: it takes more care. */
  private prepare(bytes: Uint8Array, n: number): boolean {
    const { types, starts, ends } = this.found
    const [start = 0, end = 0] = [starts[n], ends[n]]
    if (end - start > PLAIN_MAX_BYTES) return false
    switch (types[n] ?? CELL_TYPES.number) {
      case CELL_TYPES.shared:
        return this.prepareShared(bytes, n)
      case CELL_TYPES.text:
        return this.prepareText(bytes, n)
      case CELL_TYPES.boolean: {
        const value = this.decoder.decode(bytes.subarray(start, end))
        const text = value === '1' || value === 'true' ? 'true' : 'false'
        return this.set(n, text.length, { from: 'text', text }, BOOLEAN)
      }
      default:
        return this.prepareNumber(bytes, n)
    }
  }

  private prepareShared(bytes: Uint8Array, n: number): boolean {
    const index = wholeOf(bytes, this.found.starts[n] ?? 0, this.found.ends[n] ?? 0)
    const view = index < 0 ? undefined : this.shared.strings.view?.(index)
    if (!view || view.end - view.start > PLAIN_MAX_BYTES) return false
    if (view.start === view.end) return this.set(n, 0, NOTHING, TEXT)
    const traits = (view.flags & TEXT_IS_LOSSY) === 0 ? TEXT : LOSSY
    this.indexes[n] = index
    if ((view.flags & (TEXT_NEEDS_CARE | TEXT_IS_WIDE)) === 0) return this.set(n, view.end - view.start, SHARED, traits)
    const text = this.shared.strings.at(index) ?? ''
    return this.set(n, text.length, (view.flags & TEXT_NEEDS_CARE) === 0 ? SHARED : { from: 'text', text }, traits)
  }

  private prepareText(bytes: Uint8Array, n: number): boolean {
    const [start = 0, end = 0] = [this.found.starts[n], this.found.ends[n]]
    // What begins with a sign below the letters may look like a number.
    let isPlain = (bytes[start] ?? 0) >= FIRST_LETTER
    for (let at = start; at < end; at += 1) {
      const byte = bytes[at] ?? 0
      if (byte === UNDERSCORE && ((bytes[at + 1] ?? 0) | 0x20) === 0x78) return false
      if (byte >= ASCII_END || byte === COMMA || byte === QUOTE || byte === LF) isPlain = false
    }
    if (isPlain) return this.set(n, end - start, BYTES, TEXT)
    const text = this.decoder.decode(bytes.subarray(start, end))
    return this.set(n, text.length, { from: 'text', text }, isLossyText(text) ? LOSSY : TEXT)
  }

  private prepareNumber(bytes: Uint8Array, n: number): boolean {
    const [start = 0, end = 0] = [this.found.starts[n], this.found.ends[n]]
    const style = this.styleOf(this.found.styles[n] ?? 0)
    const isNumber = style.kind === 'number' || style.kind === 'percent'
    if (isNumber && isCanonical(bytes, start, end)) return this.set(n, end - start, BYTES, style.number)
    const whole = isNumber ? -1 : wholeOf(bytes, start, end)
    if (whole >= 0) {
      const { writing, chars } = this.dates.of(style.kind, whole)
      return this.set(n, chars, writing, style.date)
    }
    const written = this.decoder.decode(bytes.subarray(start, end))
    if (written.trim() === '') return this.set(n, 0, NOTHING, TEXT)
    const number = Number(written)
    if (!Number.isFinite(number)) return false
    const moment = isNumber ? null : serialToText(number, style.kind, this.shared)
    if (moment !== null) return this.set(n, moment.length, { from: 'text', text: moment }, style.date)
    const text = numberToText(number, written)
    const isLossy = text.length > EXACT_DIGITS && /^-?\d{16,}$/.test(text)
    return this.set(n, text.length, { from: 'text', text }, isLossy ? style.lossy : style.number)
  }

  private styleOf(style: number): StyleTraits {
    const known = this.styles[style]
    if (known) return known
    const format = this.shared.styles.formatOf(style)
    const number: CellTraits = { kind: 'number', format, isLossy: false }
    const date: CellTraits = { kind: format.kind === 'duration' ? 'number' : 'date', format, isLossy: false }
    const made = { kind: format.kind, number, lossy: { ...number, isLossy: true }, date }
    // Styles that a workbook has not are many, and all the same.
    if (style < STYLES_KEPT) this.styles[style] = made
    return made
  }
}

const STYLES_KEPT = 65_536

/** A whole number without leading zeros; -1 for anything else. */
function wholeOf(bytes: Uint8Array, start: number, end: number): number {
  const length = end - start
  if (length === 0 || length > WHOLE_MAX_DIGITS || (bytes[start] === ZERO && length > 1)) return -1
  let value = 0
  for (let at = start; at < end; at += 1) {
    const digit = (bytes[at] ?? 0) - ZERO
    if (digit < 0 || digit > 9) return -1
    value = value * 10 + digit
  }
  return value
}

/** Whether a number is written as {@link numberToText} would: digits that a double gives back, none of them idle. */
function isCanonical(bytes: Uint8Array, start: number, end: number): boolean {
  const first = bytes[start] === MINUS ? start + 1 : start
  let point = -1
  for (let at = first; at < end; at += 1) {
    const byte = bytes[at] ?? 0
    if (byte === POINT && point < 0) point = at
    else if (byte < ZERO || byte > NINE) return false
  }
  const wholeEnd = point < 0 ? end : point
  if (wholeEnd === first || end - first > EXACT_DIGITS) return false
  if (bytes[first] === ZERO && (wholeEnd - first > 1 || (point < 0 && first > start))) return false
  if (point < 0) return true
  if (point === end - 1 || bytes[end - 1] === ZERO) return false
  let zeros = 0
  while (bytes[first] === ZERO && bytes[point + 1 + zeros] === ZERO) zeros += 1
  return zeros <= SMALL_MAX_ZEROS
}
