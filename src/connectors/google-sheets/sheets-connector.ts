import { sheetsAccess } from './sheets-access'
import {
  fileStamp,
  GOOGLE_SHEETS,
  listSheets,
  rangeOf,
  readFormats,
  readRows,
  SHEETS_RATE,
  type SheetInfo,
} from './sheets-calls'
import { csvHeader, csvLine, layoutOf, serialKinds, type SheetLayout } from './sheet-table'
import { SourceError, type Connector, type ConnectorContext, type Cursor, type ReadPage } from '../contract'
import type { ConnectorDescription, SourceStream } from '../../shared/data-sources/connectors'

const DESCRIPTION: ConnectorDescription = {
  kind: 'google_sheets',
  title: GOOGLE_SHEETS,
  summary: 'Sheets of a Google spreadsheet that you choose',
  group: 'files',
  auth: 'oauth',
  fields: [],
  reads: ['The spreadsheet that you choose, sheet by sheet', 'Only when it changed, and at least once a day'],
  never: ['Sees any other file in Google Drive', 'Changes anything in the spreadsheet'],
  delivery: 'pull',
  rate: SHEETS_RATE,
}

/** Rows in which a table's headings are looked for, and its formats. */
const HEAD_ROWS = 40
const FORMAT_ROWS = 20
/** Cells a call: some 2 MB, as Google advises. */
const CELLS_A_CALL = 100_000
/** Formulas bring in values of elsewhere without a change of the file. */
const UNCHANGED_MAX_MS = 24 * 3_600_000

const streamKey = ({ id }: SheetInfo): string => `sheet.${id}`

async function sheetOf(context: ConnectorContext, stream: SourceStream): Promise<SheetInfo> {
  const found = (await listSheets(context)).find((sheet) => streamKey(sheet) === stream.key)
  if (found) return found
  throw new SourceError('drift', {
    message: `The sheet “${stream.label}” is no longer in the spreadsheet.`,
    mend: 'Restore it in Google Sheets, or remove the table.',
  })
}

/** The sheet as CSV, call by call as it is taken. */
async function* csvOf(context: ConnectorContext, sheet: SheetInfo, layout: SheetLayout): AsyncGenerator<string> {
  const formats = await readFormats(context, rangeOf(sheet, layout.firstRow, FORMAT_ROWS))
  const kinds = serialKinds(formats, layout.header.length)
  yield csvHeader(layout.header)
  const step = Math.max(1, Math.floor(CELLS_A_CALL / Math.max(1, sheet.columns)))
  for (let first = layout.firstRow; first < sheet.rows; first += step) {
    const rows = await readRows(context, rangeOf(sheet, first, Math.min(step, sheet.rows - first)))
    yield rows
      .filter((row) => row.some((value) => value !== ''))
      .map((row) => csvLine(row, kinds))
      .join('')
  }
}

function streamOfTexts(texts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await texts.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    async cancel() {
      await texts.return(undefined)
    },
  })
}

/** Whether the file is the same as at the sync that a cursor is of. */
function isUnchanged(cursor: Cursor | null, modifiedTime: string, now: number): boolean {
  const [known, readAt] = [cursor?.['modifiedTime'], cursor?.['readAt']]
  return known === modifiedTime && typeof readAt === 'number' && now - readAt < UNCHANGED_MAX_MS
}

export const sheetsConnector: Connector = {
  describe: () => DESCRIPTION,
  authorise: sheetsAccess,

  async test(context) {
    return { account: (await fileStamp(context)).name, warnings: [] }
  },

  async discover(context) {
    const sheets = await listSheets(context)
    const file = { columns: null, keyColumns: [], incrementalColumn: null, modes: ['replace'] as const }
    return sheets.map((sheet) => ({
      ...{ key: streamKey(sheet), label: sheet.title, ...file, proposed: !sheet.hidden },
    }))
  },

  async read(context, { stream, cursor }): Promise<ReadPage> {
    // Before the values: what is changed while they are read is read again the next time.
    const { modifiedTime } = await fileStamp(context)
    const now = context.clock.now()
    if (isUnchanged(cursor, modifiedTime, now)) return { kind: 'unchanged', cursor, done: true }
    const sheet = await sheetOf(context, stream)
    const layout = layoutOf(await readRows(context, rangeOf(sheet, 0, HEAD_ROWS)), sheet.merges)
    if (!layout)
      throw new SourceError('drift', {
        message: `The sheet “${sheet.title}” is empty.`,
        mend: 'Add rows, or remove the table.',
      })
    const file = { name: `${sheet.title}.csv`, body: streamOfTexts(csvOf(context, sheet, layout)) }
    return { kind: 'file', file, cursor: { modifiedTime, readAt: now }, done: true }
  },
}
