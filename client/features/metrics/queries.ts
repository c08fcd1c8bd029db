import { workspaceId } from '../../lib/session'
import { itemsQuery, jsonQuery } from '../../lib/queries/query-options'
import { queryOptions } from '@tanstack/react-query'
import { readJson, api, withIdempotencyKey } from '../../lib/api'
import type {
  CreateMetricInput,
  Metric,
  MetricDependent,
  FormulaReading,
  SuggestedMetric,
  UpdateMetricInput,
} from '../../../src/shared/metrics'

export const metricQuery = (id: string) =>
  jsonQuery<Metric>(['metrics', 'one', workspaceId(), id], (options) =>
    api.api.metrics[':id'].$get({ param: { id } }, options),
  )

export const dependentsQuery = (id: string) =>
  itemsQuery<MetricDependent>(['metrics', 'dependents', workspaceId(), id], (options) =>
    api.api.metrics[':id'].dependents.$get({ param: { id } }, options),
  )

export const suggestionsQuery = () =>
  itemsQuery<SuggestedMetric>(['metrics', 'suggestions', workspaceId()], (options) =>
    api.api.metrics.suggestions.$get({}, options),
  )

/** What a formula means over a dataset's rows, or what is wrong with it. */
export const formulaQuery = (json: { dataset: string; formula: string; id?: string }) =>
  queryOptions({
    ...jsonQuery<FormulaReading>(['metrics', 'formula', workspaceId(), json], (options) =>
      api.api.metrics.formula.$post({ json }, options),
    ),
    enabled: json.formula.trim() !== '' && json.dataset !== '',
  })

export const createMetric = (json: CreateMetricInput) =>
  readJson<Metric>(api.api.metrics.$post({ json }, withIdempotencyKey()))
export const updateMetric = (id: string, json: UpdateMetricInput) =>
  readJson<Metric>(api.api.metrics[':id'].$put({ param: { id }, json }, withIdempotencyKey()))
export const deleteMetric = ({ id, version, force }: { id: string; version: number; force: boolean }) =>
  readJson<unknown>(
    api.api.metrics[':id'].$delete(
      { param: { id }, query: { version: String(version), force: force ? '1' : undefined } },
      withIdempotencyKey(),
    ),
  )
export const verifyMetric = ({ id, version }: Pick<Metric, 'id' | 'version'>) =>
  readJson<Metric>(api.api.metrics[':id'].verify.$post({ param: { id }, json: { version } }, withIdempotencyKey()))
export const unverifyMetric = ({ id, version }: Pick<Metric, 'id' | 'version'>) =>
  readJson<Metric>(
    api.api.metrics[':id'].verify.$delete({ param: { id }, query: { version: String(version) } }, withIdempotencyKey()),
  )
