import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { answer, api, idempotencyKey } from '../../lib/api'
import { sourcesChanged } from '../../lib/query-client'
import { session } from '../../lib/session'
import type { ComputedColumnInput } from '../../../src/shared/computed'
import type { QueryPlan } from '../../../src/shared/query'
import type { QueryResult } from '../../../src/shared/query-result'
import type { ColumnKey, Dataset } from '../../../src/shared/sources'

const once = () => ({ headers: { 'idempotency-key': idempotencyKey() } })

/** What comes out of a formula for some rows of a data version. */
export const previewFigures = (plan: QueryPlan, dataVersion: number) =>
  queryOptions({
    queryKey: ['figures', 'formula', session().workspace?.id, plan, dataVersion],
    queryFn: ({ signal }) => answer<QueryResult>(api.api.query.$post({ json: { plan } }, { init: { signal } })),
  })

export type ComputedInput = Omit<ComputedColumnInput, 'version'>
interface Saved {
  dataset: Pick<Dataset, 'id' | 'version'>
  /** Null: a new column. */
  key: ColumnKey | null
  input: ComputedInput
}

function saveComputed({ dataset: { id, version }, key, input }: Saved) {
  const json = { ...input, version }
  const routes = api.api.datasets[':id'].computed
  return key === null
    ? answer<Dataset>(routes.$post({ param: { id }, json }, once()))
    : answer<Dataset>(routes[':key'].$put({ param: { id, key }, json }, once()))
}

function removeComputed({
  dataset: { id, version },
  key,
  force,
}: Omit<Saved, 'input'> & { key: ColumnKey; force: boolean }) {
  const query = { version: String(version), force: force ? ('1' as const) : ('0' as const) }
  return answer<Dataset>(api.api.datasets[':id'].computed[':key'].$delete({ param: { id, key }, query }, once()))
}

export function useSaveComputed() {
  const client = useQueryClient()
  return useMutation({ mutationFn: saveComputed, onSuccess: () => sourcesChanged(client) })
}

export function useRemoveComputed() {
  const client = useQueryClient()
  return useMutation({ mutationFn: removeComputed, onSuccess: () => sourcesChanged(client) })
}
