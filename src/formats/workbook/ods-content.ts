import { DAY_MS } from '../../shared/dates'
import { isCurrencyCode } from '../../shared/data-sources/currency-codes'
import type { RegionRoom } from './region-table'
import type { SheetValue } from './sheet-columns'
import { SheetTableWriter } from './sheet-table'
import { msToHoursText, normalizeIsoText, numberToText, msToTimeText } from './serial-date'
import type { XmlTag, XmlHandler } from './xml-scanner'
import { workbookTooLargeError, workbookUnsafeError } from './workbook-errors'
import type { TableSink } from '../contract'
import { SHEET_MAX_COLUMNS, SHEET_MAX_ROWS } from './cell-address'

/** What a cell's tag says; its text comes after. */
export interface OdsCell {
  type: string
  value: string
  currency: string
  formula: boolean
  error: boolean
  style: string | undefined
}

const ERROR_PATTERN = /^(?:#[A-Z/0!?]+|Err:\d{3})$/
const DURATION_PATTERN = /^(-?)P(?:(\d{1,7})D)?T?(?:(\d{1,7})H)?(?:(\d{1,9})M)?(?:(\d{1,9})(?:[.,](\d{1,9}))?S)?$/

function parseOdsCell(tag: XmlTag): OdsCell {
  const type = tag.attribute('office:value-type') ?? ''
  const named = type === 'date' ? 'office:date-value' : type === 'time' ? 'office:time-value' : `office:${type}-value`
  return {
    type,
    value: tag.attribute(named) ?? tag.attribute('office:value') ?? '',
    currency: tag.attribute('office:currency') ?? '',
    formula: tag.attribute('table:formula') !== undefined,
    error: tag.attribute('calcext:value-type') === 'error',
    style: tag.attribute('table:style-name'),
  }
}

/** An error such as `#DIV/0!` where a value should stand. */
interface CellError {
  error: string
}

/** The value of a cell; `null` when it is empty. */
function odsCellValue(cell: OdsCell, shown: string, duration: boolean): SheetValue | CellError | null {
  if (cell.error || (cell.formula && ERROR_PATTERN.test(shown))) return { error: shown || 'error' }
  switch (cell.type) {
    case 'float':
      return numericValue(cell.value, shown, {})
    case 'percentage':
      return numericValue(cell.value, shown, { format: { kind: 'percent' } })
    case 'currency':
      return numericValue(
        cell.value,
        shown,
        isCurrencyCode(cell.currency) ? { format: { kind: 'number', currency: cell.currency } } : {},
      )
    case 'date':
      return { text: normalizeIsoText(cell.value), kind: 'date' }
    case 'time':
      return durationValue(cell.value, duration)
    case 'boolean':
      return { text: cell.value === 'true' ? 'true' : 'false', kind: 'boolean' }
    default: {
      const text = cell.value === '' ? shown : cell.value
      return text === '' ? null : { text, kind: 'text' }
    }
  }
}

function numericValue(value: string, shown: string, more: Pick<SheetValue, 'format'>): SheetValue {
  const number = Number(value)
  if (value === '' || !Number.isFinite(number)) return { text: value === '' ? shown : value, kind: 'text' }
  return { text: numberToText(number, value), kind: 'number', ...more }
}

/** `PT10H30M00S`: a time of day, or hours where the format counts past 24. */
function durationValue(value: string, duration: boolean): SheetValue {
  const match = DURATION_PATTERN.exec(value)
  if (!match) return { text: value, kind: 'text' }
  const [, sign, days = 0, hours = 0, minutes = 0, seconds = 0, fraction = ''] = match
  const whole = ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds)
  const ms = (whole * 1000 + Number(fraction.slice(0, 3).padEnd(3, '0'))) * (sign === '-' ? -1 : 1)
  if (duration || ms < 0 || ms >= DAY_MS)
    return { text: msToHoursText(ms), kind: 'number', format: { kind: 'duration' } }
  return { text: msToTimeText(ms), kind: 'date' }
}

const SPACES_MAX = 10_000

/** Collects the text of a cell: paragraphs become lines; comments on the cell are no part of it. */
class OdsCellText {
  private parts = ''
  private paragraphs = 0
  private depth = 0
  private ignoredDepth = 0

  get length(): number {
    return this.parts.length
  }
  begin(): void {
    this.parts = ''
    this.paragraphs = 0
    this.depth = 0
    this.ignoredDepth = 0
  }
  /** Each call answers whether the text that comes now belongs to the cell. */
  open(tag: XmlTag): boolean {
    if (tag.name === 'annotation' || tag.name === 'shapes' || tag.name === 'frame') this.ignoredDepth++
    else if (tag.name === 'p' && this.ignoredDepth === 0) {
      this.depth++
      if (this.paragraphs++ > 0) this.parts += '\n'
    } else if (this.depth > 0 && this.ignoredDepth === 0) this.sign(tag)
    return this.depth > 0 && this.ignoredDepth === 0
  }
  close(name: string): boolean {
    if (name === 'annotation' || name === 'shapes' || name === 'frame')
      this.ignoredDepth = Math.max(0, this.ignoredDepth - 1)
    else if (name === 'p' && this.ignoredDepth === 0) this.depth = Math.max(0, this.depth - 1)
    return this.depth > 0 && this.ignoredDepth === 0
  }
  add(text: string): void {
    this.parts += text.replace(/[ \t\r\n]+/g, ' ')
  }
  end(): string {
    return this.parts
  }

