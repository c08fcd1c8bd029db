import { humanizeLabel, lowerFirst } from '../../../../shared/text'
import { schemaOf, type SchemaColumn, type SchemaDataset } from '../schema/schema'
import { nameColumns } from '../plan/entities'
import { moneyColumn } from '../schema/money'
import type { QueryPlan } from '../../../../shared/query/plan'
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

const FOLLOW_UPS_MAX = 3
/** What may be asked next of an answer, each a follow-up question. */
export function followUpQuestions(plan: QueryPlan, vocabulary: Vocabulary): string[] {
  const schema = schemaOf(vocabulary)
  const home = plan.dataset === undefined ? undefined : schema.dataset(plan.dataset)
  const hasTime = plan.dimensions.some(({ grain, part }) => grain !== undefined || part !== undefined)
  const used = new Set(plan.dimensions.map(({ field }) => `${field.dataset}.${field.column}`))
  const kinds = home ? kindsNear(schema, home).filter((column) => !used.has(`${column.dataset}.${column.key}`)) : []
  const isFigure = plan.kind === 'aggregate' && plan.measures.length > 0
  const isDated = home?.columns.some(({ isDate }) => isDate) === true
  return [
    ...(isFigure && !hasTime && isDated && plan.dimensions.length < 2 ? ['By month'] : []),
    ...(isFigure && kinds[0] && plan.dimensions.length < 2 ? [`By ${labelOf(kinds[0])}`] : []),
    ...(isFigure && plan.period && plan.period.compare === 'none' ? ['Compared with last year'] : []),
    ...(isFigure && plan.period && plan.period.compare !== 'none' ? ['Why?'] : []),
    ...(isFigure && plan.dimensions.length === 1 && plan.limit === undefined && !hasTime ? ['Top 5'] : []),
    ...(isFigure && !plan.period && isDated ? ['Only last year'] : []),
    ...(plan.kind === 'rows' && home ? [`How many ${nameOf(home)} are there?`] : []),
  ].slice(0, FOLLOW_UPS_MAX)
}
function kindsNear(schema: ReturnType<typeof schemaOf>, home: SchemaDataset): SchemaColumn[] {
  const near = schema.datasets.filter(({ id }) => id !== home.id && schema.path(home.id, id)?.length === 1)
  return [
    ...kindsOf(home),
    ...near.flatMap((dataset) => [
      ...kindsOf(dataset),
      ...nameColumns(dataset)
        .filter(({ isText }) => isText)
        .slice(0, 1),
    ]),
  ]
}
