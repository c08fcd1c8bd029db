import type { Scope } from '../../scope'
import type { Deps } from '../../deps'
import { isAccountName } from '../../shared/account-classes'
import { ProductError } from '../../shared/errors'
import { validityPeriodAt, namedMembers } from '../../shared/groupings/groupings'
import type {
  Grouping,
  ValidityPeriod,
  GroupedValue,
  ListValuesQuery,
  GroupSuggestions,
  GroupedValuesPage,
  GroupingSummary,
} from '../../shared/groupings/groupings'
import type { Measure, QueryPlan } from '../../shared/query/plan'
import type { Field } from '../../shared/query/field'
import type { Column } from '../../shared/data-sources/data-sources'
import { additiveMeasureColumns } from '../../shared/data-sources/key-columns'
import type { CatalogueDataset } from '../../warehouse/contract'
import { getGrouping } from './service'
import type { RequestContext } from '../../http/request-context'
import { withCalendar } from '../../semantic/calendar'
import { queryService, type QueryContext } from '../../semantic/query-service'
import { createGroupLookup, matchableCell } from '../../shared/groupings/matching'
import { groupSimilarSpellings, type Spelling } from '../../shared/groupings/similar-spellings'
import { QUERY_ROWS_MAX } from '../../shared/limits'
import { nameKey } from '../../shared/field-schemas'
import type { QueryResult } from '../../shared/query/result'
import { groupingStore } from './store'
import type { PlanLimit } from '../../shared/billing/plans'
import { log } from '../../lib/log'

/** Where the values of a grouping are looked at. */
export interface GroupedColumn {
  dataset: CatalogueDataset
  column: Column
  /** What is added up beside them. */
  amount: Column | null
}
interface ColumnChoice {
  dataset?: string | undefined
  column?: string | undefined
  amount?: string | undefined
}

const isAccountColumn = ({ label, type, hidden }: Column): boolean =>
  !hidden && (type === 'text' || type === 'integer') && isAccountName(label)
const isNumericColumn = ({ type, hidden }: Column): boolean => !hidden && (type === 'integer' || type === 'number')

export const columnField = ({ dataset, column }: Pick<GroupedColumn, 'dataset' | 'column'>): Field => ({
  dataset: dataset.id,
  column: column.key,
})

/** What a business looks at first; prices and shares do not add up. */
function defaultAmount({ columns }: CatalogueDataset, column: Column): Column | null {
  return additiveMeasureColumns(columns).find(({ key }) => key !== column.key) ?? null
}

/** What was posted to accounts adds up; what they stood at, year by year, does not. */
const hasPostings = ({ columns }: CatalogueDataset): boolean => columns.some(({ label }) => label === 'voucher_key')

/**
 * The column that is asked for, else the target's; of accounts those of postings, else of the dataset with most rows and
 * amounts. Null: there is none.
 */
async function findGroupedColumn(
  { deps, scope }: { deps: Pick<Deps, 'warehouse'>; scope: Scope },
  { target }: Pick<Grouping, 'target'>,
  choice: ColumnChoice = {},
): Promise<GroupedColumn | null> {
  const datasets = (await deps.warehouse(scope).datasets()).filter(({ dataVersion }) => dataVersion > 0)
  const named = choice.dataset === undefined ? (target.kind === 'column' ? target : null) : choice
  const among = named?.dataset === undefined ? datasets : datasets.filter(({ id }) => id === named.dataset)
  const places = among.flatMap((dataset): GroupedColumn[] => {
    const column = dataset.columns.find((each) =>
      named?.column === undefined ? isAccountColumn(each) : each.key === named.column && !each.hidden,
    )
    return column && column.type !== 'datetime' ? [{ dataset, column, amount: defaultAmount(dataset, column) }] : []
  })
  const weight = ({ dataset, amount }: GroupedColumn): number =>
    (amount ? (hasPostings(dataset) ? 2e12 : 1e12) : 0) + dataset.rowCount
  const [place] = places.toSorted((a, b) => weight(b) - weight(a))
  if (!place || choice.amount === undefined) return place ?? null
  const amount = place.dataset.columns.find((each) => each.key === choice.amount && isNumericColumn(each))
  if (!amount) throw new ProductError('unknown_field', { field: `${place.dataset.id}.${choice.amount}` })
  return { ...place, amount }
}

/** @throws ProductError `not_found` when the data it is about is gone */
export async function requireGroupedColumn(
  at: { deps: Pick<Deps, 'warehouse'>; scope: Scope },
  grouping: Pick<Grouping, 'target'>,
  choice: ColumnChoice = {},
): Promise<GroupedColumn> {
  const place = await findGroupedColumn(at, grouping, choice)
  if (!place) throw new ProductError('not_found', {}, 'Source not found, or it has no rows yet.')
  return place
}

/** Values that are searched through, the ones with most rows. */
const SEARCHED_MAX = 50_000
/** Values that are compared with each other. */
const COMPARED_MAX = 20_000
const SUGGESTED_MAX = 200
/** Characters of values that are held to be searched through or compared: all requests of an isolate share its memory. */
const HELD_MAX_CHARS = 8 * 1024 * 1024
/** Steps of rules over the values of one page, some ten seconds at worst; and in one go, some milliseconds. */
const PAGE_STEPS_MAX = 200_000_000
const SLICE_STEPS = 100_000
/** How long others have their turn after each go: about as long as it took, ms. */
const SLICE_PAUSE_MS = 5

