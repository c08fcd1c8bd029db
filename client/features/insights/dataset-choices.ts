import type { SourcedDataset } from '../../lib/loaded-datasets'

interface Choice {
  value: string
  label: string
}
interface ChoiceGroup {
  group: string
  items: Choice[]
}

/** Data to choose from, as a `Select` takes it: tables of a source with several stand below its name, in their order. */
export function datasetChoices(datasets: readonly SourcedDataset[]): (Choice | ChoiceGroup)[] {
  const bySource = new Map<string, SourcedDataset[]>()
  for (const one of datasets) bySource.set(one.sourceId, [...(bySource.get(one.sourceId) ?? []), one])
  return [...bySource.values()].flatMap((tables): (Choice | ChoiceGroup)[] => {
    const items = tables.map(({ id, name }) => ({ value: id, label: name }))
    const [first] = tables
    return first && tables.length > 1 ? [{ group: first.sourceName, items }] : items
  })
}
