import {
  answerTable,
  figureTable,
  forecastTable,
  statementFileTable,
  type RestOfRows,
} from '../../features/reports/paper/block-tables'
import { pivotOf } from '../../features/reports/paper/pivot-on-paper'
import { pivotFileTable } from '../../features/reports/paper/pivot-sheet'
import { writeWorkbook } from '../../features/reports/paper/write-workbook'
import { tableDownload, XLSX_TYPE, type Download, type FileTable } from '../../http/files/table-download'
import { formatLocalTime } from '../../semantic/export-context'
import { createCellFormatter } from '../../shared/figures/cell-formatter'
import { createFormatter } from '../../shared/figures/formatter'
import { ProductError } from '../../shared/errors'
import type { DocumentBlock, ReportDocument } from '../../shared/reports/editions'
import { STATEMENT_NAMES } from '../../shared/statements/statements'

/**
 * The one block of a document as a file.
 * @throws ProductError what the block cannot be answered for; `not_found` for one without figures
 */
export function blockDownload(
  document: ReportDocument,
  { format, rest }: { format: 'csv' | 'xlsx'; rest: RestOfRows },
): Download {
  const { numberLocale, timeZone } = document.notation
  const [one] = document.pages.flatMap(({ blocks }) => blocks)
  const table = one && blockTable(document, one, rest)
  if (!one || !table) throw new ProductError('not_found')
  const name =
    `${document.report.name} ${nameOf(one)} ${formatLocalTime(document.madeAt, timeZone).slice(0, 10)}`.replaceAll(
      '/',
      '–',
    )
  if (format === 'xlsx')
    return { fileName: `${name}.xlsx`, contentType: XLSX_TYPE, body: writeWorkbook(document, rest) }
  return tableDownload({ name, format, table, context: [], numberLocale, timeZone })
}

function nameOf({ block, answer }: DocumentBlock): string {
  if ('title' in block && block.title !== '') return block.title
  if (answer === null || 'error' in answer) return ''
  const { content } = answer
  if (content.kind === 'statement') return STATEMENT_NAMES[content.statement.kind][content.language]
  return 'name' in content ? content.name : 'Key figures'
}

function blockTable(
  { notation }: ReportDocument,
  { block, answer }: DocumentBlock,
  rest: RestOfRows,
): FileTable | null {
  if (answer === null) return null
  if ('error' in answer) {
    const { code, message, requestId: _request, ...details } = answer.error
    throw new ProductError(code, details, message)
  }
  const { content } = answer
  switch (content.kind) {
    case 'chart': {
      const pivot = pivotOf(content, createCellFormatter(createFormatter(notation)))
      return pivot ? pivotFileTable(pivot) : answerTable(content, rest)
    }
    case 'kpis':
      return block.kind === 'kpis' ? figureTable(content.figures, block.figures) : null
    case 'forecast':
      return forecastTable(content.run)
    case 'statement':
      return statementFileTable(content.statement, content.language)
    case 'text':
    case 'observation':
      return null
  }
}
