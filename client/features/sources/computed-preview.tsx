import { Skeleton, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { previewPlan } from './computed-plan'
import { FaultNotice } from './fault-notice'
import { previewFigures } from './computed-queries'
import { RowsTable } from './rows-table'
import type { ColumnFormat } from '../../../src/shared/files'
import type { Expr } from '../../../src/shared/query'
import type { QueryResult } from '../../../src/shared/query-result'
import type { Dataset } from '../../../src/shared/sources'

const DEBOUNCE_MS = 400

export interface ComputedPreviewProps {
  dataset: Dataset
  expr: Expr
  label: string
  format: ColumnFormat
}

/** The formula's first values beside what they were made of. */
export function ComputedPreview({ dataset, expr, label, format }: ComputedPreviewProps) {
  const written = JSON.stringify(expr)
  const [asked] = useDebouncedValue(expr, DEBOUNCE_MS)
  const plan = useMemo(() => previewPlan(dataset.id, asked), [dataset.id, asked])
  const { data, error, isFetching } = useQuery({
    ...previewFigures(plan, dataset.dataVersion),
    enabled: dataset.dataVersion > 0,
  })
  if (dataset.dataVersion === 0) return null
  const old = isFetching || JSON.stringify(asked) !== written
  if (error && !old) return <FaultNotice error={error} />
  if (!data) return <Skeleton h={140} radius="lg" />
  return (
    <Stack gap={4} aria-busy={old} style={{ opacity: old ? 0.6 : 1 }}>
      <Text size="sm" c="dimmed">
        {data.rows.length === 0 ? 'No row has a value to show.' : 'Some of its values'}
      </Text>
      {data.rows.length > 0 && <RowsTable result={shown(data, { label, format })} />}
    </Stack>
  )
}

/** The columns it is made of and the result under its own name; helping figures are left out. */
function shown(result: QueryResult, as: { label: string; format: ColumnFormat }): QueryResult {
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
