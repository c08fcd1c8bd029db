import type { CsvReaderOptions } from './contract'

/** The first cell of a record is its line in the file that the table was taken out of. */
export const withoutLineNumberCell =
  (onRecord: CsvReaderOptions['onRecord']): CsvReaderOptions['onRecord'] =>
  ([line, ...cells]) =>
    onRecord(cells, Number(line))
