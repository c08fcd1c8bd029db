import { watchRights, type RightsWatch } from '../identity/access/rights-watch'
import { PLAIN_VIEW, rowsInView, viewedPlan, type TableView } from '../shared/query/table-view'
import { QUERY_ROWS_MAX } from '../shared/limits'
import { ProductError } from '../shared/errors'
import { dimensionText } from '../shared/query/dimension-text'
import { columnsWithKeys, headsWithKeys, rowWithKeys } from './key-columns-of-files'
import { columnLabel } from '../shared/query/column-label'
import type { QueryPlan } from '../shared/query/plan'
import type { Cell, QueryResult, ResultColumn } from '../shared/query/result'
import type { CalendarContext } from './calendar'
import { queryService } from './query-service'

const PAGE_ROWS = QUERY_ROWS_MAX

/** An answer as a table to be written into a file. */
export interface AnswerTable {
  columns: ResultColumn[]
  heads: string[]
  /** The first rows, by which columns are formatted. */
  sample: Cell[][]
  rows: () => AsyncGenerator<Cell[]>
  totals: Cell[] | null
  rowCount: number
  /** The first page: its words, period and data say what the figures are. */
  answer: QueryResult
}

interface AnswerTableRequest {
  context: Pick<CalendarContext, 'deps' | 'scope' | 'calendar'>
  plan: QueryPlan
  view?: TableView
  /** Measures that are shown as per cent. */
  percent?: readonly number[] | undefined
  rowsMax: number
  numberLocale: string
}

const queryPage = ({ deps, scope, calendar }: AnswerTableRequest['context'], plan: QueryPlan): Promise<QueryResult> =>
  queryService(deps, { scope, calendar }).answer(plan)

/** Which rows an answer is from. */
const dataVersions = ({ datasets }: QueryResult): string =>
  datasets.map(({ id, dataVersion }) => `${id} ${dataVersion}`).join()

const isPlain = ({ sort, filters }: TableView): boolean => sort === null && filters.length === 0

/** Columns that hold parts of one and are read as per cent: changes, and ratios shown so. */
function shownColumns(columns: readonly ResultColumn[], percent: readonly number[] = []): ResultColumn[] {
  let measures = -1
  return columns.map((column) => {
    if (column.kind === 'measure') measures += 1
    const of = column.kind === 'measure' ? measures : (column.measure ?? -1)
    return percent.includes(of) ? { ...column, format: { style: 'percent' } } : column
  })
}

/** An answer that is here as a table to be written into a file: the rows that it holds. */
export function tableOfAnswer(answer: QueryResult, percent?: readonly number[]): Omit<AnswerTable, 'answer'> {
  const columns = shownColumns(answer.columns, percent)
  const lines = answer.rows.map((row) => rowWithKeys(row, columns))
  return {
    ...headed(columns, answer),
    sample: lines,
    rows: async function* () {
      yield* await Promise.resolve(lines)
    },
    totals: answer.totals && rowWithKeys(answer.totals, columns),
    rowCount: lines.length,
  }
}

const headed = (columns: readonly ResultColumn[], answer: QueryResult): Pick<AnswerTable, 'columns' | 'heads'> => ({
  columns: columnsWithKeys(columns),
  heads: headsWithKeys(
    columns.map((column) => columnLabel(column, answer)),
    columns,
  ),
})

/**
 * The whole answer to a plan as a view of its table shows it. An answer that is here as a whole is sorted and filtered as
 * its table does it; of others the database is asked for the view.
 * @throws ProductError `too_large` with the count, before a row is read
 */
export async function answerTable(request: AnswerTableRequest): Promise<AnswerTable> {
  const { context, plan, view = PLAIN_VIEW, percent, rowsMax, numberLocale } = request
  const stillAllowed = await watchRights(context.deps, context.scope)
  const unviewed = await queryPage(context, isPlain(view) ? { ...plan, limit: PAGE_ROWS, offset: 0 } : plan)
  const isWhole = plan.kind === 'aggregate' && unviewed.rows.length >= unviewed.rowCount
  const columns = shownColumns(unviewed.columns, percent)
  const written = headed(columns, unviewed)
  if (isWhole) {
    const textOf = (cell: Cell, at: number): string | null => {
      const column = columns[at]
      return column ? dimensionText(cell, column, { numbers: numberLocale, dates: numberLocale }) : null
    }
    const rows = rowsInView(unviewed, view, textOf).flatMap((at) => (unviewed.rows[at] ? [unviewed.rows[at]] : []))
    const lines = rows.map((row) => rowWithKeys(row, columns))
    const totals = view.filters.length === 0 && unviewed.totals ? rowWithKeys(unviewed.totals, columns) : null
    const all = async function* () {
      yield* await Promise.resolve(lines)
    }
    return { ...written, sample: lines, rows: all, totals, rowCount: rows.length, answer: unviewed }
  }
  const asked = isPlain(view) ? plan : viewedPlan({ plan, columns: unviewed.columns }, view)
  if (!asked) throw new ProductError('invalid_input', { fields: { view: 'This column cannot be sorted or filtered.' } })
  const first = isPlain(view) ? unviewed : await queryPage(context, { ...asked, limit: PAGE_ROWS, offset: 0 })
  if (first.rowCount > rowsMax)
    throw new ProductError('too_large', { what: 'rows', size: first.rowCount, max: rowsMax })
  return {
    ...written,
    ...{ sample: linesOf(first), totals: first.totals && rowWithKeys(first.totals, first.columns) },
    ...{ rowCount: first.rowCount, answer: first },
    rows: async function* () {
      yield* linesOf(first)
      yield* restOfAnswer(context, asked, { first, stillAllowed })
    },
  }
}

const linesOf = ({ rows, columns }: QueryResult): Cell[][] => rows.map((row) => rowWithKeys(row, columns))

/**
 * The rows of an answer after its first ones, read page by page while they are written.
 * @throws ProductError `busy` when other rows came in meanwhile, and what `stillAllowed` throws: the file breaks off
 */
export async function* restOfAnswer(
  context: AnswerTableRequest['context'],
  plan: QueryPlan,
  { first, stillAllowed }: { first: QueryResult; stillAllowed: RightsWatch },
): AsyncGenerator<Cell[]> {
  const version = dataVersions(first)
  // A page of long texts holds fewer rows than were asked for.
  for (let offset = first.rows.length; offset < first.rowCount;) {
    await stillAllowed()
    const page = await queryPage(context, { ...plan, limit: PAGE_ROWS, offset })
    // Half of the old rows and half of the new ones would be a false answer: the download breaks off instead.
    if (dataVersions(page) !== version) throw new ProductError('busy', { retryAfter: 5 })
    if (page.rows.length === 0) break
    yield* linesOf(page)
    offset += page.rows.length
  }
}
