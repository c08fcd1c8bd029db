import { queryService } from '../../semantic/query-service'
import type { CalendarContext } from '../../semantic/calendar'
import { createXlsxStream } from '../../formats/workbook/xlsx-writer'
import { streamCsv } from '../../http/download'
import { ProductError } from '../../shared/errors'
import type { ExportQuery, Insight } from '../../shared/insights'
import { EXPORT_ROWS_MAX, XLSX_ROWS_MAX } from '../../shared/limits'
import { measuredDataset } from '../../shared/query/plan-fields'
import type { QueryPlan } from '../../shared/query/plan'
import { ATTRIBUTION, CURRENCY_MODE_LABELS } from '../../shared/currencies'
import type { Cell, CurrencyConversion, QueryResult, ResultColumn } from '../../shared/query/result'

const PAGE_ROWS = 5_000
/** Lines above the data, those of rates among them, and the totals below it. */
const EXTRA_LINES_MAX = 250

interface ExportContext extends CalendarContext {
  insight: Insight
  /** Who takes the figures with them: stands in the file. */
  by: string
}
interface ExportFile {
  fileName: string
  contentType: string
  body: ReadableStream<Uint8Array>
}

/**
 * The whole answer of an insight, or the records behind it, written while it is read.
 * @throws ProductError `too_large` with the count, before anything is sent
 */
export async function exportInsight(context: ExportContext, { format, rows }: ExportQuery): Promise<ExportFile> {
  const { deps, scope, calendar } = context
  const given = await queryService(deps, { scope, calendar }).resolve(context.insight.plan)
  const plan = rows === '1' ? recordsPlan(given) : given
  const first = await queryPage(context, plan, 0)
  const max = format === 'xlsx' ? Math.min(EXPORT_ROWS_MAX, XLSX_ROWS_MAX - EXTRA_LINES_MAX) : EXPORT_ROWS_MAX
  if (first.rowCount > max) throw new ProductError('too_large', { what: 'rows', size: first.rowCount, max })
  const lines = exportLines(context, plan, first)
  const fileName = `${context.insight.name}${rows === '1' ? ' rows' : ''} ${context.calendar.today}.${format}`
  if (format === 'csv') return { fileName, contentType: 'text/csv; charset=utf-8', body: streamCsv(lines) }
  const contentType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  return { fileName, contentType, body: createXlsxStream('Insight', lines) }
}

/** The records that the figures of a plan are computed from. */
function recordsPlan(plan: QueryPlan): QueryPlan {
  const dataset = measuredDataset(plan)
  const { filters, period, columns } = plan
  return {
    v: 1,
    kind: 'rows',
    measures: [],
    dimensions: [],
    filters,
    ...(dataset === undefined ? {} : { dataset }),
    ...(period ? { period: { ...period, compare: 'none' } } : {}),
    ...(columns ? { columns } : {}),
  }
}

const queryPage = ({ deps, scope, calendar }: ExportContext, plan: QueryPlan, offset: number): Promise<QueryResult> =>
  queryService(deps, { scope, calendar }).answer({ ...plan, limit: PAGE_ROWS, offset })

/** Which rows an answer is from. */
const dataVersions = ({ datasets }: QueryResult): string =>
  datasets.map(({ id, dataVersion }) => `${id} ${dataVersion}`).join()

async function* exportLines(context: ExportContext, plan: QueryPlan, first: QueryResult): AsyncGenerator<Cell[]> {
  yield* headerLines(context, first)
  const parts = percentColumns(first.columns, context.insight.viz.percent)
  yield first.columns.map(({ label, kind }, i) =>
    parts[i] === true && kind !== 'changePercent' ? `${label} (%)` : label,
  )
  const asShown = toExportCells(parts)
  yield* first.rows.map(asShown)
  const version = dataVersions(first)
  // A page of long texts holds fewer rows than were asked for.
  for (let offset = first.rows.length; offset < first.rowCount;) {
    const page = await queryPage(context, plan, offset)
    // Half of the old rows and half of the new ones would be a false answer: the download breaks off instead.
    if (dataVersions(page) !== version) throw new ProductError('busy', { retryAfter: 5 })
    if (page.rows.length === 0) break
    yield* page.rows.map(asShown)
    offset += page.rows.length
  }
  if (first.totals) yield asShown(first.totals).map((cell, i) => (i === 0 && cell === null ? 'Total' : cell))
}

/** Which columns hold parts of one that are read as per cent: changes, and ratios shown so. */
function percentColumns(columns: ResultColumn[], percent: number[] = []): boolean[] {
  let measures = -1
  return columns.map(({ kind, measure }) => {
    if (kind === 'measure') measures += 1
    return kind === 'changePercent' || percent.includes(kind === 'measure' ? measures : (measure ?? -1))
  })
}

/** A part of one stands as per cent with two decimals, under a heading that says so. */
const toExportCells =
  (parts: boolean[]) =>
  (row: Cell[]): Cell[] =>
    row.map((cell, i) => (parts[i] === true && typeof cell === 'number' ? Math.round(cell * 10_000) / 100 : cell))

/** A moment on the workspace's clock: `2026-03-01 14:05`. */
const formatLocalTime = (at: number | string, timeZone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone }).format(new Date(at))

/** By which rates figures came to be in one currency: a line for each currency, and for what was left out. */
function rateLines(conversion: CurrencyConversion | undefined): Cell[][] {
  if (!conversion) return []
  const { code, mode, lines, missing } = conversion
  return [
    ['Currency', code, CURRENCY_MODE_LABELS[mode], ATTRIBUTION],
    ...lines.map(({ currency, amount, rows, rate, from, to, source, mode: own }): Cell[] => [
      `1 ${currency} in ${code}`,
      rate.least,
      ...(rate.greatest === rate.least ? [null] : [rate.greatest]),
      ...[from, to, source, amount, rows],
      ...(own ? [CURRENCY_MODE_LABELS[own]] : []),
    ]),
    ...missing.map(({ currency, amount, rows, from, to }): Cell[] => [
      `No rate: ${currency === '' ? 'no currency' : currency}`,
      ...[null, null, from, to, null, amount, rows],
    ]),
  ]
}

/** What the figures are, so that a file explains itself years later. */
function headerLines(
  { insight, by, deps, calendar }: ExportContext,
  { words, period, dataAsOf, datasets, rowCount, conversion, unconverted }: QueryResult,
): Cell[][] {
  const compared = period?.compare ? `, compared with ${period.compare.label}` : ''
  return [
    ['Insight', insight.name],
    ['Question', words],
    ['Period', period ? `${period.label}${compared}${period.incomplete ? ' (still running)' : ''}` : 'All time'],
    ['Data', datasets.map(({ name }) => name).join(', ')],
    ['Data as of', dataAsOf === null ? null : formatLocalTime(dataAsOf, calendar.timeZone)],
    ['Rows', rowCount],
    ...rateLines(conversion),
    ...(unconverted ? [['Currency', `As it is: the plan does not convert to ${unconverted.code}`]] : []),
    ['Exported by', by],
    ['Exported at', `${formatLocalTime(deps.clock.now(), calendar.timeZone)} (${calendar.timeZone})`],
    [],
  ]
}
