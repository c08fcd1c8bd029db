import { answerTable, figureTable, forecastTable, type RestOfRows } from './block-tables'
import { currenciesOf } from './document-currencies'
import { pivotOf } from './pivot-on-paper'
import { pivotSheet } from './pivot-sheet'
import type { Cell } from '../../../shared/query/result'
import { createXlsxStream, type XlsxSheet } from '../../../formats/workbook/xlsx-writer'
import { tableSheet, type FileTable } from '../../../http/files/table-download'
import { formatLocalTime, rateLines } from '../../../semantic/export-context'
import { statementSheet } from '../../../semantic/statements/statement-sheet'
import { createCellFormatter } from '../../../shared/figures/cell-formatter'
import { createFormatter } from '../../../shared/figures/formatter'
import type { DocumentBlock, ReportDocument } from '../../../shared/reports/editions'
import { plainLines } from '../../../shared/reports/rich-text'
import { writeTokens } from '../../../shared/reports/token-text'
import type { TileContent } from '../../../shared/reports/tiles'
import { STATEMENT_NAMES } from '../../../shared/statements/statements'

type ChartContent = Extract<TileContent, { kind: 'chart' }>
const ABOUT = 'About'
const SHEET_NAME_MAX = 31
/** Excel keeps it for itself. */
const RESERVED_NAMES = ['history']
/** What a workbook cannot hold is not in the names that are compared. */
const NOT_WRITTEN = /[\p{Cc}\p{Cs}\ufffe\uffff]/gu
const FORBIDDEN_IN_NAMES = /[[\]:*?/\\]/g

/** A report as a workbook: what it is on the first sheet, then a sheet for each block, with numbers as numbers. */
export function writeWorkbook(document: ReportDocument, rest: RestOfRows = null): ReadableStream<Uint8Array> {
  const taken = new Set([ABOUT.toLowerCase(), ...RESERVED_NAMES])
  const named = document.pages.flatMap(({ blocks }) =>
    blocks.flatMap((one) => {
      const sheet = blockSheet(document, one, rest)
      return sheet ? [{ one, sheet: { ...sheet, name: freeName(sheet.name, taken) } }] : []
    }),
  )
  const sheetLines = named.flatMap(({ one, sheet }) => aboutSheet(document, one, sheet.name))
  const rows = [...aboutRows(document), ...sheetLines]
  const about: XlsxSheet = { name: ABOUT, columns: [{ width: 24 }, { width: 60 }, { width: 30 }], rows }
  return createXlsxStream([about, ...named.map(({ sheet }) => sheet)])
}

/** A name that Excel takes and that no sheet before has. */
function freeName(wanted: string, taken: Set<string>): string {
  const plain = wanted.replaceAll(NOT_WRITTEN, '').replaceAll(FORBIDDEN_IN_NAMES, ' ')
  for (let n = 1; ; n += 1) {
    const suffix = n === 1 ? '' : ` ${n}`
    const name = `${cutName(plain, SHEET_NAME_MAX - suffix.length)}${suffix}`
    if (taken.has(name.toLowerCase())) continue
    taken.add(name.toLowerCase())
    return name
  }
}

/** Not within a sign of two units, and without quotes at its ends, which Excel refuses. */
const cutName = (name: string, length: number): string =>
  name
    .trim()
    .slice(0, length)
    .replace(/[\ud800-\udbff]$/, '')
    .replaceAll(/^['\s]+|['\s]+$/g, '') || 'Sheet'

function aboutRows(document: ReportDocument): Cell[][] {
  const { report, workspace, n, period, filters, notation, dataAsOf, note, madeBy, madeAt } = document
  const time = (instant: string): string => `${formatLocalTime(instant, notation.timeZone)} (${notation.timeZone})`
  return [
    ['Report', report.name],
    ['Workspace', workspace],
    ...(n > 0 ? [['Edition', n]] : []),
    ...(period === null ? [] : [['Period', period]]),
    ...filters.map((filter) => ['Filter', filter]),
    ['Currency', currenciesOf(document)],
    ...(dataAsOf === null ? [] : [['Data as of', time(dataAsOf)]]),
    ...(note === '' ? [] : [['Correction', note]]),
    [n > 0 ? 'Published by' : 'Exported by', madeBy],
    [n > 0 ? 'Published' : 'Exported', time(madeAt)],
  ]
}

/** What the figures of a sheet are: in words, of which period, by which rates, and what of the report it does not follow. */
function aboutSheet({ filters }: ReportDocument, { answer }: DocumentBlock, name: string): Cell[][] {
  if (answer === null || 'error' in answer || answer.content.kind !== 'chart') return []
  const { result, unfiltered } = answer.content
  const missed = unfiltered.flatMap((at) => filters[at] ?? [])
  return [
    [],
    ['Sheet', name],
    ...(result.words === '' ? [] : [['Query', result.words]]),
    ['Period', result.period?.label ?? 'All time', result.period?.compare ? `vs ${result.period.compare.label}` : null],
    ['Rows', result.rowCount],
    ...(missed.length > 0 ? [['Not filtered by', missed.join(', ')]] : []),
    ...rateLines(result.conversion),
  ]
}

function blockSheet(document: ReportDocument, { block, answer }: DocumentBlock, rest: RestOfRows): XlsxSheet | null {
  if (answer === null || 'error' in answer) return null
  const { content } = answer
  const title = 'title' in block ? block.title : ''
  const asTable = (name: string, table: FileTable): XlsxSheet =>
    tableSheet({ table, numberLocale: document.notation.numberLocale, timeZone: document.notation.timeZone }, name)
  switch (content.kind) {
    case 'chart':
      return chartSheet(document, content, { name: title || content.name, rest })
    case 'kpis':
      return block.kind === 'kpis' ? asTable('Key figures', figureTable(content.figures, block.figures)) : null
    case 'forecast':
      return asTable(title || content.name, forecastTable(content.run))
    case 'statement':
      return statementBlockSheet(document, content)
    case 'text':
      return block.kind === 'text' ? textSheet(document, block.text, content) : null
    case 'observation':
      return null
  }
}

function chartSheet(
  document: ReportDocument,
  content: ChartContent,
  { name, rest }: { name: string; rest: RestOfRows },
): XlsxSheet {
  const { numberLocale, timeZone } = document.notation
  const pivot = pivotOf(content, createCellFormatter(createFormatter(document.notation)))
  if (pivot) return pivotSheet(pivot, { name, locale: numberLocale })
  return tableSheet({ table: answerTable(content, rest), numberLocale, timeZone }, name)
}

function statementBlockSheet(
  { notation, madeAt, madeBy }: ReportDocument,
  { statement, language }: Extract<TileContent, { kind: 'statement' }>,
): XlsxSheet {
  const made = `${formatLocalTime(madeAt, notation.timeZone)} (${notation.timeZone}), ${madeBy}`
  const sheet = statementSheet(statement, { language, locale: notation.numberLocale, made })
  return { ...sheet, name: STATEMENT_NAMES[statement.kind][language] }
}

function textSheet(
  { notation }: ReportDocument,
  text: string,
  { tokens }: Extract<TileContent, { kind: 'text' }>,
): XlsxSheet | null {
  const written = writeTokens(text, tokens, createCellFormatter(createFormatter(notation)))
  const lines = plainLines(written).map(({ text: line }): Cell[] => [line])
  return lines.length === 0 ? null : { name: 'Text', columns: [{ width: 100 }], rows: lines }
}
