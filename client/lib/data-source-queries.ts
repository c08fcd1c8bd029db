import { queryOptions, useQuery, useQueries } from '@tanstack/react-query'
import { readJson, api } from './api'
import { session } from './session'
import type { ListPage } from '../../src/shared/field-schemas'
import type { DataSource, Dataset } from '../../src/shared/data-sources/data-sources'

export const datasetQuery = (id: string) =>
  queryOptions({
    queryKey: ['sources', 'dataset', id],
    queryFn: ({ signal }) => readJson<Dataset>(api.api.datasets[':id'].$get({ param: { id } }, { init: { signal } })),
  })

/** Datasets by their ids, as far as they have come. */
export const useDatasets = (ids: readonly string[]): Dataset[] =>
  useQueries({
    queries: ids.map((id) => datasetQuery(id)),
    combine: (all) => all.flatMap((one): Dataset[] => (one.data ? [one.data] : [])),
  })

/** The sources and how current they are; asked again each minute, so that a page hears of new rows without a socket too. */
export const sourcesFreshnessQuery = () =>
  queryOptions({
    queryKey: ['sources', 'freshness', session().workspace?.id],
    queryFn: ({ signal }) =>
      readJson<ListPage<DataSource>>(api.api['data-sources'].$get({ query: { limit: '100' } }, { init: { signal } })),
    refetchInterval: 60_000,
  })

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

/** When the oldest rows of these sources were loaded; null when none are. */
export const oldestLoadedAt = (sources: readonly Pick<DataSource, 'datasets'>[]): string | null =>
  sources.flatMap(({ datasets }) => datasets.flatMap(({ loadedAt }) => loadedAt ?? [])).toSorted()[0] ?? null

/** A dataset and what its source is called: books of two companies have tables of the same names. */
export interface DatasetWithSource extends Dataset {
  sourceName: string
}

/** Every dataset of the workspace that holds rows. */
export const loadedDatasetsQuery = () =>
  queryOptions({
    queryKey: ['sources', 'with-rows', session().workspace?.id],
    queryFn: async ({ signal }) => {
      const page = await readJson<ListPage<DataSource>>(
        api.api['data-sources'].$get({ query: { limit: '100' } }, { init: { signal } }),
      )
      return page.items
        .flatMap((source) =>
          source.datasets.map((dataset): DatasetWithSource => ({ ...dataset, sourceName: source.name })),
        )
        .filter(({ dataVersion }) => dataVersion > 0)
    },
  })
