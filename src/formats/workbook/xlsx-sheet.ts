import { columnIndexOf, parseCellRange, SHEET_MAX_COLUMNS, SHEET_MAX_ROWS } from './cell-address'
import { CellWriter, type CellContext } from './cell-writer'
import { workbookDamagedError, workbookUnsafeError } from './workbook-errors'
import { normalizeIsoText } from './serial-date'
import { RichTextCollector, unescapeXlsxText } from './shared-strings'
import type { SheetTableWriter } from './sheet-table'
import type { XmlHandler, XmlTag } from './xml-scanner'

const VALUE_MAX_CHARS = 256 * 1024

/** Reads one `sheetN.xml` into a table, cell by cell. What stands around the cells (drawings, rules, links) is passed over. */
export class XlsxSheetHandler implements XmlHandler {
  wantsText = false
  private inData = false
  private inRow = false
  private inCell = false
  /** Of the last row. */
  line = 0
  private column = -1
  private type = 'n'
  private style = 0
  private value = ''
  private hasValue = false
  private hasFormula = false
  private inValue = false
  private inString = false
  private readonly inline = new RichTextCollector()
  private readonly cells: CellWriter

  constructor(
    private readonly table: SheetTableWriter,
    shared: CellContext,
  ) {
    this.cells = new CellWriter(table, shared)
  }

  /** Whether a row may begin, and nothing else is open. */
  get isBetweenRows(): boolean {
    return this.inData && !this.inRow && !this.inCell && !this.inString && !this.wantsText
  }

  open(tag: XmlTag): void {
    if (this.inString) {
      this.wantsText = this.inline.open(tag.name)
      return
    }
    switch (tag.name) {
      case 'c':
        if (this.inRow) this.beginCell(tag)
        break
      case 'v':
        this.inValue = this.inCell
        this.wantsText = this.inCell
        break
      case 'f':
        this.hasFormula = true
        break
      case 'is':
        this.inString = this.inCell
        this.inline.begin()
        break
      case 'row':
        if (this.inData) this.beginRow(tag)
        break
      case 'sheetData':
        this.inData = true
        break
      case 'mergeCell':
        this.addMerge(tag)
        break
    }
  }

  close(name: string): void {
    if (this.inString) {
      if (name === 'is') this.endString()
      else this.wantsText = this.inline.close(name)
      return
    }
    switch (name) {
      case 'v':
        this.hasValue ||= this.inValue
        this.inValue = false
        this.wantsText = false
        break
      case 'c':
        if (this.inCell) this.endCell()
        this.inCell = false
        break
      case 'row':
        if (this.inRow) this.table.endRow()
        this.inRow = false
        break
      case 'sheetData':
        this.inData = false
        break
    }
  }

  text(text: string): void {
    if (this.inString) {
      this.inline.add(text)
      if (this.inline.length > VALUE_MAX_CHARS) throw workbookUnsafeError('a cell in it is too long')
      return
    }
    this.value = this.value === '' ? text : this.value + text
    if (this.value.length > VALUE_MAX_CHARS) throw workbookUnsafeError('a cell in it is too long')
  }

  private beginRow(tag: XmlTag): void {
    const given = tag.attribute('r')
    const line = given === undefined ? this.line + 1 : Number(given)
    if (!(Number.isInteger(line) && line >= 1 && line <= SHEET_MAX_ROWS))
      throw workbookDamagedError('a row has no valid number')
    this.line = line
    this.column = -1
    this.inRow = true
    this.table.beginRow(line)
  }

  private beginCell(tag: XmlTag): void {
    const address = tag.attribute('r')
    const column = address === undefined ? this.column + 1 : columnIndexOf(address)
    if (column < 0 || column >= SHEET_MAX_COLUMNS)
      throw workbookDamagedError(`a cell of row ${this.line} has no valid column`)
    this.column = column
    this.type = tag.attribute('t') ?? 'n'
    this.style = Number(tag.attribute('s') ?? 0)
    this.value = ''
    this.hasValue = false
    this.hasFormula = false
    this.inCell = true
  }

  private endString(): void {
    this.value = this.inline.end()
    this.hasValue = true
    this.inString = false
    this.wantsText = false
  }

  private addMerge(tag: XmlTag): void {
    const range = parseCellRange(tag.attribute('ref') ?? '')
    if (range && (range.bottom > range.top || range.right > range.left)) this.table.merge(range)
  }

  private endCell(): void {
    const { table, column, value } = this
    if (value === '') {
      const isText = this.hasValue && (this.type === 'str' || this.type === 'inlineStr')
      if (this.hasFormula && !isText) table.uncalculated(column)
      return
    }
    switch (this.type) {
      case 's':
        return this.cells.sharedText(column, Number(value))
      case 'str':
        return this.cells.text(column, unescapeXlsxText(value))
      case 'inlineStr':
        return this.cells.text(column, value)
      case 'b':
        return this.cells.boolean(column, value === '1' || value === 'true')
      case 'e':
        return table.error(column, value)
      case 'd':
        return table.cell(column, { text: normalizeIsoText(value), kind: 'date' })
      default:
        return this.number(value)
    }
  }

  private number(value: string): void {
    const number = Number(value)
    if (value.trim() === '') return
    if (Number.isFinite(number)) this.cells.number(this.column, number, { style: this.style, written: value })
    else this.cells.text(this.column, value)
  }
}
