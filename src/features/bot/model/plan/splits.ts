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
} from './context'
import { datasetAt, nameColumns } from './entities'
import { dateColumn } from './time'
import type { DateSpec } from '../dates/date-spec'
import type { Dimension, FieldFilter } from '../../../../shared/query/plan'
import type { SchemaColumn, SchemaDataset } from '../schema/schema'

/** What figures are broken down by: a unit of time, or columns that say what something is called. */
export type Split =
  | { kind: 'dimension'; dimension: Dimension }
  | { kind: 'columns'; columns: SchemaColumn[]; thing?: SchemaDataset }

export function splitsOf(context: Context): Split[] {
  const splits = context.ask.splits.flatMap((item) => {
    if (item.kind === 'name') return nameSplit(context, item.at)
    const spec = item.kind === 'date' ? context.encoded.dates[item.at] : undefined
    if (spec?.kind === 'period' && spec.unit !== undefined)
      return timeSplit(context, { kind: 'grain', grain: spec.unit })
    return spec ? timeSplit(context, spec) : []
  })
  const timed = new Set(context.ask.splits.flatMap((item) => (item.kind === 'date' ? [item.at] : [])))
  const rest = context.ask.dates.flatMap((at) => {
    const spec = context.encoded.dates[at]
    return spec && !timed.has(at) && !isOfDays(context, at) ? timeSplit(context, spec) : []
  })
  return [...rest, ...splits]
}

/** "The average daily volume" of rows of which each is a day's. */
export const isOfDays = ({ home, encoded }: Pick<Context, 'home' | 'encoded'>, at: number): boolean => {
  const spec = encoded.dates[at]
  return (
    spec?.kind === 'grain' &&
    spec.grain === 'day' &&
    home.words.some((word) => /^(?:daily|days?|daglig\w*)$/.test(word)) &&
    new RegExp(`(?:average|avg|mean|genomsnittlig\\w*) <d${at}>`).test(encoded.source)
  )
}
function nameSplit(context: Context, at: number): Split[] {
  const [best] = meaningsOf(context, at, (ref) => {
    const column = columnOfRef(context, ref)
    // Figures are broken down by what names or sorts things, hardly by amounts.
    return column ? (column.isMoney ? 0.7 : 1) : 1
  })
  if (!best) return []
  if (best.ref.kind === 'grouping') return groupingSplit(context, best.ref)
  const column = columnOfRef(context, best.ref)
  if (column) {
    if (!isReachable(context, column.dataset)) deduct(context, 0.3, `${column.source.label} is not related`)
    const named =
      column.isKey && !/\b(?:ids?|keys?|codes?|numbers?|no|nr|nummer)\b/.test(wordsAt(context, at))
        ? referenced(context, column)
        : []
    if (named.length > 0) return [{ kind: 'columns', columns: named }]
    return column.isDate
      ? [
          {
            kind: 'dimension',
            dimension: {
              field: fieldOf(column),
              ...(column.source.type === 'datetime' ? { grain: 'day' as const } : {}),
            },
          },
        ]
      : [{ kind: 'columns', columns: [column] }]
  }
  const dataset = datasetAt(context, at)
  if (!dataset) return []
  // "Average units per trade" of trades: of each row, which is the average itself.
  const isAverage = context.encoded.figures.some((figure) => figure.kind === 'aggregate' && figure.agg === 'avg')
  if (dataset.id === context.home.id && isAverage && nameColumns(dataset).every(({ isKey }) => isKey)) return []
  if (!isReachable(context, dataset.id)) deduct(context, 0.3, `${wordsAt(context, at)} is not related`)
  const asked = askedNames(context, dataset)
  return [
    asked ? { kind: 'columns', columns: asked } : { kind: 'columns', columns: nameColumns(dataset), thing: dataset },
  ]
}
/** "Return the symbol … for each instrument": what tells them apart was asked for itself. */
function askedNames(context: Context, { id, columns }: SchemaDataset): SchemaColumn[] | null {
  const asked = context.ask.outputs.flatMap((item) => {
    const ref = item.kind === 'name' ? meaningsOf(context, item.at)[0]?.ref : undefined
    const column = ref && columnOfRef(context, ref)
    return column?.dataset === id && columns.includes(column) && column.isText && column.isUnique ? [column] : []
  })
  return asked.length > 0 ? asked.slice(0, 1) : null
}
/** "In each journal": rows that are in none belong to no journal. */
export function ofEach(context: Context, filters: readonly FieldFilter[]): FieldFilter[] {
  const { ask, encoded, schema, home } = context
  return ask.splits.flatMap((item): FieldFilter[] => {
    if (item.kind !== 'name') return []
    const isEach = new RegExp(`(?:each|every|varje|per) (?:of the |single )?<m${item.at}>`).test(encoded.source)
    const dataset = isEach ? (datasetAt(context, item.at)?.id ?? columnAt(context, item.at)?.dataset) : undefined
    const [hop] = (dataset !== undefined && schema.path(home.id, dataset)) || []
    const key = hop && schema.column(hop.from.dataset, hop.from.key)
    // What rows must have is never missing of them.
    if (!key || key.dataset !== home.id || key.isUnique) return []
    if (filters.some(({ field }) => field.column === key.key && field.dataset === key.dataset)) return []
    return [{ field: fieldOf(key), any: [{ op: 'notEmpty' }] }]
  })
}
/** What a key points at by its names: "per support representative" of `SupportRepId`. */
function referenced({ schema }: Context, { dataset, key }: SchemaColumn): SchemaColumn[] {
  const relation = schema.vocabulary.relations.find(
    ({ from, further }) => from.dataset === dataset && from.key === key && !further,
  )
  const target = relation && schema.dataset(relation.to.dataset)
  return target ? nameColumns(target).filter((column) => !column.isKey) : []
}
function groupingSplit(context: Context, ref: { id: string; level: number | null }): Split[] {
  const grouping = context.schema.vocabulary.groupings.find(({ id }) => id === ref.id)
  const field = grouping?.fields.find(({ dataset }) => isReachable(context, dataset))
  if (!field) return []
  const level = ref.level === null ? {} : { level: ref.level }
  return [{ kind: 'dimension', dimension: { field, grouping: { id: ref.id, ...level } } }]
}

/** Units of time: of the date column, else of a column that is called so ("month" of a table that has no dates). */
function timeSplit(context: Context, spec: DateSpec): Split[] {
  if (spec.kind !== 'grain' && spec.kind !== 'datePart') return []
  const called = spec.kind === 'grain' ? spec.grain : spec.part === 'weekday' ? 'day' : null
  const own = context.home.columns.find(
    ({ words, isDate }) => !isDate && called !== null && (words.join(' ') === called || words.at(-1) === called),
  )
  const date = dateColumn(context)
  if (own && (!date || date.dataset !== context.home.id)) return [{ kind: 'columns', columns: [own] }]
  if (!date) {
    deduct(context, 0.3, 'nothing says when')
    return []
  }
  const isHour = spec.kind === 'grain' ? spec.grain === 'hour' : spec.part === 'hourOfDay'
  if (isHour && date.source.type !== 'datetime')
    throw new Unreadable('no_metric', `${date.source.label} says no hours.`)
  const field = fieldOf(date)
  return [
    { kind: 'dimension', dimension: spec.kind === 'grain' ? { field, grain: spec.grain } : { field, part: spec.part } },
  ]
}
