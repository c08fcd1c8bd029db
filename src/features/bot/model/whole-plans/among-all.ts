import {
  columnAt,
  columnOfRef,
  deduct,
  fieldOf,
  isReachable,
  meaningsOf,
  Unreadable,
  wordsAt,
  type Context,
} from '../plan/context'
import { datasetAt, keyColumn, listedColumns, nameColumns } from '../plan/entities'
import { keyOfMention, measureOf } from '../figures/figures'
import { entityOf, measureOfItem, DIMENSIONS_MAX, type Assembled } from '../plan/items'
import { askedColumns, fittingColumn } from '../plan/rows-plan'
import { existsFilters, type ReadConditions } from '../conditions/where'
import type { AverageCondition } from '../parse/ask'
import type { Dimension, Measure, QueryPlan } from '../../../../shared/query/plan'
import type { SchemaColumn } from '../schema/schema'

/** "Products that cost more than the average": each beside all of them. Null where the question asks for no such thing. */
export function amongAll(context: Context, conditions: ReadConditions): Assembled | null {
  const [asked, second] = context.ask.averages
  if (!asked) return null
  const average = ofItsNumber(context, asked)
  const { outputs, splits } = context.ask
  const counts = outputs.some((item) => item.kind === 'figure')
  if (second || counts || splits.length > 0 || context.ask.rank || conditions.having.length > 0)
    throw new Unreadable('out_of_scope', 'A comparison with an average can only list what is above or below it.')
  const column = comparedColumn(context, average)
  return column ? rowsAmongAll(context, conditions, { average, column }) : thingsAmongAll(context, conditions, average)
}

/** "The number of employees" that a row holds is that number, and nothing is counted. */
function ofItsNumber({ encoded }: Context, average: AverageCondition): AverageCondition {
  const figure = average.of?.kind === 'figure' ? encoded.figures[average.of.at] : undefined
  const at = figure?.kind === 'count' || figure?.kind === 'aggregate' ? figure.of : null
  return at !== null && encoded.mentions[at]?.namesNumber === true ? { ...average, of: { kind: 'name', at } } : average
}
/** A number of the rows that are listed. */
function comparedColumn(context: Context, { of, adjective }: AverageCondition): SchemaColumn | null {
  const column =
    of === null ? fittingColumn(context, adjective ?? '') : of.kind === 'name' ? columnAt(context, of.at) : undefined
  const isOfTable = of?.kind === 'name' && datasetAt(context, of.at) !== undefined
  const entity = entityOf(context)
  if (!column || isOfTable || !column.isNumeric || column.isKey) return null
  return column.dataset === context.home.id && (entity === undefined || entity.id === context.home.id) ? column : null
}

/** What tells the rows apart, what was asked of them, and how far their number is from the average. */
function rowsAmongAll(
  context: Context,
  conditions: ReadConditions,
  { average, column }: { average: AverageCondition; column: SchemaColumn },
): Assembled {
  const asked = askedColumns(context)
  if (asked.length === 0) throw new Unreadable('no_metric', 'Nothing to list was named.')
  const key = keyColumn(context.home, context.schema)
  const isTold = asked.some(({ dataset, isUnique }) => dataset === context.home.id && isUnique)
  if (!isTold && key?.isUnique !== true) throw new Unreadable('no_metric', 'Nothing tells these rows apart.')
  const columns = [...new Set([...asked, ...(isTold || !key ? [] : [key])])]
  if (columns.length > DIMENSIONS_MAX) throw new Unreadable('out_of_scope', 'Too much to list beside a comparison.')
  const own: Measure = { kind: 'column', agg: average.agg, field: fieldOf(column), label: column.source.label }
  if (hasConditions(conditions)) deduct(context, 0.75, 'the average of all, or of these')
  const plan = comparedPlan(context, conditions, { columns, own, all: { kind: 'whole', of: own }, op: average.op })
  return {
    plan: { ...plan, sort: sortOf(context, columns, column) },
    shown: asked.map((each) => `d${columns.indexOf(each)}`),
  }
}
function sortOf(
  { ask, ...context }: Context,
  columns: readonly SchemaColumn[],
  column: SchemaColumn,
): NonNullable<QueryPlan['sort']> {
  const [sort] = ask.sorts
  const by = sort?.by?.kind === 'name' ? columnAt({ ask, ...context }, sort.by.at) : undefined
  if (sort && (by === column || sort.adjective !== undefined)) return [{ by: { measure: 0 }, dir: sort.dir ?? 'desc' }]
  const at = by ? Math.max(0, columns.indexOf(by)) : 0
  return [{ by: { dimension: at }, dir: sort?.dir ?? 'asc' }]
}

