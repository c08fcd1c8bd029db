import { columnAt, fieldOf, Unreadable, type Context } from '../plan/context'
import { dateColumn } from '../plan/time'
import { moneyColumn } from '../schema/money'
import { lowerFirst } from '../../../../shared/text'
import type { Assembled } from '../plan/items'

/** What has no rows since a day, by when it had the last: "customers who haven't bought anything since June". */
export function silentPlan(context: Context, since: number): Assembled {
  const { ask, encoded, home } = context
  const spec = encoded.dates[since]
  const [entity, ...others] = ask.outputs
  const column = entity?.kind === 'name' ? columnAt(context, entity.at) : undefined
  const date = dateColumn(context)
  const isAlone = others.length === 0 && ask.splits.length === 0 && ask.values.length === 0 && ask.dates.length === 0
  if (!column || !date || !isAlone || spec?.kind !== 'open' || spec.from === undefined)
    throw new Unreadable('out_of_scope', 'Name what to list, and since when.')
  if (date.dataset !== home.id || column.dataset !== home.id || !moneyColumn(home))
    throw new Unreadable('no_relation', `Nothing says when each ${lowerFirst(column.source.label)} bought.`)
  const after = [{ field: fieldOf(date), any: [{ op: 'ge' as const, value: spec.from }] }]
  return {
    plan: {
      ...{ v: 3, kind: 'aggregate', dataset: home.id, filters: [] },
      dimensions: [{ field: fieldOf(column) }],
      measures: [
        { kind: 'column', agg: 'max', field: fieldOf(date), label: `Latest ${lowerFirst(date.source.label)}` },
        { kind: 'column', agg: 'count', dataset: home.id, filter: after, label: `Rows since ${spec.from}` },
      ],
      having: [{ measure: 1, op: 'eq', value: 0 }],
      sort: [{ by: { measure: 0 }, dir: 'desc' }],
    },
    shown: ['d0', 'm0'],
  }
}
