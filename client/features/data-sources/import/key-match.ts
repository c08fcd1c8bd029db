import { useQuery } from '@tanstack/react-query'
import { isInvalidCell } from './cell-parsing'
import type { ColumnTargets } from './column-mapping'
import { toNumber } from '../../../../src/shared/figures/cell-formatter'
import { planResultQuery } from '../../../lib/plan-result'
import type { Column, Dataset } from '../../../../src/shared/data-sources/data-sources'
import type { ColumnKey, FileColumn, PreviewCell } from '../../../../src/shared/data-sources/files'
import type { QueryPlan } from '../../../../src/shared/query/plan'
import type { QueryResult } from '../../../../src/shared/query/result'

/** Columns that are looked at as a key of one column. */
const CANDIDATES_MAX = 4

/** Columns of the dataset that the file brings and that may tell one row from another by their role. */
export function keyCandidates(existing: readonly Column[], targets: ColumnTargets): Column[] {
  const mapped = new Set([...targets.values()].flatMap((target) => (target.kind === 'column' ? [target.key] : [])))
  return existing.filter(({ key, role }) => role === 'id' && mapped.has(key)).slice(0, CANDIDATES_MAX)
}

const question = (dataset: string, columns: readonly Column[], filters: QueryPlan['filters']): QueryPlan => ({
  v: 1,
  kind: 'aggregate',
  dataset,
  measures: [
    { kind: 'column', agg: 'count', dataset },
    ...columns.map(({ key }) => ({
      kind: 'column' as const,
      agg: 'countDistinct' as const,
      field: { dataset, column: key },
    })),
  ],
  dimensions: [],
  filters,
})

/** The first of these columns that has another value in every row; null when none has. */
export function uniqueColumn(columns: readonly Column[], result: QueryResult): Column | null {
  const [rows, ...different] = result.rows[0] ?? []
  const count = toNumber(rows)
  if (count === null || count === 0) return null
  return columns.find((_, at) => toNumber(different[at]) === count) ?? null
}

/** What the first rows of the file have in a column of the dataset, each value once. */
export function previewValues(
  key: ColumnKey,
  of: { columns: readonly FileColumn[]; targets: ColumnTargets; cells: readonly (readonly PreviewCell[])[] },
): (string | number | boolean)[] {
  const at = of.columns.findIndex(({ index }) => {
    const target = of.targets.get(index)
    return target?.kind === 'column' && target.key === key
  })
  const values = of.cells.flatMap((row) => {
    const cell = row[at]
    if (cell === null || cell === undefined || cell === '' || isInvalidCell(cell)) return []
    return [cell]
  })
  return [...new Set(values)]
}

/** What is known of the rows of a file that are in the dataset already. */
export interface KeyMatch {
  /** The column that tells one row from another; null when none is known. */
  key: Column | null
  /** Keys among the first rows of the file, and how many of them the dataset has. */
  checked: number
  existing: number
  /** Still being looked up. */
  pending: boolean
}

/** Looks for a unique key of the dataset, and for keys of the file's first rows that are there already. */
export function useKeyMatch(
  dataset: Dataset,
  file: { columns: readonly FileColumn[]; targets: ColumnTargets; cells: readonly (readonly PreviewCell[])[] },
): KeyMatch {
  const filled = dataset.dataVersion > 0 && dataset.rowCount > 0
  const candidates = keyCandidates(dataset.columns, file.targets)
  const unique = useQuery({
    ...planResultQuery(question(dataset.id, candidates, [])),
    enabled: filled && candidates.length > 0,
  })
  const chosen =
    dataset.keyColumns.length === 1 ? dataset.columns.find(({ key }) => key === dataset.keyColumns[0]) : null
  const key = chosen ?? (unique.data ? uniqueColumn(candidates, unique.data) : null)
  const values = key ? previewValues(key.key, file) : []
  const found = useQuery({
    ...planResultQuery(
      question(dataset.id, key ? [key] : [], [
        { field: { dataset: dataset.id, column: key?.key ?? 'c0' }, any: [{ op: 'in', values }] },
      ]),
    ),
    enabled: filled && values.length > 0,
  })
  return {
    key,
    checked: values.length,
    existing: toNumber(found.data?.rows[0]?.[1]) ?? 0,
    pending: unique.isLoading || found.isLoading,
  }
}
