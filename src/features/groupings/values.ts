import { columnField, findGroupedColumn, requireGroupedColumn } from './place'
import type { ColumnChoice, GroupedColumn } from './place'
import { getGrouping } from './service'
import type { RequestContext } from './service'
import { calendarOf } from '../../access/calendar'
import { queryService } from '../../access/figures'
import type { Scope } from '../../access/scope'
import type { Deps } from '../../deps'
import { ProductError } from '../../shared/errors'
import { createGroupLookup, matchableCell } from '../../shared/grouping-lookup'
import { groupSimilarSpellings } from '../../shared/grouping-similar'
import type { Spelling } from '../../shared/grouping-similar'
import { validityPeriodAt, namedMembers } from '../../shared/grouping-tree'
import type {
  ValidityPeriod,
  GroupedValue,
  Grouping,
  ListValuesQuery,
  GroupSuggestions,
  GroupedValuesPage,
} from '../../shared/groupings'
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
export interface ReadContext {
  deps: Pick<Deps, 'warehouse' | 'db' | 'clock'>
  scope: Scope
  calendar: Calendar
}
export const readContextOf = ({ deps, scope, membership }: RequestContext): ReadContext => ({
  deps,
  scope,
  calendar: calendarOf(membership, deps.clock),
})
export const currentValidityPeriod = (
  { eras }: Pick<Grouping, 'eras'>,
  { calendar }: Pick<ReadContext, 'calendar'>,
): ValidityPeriod => eras[validityPeriodAt(eras, calendar.today)] ?? { from: null, groups: [] }

/** Different values of the place with their rows and amount, those with most rows first. */
function valuesPlan(grouping: Pick<Grouping, 'id'>, groupedColumn: GroupedColumn, unmatched: boolean): QueryPlan {
  const field = columnField(groupedColumn)
  const count: Measure = { kind: 'column', agg: 'count', dataset: groupedColumn.dataset.id }
  const amount: Measure[] = groupedColumn.amount
    ? [{ kind: 'column', agg: 'sum', field: { ...field, column: groupedColumn.amount.key } }]
    : []
  return {
    ...{ v: 2, kind: 'aggregate', dataset: groupedColumn.dataset.id },
    measures: [count, ...amount],
    dimensions: [{ field }],
    filters: unmatched ? [{ field, grouping: { id: grouping.id }, any: [{ op: 'in', values: [null] }] }] : [],
    sort: [{ by: { measure: 0 }, dir: 'desc' }],
  }
}

const queryValuesPage = ({ deps, scope, calendar }: ReadContext, plan: QueryPlan): Promise<QueryResult> =>
  queryService(deps, { scope, calendar }).answer(plan)

type ColumnValue = Omit<GroupedValue, 'groupId'>

function toColumnValues(result: QueryResult, groupedColumn: GroupedColumn): ColumnValue[] {
  return result.rows.map(([value = null, rows = null, amount = null]) => {
    const seen = matchableCell(groupedColumn.column, value)
    return { value, member: seen?.text ?? null, rows: Number(rows), amount }
  })
}

/** With the group of each. @throws ProductError `query_too_complex` when rules would take too long over them */
function withGroupIds(
  values: readonly ColumnValue[],
  groupedColumn: GroupedColumn,
  validityPeriod: ValidityPeriod,
): GroupedValue[] {
  const { groupOf, stepsFor } = createGroupLookup(validityPeriod)
  const steps = values.reduce((sum, { member }) => sum + stepsFor(member?.length ?? 0), 0)
  if (steps > PAGE_STEPS_MAX)
    throw new ProductError('query_too_complex', { what: 'steps of rules', max: PAGE_STEPS_MAX })
  return values.map((value) => ({ ...value, groupId: groupOf(matchableCell(groupedColumn.column, value.value)) }))
}

/** Up to `max` values: answers hold no more than a page each. */
async function queryFirstValues(
  at: ReadContext,
  plan: QueryPlan,
  { place, max }: { place: GroupedColumn; max: number },
) {
  const items: ColumnValue[] = []
  for (;;) {
    const limit = Math.min(QUERY_ROWS_MAX, max - items.length)
    const page = await queryValuesPage(at, { ...plan, limit, offset: items.length })
    items.push(...toColumnValues(page, place))
    if (!page.truncated || items.length >= max || page.rows.length === 0) return { items, count: page.rowCount }
  }
}

