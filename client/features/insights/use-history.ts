import { useQuery } from '@tanstack/react-query'
import type { DataRange } from './draft-defaults'
import { timeColumn } from './draft-defaults'
import { dataRangeOf } from './history'
import { dataRangePlan } from './queries'
import { planResultQuery } from '../../lib/figures'
import type { BuilderDataset } from '../../lib/filters/fields'

/** The days that a dataset's time column holds; null without such a column or when they cannot be read. */
export function useDataRange(dataset: BuilderDataset): { dataRange: DataRange | null; pending: boolean } {
  const column = timeColumn(dataset)
  const rangeQuery = useQuery({
    ...planResultQuery(dataRangePlan(dataset.id, column?.key ?? 'c0')),
    enabled: column !== null,
  })
  return {
    dataRange: rangeQuery.data ? dataRangeOf(rangeQuery.data) : null,
    pending: column !== null && rangeQuery.isPending,
  }
}
