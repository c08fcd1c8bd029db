import { csvLine, csvNotation, type CsvCell } from '../../../src/shared/csv-line'
import { downloadFile } from './download-file'

/** So that spreadsheets read the text as UTF-8. */
const BYTE_ORDER_MARK = '\ufeff'

/** Hands lines to the person as a CSV file that spreadsheets of the locale read. No cell of text can be a formula. */
export function downloadCsv(lines: readonly CsvCell[][], { name, locale }: { name: string; locale: string }): void {
  const notation = csvNotation(locale)
  const parts = [BYTE_ORDER_MARK, ...lines.map((line) => csvLine(line, notation))]
  downloadFile(new Blob(parts, { type: 'text/csv;charset=utf-8' }), `${name}.csv`)
}
