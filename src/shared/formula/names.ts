import { nameKey } from '../names'
import type { Field } from '../query'
import type { ColumnKey } from '../sources'

/** What the names in a formula mean. */
export interface FormulaNames {
  /** The dataset whose rows are measured: its columns are called by their name alone. */
  dataset: NamedDataset
  /** Datasets that its rows point at: `[Customers.Region]`. */
  related: readonly NamedDataset[]
  metrics: readonly NamedMetric[]
}
export interface NamedDataset {
  id: string
  name: string
  columns: readonly { key: ColumnKey; label: string }[]
}
export interface NamedMetric {
  id: string
  name: string
  synonyms: readonly string[]
}

/** Two columns of one name are told apart by their key: `[Amount#c3]`. */
const KEYED = /^(.*)#(c\d+)$/u

function columnsNamed({ id, columns }: NamedDataset, text: string): Field[] {
  const found = columns.filter(({ label }) => nameKey(label) === nameKey(text))
  const [, label, key] = KEYED.exec(text) ?? []
  const keyed = columns.filter((each) => each.key === key && nameKey(each.label) === nameKey(label ?? ''))
  return (found.length > 0 ? found : keyed).map((each) => ({ dataset: id, column: each.key }))
}

/** The columns that a name may mean: those of the measured dataset first. */
export function fieldsNamed(names: FormulaNames, text: string): Field[] {
  const own = columnsNamed(names.dataset, text)
  if (own.length > 0) return own
  return [names.dataset, ...names.related].flatMap((dataset) => {
    const prefix = `${nameKey(dataset.name)}.`
    return nameKey(text).startsWith(prefix) ? columnsNamed(dataset, nameKey(text).slice(prefix.length)) : []
  })
}

/** What the column is called in a formula; null when it is not among the names. */
export function nameOfField(names: FormulaNames, { dataset, column }: Field): string | null {
  const of = [names.dataset, ...names.related].find(({ id }) => id === dataset)
  const found = of?.columns.find(({ key }) => key === column)
  if (!of || !found) return null
  const short = of.id === names.dataset.id ? found.label : `${of.name}.${found.label}`
  if (fieldsNamed(names, short).length === 1) return short
  return `${short}#${column}`
}

export const metricNamed = (names: FormulaNames, text: string): NamedMetric | undefined =>
  names.metrics.find(({ name, synonyms }) => [name, ...synonyms].some((each) => nameKey(each) === nameKey(text)))

/** Every column by its name in a formula, for suggestions. */
export const allFieldNames = (names: FormulaNames): string[] => [
  ...names.dataset.columns.map(({ label }) => label),
  ...names.related.flatMap(({ name, columns }) => columns.map(({ label }) => `${name}.${label}`)),
]
export const bracketed = (name: string): string => `[${name.replaceAll(']', ']]')}]`
