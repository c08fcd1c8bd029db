import { printablePictures } from '../../features/reports/paper/printable-pictures'
import type { RestOfRows } from '../../features/reports/paper/block-tables'
import { writeWorkbook } from '../../features/reports/paper/write-workbook'
import type { ReadContext } from '../../deps'
import { exportRowsMax, XLSX_TYPE, type Download } from '../../http/files/table-download'
import { readPicture } from '../../http/picture-upload'
import type { RightsWatch } from '../../identity/access/rights-watch'
import { restOfAnswer } from '../../semantic/answer-table'
import type { CalendarContext } from '../../semantic/calendar'
import { queryService } from '../../semantic/query-service'
import { ProductError } from '../../shared/errors'
import type { ReportDocument } from '../../shared/reports/editions'

/** Reads rows that a document does not hold, by its reader's rights. */
export interface RowsContext extends CalendarContext {
  signal: AbortSignal
  stillAllowed: RightsWatch
}

/** What is left of the tables of a document that was read with `tableRows`, page by page, while the file is written. */
export const restOfRows = (context: RowsContext): RestOfRows =>
  async function* ({ plan, result }) {
    const { deps, scope, calendar, signal, stillAllowed } = context
    const resolved = await queryService(deps, { scope, calendar }).resolve(plan)
    const watch = async (): Promise<void> => {
      if (signal.aborted) throw new ProductError('busy', { retryAfter: 1 })
      await stillAllowed()
    }
    yield* restOfAnswer({ deps, scope, calendar }, resolved, { first: result, stillAllowed: watch })
  }

/**
 * That all tables of a document can be written whole.
 * @throws ProductError `too_large` with the count of their rows
 */
export function assertRowsFit({ pages }: Pick<ReportDocument, 'pages'>, format: 'csv' | 'xlsx'): void {
  const counts = pages.flatMap(({ blocks }) =>
    blocks.flatMap(({ answer }) =>
      answer !== null && 'content' in answer && answer.content.kind === 'chart' ? [answer.content.result.rowCount] : [],
    ),
  )
  const size = counts.reduce((sum, count) => sum + count, 0)
  const max = exportRowsMax(format)
  if (size > max) throw new ProductError('too_large', { what: 'rows', size, max })
}

const fileNameOf = ({ report, period, n }: ReportDocument, ending: string): string => {
  const parts = [report.name, period, n > 0 ? `edition ${n}` : null].filter((part) => part !== null)
  return `${parts.join(' ').replaceAll('/', '–')}.${ending}`
}

/**
 * A report with its figures as a file. A PDF is whole before its first byte is sent; a workbook is written while it is
 * sent: of a document in memory its size is bounded by that, with `rest` by {@link assertRowsFit}.
 */
export async function reportDownload(
  { deps }: Pick<ReadContext, 'deps'>,
  document: ReportDocument,
  { format, rest = null }: { format: 'pdf' | 'xlsx'; rest?: RestOfRows },
): Promise<Download> {
  if (format === 'xlsx')
    return { fileName: fileNameOf(document, 'xlsx'), contentType: XLSX_TYPE, body: writeWorkbook(document, rest) }
  // Large, and seldom asked for: read when it is.
  const [{ writePaper }, { readFonts }] = await Promise.all([
    import('../../features/reports/paper/write-paper'),
    import('../../formats/pdf/fonts'),
  ])
  const bytes = await writePaper(document, { fonts: readFonts(), pictures: await readPictures({ deps }, document) })
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(bytes)
      controller.close()
    },
  })
  return { fileName: fileNameOf(document, 'pdf'), contentType: 'application/pdf', body }
}

async function readPictures(
  { deps }: Pick<ReadContext, 'deps'>,
  { pages }: ReportDocument,
): Promise<Map<string, Uint8Array>> {
  const keys = new Set(
    pages.flatMap(({ blocks }) =>
      blocks.flatMap(({ block }) => (block.kind === 'image' && block.picture ? [block.picture] : [])),
    ),
  )
  return printablePictures(keys, async (key) => {
    const stored = await readPicture(deps, key)
    return stored && new Uint8Array(await stored.arrayBuffer())
  })
}
