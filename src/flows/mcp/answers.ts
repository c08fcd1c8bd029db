import type { QueryResult } from '../../shared/query/result'

/** Rows of one answer that a program is told at most, and unless it says otherwise. */
export const MCP_ROWS_MAX = 500
export const MCP_ROWS_DEFAULT = 100

/** An answer as programs read it: what was asked in words, columns with their labels, rows in their order. */
export function toAnswer(result: QueryResult, rows: number): Record<string, unknown> {
  const { columns, words, period, dataAsOf, rowCount, totals, otherRow, datasets } = result
  return {
    question: words,
    columns: columns.map(({ key, label, kind, type, format, grain, part }) => ({
      ...{ key, label, kind, type, format },
      ...(grain === undefined ? {} : { grain }),
      ...(part === undefined ? {} : { part }),
    })),
    rows: result.rows.slice(0, rows),
    rowCount,
    truncated: result.truncated || result.rows.length > rows,
    ...(totals === null ? {} : { totals }),
    ...(otherRow === null ? {} : { otherRow }),
    period:
      period === null
        ? null
        : {
            from: period.from,
            to: period.to,
            label: period.label,
            incomplete: period.incomplete,
            compare: period.compare,
          },
    dataAsOf,
    datasets: datasets.map(({ id, name }) => ({ id, name })),
    ...(result.conversion ? { currency: result.conversion.code } : {}),
    ...(result.restricted ? { restricted: true } : {}),
  }
}
