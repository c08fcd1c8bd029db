import type { FileWarning } from '../../../shared/data-sources/files'
import type { ByteSource, FormatReader, TableSink } from '../../contract'
import { readSheets } from '../sheets'
import {
  workbookDamagedError,
  workbookEncryptedError,
  workbookUnsafeError,
  workbookUnsupportedError,
} from '../workbook-errors'
import { scanTurnsOf } from '../workbook-package'
import { isCompoundFile, openCompoundFile } from './compound-file'
import { readBiffHeader, scanRecords } from './record-scanner'
import { XlsGlobals } from './xls-globals'
import { XlsSheetHandler } from './xls-sheet'

const SIGNATURE_BYTES = 8
const OTHER_MESSAGE = 'This is an older Office document, not a workbook. Upload a workbook or CSV.'
/** How Excel 97 and later, and Excel 95, name the stream; a file may hold both. */
const STREAMS = ['Workbook', 'Book'] as const

/** The records of a workbook, wherever they lie. */
interface XlsStream {
  size: number
  from(offset: number): AsyncIterable<Uint8Array>
}

async function openStream(source: ByteSource): Promise<XlsStream> {
  if (!isCompoundFile(await source.read(0, SIGNATURE_BYTES)))
    return { size: source.size, from: (offset) => source.stream(offset) }
  const file = await openCompoundFile(source)
  // A newer workbook with a password is encrypted as a whole, inside the older container.
  if (file.has('EncryptedPackage')) throw workbookEncryptedError()
  const name = STREAMS.find((one) => file.has(one))
  if (name === undefined) throw workbookUnsupportedError(OTHER_MESSAGE)
  return { size: file.size(name), from: (offset) => file.stream(name, offset) }
}

async function openXls(source: ByteSource, sink: TableSink): Promise<{ warnings: FileWarning[] }> {
  const stream = await openStream(source)
  const globals = new XlsGlobals()
  const scan = { readHeader: readBiffHeader, turns: scanTurnsOf(sink) }
  const { isDone } = await scanRecords(stream.from(0), globals, scan)
  if (!isDone) throw workbookDamagedError('its list of sheets is cut off')
  if (globals.sheets.length === 0) throw workbookDamagedError('it names no sheets')
  // Sheets lie one behind the other: together they have no more bytes than the stream.
  let left = stream.size
  return readSheets(globals.sheets, sink, async ({ offset }, table) => {
    if (offset === null) return 'no cells'
    const sheet = await scanRecords(stream.from(offset), new XlsSheetHandler(table, globals), scan)
    if (!sheet.isDone) throw workbookDamagedError('it is cut off')
    left -= sheet.bytes
    if (left < 0) throw workbookUnsafeError('its sheets overlap')
    return 'cells'
  })
}

/** Lengths of the first record by the upper byte of its type: Excel 2, 3, 4, and from 5 on. */
const BARE_STARTS: ReadonlyMap<number, readonly number[]> = new Map([
  [0, [4, 6]],
  [2, [6]],
  [4, [6]],
  [8, [8, 16]],
])
/** Records without a container: how a workbook of any version begins, as some programs still write them. */
const isBareStream = ([type, version = 0, length = 0, high, next = 0, after = 0]: Uint8Array): boolean =>
  type === 9 &&
  high === 0 &&
  BARE_STARTS.get(version)?.includes(length) === true &&
  (version !== 8 || (next === 0 && after >= 5))

/** Workbooks of Excel 5 to 2003 (xls): every sheet with values is a table. */
export const xlsReader: FormatReader = {
  kind: 'xls',
  recognises: (head) => isCompoundFile(head) || isBareStream(head),
  open: openXls,
}
