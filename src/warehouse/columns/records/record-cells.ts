import type { LiveDataset } from '../../physical-layout'
import type { ColumnSources, ColumnTable } from '../column-table'
import type { ColumnVectors, RowSource, TextReader } from '../column-vectors'
import { product, storedNumber } from '../number-expressions'
import { pickedValues } from './picked-rows'
import { rowScans } from '../row-scan'
import type { VectorNumber } from '../vector-number'
import type { Codes, Numbers } from '../vectors'
import { cellOf, realFrom, valueFrom } from '../../query/aggregates/amount'
import { pathToField, type RelationPath } from '../../query/plan/relation-graph'
import { recordFields, type RecordPage, type RecordsRequest } from '../../query/plan/record-fields'
import type { AppliedRates, PlanContext } from '../../query/query-context'
import { ANSWER_MAX_CHARS, VALUE_CHARS } from '../../query/answer-size'
import type { QuerySteps } from '../../scheduling/query-scheduler'
import type { Field } from '../../../shared/query/field'
import type { Cell } from '../../../shared/query/result'

interface CellsRequest {
  planContext: PlanContext
  ask: RecordsRequest
  sources: ColumnSources
}

/**
 * What is shown of the rows of a page. Each column is read by itself and let go. A page too large for an answer ends early,
 * with at least one row.
 */
export function* recordCells(request: CellsRequest, rows: readonly number[]): QuerySteps<Omit<RecordPage, 'count'>> {
  const { planContext, ask } = request
  const wanted = recordFields(planContext, ask)
  const shown = wanted.filter(({ applied }) => !applied).map(({ field }) => field)
  const page = new PageRows(request, rows)
  const sizes = new Float64Array(rows.length).fill((shown.length + 1) * VALUE_CHARS)
  for (const field of shown) {
    page.addTextBytes(field, sizes)
    yield
  }
  page.cutTo(rowsThatFit(sizes))
  const columns: RecordPage['columns'] = []
  const cells: Cell[][] = []
  for (const { field, applied, column, converted } of wanted) {
    columns.push({ column, field, converted })
    cells.push(applied ? page.converted(field, applied) : page.stored(field))
    yield
  }
  return { columns, rows: page.rows.map((_, row) => cells.map((own) => own[row] ?? null)) }
}

/** How many rows of a page an answer may hold; the first in any case. */
function rowsThatFit(sizes: Float64Array): number {
  let left = ANSWER_MAX_CHARS
  const past = sizes.findIndex((size) => {
    left -= size
    return left < 0
  })
  return past < 0 ? sizes.length : Math.max(1, past)
}

/** Bytes of a text in UTF-8. */
function bytesOf(text: string): number {
  let bytes = text.length
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i)
    // Half a character past the first 65 536 has two of its four bytes.
    if (unit > 0x7f) bytes += unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1
  }
  return bytes
}

/** Where the chunks of a dataset lie is looked up once, however many columns are read, for each way to read its values. */
function withTablesKept(sources: ColumnSources): ColumnSources {
  const kept = new Map<LiveDataset, ColumnTable>()
  return {
    ...sources,
    table(dataset) {
      const found = kept.get(dataset) ?? sources.table(dataset)
      kept.set(dataset, found)
      return found
    },
  }
}

/** The rows of a page, and those that relations lead to from there. */
class PageRows {
  readonly #request: CellsRequest
  readonly #root: RowSource
  readonly #pointed = new Map<string, { rows: number[]; source: RowSource }>()
  rows: readonly number[]

  constructor(request: CellsRequest, rows: readonly number[]) {
    this.#request = { ...request, sources: withTablesKept(request.sources) }
    this.#root = this.#fresh(request.ask.home)
    this.rows = rows
  }

  /** Another reading of a dataset, whose arrays nothing else holds. */
  #fresh(datasetId: string): RowSource {
    return rowScans(this.#request.planContext, this.#request.sources)(datasetId)
  }

