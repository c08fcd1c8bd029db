import type { Cell } from '../contract'
import type { ByteSource, TableRowWriter, TableSink } from '../../formats/contract'
import { CANONICAL_CSV } from '../../formats/csv/canonical-csv'
import { createCsvReader } from '../../formats/csv/csv-reader'
import { ledgerColumns } from '../../formats/sie/ledger-tables'
import { sieReader } from '../../formats/sie/sie-reader'
import type { LedgerTable } from '../../shared/data-sources/files'

const PIECE_BYTES = 256 * 1024

const byteSource = (bytes: Uint8Array): ByteSource => ({
  fileName: 'ledger.se',
  size: bytes.length,
  read: (offset, length) => Promise.resolve(bytes.subarray(offset, offset + length)),
  stream(offset = 0) {
    let at = offset
    return new ReadableStream({
      pull(controller) {
        if (at < bytes.length) controller.enqueue(bytes.subarray(at, at + PIECE_BYTES))
        at += PIECE_BYTES
        if (at >= bytes.length) controller.close()
      },
    })
  },
})

const UNREAD: TableRowWriter = { add: () => undefined, addRecords: () => undefined, describe: () => undefined }

/** Rows of canonical records, one after the other. */
function rowWriter(width: number, onRow: (row: Cell[]) => void): TableRowWriter {
  const take = (cells: readonly (string | null)[]): void =>
    onRow(Array.from({ length: width }, (_, at) => (cells[at] === '' ? null : (cells[at] ?? null))))
  return {
    add: take,
    addRecords({ bytes }) {
      const settings = { ...CANONICAL_CSV, skipLines: 0, header: false }
      const reader = createCsvReader({ settings, startByte: 1, startLine: 1, onRecord: take })
      reader.push(bytes)
      reader.end()
    },
    describe: () => undefined,
  }
}

/**
 * Rows of one of a SIE file's tables, in the order of the file. The file's other tables are read over.
 * @throws ProductError `file_unreadable` or `too_large`
 */
export async function readSieTable(bytes: Uint8Array, table: LedgerTable, onRow: (row: Cell[]) => void): Promise<void> {
  const writer = rowWriter(ledgerColumns(table).length, onRow)
  const sink: TableSink = {
    table: ({ ledger }) => (ledger === table ? writer : UNREAD),
    flush: () => Promise.resolve(),
  }
  await sieReader.open(byteSource(bytes), sink)
}

/** Which tables of a SIE file have rows. */
export async function sieTables(bytes: Uint8Array): Promise<LedgerTable[]> {
  const found = new Set<LedgerTable>()
  const sink: TableSink = {
    table({ ledger }) {
      if (ledger) found.add(ledger)
      return UNREAD
    },
    flush: () => Promise.resolve(),
  }
  await sieReader.open(byteSource(bytes), sink)
  return [...found]
}

const [LF, CR, OPEN, CLOSE] = [10, 13, 123, 125] as const

/** Whether a file ends as whole files do: with a whole line, and every voucher that was opened is closed. */
export function isWholeSie(bytes: Uint8Array): boolean {
  if (bytes.at(-1) !== LF && bytes.at(-1) !== CLOSE) return false
  let open = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte !== OPEN && byte !== CLOSE) continue
    const [before, after] = [bytes[at - 1], bytes[at + 1]]
    const isLine = before === LF && (after === CR || after === LF || after === undefined)
    if (isLine) open += byte === OPEN ? 1 : -1
  }
  return open === 0
}
