import { nameKey } from '../../../shared/field-schemas'
import type { Field } from '../../../shared/query/field'
import type { Vocabulary, VocabularyColumn, VocabularyDataset } from '../model/contract'

/** A model is told no more tables, columns and metrics than these. */
export const MODEL_DATASETS_MAX = 20
export const MODEL_COLUMNS_MAX = 60
export const MODEL_METRICS_MAX = 80

export interface NamedColumn {
  /** "Orders.Region". */
  name: string
  field: Field
  column: VocabularyColumn
}
/**
 * What a model may name, and what each name stands for. It never sees an id, so that it can make none up; a name that is
 * not here stands for nothing.
 */
export interface ModelNames {
  datasets: { name: string; dataset: VocabularyDataset }[]
  columns: NamedColumn[]
  metrics: { name: string; id: string }[]
  datasetOf(name: string): string | null
  columnOf(name: string): NamedColumn | null
  metricOf(name: string): string | null
}

/** Of several things of one name, all but the first get a number. */
function distinct<T>(things: readonly T[], nameOf: (thing: T) => string): { name: string; thing: T }[] {
  const used = new Map<string, number>()
  return things.map((thing) => {
    const name = clean(nameOf(thing))
    const n = (used.get(nameKey(name)) ?? 0) + 1
    used.set(nameKey(name), n)
    return { name: n === 1 ? name : `${name} (${n})`, thing }
  })
}

/** One line: what people typed or imported cannot begin a new part of what a model reads. */
const clean = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 80)

export function modelNames({ datasets, metrics }: Pick<Vocabulary, 'datasets' | 'metrics'>): ModelNames {
  const named = distinct(datasets.slice(0, MODEL_DATASETS_MAX), ({ name }) => name)
  const columns = named.flatMap(({ name, thing }) =>
    distinct(thing.columns.slice(0, MODEL_COLUMNS_MAX), ({ label }) => label).map(
      ({ name: label, thing: column }): NamedColumn => ({
        ...{ name: `${name}.${label}`, field: { dataset: thing.id, column: column.key }, column },
      }),
    ),
  )
  const known = distinct(metrics.slice(0, MODEL_METRICS_MAX), ({ name }) => name)
  const byName = <T>(pairs: [string, T][]): ((name: string) => T | null) => {
    const map = new Map(pairs.map(([name, thing]) => [nameKey(name), thing]))
    return (name) => map.get(nameKey(name)) ?? null
  }
  return {
    datasets: named.map(({ name, thing }) => ({ name, dataset: thing })),
    columns,
    metrics: known.map(({ name, thing }) => ({ name, id: thing.id })),
    datasetOf: byName(named.map(({ name, thing }) => [name, thing.id])),
    columnOf: byName(columns.map((column) => [column.name, column])),
    metricOf: byName(known.map(({ name, thing }) => [name, thing.id])),
  }
}
