import type { DatasetWithSource } from '../../lib/loaded-datasets'

interface DatasetOption {
  value: string
  label: string
}
interface DatasetOptionGroup {
  group: string
  items: DatasetOption[]
}

/** Data to choose from, as a `Select` takes it: tables of a source with several stand below its name, in their order. */
export function datasetOptions(datasets: readonly DatasetWithSource[]): (DatasetOption | DatasetOptionGroup)[] {
  const bySource = new Map<string, DatasetWithSource[]>()
  for (const one of datasets) bySource.set(one.sourceId, [...(bySource.get(one.sourceId) ?? []), one])
  return [...bySource.values()].flatMap((tables): (DatasetOption | DatasetOptionGroup)[] => {
    const items = tables.map(({ id, name }) => ({ value: id, label: name }))
    const [first] = tables
    return first && tables.length > 1 ? [{ group: first.sourceName, items }] : items
  })
}
