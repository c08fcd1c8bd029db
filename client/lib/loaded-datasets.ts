import { queryOptions } from '@tanstack/react-query'
import { readJson, api } from './api'
import { session } from './session'
import type { ListPage } from '../../src/shared/names'
import type { DataSource, Dataset } from '../../src/shared/sources'

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
