import { MutedText } from '../../../ui/muted-text'
import { Skeleton, Stack } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { expressionFieldsOf } from '../../../../src/shared/query/plan-fields'
import type { Measure, QueryPlan } from '../../../../src/shared/query/plan'
import type { Expr } from '../../../../src/shared/query/expression'
import type { Dataset } from '../../../../src/shared/data-sources/data-sources'
import { SourceErrorNotice } from '../source-error-notice'
import { formulaPreviewQuery } from './queries'
import { useCellFormatter } from '../../../lib/cell-formatter'
import { ResultTable } from '../../../ui/data-table/result-table'
import { lowerFirst } from '../../../../src/shared/text'
import { COLUMN_TYPE_LABELS, type ColumnFormat, type ColumnKey } from '../../../../src/shared/data-sources/files'
import type { QueryResult } from '../../../../src/shared/query/result'

/** Values shown of a formula that is being written. */
const PREVIEW_ROWS = 5
/** Splits that a question may have. */
const DIMENSIONS_MAX = 3

/** The columns a formula reads, each once. */
const referencedColumns = (expr: Expr): ColumnKey[] => [
  ...new Set(expressionFieldsOf(expr).map(({ column }) => column)),
]

/**
 * Asks what comes out of a formula for some of the rows, without storing it: rows are put together by the columns it reads,
 * so each group has one value of it. A formula of more columns than a question has splits is asked of groups of one row.
 */
export function formulaPreviewPlan(dataset: string, expr: Expr): QueryPlan {
  const columns = referencedColumns(expr)
  const dimensions = columns.slice(0, DIMENSIONS_MAX).map((column) => ({ field: { dataset, column } }))
  const base: Omit<QueryPlan, 'measures'> = {
    v: 1,
    kind: 'aggregate',
    dataset,
    filters: [],
    dimensions,
    limit: PREVIEW_ROWS,
  }
  const value: Measure = { kind: 'expression', agg: 'min', row: expr, label: 'Value' }
  if (columns.length <= DIMENSIONS_MAX) return { ...base, measures: [value] }
  return { ...base, measures: [value, { kind: 'column', agg: 'count' }], having: [{ measure: 1, op: 'eq', value: 1 }] }
}

const DEBOUNCE_MS = 400

export interface CalculatedColumnPreviewProps {
  dataset: Dataset
  expr: Expr
  label: string
  format: ColumnFormat
}

/** The formula's first values beside what they were made of. */
export function CalculatedColumnPreview({ dataset, expr, label, format }: CalculatedColumnPreviewProps) {
  const cells = useCellFormatter()
  const exprKey = JSON.stringify(expr)
  const [debouncedExpr] = useDebouncedValue(expr, DEBOUNCE_MS)
  const plan = useMemo(() => formulaPreviewPlan(dataset.id, debouncedExpr), [dataset.id, debouncedExpr])
  const { data, error, isFetching } = useQuery({
    ...formulaPreviewQuery(plan, dataset.dataVersion),
    enabled: dataset.dataVersion > 0,
  })
  if (dataset.dataVersion === 0) return null
  const isStale = isFetching || JSON.stringify(debouncedExpr) !== exprKey
  if (error && !isStale) return <SourceErrorNotice error={error} />
  if (!data) return <Skeleton h={140} radius="lg" />
  return (
    <Stack gap={4} aria-busy={isStale} style={{ opacity: isStale ? 0.6 : 1 }}>
      <MutedText>{data.rows.length === 0 ? 'No values to preview' : `Preview: ${describeResultType(data)}`}</MutedText>
      {data.rows.length > 0 && (
        <ResultTable
          plan={null}
          result={toPreviewResult(data, { label, format })}
          format={cells}
          caption="First rows"
        />
      )}
    </Stack>
  )
}

/** What comes out: "decimal number, 2 decimals". */
function describeResultType({ columns }: QueryResult): string {
  const made = columns.find(({ key }) => key === 'm0')
  if (!made) return ''
  const { type, scale = 0 } = made
  const decimals = scale > 0 ? `, ${scale} ${scale === 1 ? 'decimal' : 'decimals'}` : ''
  return `${lowerFirst(COLUMN_TYPE_LABELS[type])}${decimals}`
}

/** The columns it is made of and the result under its own name; helping figures are left out. */
function toPreviewResult(result: QueryResult, as: { label: string; format: ColumnFormat }): QueryResult {
  const kept = result.columns.flatMap((column, at) => (column.kind === 'dimension' || column.key === 'm0' ? [at] : []))
  return {
    ...result,
    columns: kept.flatMap((at) => {
      const column = result.columns[at]
      if (!column) return []
      return [column.kind === 'dimension' ? column : { ...column, ...as }]
    }),
    rows: result.rows.map((row) => kept.map((at) => row[at] ?? null)),
  }
}
