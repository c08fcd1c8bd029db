import { queryOptions } from '@tanstack/react-query'
import { readJson, api, withIdempotencyKey } from '../../lib/api'
import { session } from '../../lib/session'
import type {
  CreateMetricInput,
  Metric,
  MetricDependent,
  FormulaReading,
  SuggestedMetric,
  UpdateMetricInput,
} from '../../../src/shared/metrics'
import type { ListPage } from '../../../src/shared/field-schemas'

const currentWorkspaceId = (): string | undefined => session().workspace?.id

export const metricQuery = (id: string) =>
  queryOptions({
    queryKey: ['metrics', 'one', currentWorkspaceId(), id],
    queryFn: ({ signal }) => readJson<Metric>(api.api.metrics[':id'].$get({ param: { id } }, { init: { signal } })),
  })

export const dependentsQuery = (id: string) =>
  queryOptions({
    queryKey: ['metrics', 'dependents', currentWorkspaceId(), id],
    queryFn: async ({ signal }) =>
      (
        await readJson<ListPage<MetricDependent>>(
          api.api.metrics[':id'].dependents.$get({ param: { id } }, { init: { signal } }),
        )
      ).items,
  })

export const suggestionsQuery = () =>
  queryOptions({
    queryKey: ['metrics', 'suggestions', currentWorkspaceId()],
    queryFn: async ({ signal }) =>
      (await readJson<ListPage<SuggestedMetric>>(api.api.metrics.suggestions.$get({}, { init: { signal } }))).items,
  })

/** What a formula means over a dataset's rows, or what is wrong with it. */
export const formulaQuery = (json: { dataset: string; formula: string; id?: string }) =>
  queryOptions({
    queryKey: ['metrics', 'formula', currentWorkspaceId(), json],
    queryFn: ({ signal }) => readJson<FormulaReading>(api.api.metrics.formula.$post({ json }, { init: { signal } })),
    enabled: json.formula.trim() !== '' && json.dataset !== '',
  })

export const createMetric = (json: CreateMetricInput) =>
  readJson<Metric>(api.api.metrics.$post({ json }, withIdempotencyKey()))
export const updateMetric = (id: string, json: UpdateMetricInput) =>
  readJson<Metric>(api.api.metrics[':id'].$put({ param: { id }, json }, withIdempotencyKey()))
export const deleteMetric = ({ id, version, force }: { id: string; version: number; force: boolean }) =>
  readJson<unknown>(
    api.api.metrics[':id'].$delete(
      { param: { id }, query: { version: String(version), ...(force ? { force: '1' } : {}) } },
      withIdempotencyKey(),
    ),
  )
export const verifyMetric = ({ id, version }: Pick<Metric, 'id' | 'version'>) =>
  readJson<Metric>(api.api.metrics[':id'].verify.$post({ param: { id }, json: { version } }, withIdempotencyKey()))
export const unverifyMetric = ({ id, version }: Pick<Metric, 'id' | 'version'>) =>
  readJson<Metric>(
    api.api.metrics[':id'].verify.$delete({ param: { id }, query: { version: String(version) } }, withIdempotencyKey()),
  )