  private sign(tag: XmlTag): void {
    if (tag.name === 's') {
      const count = Number(tag.attribute('text:c') ?? 1)
      this.parts += ' '.repeat(Number.isInteger(count) && count > 0 ? Math.min(count, SPACES_MAX) : 1)
    } else if (tag.name === 'tab') this.parts += '\t'
    else if (tag.name === 'line-break') this.parts += '\n'
  }
}

const STYLES_MAX = 100_000
const STYLE_NAME_MAX_CHARS = 200

/** A piece of a text keeps the whole text in memory; a copy keeps itself only. Names that are too long name nothing. */
function detachedCopy(name: string | undefined): string | undefined {
  if (name === undefined || name.length > STYLE_NAME_MAX_CHARS) return undefined
  const copy: string = JSON.parse(JSON.stringify(name))
  return copy
}

/** What an OpenDocument's automatic styles say of cells and sheets: durations and hidden sheets. */
class OdsStyles {
  private readonly durationFormats = new Set<string>()
  /** Cell style → its number format. */
  private readonly formats = new Map<string, string>()
  private readonly hidden = new Set<string>()
  private current: string | undefined

  /** @throws ProductError `too_large` */
  open(tag: XmlTag): void {
    if (tag.name === 'time-style' && tag.attribute('number:truncate-on-overflow') === 'false') {
      const name = detachedCopy(tag.attribute('style:name'))
      if (name !== undefined) this.durationFormats.add(name)
    } else if (tag.name === 'table-properties' && tag.attribute('table:display') === 'false') {
      if (this.current !== undefined) this.hidden.add(this.current)
    } else if (tag.name === 'style') this.style(tag)
    if (this.durationFormats.size + this.formats.size + this.hidden.size > STYLES_MAX)
      throw workbookTooLargeError('styles', STYLES_MAX)
  }

  private style(tag: XmlTag): void {
    this.current = detachedCopy(tag.attribute('style:name'))
    const format = detachedCopy(tag.attribute('style:data-style-name'))
    if (this.current !== undefined && format !== undefined) this.formats.set(this.current, format)
  }

  isHidden(tableStyle: string): boolean {
    return this.hidden.has(tableStyle)
  }
  isDuration(cellStyle: string): boolean {
    return this.durationFormats.has(this.formats.get(cellStyle) ?? '')
  }
}

/** Cells that repetition alone may make: a few bytes can claim a whole sheet of them. */
const REPEATED_MAX_CELLS = 2_000_000
const TEXT_MAX_CHARS = 256 * 1024
const SHEET_NAME_MAX_CHARS = 80

interface FilledCell {
  column: number
  value: SheetValue | CellError | 'uncalculated'
}
export interface OdsSheetCallbacks {
  /** For tables that are parts of sheets. */
  room: RegionRoom
  /** A sheet ended; `found` is whether it held values. */
  onSheetEnd(name: string, found: boolean): void
  /** Whether another sheet may begin. */
  canOpenSheet(): boolean
}

/** Reads `content.xml`: all sheets of an OpenDocument spreadsheet, one after the other. */
export class OdsContentHandler implements XmlHandler {
  wantsText = false
  /** False when the document had no part for sheets: it is a text or a drawing. */
  isSpreadsheet = false
  private readonly styles = new OdsStyles()
  private readonly cellText = new OdsCellText()
  private table: SheetTableWriter | null = null
  private name = ''
  /** Tables inside tables (in cells, in tracked changes) are no sheets. */
  private nested = 0
  private inBody = false
  private line = 0
  private rowRepeat = 1
  private column = 0
  private row: FilledCell[] = []
  private cell: OdsCell | null = null
  private cellRepeat = 1
  private columnStyles: { until: number; style: string }[] = []
  private repeated = 0

  constructor(
    private readonly sink: TableSink,
    private readonly events: OdsSheetCallbacks,
  ) {}

  open(tag: XmlTag): void {
    if (tag.name === 'spreadsheet') {
      this.inBody = true
      this.isSpreadsheet = true
    } else if (!this.inBody) this.styles.open(tag)
    else if (tag.name === 'tracked-changes') this.nested++
    else if (tag.name === 'table') this.openTable(tag)
    else if (this.nested > 1 || !this.table) return
    else if (this.cell) this.wantsText = this.cellText.open(tag)
    else if (tag.name === 'table-column') this.openColumn(tag)
    else if (tag.name === 'table-row') this.openRow(tag)
    else if (tag.name === 'table-cell' || tag.name === 'covered-table-cell') this.openCell(tag)
  }

