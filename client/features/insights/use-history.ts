import { useQuery } from '@tanstack/react-query'
import type { History } from './draft-defaults'
import { timeColumn } from './draft-defaults'
import { historyOf } from './history'
import { historyPlan } from './queries'
import { figuresQuery } from '../../lib/figures'
import type { DraftDataset } from '../../lib/filters/fields'

/** The days that a dataset's time column holds; null without such a column or when they cannot be read. */
export function useHistory(dataset: DraftDataset): { history: History | null; pending: boolean } {
  const column = timeColumn(dataset)
  const asked = useQuery({ ...figuresQuery(historyPlan(dataset.id, column?.key ?? 'c0')), enabled: column !== null })
  return { history: asked.data ? historyOf(asked.data) : null, pending: column !== null && asked.isPending }
}
