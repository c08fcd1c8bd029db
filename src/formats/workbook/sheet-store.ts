import { CellBytes, type CanonicalRecords } from '../csv/canonical-records'
import type { NumberFormat } from './number-format'
import type { SheetRow, SheetValue } from './sheet-columns'

const KINDS = ['text', 'number', 'date', 'boolean'] as const
const FIRST_ROWS = 64
const FIRST_CELLS = 512
const [COMMA, QUOTE] = [44, 34] as const
const NO_FORMAT = 0

/**
 * Rows of a sheet until it is known what becomes of them: the cells of each as canonical text from the first column on,
 * what they are in arrays. An array of cells would take several times the memory, and most are written as they are.
 */
export class SheetStore {
  /** Where cells of the next row are written. */
  readonly cells = new CellBytes()
  #lines = new Int32Array(FIRST_ROWS)
  #ends = new Int32Array(FIRST_ROWS)
  #widths = new Int32Array(FIRST_ROWS)
  #rows = 0
  #traits = new Uint32Array(FIRST_CELLS)
  #filled = 0
  readonly #formats: (NumberFormat | undefined)[] = [undefined]
  readonly #formatNumbers = new Map<NumberFormat | undefined, number>([[undefined, NO_FORMAT]])
  #isWithoutGaps = true

  get rows(): number {
    return this.#rows
  }
  /** Whether each row came right below the one before. */
  get isWithoutGaps(): boolean {
    return this.#isWithoutGaps
  }
  get lastLine(): number {
    return this.#lines[this.#rows - 1] ?? 0
  }

  add({ line, cells }: SheetRow): void {
    this.cells.count = 0
    for (const cell of cells) {
      this.cells.text(cell?.text ?? '')
      if (cell) this.note(cell.kind, cell.format)
    }
    this.endRow(line)
  }

  /** What the next filled cell of the row is. */
  note(kind: SheetValue['kind'], format: NumberFormat | undefined): void {
    if (this.#filled === this.#traits.length) {
      const longer = new Uint32Array(this.#filled * 2)
      longer.set(this.#traits)
      this.#traits = longer
    }
    this.#traits[this.#filled++] = this.#numberOf(format) * KINDS.length + KINDS.indexOf(kind)
  }

  #numberOf(format: NumberFormat | undefined): number {
    const known = this.#formatNumbers.get(format)
    if (known !== undefined) return known
    const made = this.#formats.push(format) - 1
    this.#formatNumbers.set(format, made)
    return made
  }

  endRow(line: number): void {
    if (this.#rows === this.#lines.length) {
      this.#lines = longer(this.#lines)
      this.#ends = longer(this.#ends)
      this.#widths = longer(this.#widths)
    }
    this.#isWithoutGaps &&= this.#rows === 0 || line === this.lastLine + 1
    this.#lines[this.#rows] = line
    this.#ends[this.#rows] = this.cells.length
    this.#widths[this.#rows] = this.cells.count
    this.#rows += 1
  }

  /** Writes all rows: `width` columns from `first` on, before which no row has a value and after which none has. */
  writeTo(records: CanonicalRecords, { first, width }: { first: number; width: number }): void {
    const { bytes } = this.cells
    for (let row = 0; row < this.#rows; row += 1) {
      const start = this.#ends[row - 1] ?? 0
      const count = this.#widths[row] ?? 0
      records.begin(this.#lines[row] ?? 0)
      // Each cell before the first is nothing but its comma.
      records.written(bytes, { start: start + first, end: this.#ends[row] ?? 0, count: count - first })
      records.empty(first + width - count)
      records.end()
    }
  }

  /** The rows as cells. */
  toRows(): SheetRow[] {
    const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })
    let filled = 0
    return Array.from({ length: this.#rows }, (_, row) => {
      const texts = splitCells(decoder.decode(this.cells.bytes.subarray(this.#ends[row - 1] ?? 0, this.#ends[row])))
      const cells = texts.map((text) => (text === '' ? null : this.#valueOf(text, filled++)))
      return { line: this.#lines[row] ?? 0, cells }
    })
  }

  #valueOf(text: string, filled: number): SheetValue {
    const traits = this.#traits[filled] ?? 0
    const kind = KINDS[traits % KINDS.length] ?? 'text'
    const format = this.#formats[Math.floor(traits / KINDS.length)]
    return format ? { text, kind, format } : { text, kind }
  }

  clear(): void {
    this.cells.release()
    this.#rows = this.#filled = 0
    this.#isWithoutGaps = true
  }
}

/** Cells of canonical text, each with its comma before it. */
function splitCells(text: string): string[] {
  const cells: string[] = []
  for (let at = 0; at < text.length;) {
    let from = at + 1
    if (text.charCodeAt(from) !== QUOTE) {
      const next = text.indexOf(',', from)
      at = next < 0 ? text.length : next
      cells.push(text.slice(from, at))
      continue
    }
    from += 1
    let end = text.indexOf('"', from)
    while (text.charCodeAt(end + 1) === QUOTE) end = text.indexOf('"', end + 2)
    cells.push(text.slice(from, end).replaceAll('""', '"'))
    at = end + 1
    if (text.charCodeAt(at) !== COMMA) break
  }
  return cells
}

function longer(values: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const more = new Int32Array(values.length * 2)
  more.set(values)
  return more
}