  close(name: string): void {
    if (!this.inBody) return
    if (name === 'spreadsheet') this.inBody = false
    else if (name === 'table') this.closeTable()
    else if (name === 'tracked-changes') this.nested--
    else if (this.nested > 1 || !this.table) return
    else if (name === 'table-cell' || name === 'covered-table-cell') this.closeCell()
    else if (this.cell) this.wantsText = this.cellText.close(name)
    else if (name === 'table-row') this.closeRow()
  }

  text(text: string): void {
    this.cellText.add(text)
    if (this.cellText.length > TEXT_MAX_CHARS) throw workbookUnsafeError('a cell in it is too long')
  }

  private openTable(tag: XmlTag): void {
    if (++this.nested > 1 || !this.events.canOpenSheet()) return
    this.name = (tag.attribute('table:name') ?? 'Sheet').slice(0, SHEET_NAME_MAX_CHARS)
    const hidden = this.styles.isHidden(tag.attribute('table:style-name') ?? '')
    this.table = new SheetTableWriter(
      this.sink,
      { name: this.name, ...(hidden ? { optional: true } : {}) },
      this.events.room,
    )
    this.line = 0
    this.columnStyles = []
  }

  private closeTable(): void {
    if (--this.nested > 0 || !this.table) return
    this.events.onSheetEnd(this.name, this.table.finish())
    this.table = null
  }

  private openColumn(tag: XmlTag): void {
    const from = this.columnStyles.at(-1)?.until ?? 0
    if (from >= SHEET_MAX_COLUMNS) return
    const until = from + repeatCount(tag, 'table:number-columns-repeated')
    this.columnStyles.push({ until, style: tag.attribute('table:default-cell-style-name') ?? '' })
  }

  private openRow(tag: XmlTag): void {
    this.rowRepeat = repeatCount(tag, 'table:number-rows-repeated')
    this.column = 0
    this.row = []
  }

  private openCell(tag: XmlTag): void {
    this.cell = parseOdsCell(tag)
    if (tag.name === 'covered-table-cell') this.cell.type = 'covered'
    this.cellRepeat = repeatCount(tag, 'table:number-columns-repeated')
    this.cellText.begin()
    this.wantsText = false
    const [across, down] = [
      repeatCount(tag, 'table:number-columns-spanned'),
      repeatCount(tag, 'table:number-rows-spanned'),
    ]
    if (across === 1 && down === 1) return
    const top = this.line + 1
    this.table?.merge({ top, bottom: top + down - 1, left: this.column, right: this.column + across - 1 })
  }

  private closeCell(): void {
    const { cell } = this
    this.cell = null
    this.wantsText = false
    if (!cell) return
    const value = cell.type === 'covered' ? null : this.filled(cell)
    if (value !== null && this.column < SHEET_MAX_COLUMNS) this.repeat(value)
    this.column += this.cellRepeat
  }

  private filled(cell: OdsCell): FilledCell['value'] | null {
    const shown = this.cellText.end()
    if (cell.formula && cell.type === '' && shown === '') return 'uncalculated'
    return odsCellValue(cell, shown, this.styles.isDuration(cell.style ?? this.columnStyle()))
  }

  private columnStyle(): string {
    return this.columnStyles.find(({ until }) => this.column < until)?.style ?? ''
  }

  private repeat(value: FilledCell['value']): void {
    this.spend((this.cellRepeat - 1) * this.rowRepeat)
    const end = Math.min(this.column + this.cellRepeat, SHEET_MAX_COLUMNS)
    for (let column = this.column; column < end; column++) this.row.push({ column, value })
  }

  private closeRow(): void {
    const { table, row } = this
    if (table && row.length > 0) {
      this.spend((this.rowRepeat - 1) * row.length)
      for (let n = 1; n <= this.rowRepeat; n++) writeRow(table, this.line + n, row)
    }
    this.line = Math.min(this.line + this.rowRepeat, SHEET_MAX_ROWS)
    this.row = []
  }

  private spend(cells: number): void {
    this.repeated += cells
    if (this.repeated > REPEATED_MAX_CELLS) throw workbookUnsafeError('it repeats cells endlessly')
  }
}

function writeRow(table: SheetTableWriter, line: number, row: FilledCell[]): void {
  table.beginRow(line)
  for (const { column, value } of row) {
    if (value === 'uncalculated') table.uncalculated(column)
    else if ('error' in value) table.error(column, value.error)
    else table.cell(column, value)
  }
  table.endRow()
}

function repeatCount(tag: XmlTag, attribute: string): number {
  const count = Number(tag.attribute(attribute) ?? 1)
  return Number.isInteger(count) && count > 1 ? Math.min(count, SHEET_MAX_ROWS) : 1
}
