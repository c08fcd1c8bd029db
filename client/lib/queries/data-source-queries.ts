import { workspaceId } from '../session'
import { jsonQuery } from './query-options'
import { queryOptions, useQueries, useQuery } from '@tanstack/react-query'
import { api } from '../api'
import type { ListPage } from '../../../src/shared/field-schemas'
import type { DataSource, Dataset } from '../../../src/shared/data-sources/data-sources'

const sourcesPageQuery = () =>
  jsonQuery<ListPage<DataSource>>(['sources', 'freshness', workspaceId()], (options) =>
    api.api['data-sources'].$get({ query: { limit: '100' } }, options),
  )
/** Datasets by their ids, as far as they have come. */
export const useDatasets = (ids: readonly string[]): Dataset[] =>
  useQueries({
    queries: ids.map((id) => datasetQuery(id)),
    combine: (all) => all.flatMap((one): Dataset[] => (one.data ? [one.data] : [])),
  })

/** The sources and how current they are; asked again each minute, so that a page hears of new rows without a socket too. */
export const sourcesFreshnessQuery = () => queryOptions({ ...sourcesPageQuery(), refetchInterval: 60_000 })

export const datasetQuery = (id: string) =>
  jsonQuery<Dataset>(['sources', 'dataset', id], (options) => api.api.datasets[':id'].$get({ param: { id } }, options))

/** What figures rest on now: sources whose newest load failed, and whether one is loading. */
export interface SourceStatus {
  failed: string[]
  loading: boolean
}

/** Of the sources of these datasets; of all without any named. */
export function useSourceStatus(datasetIds?: readonly string[]): SourceStatus {
  const { data } = useQuery(sourcesFreshnessQuery())
  const sources = (data?.items ?? []).filter(
    ({ datasets }) => datasetIds === undefined || datasets.some(({ id }) => datasetIds.includes(id)),
  )
  return {
    failed: sources.filter(({ state }) => state === 'failed' || state === 'degraded').map(({ name }) => name),
    loading: sources.some(({ state }) => state === 'syncing' || state === 'connecting'),
  }
}

/** When each dataset of these sources was loaded, the oldest first. */
export const loadTimes = (sources: readonly Pick<DataSource, 'datasets'>[]): string[] =>
  sources.flatMap(({ datasets }) => datasets.flatMap(({ loadedAt }) => loadedAt ?? [])).toSorted()

/** When the oldest rows of these sources were loaded; null when none are. */
export const oldestLoadedAt = (sources: readonly Pick<DataSource, 'datasets'>[]): string | null =>
  loadTimes(sources)[0] ?? null

/** A dataset and what its source is called: books of two companies have tables of the same names. */
export interface DatasetWithSource extends Dataset {
  sourceName: string
}

const toLoadedDatasets = ({ items }: ListPage<DataSource>): DatasetWithSource[] =>
  items
    .flatMap((source) => source.datasets.map((dataset) => ({ ...dataset, sourceName: source.name })))
    .filter(({ dataVersion }) => dataVersion > 0)

/** Every dataset of the workspace that holds rows. */
export const loadedDatasetsQuery = () => queryOptions({ ...sourcesPageQuery(), select: toLoadedDatasets })