const currentValidityPeriod = (
  { eras }: Pick<Grouping, 'eras'>,
  { calendar }: Pick<QueryContext, 'calendar'>,
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

const queryValuesPage = (context: QueryContext, plan: QueryPlan): Promise<QueryResult> =>
  queryService(context.deps, context).answer(plan)

type ColumnValue = Omit<GroupedValue, 'groupId'>

function toColumnValues(result: QueryResult, groupedColumn: GroupedColumn): ColumnValue[] {
  return result.rows.map(([value = null, rows = null, amount = null]) => {
    const seen = matchableCell(groupedColumn.column, value)
    return { value, member: seen?.text ?? null, rows: Number(rows), amount }
  })
}

/**
 * With the group of each, worked out in pieces: the thread is everybody's.
 * @throws ProductError `query_too_complex` when rules would take too long over them
 */
async function withGroupIds(
  values: readonly ColumnValue[],
  groupedColumn: GroupedColumn,
  period: ValidityPeriod,
): Promise<GroupedValue[]> {
  const { groupOf, stepsFor } = createGroupLookup(period)
  const stepsOf = ({ member }: ColumnValue): number => stepsFor(member?.length ?? 0)
  if (values.reduce((steps, value) => steps + stepsOf(value), 0) > PAGE_STEPS_MAX)
    throw new ProductError('query_too_complex', { what: 'steps of rules', max: PAGE_STEPS_MAX })
  const grouped: GroupedValue[] = []
  let steps = 0
  for (const value of values) {
    steps += stepsOf(value)
    if (steps > SLICE_STEPS) {
      await scheduler.wait(SLICE_PAUSE_MS)
      steps = 0
    }
    grouped.push({ ...value, groupId: groupOf(matchableCell(groupedColumn.column, value.value)) })
  }
  return grouped
}

/** Up to `max` values, or as many as may be held: answers hold no more than a page each. */
async function queryFirstValues(
  at: QueryContext,
  plan: QueryPlan,
  { place, max }: { place: GroupedColumn; max: number },
) {
  const items: ColumnValue[] = []
  let chars = 0
  for (;;) {
    const limit = Math.min(QUERY_ROWS_MAX, max - items.length)
    const page = await queryValuesPage(at, { ...plan, limit, offset: items.length })
    const values = toColumnValues(page, place)
    items.push(...values)
    chars += values.reduce((sum, { member }) => sum + (member?.length ?? 0), 0)
    const isFull = items.length >= max || chars >= HELD_MAX_CHARS
    if (!page.truncated || isFull || page.rows.length === 0) return { items, count: page.rowCount }
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
  const looking = withCalendar(context)
  const place = await requireGroupedColumn(looking, grouping, asked)
  const offset = parseOffset(cursor)
  const plan = valuesPlan(grouping, place, at.unmatched)
  const era = currentValidityPeriod(grouping, looking)
  const found = q === undefined || q === '' ? null : await searchValues(looking, plan, { place, q })
  const page = found ? null : await queryValuesPage(looking, { ...plan, limit, offset })
  const values = found?.slice(offset, offset + limit) ?? (page ? toColumnValues(page, place) : [])
  // The question has left out what has a group.
  const items = at.unmatched
    ? values.map((value) => ({ ...value, groupId: null }))
    : await withGroupIds(values, place, era)
  const count = found?.length ?? page?.rowCount ?? 0
  const next = offset + items.length
  return {
    items,
    nextCursor: items.length > 0 && next < count ? String(next) : null,
    count,
    ...toColumnInfo(place),
  }
}

async function searchValues(context: QueryContext, plan: QueryPlan, at: { place: GroupedColumn; q: string }) {
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
    throw new ProductError('invalid_input', {
      fields: { cursor: 'Couldn’t read the cursor. Start from the first page.' },
    })
  return Number(cursor)
}

/** Look-alikes among the values without a group, and such as look like members of a group. Only texts have spellings. */
export async function suggestGroups(
  context: RequestContext,
  at: { id: string; input: ColumnChoice & { q?: string | undefined } },
): Promise<GroupSuggestions> {
  const { q, ...asked } = at.input
  const grouping = await getGrouping(context, at.id)
  const looking = withCalendar(context)
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
async function countUnmatched(
  context: QueryContext,
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

/** Keeps how much of the data belongs to no group, for the badge. Data that cannot be grouped is counted as unknown. */
export async function updateUnmatchedCount(
  context: QueryContext,
  grouping: Pick<GroupingSummary, 'id' | 'target' | 'version'>,
): Promise<void> {
  const { deps, scope } = context
  try {
    const found = await countUnmatched(context, grouping)
    if (!found) return
    const at = { version: grouping.version, ...found, now: deps.clock.now() }
    await groupingStore(deps.db, { scope, max: null }).saveUnmatched(grouping.id, at).run()
  } catch (error) {
    if (!(error instanceof ProductError)) throw error
    log('info', 'values without a group were not counted', { grouping: grouping.id, code: error.code })
  }
}

/**
 * After new rows: the groupings of that dataset are counted again, but those for which the plan (`max`) has no room.
 */
export async function updateUnmatchedCounts(
  looking: QueryContext & { swapped: { datasetId: string }; max: PlanLimit },
): Promise<void> {
  const { deps, scope, swapped, max } = looking
  for (const grouping of await groupingStore(deps.db, { scope, max }).list()) {
    if (grouping.frozen) continue
    const place = await findGroupedColumn(looking, grouping)
    if (place?.dataset.id === swapped.datasetId) await updateUnmatchedCount(looking, grouping)
  }
}

/** Values of each grouping that belong to no group, as they were counted last for these rights; none where there are none. */
export async function ungroupedValues({
  deps,
  scope,
}: QueryContext): Promise<{ groupingId: string; name: string; values: number; rows: number }[]> {
  const groupings = await groupingStore(deps.db, { scope, max: null }).list()
  return groupings.flatMap(({ id, name, unmatched }) =>
    unmatched && unmatched.values > 0 ? [{ groupingId: id, name, values: unmatched.values, rows: unmatched.rows }] : [],
  )
}
