import { fieldOf, findPlace, placeOf } from './place'
import type { Asked, Place } from './place'
import { getGrouping } from './service'
import type { Ask } from './service'
import { calendarOf } from '../../access/calendar'
import { figuresFor } from '../../access/figures'
import type { Scope } from '../../access/scope'
import type { Deps } from '../../deps'
import { ProductError } from '../../shared/errors'
import { lookupOf, seenCell } from '../../shared/grouping-lookup'
import { alike } from '../../shared/grouping-similar'
import type { Spelling } from '../../shared/grouping-similar'
import { eraAt, membersOf } from '../../shared/grouping-tree'
import type { Era, GroupedValue, Grouping, ListValuesQuery, SuggestAnswer, ValuesAnswer } from '../../shared/groupings'
import { QUERY_ROWS_MAX } from '../../shared/limits'
import { nameKey } from '../../shared/names'
import type { Measure, QueryPlan } from '../../shared/query'
import type { QueryResult } from '../../shared/query-result'
import type { Calendar } from '../../warehouse/contract'

/** Values that are searched through, the ones with most rows. */
const SEARCHED_MAX = 50_000
/** Values that are compared with each other. */
const COMPARED_MAX = 20_000
const SUGGESTED_MAX = 200
/** Steps of rules over the values of one page, some ten seconds at worst. */
const PAGE_STEPS_MAX = 200_000_000

/** Who looks, and on which day. */
export interface Looking {
  deps: Pick<Deps, 'warehouse' | 'db' | 'clock'>
  scope: Scope
  calendar: Calendar
}
export const lookingOf = ({ deps, scope, membership }: Ask): Looking => ({
  deps,
  scope,
  calendar: calendarOf(membership, deps.clock),
})
export const eraToday = ({ eras }: Pick<Grouping, 'eras'>, { calendar }: Pick<Looking, 'calendar'>): Era =>
  eras[eraAt(eras, calendar.today)] ?? { from: null, groups: [] }

/** Different values of the place with their rows and amount, those with most rows first. */
function planOf(grouping: Pick<Grouping, 'id'>, place: Place, unmatched: boolean): QueryPlan {
  const field = fieldOf(place)
  const count: Measure = { kind: 'column', agg: 'count', dataset: place.dataset.id }
  const amount: Measure[] = place.amount
    ? [{ kind: 'column', agg: 'sum', field: { ...field, column: place.amount.key } }]
    : []
  return {
    ...{ v: 2, kind: 'aggregate', dataset: place.dataset.id },
    measures: [count, ...amount],
    dimensions: [{ field }],
    filters: unmatched ? [{ field, grouping: { id: grouping.id }, any: [{ op: 'in', values: [null] }] }] : [],
    sort: [{ by: { measure: 0 }, dir: 'desc' }],
  }
}

const answered = ({ deps, scope, calendar }: Looking, plan: QueryPlan): Promise<QueryResult> =>
  figuresFor(deps, { scope, calendar }).answer(plan)

type Value = Omit<GroupedValue, 'groupId'>

function valuesIn(result: QueryResult, place: Place): Value[] {
  return result.rows.map(([value = null, rows = null, amount = null]) => {
    const seen = seenCell(place.column, value)
    return { value, member: seen?.text ?? null, rows: Number(rows), amount }
  })
}

/** With the group of each. @throws ProductError `query_too_complex` when rules would take too long over them */
function withGroups(values: readonly Value[], place: Place, era: Era): GroupedValue[] {
  const { groupOf, stepsFor } = lookupOf(era)
  const steps = values.reduce((sum, { member }) => sum + stepsFor(member?.length ?? 0), 0)
  if (steps > PAGE_STEPS_MAX)
    throw new ProductError('query_too_complex', { what: 'steps of rules', max: PAGE_STEPS_MAX })
  return values.map((value) => ({ ...value, groupId: groupOf(seenCell(place.column, value.value)) }))
}

/** Up to `max` values: answers hold no more than a page each. */
async function firstValues(at: Looking, plan: QueryPlan, { place, max }: { place: Place; max: number }) {
  const items: Value[] = []
  for (;;) {
    const limit = Math.min(QUERY_ROWS_MAX, max - items.length)
    const page = await answered(at, { ...plan, limit, offset: items.length })
    items.push(...valuesIn(page, place))
    if (!page.truncated || items.length >= max || page.rows.length === 0) return { items, count: page.rowCount }
  }
}

/**
 * Values of the data, or only those without a group, with rows and amount. Searching looks at the 50,000 with most rows.
 * @throws ProductError `not_found`, `query_too_complex` past 200,000 different values
 */