/**
 * Values of the data, or only those without a group, with rows and amount. Searching looks at the 50,000 with most rows.
 * @throws ProductError `not_found`, `query_too_complex` past 200,000 different values
 */
export async function listValues(
  context: RequestContext,
  at: { id: string; query: ListValuesQuery; unmatched: boolean },
): Promise<GroupedValuesPage> {
  const { q, cursor, limit, ...asked } = at.query
  const grouping = await getGrouping(context, at.id)
  const looking = readContextOf(context)
  const place = await requireGroupedColumn(looking, grouping, asked)
  const offset = parseOffset(cursor)
  const plan = valuesPlan(grouping, place, at.unmatched)
  const era = currentValidityPeriod(grouping, looking)
  const found = q === undefined || q === '' ? null : await searchValues(looking, plan, { place, q })
  const page = found ? null : await queryValuesPage(looking, { ...plan, limit, offset })
  const values = found?.slice(offset, offset + limit) ?? (page ? toColumnValues(page, place) : [])
  // The question has left out what has a group.
  const items = at.unmatched ? values.map((value) => ({ ...value, groupId: null })) : withGroupIds(values, place, era)
  const count = found?.length ?? page?.rowCount ?? 0
  const next = offset + items.length
  return {
    items,
    nextCursor: items.length > 0 && next < count ? String(next) : null,
    count,
    ...toColumnInfo(place),
  }
}

async function searchValues(context: ReadContext, plan: QueryPlan, at: { place: GroupedColumn; q: string }) {
  const { items } = await queryFirstValues(context, plan, { ...at, max: SEARCHED_MAX })
  const wanted = nameKey(at.q)
  return items.filter(({ member }) => member !== null && nameKey(member).includes(wanted))
}

const toColumnInfo = ({
  dataset,
  column,
  amount,
}: GroupedColumn): Pick<GroupedValuesPage, 'dataset' | 'column' | 'amount'> => ({
  dataset: { id: dataset.id, name: dataset.name },
  column: { key: column.key, label: column.label },
  amount: amount && { key: amount.key, label: amount.label, format: amount.format },
})

function parseOffset(cursor: string | undefined): number {
  if (cursor === undefined) return 0
  if (!/^\d{1,7}$/.test(cursor))
    throw new ProductError('invalid_input', { fields: { cursor: 'Start from the first page.' } })
  return Number(cursor)
}

/** Look-alikes among the values without a group, and such as look like members of a group. Only texts have spellings. */
export async function suggestGroups(
  context: RequestContext,
  at: { id: string; input: ColumnChoice & { q?: string | undefined } },
): Promise<GroupSuggestions> {
  const { q, ...asked } = at.input
  const grouping = await getGrouping(context, at.id)
  const looking = readContextOf(context)
  const place = await requireGroupedColumn(looking, grouping, asked)
  if (place.column.type !== 'text') return { groups: [], looked: 0, count: 0 }
  const era = currentValidityPeriod(grouping, looking)
  const known = era.groups.flatMap((group) =>
    namedMembers(group).map((text): Spelling => ({ text, weight: 0, groupId: group.id })),
  )
  const members = known.slice(0, COMPARED_MAX / 2)
  const plan = valuesPlan(grouping, place, true)
  const { items, count } = await queryFirstValues(looking, plan, { place, max: COMPARED_MAX - members.length })
  const wanted = q === undefined ? '' : nameKey(q)
  const loose = items.filter(({ member }) => member !== null && nameKey(member).includes(wanted))
  const byText = new Map(loose.map((item) => [item.member, item]))
  const found = groupSimilarSpellings([
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
  context: ReadContext,
  grouping: Pick<Grouping, 'id' | 'target'>,
): Promise<{ values: number; rows: number } | null> {
  const place = await findGroupedColumn(context, grouping)
  if (!place) return null
  const field = columnField(place)
  const base = valuesPlan(grouping, place, true)
  const { rows } = await queryValuesPage(context, {
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
