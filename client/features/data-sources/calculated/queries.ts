import { workspaceId } from '../../../lib/session'
import { questionQuery } from '../../../lib/queries/query-options'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { readJson, api, withIdempotencyKey } from '../../../lib/api'
import { invalidateSources } from '../../../lib/queries/query-client'
import type { CalculatedColumnInput } from '../../../../src/shared/data-sources/calculated-columns'
import type { QueryPlan } from '../../../../src/shared/query/plan'
import type { QueryResult } from '../../../../src/shared/query/result'
import type { Dataset } from '../../../../src/shared/data-sources/data-sources'
import type { ColumnKey } from '../../../../src/shared/data-sources/files'

/** What comes out of a formula for some rows of a data version. */
export const formulaPreviewQuery = (plan: QueryPlan, dataVersion: number) =>
  questionQuery<QueryResult>(['figures', 'formula', workspaceId(), plan, dataVersion], (options) =>
    api.api.query.$post({ json: { plan } }, options),
  )

export type CalculatedColumnContent = Omit<CalculatedColumnInput, 'version'>
interface SaveCalculatedColumnRequest {
  dataset: Pick<Dataset, 'id' | 'version'>
  /** Null: a new column. */
  key: ColumnKey | null
  input: CalculatedColumnContent
}

function saveCalculatedColumn({ dataset: { id, version }, key, input }: SaveCalculatedColumnRequest) {
  const json = { ...input, version }
  const routes = api.api.datasets[':id'].computed
  return key === null
    ? readJson<Dataset>(routes.$post({ param: { id }, json }, withIdempotencyKey()))
    : readJson<Dataset>(routes[':key'].$put({ param: { id, key }, json }, withIdempotencyKey()))
}

function deleteCalculatedColumn({
  dataset: { id, version },
  key,
  force,
}: Omit<SaveCalculatedColumnRequest, 'input'> & { key: ColumnKey; force: boolean }) {
  const query = { version: String(version), force: force ? ('1' as const) : ('0' as const) }
  return readJson<Dataset>(
    api.api.datasets[':id'].computed[':key'].$delete({ param: { id, key }, query }, withIdempotencyKey()),
  )
}

export function useSaveCalculatedColumn() {
  const client = useQueryClient()
  return useMutation({ mutationFn: saveCalculatedColumn, onSuccess: () => invalidateSources(client) })
}

export function useDeleteCalculatedColumn() {
  const client = useQueryClient()
  return useMutation({ mutationFn: deleteCalculatedColumn, onSuccess: () => invalidateSources(client) })
}
