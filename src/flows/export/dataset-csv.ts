import type { Scope } from '../../scope'
import type { Deps } from '../../deps'
import { csvLine } from '../../shared/csv-line'
import { ProductError } from '../../shared/errors'
import type { QueryPlan } from '../../shared/query/plan'
import type { Cell, QueryResult, ResultColumn } from '../../shared/query/result'
import type { Column } from '../../shared/data-sources/data-sources'
import type { CatalogueDataset } from '../../warehouse/contract'
import type { Calendar } from '../../shared/dates'

const PAGE_ROWS = 5_000
/** So that spreadsheets read the text as UTF-8. */
const BOM = '\ufeff'

export interface DatasetCsvRequest {
  deps: Pick<Deps, 'warehouse'>
  scope: Scope
  calendar: Calendar
  /** Throws when the asker may not have the rows any more; asked before every page. */
  stillAllowed: () => Promise<void>
}

const visibleColumns = ({ columns }: CatalogueDataset): Column[] => columns.filter(({ hidden }) => !hidden)

const pagePlan = (dataset: CatalogueDataset, offset: number): QueryPlan => ({
  v: 1,
  kind: 'rows',
  dataset: dataset.id,
  measures: [],
  dimensions: [],
  filters: [],
  columns: visibleColumns(dataset).map(({ key }) => ({ dataset: dataset.id, column: key })),
  limit: PAGE_ROWS,
  offset,
})

/**
 * Every row of a dataset as CSV, in the order of loading, with a heading for every column that is not hidden. One version
 * throughout: when new rows take its place half-way it fails, because half of each would be a false answer.
 */
export async function* datasetCsv(ask: DatasetCsvRequest, dataset: CatalogueDataset): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  yield encoder.encode(BOM + csvLine(visibleColumns(dataset).map(({ label }) => label)))
  const warehouse = ask.deps.warehouse(ask.scope)
  for (let offset = 0; offset < dataset.rowCount;) {
    await ask.stillAllowed()
    const page = await warehouse.query({ plan: pagePlan(dataset, offset), calendar: ask.calendar })
    if (!isSameVersion(page, dataset) || page.rows.length === 0) throw new ProductError('busy', { retryAfter: 5 })
    const line = csvLineFormatter(page.columns)
    yield encoder.encode(page.rows.map(line).join(''))
    offset += page.rows.length
  }
}

const isSameVersion = ({ datasets }: QueryResult, { id, dataVersion }: CatalogueDataset): boolean =>
  datasets.every((read) => read.id !== id || read.dataVersion === dataVersion)

/** Exact decimals past what a number holds travel as text: they are figures all the same. */
const DECIMAL = /^-?\d+(\.\d+)?$/

function csvLineFormatter(columns: ResultColumn[]): (row: Cell[]) => string {
  const numeric = columns.map(({ type }) => type === 'number' || type === 'integer')
  const isExact = (cell: Cell, at: number): cell is string =>
    numeric[at] === true && typeof cell === 'string' && DECIMAL.test(cell)
  return (row) => {
    const cells = row.map((cell) => (typeof cell === 'boolean' ? String(cell) : cell))
    if (!cells.some(isExact)) return csvLine(cells)
    return `${cells.map((cell, at) => (isExact(cell, at) ? cell : csvLine([cell]).slice(0, -2))).join(',')}\r\n`
  }
}
