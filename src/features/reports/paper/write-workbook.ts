import type { Cell } from '../../../shared/query/result'
import { createXlsxStream, type XlsxSheet } from '../../../formats/workbook/xlsx-writer'
import { tableSheet, type FileTable } from '../../../http/files/table-download'
import { formatLocalTime } from '../../../semantic/export-context'
import { tableOfAnswer } from '../../../semantic/answer-table'
import { statementSheet } from '../../../semantic/statements/statement-sheet'
import { keyFigure } from '../../../shared/charts/headline'
import { createCellFormatter } from '../../../shared/figures/cell-formatter'
import { createFormatter } from '../../../shared/figures/formatter'
import type { DocumentBlock, ReportDocument } from '../../../shared/reports/editions'
import { plainLines } from '../../../shared/reports/rich-text'
import { writeTokens } from '../../../shared/reports/token-text'
import type { FigureAnswer, ForecastTile, TileContent } from '../../../shared/reports/tiles'
import { STATEMENT_NAMES } from '../../../shared/statements/statements'

const SHEET_NAME_MAX = 31
/** Excel keeps it for itself. */
const RESERVED_NAMES = ['history']
/** What a workbook cannot hold is not in the names that are compared. */
const NOT_WRITTEN = /[\p{Cc}\p{Cs}\ufffe\uffff]/gu
const FORBIDDEN_IN_NAMES = /[[\]:*?/\\]/g

/** A report as a workbook: what it is on the first sheet, then a sheet for each block, with numbers as numbers. */
export function writeWorkbook(document: ReportDocument): ReadableStream<Uint8Array> {
  const about: XlsxSheet = { name: 'About', columns: [{ width: 24 }, { width: 60 }], rows: aboutRows(document) }
  const taken = new Set([about.name.toLowerCase(), ...RESERVED_NAMES])
  const sheets = document.pages.flatMap(({ blocks }) => blocks.flatMap((one) => blockSheet(document, one) ?? []))
  return createXlsxStream([about, ...sheets.map((sheet) => ({ ...sheet, name: freeName(sheet.name, taken) }))])
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
    ['Currency', notation.currency],
    ...(dataAsOf === null ? [] : [['Data as of', time(dataAsOf)]]),
    ...(note === '' ? [] : [['Correction', note]]),
    [n > 0 ? 'Published by' : 'Exported by', madeBy],
    [n > 0 ? 'Published' : 'Exported', time(madeAt)],
  ]
}

function blockSheet(document: ReportDocument, { block, answer }: DocumentBlock): XlsxSheet | null {
  if (answer === null || 'error' in answer) return null
  const { content } = answer
  const title = 'title' in block ? block.title : ''
  const asTable = (name: string, table: FileTable): XlsxSheet =>
    tableSheet({ table, numberLocale: document.notation.numberLocale, timeZone: document.notation.timeZone }, name)
  switch (content.kind) {
    case 'chart':
      return asTable(title || content.name, tableOfAnswer(content.result, content.viz.percent))
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

function statementBlockSheet(
  { notation, madeAt, madeBy }: ReportDocument,
  { statement, language }: Extract<TileContent, { kind: 'statement' }>,
): XlsxSheet {
  const made = `${formatLocalTime(madeAt, notation.timeZone)} (${notation.timeZone}), ${madeBy}`
  const sheet = statementSheet(statement, { language, locale: notation.numberLocale, made })
  return { ...sheet, name: STATEMENT_NAMES[statement.kind][language] }
}

const NUMBER = { type: 'number', format: { style: 'plain' }, kind: 'measure' } as const
const TEXT = { type: 'text', format: { style: 'plain' }, kind: 'dimension' } as const

const rowsOf = (rows: Cell[][]): Pick<FileTable, 'sample' | 'rows' | 'totals'> => ({
  sample: rows,
  rows: async function* () {
    yield* await Promise.resolve(rows)
  },
  totals: null,
})

function figureTable(figures: readonly FigureAnswer[], asked: readonly { label: string }[]): FileTable {
  const rows = figures.map((answer, at): Cell[] => {
    const label = asked[at]?.label ?? ''
    if ('error' in answer) return [label, null, null, null, null]
    const figure = keyFigure(answer.result)
    const { period } = answer.result
    return [
      label || answer.name,
      figure?.value ?? null,
      period?.label ?? null,
      figure?.previous ?? null,
      period?.compare?.label ?? null,
    ]
  })
  return {
    columns: [TEXT, NUMBER, TEXT, NUMBER, TEXT],
    heads: ['Name', 'Value', 'Period', 'Compared value', 'Compared period'],
    ...rowsOf(rows),
  }
}

const forecastTable = ({ past, future }: ForecastTile): FileTable => ({
  columns: [{ ...TEXT, type: 'date' }, NUMBER, NUMBER, NUMBER, NUMBER],
  heads: ['Period', 'Actual', 'Forecast', '80 % interval low', '80 % interval high'],
  ...rowsOf([
    ...past.map(({ period, value }): Cell[] => [period, value, null, null, null]),
    ...future.map(({ period, mean, lower80, upper80 }): Cell[] => [period, null, mean, lower80, upper80]),
  ]),
})

function textSheet(
  { notation }: ReportDocument,
  text: string,
  { tokens }: Extract<TileContent, { kind: 'text' }>,
): XlsxSheet {
  const written = writeTokens(text, tokens, createCellFormatter(createFormatter(notation)))
  const lines = plainLines(written).map(({ text: line }): Cell[] => [line])
  return { name: 'Text', columns: [{ width: 100 }], rows: lines }
}
