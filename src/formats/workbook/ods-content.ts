import type { TableSink } from '../contract'
import { SHEET_MAX_COLUMNS, SHEET_MAX_ROWS } from './cell-address'
import type { SheetValue } from './column-facts'
import { parseOdsCell, odsCellValue } from './ods-cell'
import type { CellError, OdsCell } from './ods-cell'
import { OdsStyles } from './ods-styles'
import { OdsCellText } from './ods-text'
import { workbookUnsafeError } from './refusals'
import { SheetTableWriter } from './sheet-table'
import type { XmlHandler, XmlTag } from './xml-scanner'

/** Cells that repetition alone may make: a few bytes can claim a whole sheet of them. */
const REPEATED_MAX_CELLS = 2_000_000
const TEXT_MAX_CHARS = 256 * 1024
const SHEET_NAME_MAX_CHARS = 80

interface FilledCell {
  column: number
  value: SheetValue | CellError | 'uncalculated'
}
export interface OdsSheetCallbacks {
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
    this.table = new SheetTableWriter(this.sink, { name: this.name, ...(hidden ? { optional: true } : {}) })
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
    if (this.repeated > REPEATED_MAX_CELLS) throw workbookUnsafeError('it repeats cells without end')
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
