import { answered, type ColumnSources } from '../column-table'
import type { ColumnVectors, RowSource, TextReader } from '../column-vectors'
import { prepareExists } from '../exists'
import { periodRows } from '../folds/fact-folds'
import { recordCells } from './record-cells'
import { storedNumber } from '../number-expressions'
import { filtersMask } from '../predicates'
import { rowsInOrder, type OrderKey, type OrderBounds } from './row-order'
import { rowScans } from '../row-scan'
import { textRanks } from '../texts/text-ranks'
import { allOf, type MaybeMask, type Numbers } from '../vectors'
import { wideHalves } from '../folds/wide-integers'
import { fieldsShown, type RecordPage, type RecordsRequest } from '../../query/plan/record-fields'
import type { PlanContext } from '../../query/query-context'
import { ANSWER_MAX_CHARS } from '../../query/answer-size'
import type { QuerySteps } from '../../scheduling/query-scheduler'
import { QUERY_ROWS_MAX } from '../../../shared/limits'

const BOUNDS: OrderBounds = { skippedMax: 20_000, charsMax: ANSWER_MAX_CHARS }

/** One page of records. @throws ProductError `query_too_complex` */
export const columnRecords = (
  planContext: PlanContext,
  ask: RecordsRequest,
  sources: ColumnSources,
): QuerySteps<RecordPage> => answered(() => answer(planContext, ask, sources))

function* answer(planContext: PlanContext, ask: RecordsRequest, sources: ColumnSources): QuerySteps<RecordPage> {
  const { plan, home } = ask
  const source = rowScans(planContext, sources)(home)
  yield* prepareExists(source, plan.filters, 'filters')
  const fields = fieldsShown(source.dataset, plan)
  const keys = (plan.sort ?? []).flatMap(({ by, dir }): OrderKey[] => {
    const field = 'column' in by ? fields[by.column] : undefined
    return field ? orderKeys(source.field(field), dir) : []
  })
  const page = { offset: plan.offset ?? 0, limit: plan.limit ?? QUERY_ROWS_MAX }
  const { rows, count } = yield* rowsInOrder(source.table, { mask: passingRows(source, ask), keys, ...page }, BOUNDS)
  return { ...(yield* recordCells({ planContext, ask, sources }, rows)), count }
}

function passingRows(source: RowSource, { plan, period }: RecordsRequest): MaybeMask {
  const filtered = [source.rule(), filtersMask(source, plan.filters, 'filters')]
  const inPeriod = period?.range && plan.period ? [periodRows(source, plan.period.field, period.range).mask] : []
  return allOf([...filtered, ...inPeriod])
}

function orderKeys(column: ColumnVectors, dir: OrderKey['dir']): OrderKey[] {
  const texts = column.column.type === 'text' ? column.texts() : null
  const cells = texts?.cells()
  if (cells) return [{ dir, isText: true, values: (place) => textOf(cells(place)) }]
  const ordered = (numbers: Numbers): OrderKey => ({ dir, values: (place) => numberOrNull(numbers(place)) })
  if (texts) return [ordered(textRanks(texts.codes(), texts.words()).numbers)]
  const { type } = column.column
  const number = type === 'integer' || type === 'number' ? storedNumber(column) : null
  return number?.parts ? wideHalves(number.parts).map(ordered) : [ordered(column.numbers())]
}
const textOf = (reader: TextReader) => (row: number) => reader.text(row)
const numberOrNull =
  (values: Float64Array) =>
  (row: number): number | null => {
    const value = values[row] ?? Number.NaN
    return Number.isNaN(value) ? null : value
  }
