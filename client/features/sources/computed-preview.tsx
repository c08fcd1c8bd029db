import { Skeleton, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { formulaPreviewPlan } from './computed-plan'
import { SourceErrorNotice } from './fault-notice'
import { formulaPreviewQuery } from './computed-queries'
import { RowsTable } from './rows-table'
import type { ColumnFormat } from '../../../src/shared/files'
import type { Expr } from '../../../src/shared/query'
import type { QueryResult } from '../../../src/shared/query-result'
import type { Dataset } from '../../../src/shared/sources'

const DEBOUNCE_MS = 400

export interface CalculatedColumnPreviewProps {
  dataset: Dataset
  expr: Expr
  label: string
  format: ColumnFormat
}

/** The formula's first values beside what they were made of. */
export function CalculatedColumnPreview({ dataset, expr, label, format }: CalculatedColumnPreviewProps) {
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
      <Text size="sm" c="dimmed">
        {data.rows.length === 0 ? 'No row has a value to show.' : 'Some of its values'}
      </Text>
      {data.rows.length > 0 && <RowsTable result={toPreviewResult(data, { label, format })} />}
    </Stack>
  )
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