  cutTo(count: number): void {
    if (count === this.rows.length) return
    this.rows = this.rows.slice(0, count)
    for (const pointed of this.#pointed.values()) pointed.rows = pointed.rows.slice(0, count)
  }

  /** A field's column, and which of its rows stand beside those of the page; −1: none. */
  #column({ dataset, column: key, ...field }: Field): {
    column: ColumnVectors
    source: RowSource
    rows: readonly number[]
  } {
    const { planContext, ask } = this.#request
    const path = pathToField(planContext.graph, ask.home, { field: { ...field, dataset, column: key }, at: 'dataset' })
    const rows = path.length === 0 ? this.rows : this.#rowsAlong(path).rows
    const source = this.#fresh(dataset)
    return { column: source.along([], key, false), source, rows }
  }
  #rowsAlong(path: RelationPath): { rows: readonly number[]; source: RowSource } {
    const last = path.at(-1)
    if (!last) return { rows: this.rows, source: this.#root }
    const id = path.map((edge) => edge.id).join(' ')
    const known = this.#pointed.get(id)
    if (known) return known
    const before = this.#rowsAlong(path.slice(0, -1))
    const codes = before.source.rowOf(last)
    const rows = pickedValues(before.source.table, before.rows, { valuesOf: (place) => at(codes(place)), missing: -1 })
    const made = { rows, source: before.source.other(last.to.dataset) }
    this.#pointed.set(id, made)
    return made
  }

  /** Adds to each row's size what a field's texts take. */
  addTextBytes(field: Field, sizes: Float64Array): void {
    const { column, source, rows } = this.#column(field)
    if (column.column.type !== 'text') return
    const texts = column.texts()
    const cells = texts.cells()
    const bytes = cells
      ? pickedValues(source.table, rows, { valuesOf: (place) => bytesIn(cells(place)), missing: 0 })
      : codesAt(texts.codes(), source, rows).map((code) => bytesOf(texts.wordAt(code) ?? ''))
    for (const [row, size] of bytes.entries()) sizes[row] = (sizes[row] ?? 0) + size
  }

  stored(field: Field): Cell[] {
    const { column, source, rows } = this.#column(field)
    if (column.column.type === 'text') {
      const texts = column.texts()
      const cells = texts.cells()
      if (cells) return pickedValues(source.table, rows, { valuesOf: (place) => textIn(cells(place)), missing: null })
      return codesAt(texts.codes(), source, rows).map((code) => texts.wordAt(code))
    }
    const { type } = column.column
    if (type === 'integer' || type === 'number') return amountsAt(storedNumber(column), source, rows)
    return numbersAt(column.numbers(), source, rows).map((value) =>
      Number.isNaN(value) ? null : cellOf(valueFrom(column.column, value)),
    )
  }

  /** What the amounts of a field come to by these rates. */
  converted(field: Field, applied: AppliedRates): Cell[] {
    const { ask } = this.#request
    const source = this.#fresh(ask.home)
    const amounts = product(storedNumber(source.field(field)), source.rate(field, applied, ask.plan))
    return amountsAt(amounts, source, this.rows)
  }
}

const at =
  (values: ArrayLike<number>) =>
  (row: number): number =>
    values[row] ?? Number.NaN
const bytesIn = (reader: TextReader) => (row: number) => reader.bytes(row)
const textIn = (reader: TextReader) => (row: number) => reader.text(row)
const codesAt = (codes: Codes, { table }: RowSource, rows: readonly number[]): number[] =>
  pickedValues(table, rows, { valuesOf: (place) => at(codes(place)), missing: 0 })
const numbersAt = (numbers: Numbers, { table }: RowSource, rows: readonly number[]): number[] =>
  pickedValues(table, rows, { valuesOf: (place) => at(numbers(place)), missing: Number.NaN })
function amountsAt({ kind, numbers, parts, scale }: VectorNumber, source: RowSource, rows: readonly number[]): Cell[] {
  const read = (parts ?? [numbers]).map((each) => numbersAt(each, source, rows))
  return rows.map((_, row): Cell => {
    const own = read.map((values) => values[row] ?? Number.NaN)
    if (own.some(Number.isNaN)) return null
    if (kind === 'real') return realFrom(own[0])
    return cellOf({ n: own.reduce((sum, value) => sum + BigInt(value), 0n), scale })
  })
}
