import type { CellStyles } from './cell-styles'
import type { NumberFormat } from './number-format'
import { numberToText, serialToText, type DateSystem } from './serial-date'
import type { SheetTableWriter } from './sheet-table'
import type { TextView } from './string-table'

/** What the cells of all sheets share. */
export interface CellContext extends DateSystem {
  /** Texts that cells name by number; `undefined` when there is no such text. */
  strings: { at(index: number): string | undefined; view?(index: number): TextView | undefined }
  styles: CellStyles
}

/** Writes the values of cells, as a workbook keeps them, into the table of their sheet. */
export class CellWriter {
  constructor(
    private readonly table: SheetTableWriter,
    private readonly shared: CellContext,
  ) {}

  text(column: number, text: string): void {
    this.table.cell(column, { text, kind: 'text' })
  }

  boolean(column: number, value: boolean): void {
    this.table.cell(column, { text: value ? 'true' : 'false', kind: 'boolean' })
  }

  sharedText(column: number, index: number): void {
    const text = this.shared.strings.at(index)
    if (text === undefined) this.table.error(column, 'text missing')
    else this.text(column, text)
  }

  /** A number under the format of its style; `written` are its digits where the file spells them out. */
  number(column: number, value: number, { style, written }: { style: number; written?: string }): void {
    const format = this.shared.styles.formatOf(style)
    const moment = isTemporal(format) ? serialToText(value, format.kind, this.shared) : null
    if (moment === null) this.table.cell(column, { text: numberToText(value, written), kind: 'number', format })
    else this.table.cell(column, { text: moment, kind: format.kind === 'duration' ? 'number' : 'date', format })
  }
}

const isTemporal = ({ kind }: NumberFormat): boolean => kind !== 'number' && kind !== 'percent'
