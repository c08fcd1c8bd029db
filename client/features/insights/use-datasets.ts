import { useQueries } from '@tanstack/react-query'
import type { Dataset } from '../../../src/shared/sources'
import { datasetQuery } from './queries'

/** Datasets by their ids, as far as they have come. */
export const useDatasets = (ids: readonly string[]): Dataset[] =>
  useQueries({
    queries: ids.map((id) => datasetQuery(id)),
    combine: (all) => all.flatMap((one): Dataset[] => (one.data ? [one.data] : [])),
  })
