import type { RowParser } from '../../src/formats/contract'
import { createCsvReader } from '../../src/formats/csv/csv-reader'
import { createRowParser } from '../../src/formats/values/row-parser'
import type { FileInspection } from '../../src/shared/data-sources/files'

/** The typer that inspection proposes. */
export const proposedTyper = ({ settings, columns }: FileInspection): RowParser =>
  createRowParser(
    columns.map(({ index, label, type, scale, zoned, decimalMark, dateOrder, serialDates, months }) => ({
      column: {
        key: `c${index}`,
        label,
        type,
        ...(scale === undefined ? {} : { scale }),
        ...(zoned === undefined ? {} : { zoned }),
      },
      file: { index, decimalMark, dateOrder, serialDates, months },
    })),
    { ...settings, fileWidth: columns.length },
  )

/** Reads and types the whole file with what inspection proposes. */
export function loadCsv(bytes: Uint8Array, inspection: FileInspection): { rows: number; rejects: number } {
  const typer = proposedTyper(inspection)
  const found = { rows: 0, rejects: 0 }
  const reader = createCsvReader({
    settings: inspection.settings,
    startByte: 0,
    startLine: 1,
    onRecord: (cells, line) => {
      found.rows++
      if (!typer.parse(cells, line).ok) found.rejects++
    },
  })
  reader.push(bytes)
  reader.end()
  return found
}
