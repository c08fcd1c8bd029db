import type { QueryResult, ResultColumn } from '../../../src/shared/query-result'

/** Index of the measure that a column belongs to; null for splits. */
const measureOf = (column: ResultColumn, columns: readonly ResultColumn[]): number | null => {
  if (column.kind === 'measure') return columns.filter((one) => one.kind === 'measure').indexOf(column)
  return column.measure ?? null
}

/** The answer with some of its measures shown as per cent. Shares of the change are per cent already. */
export function withPercent(result: QueryResult, percent: readonly number[] | undefined): QueryResult {
  if (!percent || percent.length === 0) return result
  const columns = result.columns.map((column): ResultColumn => {
    const at = measureOf(column, result.columns)
    if (at === null || !percent.includes(at) || column.kind === 'changePercent') return column
    const { scale: _scale, ...rest } = column
    return { ...rest, type: 'number', format: { style: 'percent' } }
  })
  return { ...result, columns }
}
