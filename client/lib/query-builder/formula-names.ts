import { visibleColumns, type BuilderDataset } from './catalogue'
import type { FormulaNames } from '../../../src/shared/formula/names'

/** The names that a formula over a dataset's rows may hold: its columns, those of rows it points at, and metrics. */
export const builderFormulaNames = (dataset: BuilderDataset): FormulaNames => ({
  dataset: { id: dataset.id, name: dataset.name, columns: visibleColumns(dataset) },
  related: (dataset.linked ?? [])
    .filter(({ use, via }) => use === 'splits' && via.length === 0)
    .map((linked) => ({ id: linked.id, name: linked.name, columns: visibleColumns(linked) })),
  metrics: dataset.catalogue?.metrics ?? [],
})
