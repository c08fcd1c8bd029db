import { humanizeLabel, lowerFirst } from '../../../../shared/text'
import { schemaOf, type SchemaColumn, type SchemaDataset } from '../schema/schema'
import { moneyColumn } from '../schema/money'
import type { Vocabulary } from '../contract'

const STARTERS_MAX = 6
const FEW_VALUES = { least: 2, most: 60 }

const labelOf = ({ source }: SchemaColumn): string => lowerFirst(humanizeLabel(source.label))
const nameOf = ({ source }: SchemaDataset): string => lowerFirst(humanizeLabel(source.name))
/** Columns that sort rows into a few kinds. */
const kindsOf = ({ columns }: SchemaDataset): SchemaColumn[] =>
  columns.filter(
    ({ isText, isKey, isUnique, source }) =>
      isText &&
      !isKey &&
      !isUnique &&
      (source.distinct ?? 0) >= FEW_VALUES.least &&
      (source.distinct ?? 0) <= FEW_VALUES.most,
  )

/** Questions to begin with, made of what is there: metrics first, then the tables with amounts. */
export function starterQuestions(vocabulary: Vocabulary): string[] {
  const schema = schemaOf(vocabulary)
  const metrics = vocabulary.metrics.slice(0, 2).flatMap(({ name, dataset, time }) => {
    const table = schema.dataset(dataset)
    const [kind] = table ? kindsOf(table) : []
    return [...(time ? [`${name} by month`] : []), ...(kind ? [`${name} by ${labelOf(kind)}`] : [])]
  })
  const tables = schema.datasets
    .toSorted((a, b) => Number(moneyColumn(b) !== undefined) - Number(moneyColumn(a) !== undefined))
    .flatMap((table) => {
      const money = moneyColumn(table)
      const [kind] = kindsOf(table)
      const isDated = table.columns.some(({ isDate }) => isDate)
      return [
        ...(money && isDated ? [`Total ${labelOf(money)} by month`] : []),
        ...(money && kind ? [`Total ${labelOf(money)} by ${labelOf(kind)}`] : []),
        ...(kind ? [`How many ${nameOf(table)} are there by ${labelOf(kind)}?`] : []),
      ]
    })
  return [...new Set([...metrics, ...tables])].slice(0, STARTERS_MAX)
}