/** "Customers that ordered more often than the average": a figure of each, and the average of these. */
function thingsAmongAll(context: Context, conditions: ReadConditions, average: AverageCondition): Assembled {
  const { ask } = context
  const item = ask.outputs.find((each) => each.kind === 'name' && datasetAt(context, each.at) !== undefined)
  const things = item && datasetAt(context, item.at)
  if (!item || !things || things.id === context.home.id || !isReachable(context, things.id) || average.of === null)
    throw new Unreadable('no_metric', 'It is not known what is compared with the average.')
  const own = figureOf(context, average)
  const by = keyOfMention(context, item.at)
  const names = ask.outputs.flatMap((each) =>
    each.kind === 'name' && each.at !== item.at ? listedColumns(context, each.at) : [],
  )
  const asked = names.length > 0 ? names : nameColumns(things)
  const key = context.schema.column(by.dataset, by.column)
  const columns = [...new Set([...asked, ...(key ? [key] : [])])]
  if (columns.length > DIMENSIONS_MAX) throw new Unreadable('out_of_scope', 'Too much to list beside a comparison.')
  if (key?.source.distinct !== undefined && key.source.distinct < things.source.rowCount)
    deduct(context, 0.78, `some ${wordsAt(context, item.at)} have none`)
  if (hasConditions(conditions)) deduct(context, 0.75, 'the average of all, or of these')
  const all: Measure = { kind: 'whole', of: { kind: 'grouped', agg: average.agg, of: own, by: [{ field: by }] } }
  const plan = comparedPlan(context, conditions, { columns, own, all, op: average.op })
  return { plan, shown: asked.map((each) => `d${columns.indexOf(each)}`) }
}
function figureOf(context: Context, { of }: AverageCondition): Measure {
  if (of === null) throw new Unreadable('no_metric', 'It is not known what is compared.')
  if (of.kind !== 'name') return measureOfItem(context, of)
  const [best] = meaningsOf(context, of.at)
  const isTable = best?.ref.kind === 'dataset'
  const column = best && columnOfRef(context, best.ref)
  if (isTable || (column?.isKey ?? false)) return measureOf(context, { kind: 'count', of: of.at, distinct: false })
  if (column && !column.isAdditive) throw new Unreadable('no_metric', `${column.source.label} does not add up.`)
  return measureOfItem(context, of)
}

const hasConditions = ({ filters, pointing, period }: ReadConditions): boolean =>
  filters.length > 0 || pointing.length > 0 || period !== null

function comparedPlan(
  context: Context,
  conditions: ReadConditions,
  { columns, own, all, op }: { columns: readonly SchemaColumn[]; own: Measure; all: Measure; op: 'gt' | 'lt' },
): QueryPlan {
  const dimensions = columns.map((column): Dimension => ({ field: fieldOf(column) }))
  const label = `Difference from the ${all.kind === 'whole' && 'agg' in all.of && all.of.agg === 'median' ? 'median' : 'average'}`
  return {
    v: 3,
    kind: 'aggregate',
    dataset: context.home.id,
    measures: [{ kind: 'calc', op: 'subtract', left: own, right: all, label }],
    dimensions,
    filters: [...conditions.filters, ...existsFilters(context, conditions)],
    ...(conditions.period ? { period: conditions.period } : {}),
    having: [{ measure: 0, op, value: 0 }],
    sort: [{ by: { dimension: 0 }, dir: 'asc' }],
  }
}
