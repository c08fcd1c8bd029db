import type { Dataset } from '../../../src/shared/data-sources/data-sources'
import type { Formatter } from '../../../src/shared/figures/formatter'
import { conditionValueText } from '../../../src/shared/query/condition-text'
import type { Field } from '../../../src/shared/query/field'
import type { SemanticCatalogue } from './catalogue'
import type { FilterNaming } from './filter-draft'

type NamedDataset = Pick<Dataset, 'id' | 'name' | 'columns'>
export type FieldLabeller = (field: Field) => string

/** Columns by their labels; those of another dataset than `home` with its name. */
export const fieldLabeller =
  (datasets: readonly NamedDataset[], home: string | undefined): FieldLabeller =>
  (field) => {
    const dataset = datasets.find((one) => one.id === field.dataset)
    const label = dataset?.columns.find((column) => column.key === field.column)?.label ?? 'a deleted column'
    return dataset && dataset.id !== home ? `${label} of ${dataset.name}` : label
  }

/** How filters over these datasets are said, in the notation of a person and their workspace. */
export const filterNaming = (
  datasets: readonly NamedDataset[],
  home: string | undefined,
  { format, catalogue }: { format: Pick<Formatter, 'locale' | 'date'>; catalogue?: SemanticCatalogue | undefined },
): FilterNaming => ({
  label: fieldLabeller(datasets, home),
  value: (value, { dataset, column }) => {
    const found = datasets.find(({ id }) => id === dataset)?.columns.find(({ key }) => key === column)
    return conditionValueText(value, found, { locale: format.locale, day: format.date })
  },
  catalogue,
})
