import { columnAt, fieldOf, isReachable, Unreadable, type Context } from '../plan/context'
import { datasetAt, nameColumns } from '../plan/entities'
import { dateColumn } from '../plan/time'
import { moneyColumn } from '../schema/money'
import { saysHowMany } from '../schema/quantity'
import { addMonths, dayFromIso, isoFromDay } from '../../../../shared/dates'
import { lowerFirst } from '../../../../shared/text'
import type { Assembled } from '../plan/items'
import type { QuestionParts } from '../parse/ask'
import type { SchemaColumn } from '../schema/schema'

type Silent = NonNullable<QuestionParts['silent']>

/** What has no rows since a day, by when it had the last: "customers who haven't bought anything since June". */
export function silentPlan(context: Context, silent: Silent): Assembled {
  const { ask, home } = context
  const [entity, ...others] = ask.outputs
  const column = entity?.kind === 'name' ? whoOf(context, entity.at) : undefined
  const date = dateColumn(context)
  const isAlone = others.length === 0 && ask.splits.length === 0 && ask.values.length === 0 && ask.dates.length === 0
  const since = date && sinceOf(context, silent, date)
  if (!column || !date || !isAlone || since === null)
    throw new Unreadable('out_of_scope', 'Name what to list, and since when.')
  if (date.dataset !== home.id || !isReachable(context, column.dataset) || !saysDealings(context))
    throw new Unreadable('no_relation', `Nothing says when each ${lowerFirst(column.source.label)} bought.`)
  const after = [{ field: fieldOf(date), any: [{ op: 'ge' as const, value: since }] }]
  return {
    plan: {
      ...{ v: 3, kind: 'aggregate', dataset: home.id, filters: [] },
      dimensions: [{ field: fieldOf(column) }],
      measures: [
        { kind: 'column', agg: 'max', field: fieldOf(date), label: `Latest ${lowerFirst(date.source.label)}` },
        { kind: 'column', agg: 'count', dataset: home.id, filter: after, label: `Rows since ${since}` },
      ],
      having: [{ measure: 1, op: 'eq', value: 0 }],
      sort: [{ by: { measure: 0 }, dir: 'desc' }],
    },
    shown: ['d0', 'm0'],
  }
}
/** Rows of dealings are worth something, or take some time. */
const saysDealings = ({ home }: Context): boolean =>
  moneyColumn(home) !== undefined ||
  home.columns.some((column) => saysHowMany(column) || (column.isNumeric && column.isAdditive))

/** By what those asked about are called: a heading of the rows, or the name that a table of their own has. */
function whoOf(context: Context, at: number): SchemaColumn | undefined {
  const table = datasetAt(context, at)
  if (!table) return columnAt(context, at)
  const [name, other] = table.id === context.home.id ? [] : nameColumns(table)
  return other ? undefined : name
}

/** A day that was said; else so many months before the newest row. */
function sinceOf(context: Context, silent: Silent, date: SchemaColumn): string | null {
  if ('since' in silent) {
    const spec = context.encoded.dates[silent.since]
    return spec?.kind === 'open' ? (spec.from ?? null) : null
  }
  const newest = dayFromIso((date.source.to ?? '').slice(0, 10))
  if (newest === null) return null
  const since = isoFromDay(addMonths(newest, -silent.months))
  context.assumptions.push(`Gone silent: nothing since ${since}, ${silent.months} months before the newest row.`)
  return since
}