export async function listValues(
  ask: Ask,
  at: { id: string; query: ListValuesQuery; unmatched: boolean },
): Promise<ValuesAnswer> {
  const { q, cursor, limit, ...asked } = at.query
  const grouping = await getGrouping(ask, at.id)
  const looking = lookingOf(ask)
  const place = await placeOf(looking, grouping, asked)
  const offset = offsetOf(cursor)
  const plan = planOf(grouping, place, at.unmatched)
  const era = eraToday(grouping, looking)
  const found = q === undefined || q === '' ? null : await searched(looking, plan, { place, q })
  const page = found ? null : await answered(looking, { ...plan, limit, offset })
  const values = found?.slice(offset, offset + limit) ?? (page ? valuesIn(page, place) : [])
  // The question has left out what has a group.
  const items = at.unmatched ? values.map((value) => ({ ...value, groupId: null })) : withGroups(values, place, era)
  const count = found?.length ?? page?.rowCount ?? 0
  const next = offset + items.length
  return {
    items,
    nextCursor: items.length > 0 && next < count ? String(next) : null,
    count,
    ...shownPlace(place),
  }
}

async function searched(looking: Looking, plan: QueryPlan, at: { place: Place; q: string }) {
  const { items } = await firstValues(looking, plan, { ...at, max: SEARCHED_MAX })
  const wanted = nameKey(at.q)
  return items.filter(({ member }) => member !== null && nameKey(member).includes(wanted))
}

const shownPlace = ({ dataset, column, amount }: Place): Pick<ValuesAnswer, 'dataset' | 'column' | 'amount'> => ({
  dataset: { id: dataset.id, name: dataset.name },
  column: { key: column.key, label: column.label },
  amount: amount && { key: amount.key, label: amount.label, format: amount.format },
})

function offsetOf(cursor: string | undefined): number {
  if (cursor === undefined) return 0
  if (!/^\d{1,7}$/.test(cursor))
    throw new ProductError('invalid_input', { fields: { cursor: 'Start from the first page.' } })
  return Number(cursor)
}

/** Look-alikes among the values without a group, and such as look like members of a group. Only texts have spellings. */
export async function suggestGroups(
  ask: Ask,
  at: { id: string; input: Asked & { q?: string | undefined } },
): Promise<SuggestAnswer> {
  const { q, ...asked } = at.input
  const grouping = await getGrouping(ask, at.id)
  const looking = lookingOf(ask)
  const place = await placeOf(looking, grouping, asked)
  if (place.column.type !== 'text') return { groups: [], looked: 0, count: 0 }
  const era = eraToday(grouping, looking)
  const known = era.groups.flatMap((group) =>
    membersOf(group).map((text): Spelling => ({ text, weight: 0, groupId: group.id })),
  )
  const members = known.slice(0, COMPARED_MAX / 2)
  const plan = planOf(grouping, place, true)
  const { items, count } = await firstValues(looking, plan, { place, max: COMPARED_MAX - members.length })
  const wanted = q === undefined ? '' : nameKey(q)
  const loose = items.filter(({ member }) => member !== null && nameKey(member).includes(wanted))
  const byText = new Map(loose.map((item) => [item.member, item]))
  const found = alike([
    ...members,
    ...loose.map(({ member, rows }): Spelling => ({ text: member ?? '', weight: rows, groupId: null })),
  ])
  const names = new Map(era.groups.map(({ id, name }) => [id, name]))
  const groups = found.map(({ groupId, name, members: texts }) => {
    const values = texts.flatMap(({ text }) => {
      const item = byText.get(text)
      return item ? [{ member: text, rows: item.rows, amount: item.amount }] : []
    })
    return {
      groupId,
      name: groupId === null ? name : (names.get(groupId) ?? name),
      values,
      rows: values.reduce((total, { rows }) => total + rows, 0),
    }
  })
  return {
    groups: groups.toSorted((a, b) => b.rows - a.rows).slice(0, SUGGESTED_MAX),
    looked: loose.length,
    count,
  }
}

/** How many different values belong to no group, and how many rows hold them; empty cells are no values. */
export async function countUnmatched(
  looking: Looking,
  grouping: Pick<Grouping, 'id' | 'target'>,
): Promise<{ values: number; rows: number } | null> {
  const place = await findPlace(looking, grouping)
  if (!place) return null
  const field = fieldOf(place)
  const base = planOf(grouping, place, true)
  const { rows } = await answered(looking, {
    ...base,
    ...{ dimensions: [], sort: [] },
    measures: [
      { kind: 'column', agg: 'countDistinct', field },
      { kind: 'column', agg: 'count', field },
    ],
    filters: [...base.filters, { field, any: [{ op: 'notEmpty' }] }],
  })
  return { values: Number(rows[0]?.[0] ?? 0), rows: Number(rows[0]?.[1] ?? 0) }
}
