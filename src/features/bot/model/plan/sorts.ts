import { deduct, type Context } from './context'
import { addMeasure, type Building } from './building'
import { isFigure, measureOfItem } from './items'
import { listedColumns } from './entities'
import { namedFigure } from '../figures/figures'
import { partOrder } from '../conditions/conditions'
import type { Item } from '../parse/ask'
import type { QueryPlan } from '../../../../shared/query/plan'

/** The order of an answer: as it was ranked, as it was asked for, else by time or by what is largest. */
export function addSorts(context: Context, building: Building, rankAt: number | null): NonNullable<QueryPlan['sort']> {
  const { sorts, rank } = context.ask
  const said = sorts.flatMap(({ by, dir, adjective }): NonNullable<QueryPlan['sort']> => {
    // "Highest first" of groups is their figure.
    if (
      adjective !== undefined &&
      !/^(?:newest|latest|oldest|earliest)$|ed$/.test(adjective) &&
      building.measures.length > 0
    )
      return [{ by: { measure: 0 }, dir: dir ?? 'desc' }]
    if (adjective !== undefined && /ed$/.test(adjective)) deduct(context, 0.6, `nothing says what is ${adjective}`)
    // Groups are as new as their unit of time.
    if (adjective !== undefined && timeOf(building) < 0) deduct(context, 0.6, `nothing says what is ${adjective}`)
    return adjective !== undefined && timeOf(building) >= 0
      ? [{ by: { dimension: timeOf(building) }, dir: dir ?? 'desc' }]
      : sortBy(context, building, by, dir)
  })
  const ranked: NonNullable<QueryPlan['sort']> =
    rankAt === null ? [] : [{ by: { measure: rankAt }, dir: rank?.dir ?? 'desc' }]
  // "The top five, by name" are the five largest, in the order of their names.
  const all = [...ranked, ...said]
  if (all.length > 0) return all.slice(0, 5)
  const unit = timeOf(building)
  const time = unit >= 0 ? unit : yearOf(context, building)
  if (time >= 0) {
    // "Per seller and month": each seller's months beside each other.
    const places = building.dimensions.map((_, i) => (time + i) % building.dimensions.length)
    const order = isSplitFirst(context) ? [...places.slice(1), time] : places
    return bySurname(context, building, order).map((dimension) => ({ by: { dimension }, dir: 'asc' as const }))
  }
  return building.measures.length > 0 ? [{ by: { measure: 0 }, dir: 'desc' }] : []
}
/** People are sorted by their last name first. */
function bySurname({ schema }: Context, { dimensions }: Building, order: readonly number[]): number[] {
  const isCalled = (at: number | undefined, name: RegExp): boolean => {
    const field = at === undefined ? undefined : dimensions[at]?.field
    return field !== undefined && name.test(schema.column(field.dataset, field.column)?.words.join(' ') ?? '')
  }
  const places = [...order]
  const first = places.findIndex(
    (at, i) =>
      isCalled(at, /^(?:first ?name|fornamn)$/) && isCalled(places[i + 1], /^(?:last ?name|surname|efternamn)$/),
  )
  if (first >= 0) places.splice(first, 2, ...places.slice(first, first + 2).toReversed())
  return places
}
const timeOf = ({ dimensions }: Building): number =>
  dimensions.findIndex(({ grain, part }) => grain !== undefined || part !== undefined)
/** A year that rows say themselves, where a unit of time was asked for. */
const yearOf = ({ schema, ask, encoded }: Context, { dimensions }: Building): number =>
  ask.dates.some((at) => encoded.dates[at]?.kind === 'grain')
    ? dimensions.findIndex(({ field }) => {
        const column = schema.column(field.dataset, field.column)
        return column?.isNumeric === true && column.words.at(-1) === 'year'
      })
    : -1
/** Whether a name was said before the unit of time that figures are broken down by as well. */
function isSplitFirst({ ask, encoded }: Context): boolean {
  const name = ask.splits.find(({ kind }) => kind === 'name')
  const unit = ask.dates.find((at) => encoded.dates[at]?.kind === 'grain')
  if (!name || unit === undefined) return false
  const [first, second] = [`<m${name.at}>`, `<d${unit}>`].map((mark) => encoded.source.indexOf(mark))
  return first !== undefined && second !== undefined && first >= 0 && first < second
}
function sortBy(
  context: Context,
  building: Building,
  by: Item | null,
  dir: 'asc' | 'desc' | null,
): NonNullable<QueryPlan['sort']> {
  if (by === null) {
    const measured = dir === 'desc' && building.measures.length > 0
    return [{ by: measured ? { measure: 0 } : { dimension: 0 }, dir: dir ?? 'asc' }]
  }
  if (by.kind === 'figure')
    return [{ by: { measure: addMeasure(building, measureOfItem(context, by)) }, dir: dir ?? 'desc' }]
  if (by.kind === 'date') {
    const time = timeOf(building)
    if (time < 0) return []
    return [{ by: { dimension: time }, dir: dir ?? 'asc' }]
  }
  const columns = listedColumns(context, by.at)
  const at = building.dimensions.findIndex(({ field }) =>
    columns.some((column) => column.key === field.column && column.dataset === field.dataset),
  )
  const dimension = building.dimensions[at]
  if (dimension) {
    const column = context.schema.column(dimension.field.dataset, dimension.field.column)
    const order = column && partOrder(column)
    if (order)
      return [
        { by: { measure: addMeasure(building, { kind: 'expression', agg: 'min', row: order }) }, dir: dir ?? 'asc' },
      ]
    return [{ by: { dimension: at }, dir: dir ?? 'asc' }]
  }
  const listed = building.measures.findIndex(
    (measure) => measure.kind === 'column' && columns.some(({ key }) => measure.field?.column === key),
  )
  if (listed >= 0) return [{ by: { measure: listed }, dir: dir ?? 'desc' }]
  if (isFigure(context, by))
    return [{ by: { measure: addMeasure(building, namedFigure(context, by.at)) }, dir: dir ?? 'desc' }]
  return [{ by: { dimension: 0 }, dir: dir ?? 'asc' }]
}
