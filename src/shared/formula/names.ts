import { type Field } from '../query/field'
import { AGGREGATES, type Aggregate } from '../query/functions'
import { editDistance } from '../text/edit-distance'
import { nameKey } from '../field-schemas'
import type { ColumnKey, ColumnType } from '../data-sources/files'

/** How aggregates are written in a formula. */
export const AGGREGATE_FUNCTIONS: Readonly<Record<Aggregate, string>> = {
  sum: 'sum',
  avg: 'avg',
  count: 'count',
  countDistinct: 'countdistinct',
  min: 'min',
  max: 'max',
  median: 'median',
  first: 'first',
  last: 'last',
}
export const aggregateByName = (word: string): Aggregate | undefined => {
  const wanted = word.toLowerCase()
  return AGGREGATES.find((agg) => AGGREGATE_FUNCTIONS[agg] === wanted)
}
export const RESTARTS = { year: 'year', fiscalyear: 'fiscalYear', never: 'never' } as const

/** The name that was probably meant: at most a third of it is written otherwise. */
export function closestName(written: string, names: Iterable<string>): string | undefined {
  const wanted = written.toLowerCase()
  let best: { name: string; far: number } | null = null
  for (const name of names) {
    const known = name.toLowerCase()
    if (Math.abs(known.length - wanted.length) > 4) continue
    const most = Math.max(1, Math.floor(known.length / 3))
    const far = editDistance(wanted, known, most)
    if (far <= most && far < (best?.far ?? Infinity)) best = { name, far }
  }
  return best?.name
}

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
  /** With their types, mistakes in what is worked out from them are told with their place. */
  columns: readonly { key: ColumnKey; label: string; type?: ColumnType }[]
}
export interface NamedMetric {
  id: string
  name: string
  synonyms: readonly string[]
}

/** Two columns of one name are told apart by their key: `[Amount#c3]`. */
const NAME_WITH_KEY = /^(.*)#(c\d+)$/u

function columnsByName({ id, columns }: NamedDataset, text: string): Field[] {
  const found = columns.filter(({ label }) => nameKey(label) === nameKey(text))
  const [, label, key] = NAME_WITH_KEY.exec(text) ?? []
  const keyed = columns.filter((each) => each.key === key && nameKey(each.label) === nameKey(label ?? ''))
  return (found.length > 0 ? found : keyed).map((each) => ({ dataset: id, column: each.key }))
}

/** The aggregate that a column of its type is proposed in: texts have no sum. */
export function proposedAggregate(names: FormulaNames, { dataset, column }: Field): Aggregate {
  const of = [names.dataset, ...names.related].find(({ id }) => id === dataset)
  const type = of?.columns.find(({ key }) => key === column)?.type
  if (type === 'text' || type === 'boolean') return 'countDistinct'
  return type === 'date' || type === 'datetime' ? 'max' : 'sum'
}

/** The columns that a name may mean: those of the measured dataset first. */
export function fieldsByName(names: FormulaNames, text: string): Field[] {
  const own = columnsByName(names.dataset, text)
  if (own.length > 0) return own
  return [names.dataset, ...names.related].flatMap((dataset) => {
    const prefix = `${nameKey(dataset.name)}.`
    return nameKey(text).startsWith(prefix) ? columnsByName(dataset, nameKey(text).slice(prefix.length)) : []
  })
}

/** What the column is called in a formula; null when it is not among the names. */
export function formulaNameOf(names: FormulaNames, { dataset, column }: Field): string | null {
  const of = [names.dataset, ...names.related].find(({ id }) => id === dataset)
  const found = of?.columns.find(({ key }) => key === column)
  if (!of || !found) return null
  const short = of.id === names.dataset.id ? found.label : `${of.name}.${found.label}`
  if (fieldsByName(names, short).length === 1) return short
  return `${short}#${column}`
}

export const metricByName = (names: FormulaNames, text: string): NamedMetric | undefined =>
  names.metrics.find(({ name, synonyms }) => [name, ...synonyms].some((each) => nameKey(each) === nameKey(text)))

/** Every column by its name in a formula, for suggestions. */
export const allColumnNames = (names: FormulaNames): string[] => [
  ...names.dataset.columns.map(({ label }) => label),
  ...names.related.flatMap(({ name, columns }) => columns.map(({ label }) => `${name}.${label}`)),
]
export const inBrackets = (name: string): string => `[${name.replaceAll(']', ']]')}]`
