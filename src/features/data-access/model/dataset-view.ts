import { canRead } from '../../../identity/access/visible-dataset'
import type { DataRights } from '../../../scope'
import type { DatasetView } from '../../../shared/data-access/data-access'

interface DatasetRef {
  id: string
  sourceId: string
}

const NOTHING: DatasetView = { rows: 'none', count: 0, masked: [], hidden: [] }

/** What rights leave of a dataset; how many rows rules let through is not known here. */
export function datasetView(
  rights: DataRights,
  { id, sourceId }: DatasetRef,
  rowCount: number | null = null,
): DatasetView {
  if (!canRead(rights, { id, sourceId })) return NOTHING
  const rules = rights.rowFilters.filter(({ dataset }) => dataset === id)
  if (rules.some(({ anyOf }) => anyOf.length === 0)) return NOTHING
  return {
    ...(rules.length > 0 ? { rows: 'rules', count: null } : { rows: 'all', count: rowCount }),
    masked: rights.masked.flatMap(({ field, mask }) =>
      field.dataset === id ? [{ key: field.column, grant: mask }] : [],
    ),
    hidden: rights.hidden.flatMap(({ dataset, column }) => (dataset === id ? [column] : [])),
  }
}

/** Whether two people see the same of a dataset, as far as rights alone tell. */
export const sameView = (a: DataRights, b: DataRights, dataset: DatasetRef): boolean => {
  const of = (rights: DataRights): string =>
    JSON.stringify([datasetView(rights, dataset), rights.rowFilters.filter(({ dataset: id }) => id === dataset.id)])
  return of(a) === of(b)
}
