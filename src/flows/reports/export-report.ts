import type { z } from 'zod'
import { blockDownload } from './block-download'
import { readDocument, type DocumentContext } from './report-document'
import { assertRowsFit, reportDownload, restOfRows } from './report-download'
import { contentOf, readReport } from '../../features/reports/service'
import { PAPER_ROWS_MAX } from '../../features/reports/paper/result-table'
import type { Download } from '../../http/files/table-download'
import { watchRights } from '../../identity/access/rights-watch'
import type { FieldFilter } from '../../shared/query/plan'
import type { ReportContent } from '../../shared/reports/reports'
import type { exportReportSchema } from '../../shared/reports/tiles'
import { ProductError } from '../../shared/errors'

/** What a report's own filters begin with. */
export const filtersOf = ({ filters }: ReportContent): FieldFilter[] => filters.flatMap(({ filter }) => filter ?? [])

/** Of a table that is written whole: the rows by which its columns are formatted. */
const SAMPLE_ROWS = 1_000

/**
 * A report as it is now, or one of its blocks, as a file. Tables are written whole, their rows read while they are sent.
 * @throws ProductError as `readDocument`; `not_found` for a block that is not there
 */
export async function exportReport(
  context: DocumentContext,
  id: string,
  asked: z.output<typeof exportReportSchema>,
): Promise<Download> {
  const { format, of, block, period, filters, sources } = asked
  const report = await readReport(context, id)
  const content = await contentOf(context, { id, of })
  if (block !== undefined && !content.pages.some(({ blocks }) => blocks.some((each) => each.id === block)))
    throw new ProductError('not_found')
  const stillAllowed = context.stillAllowed ?? (await watchRights(context.deps, context.scope))
  const document = await readDocument(
    { ...context, stillAllowed },
    {
      ...{ report, content, period, filters: filters ?? filtersOf(content), sources, note: '' },
      tableRows: format === 'pdf' ? PAPER_ROWS_MAX : SAMPLE_ROWS,
      ...(block === undefined ? {} : { block }),
    },
  )
  const now = { ...document, n: 0 }
  if (format === 'pdf') return reportDownload(context, now, { format })
  assertRowsFit(now, format)
  const rest = restOfRows({ ...context, stillAllowed })
  if (block === undefined && format === 'xlsx') return reportDownload(context, now, { format, rest })
  return blockDownload(now, { format, rest })
}
