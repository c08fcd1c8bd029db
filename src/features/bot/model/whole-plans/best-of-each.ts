import { columnAt, fieldOf, type Context } from '../plan/context'
import { nameColumns } from '../plan/entities'
import { entityOf } from '../plan/items'
import { fittingColumn } from '../plan/rows-plan'
import type { Split } from '../plan/splits'
import type { Dimension, Measure, QueryPlan } from '../../../../shared/query/plan'
import type { SchemaColumn } from '../schema/schema'

/** "The largest town of each province": of each group the row where a figure of the rows is largest or smallest. */
export interface BestOfEach {
  dimensions: Dimension[]
  measures: Measure[]
  sort: NonNullable<QueryPlan['sort']>
}

/** Null where the question asks for no such thing. */
export function bestOfEach(context: Context, splits: readonly Split[]): BestOfEach | null {
  const { ask, home } = context
  const { rank } = ask
  const isOne = rank !== null && rank.skip === 0 && (rank.n === null || rank.n === 1)
  const isEach = /(?<=^| )(?:each|every|per|varje)(?= )/.test(context.encoded.source)
  if (!rank || !isOne || !isEach || splits.length === 0 || entityOf(context)?.id !== home.id) return null
  const by = rankedColumn(context)
  const columns = splits.flatMap((split) => (split.kind === 'columns' ? split.columns : []))
  if (!by || columns.length === 0 || columns.some((column) => nameColumns(home).includes(column))) return null
  const dimensions = columns.map((column): Dimension => ({ field: fieldOf(column) }))
  const named = nameColumns(home).map((column): Measure => ({
    kind: 'column',
    agg: rank.dir === 'asc' ? 'first' : 'last',
    by: fieldOf(by),
    field: fieldOf(column),
    dataset: home.id,
    label: column.source.label,
  }))
  // "The largest bill of each" of bills that only have a number: how large it is.
  const isNumbered = nameColumns(home).every(({ isKey }) => isKey)
  const figures: Measure[] =
    asksFigure(context, by) || isNumbered
      ? [{ kind: 'column', agg: rank.dir === 'asc' ? 'min' : 'max', field: fieldOf(by), label: by.source.label }]
      : []
  return {
    dimensions,
    measures: [...(isNumbered ? [] : named), ...figures],
    sort: [{ by: { dimension: 0 }, dir: 'asc' }],
  }
}
/** The figure of the rows that ranks them. */
function rankedColumn(context: Context): SchemaColumn | undefined {
  const { rank } = context.ask
  if (rank?.by?.kind === 'figure') return undefined
  const column =
    rank?.by?.kind === 'name'
      ? columnAt(context, rank.by.at)
      : rank?.adjective == null
        ? undefined
        : fittingColumn(context, rank.adjective)
  return column?.dataset === context.home.id && (column.isNumeric || column.isDate) && !column.isKey
    ? column
    : undefined
}
const asksFigure = (context: Context, by: SchemaColumn): boolean =>
  context.ask.outputs.some(
    (item) => item.kind === 'name' && item.at !== context.ask.rank?.by?.at && columnAt(context, item.at) === by,
  )
