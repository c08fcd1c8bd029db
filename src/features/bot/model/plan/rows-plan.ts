import { moneyColumn } from '../schema/money'
import { columnAt, deduct, fieldOf, isReachable, meaningsOf, Unreadable, wordsAt, type Context } from './context'
import { datasetAt, isPlural, listedColumns, nameColumns, peopleOf } from './entities'
import { entityOf, namesOnly, type Assembled } from './items'
import { beginsElapsed } from '../figures/durations'
import { existsFilters, type ReadConditions } from '../conditions/where'
import { partOrder } from '../conditions/conditions'
import { worthOfRows } from '../figures/money-of-kind'
import { isPrice } from '../schema/quantity'
import { lookUp } from '../schema/look-up'
import { ADJECTIVES } from '../parse/adjectives'
import type { Filter, QueryPlan } from '../../../../shared/query/plan'
import type { SchemaColumn, SchemaDataset } from '../schema/schema'

/** Records or a list of values: nothing is counted or added up. */
export function rowsPlan(context: Context, conditions: ReadConditions): Assembled {
  const { ask, home } = context
  const asked = askedColumns(context)
  if (asked.length === 0) throw new Unreadable('no_metric', 'Nothing to list was named.')
  const sorts = sortColumns(context, asked)
  const filters: Filter[] = [...conditions.filters, ...existsFilters(context, conditions)]
  const limit = limitOf(context)
  if (ask.rank && sorts.length === 0) throw new Unreadable('no_metric', 'It is not known what ranks.')
  const base = {
    v: 3 as const,
    dataset: home.id,
    measures: [],
    filters,
    ...(conditions.period ? { period: conditions.period } : {}),
    ...(limit === undefined ? {} : { limit }),
    ...(ask.rank && ask.rank.skip > 0 ? { offset: ask.rank.skip } : {}),
  }
  if (isListOfValues(context, asked) || conditions.either)
    return valuesPlan(context, { asked, sorts, base, conditions })
  const columns = [...new Set([...asked, ...sorts.map(({ column }) => column)])]
  const sort = sorts.map(({ column, dir }) => ({ by: { column: columns.indexOf(column) }, dir }))
  const plan: QueryPlan = {
    ...base,
    kind: 'rows',
    dimensions: [],
    columns: columns.map(fieldOf),
    ...(sort.length > 0 ? { sort } : {}),
  }
  const shown = columns.length === asked.length ? null : asked.map((column) => `c${columns.indexOf(column)}`)
  return { plan, shown }
}

interface ValuesInput {
  asked: SchemaColumn[]
  sorts: { column: SchemaColumn; dir: 'asc' | 'desc' }[]
  base: Omit<QueryPlan, 'kind' | 'dimensions'>
  conditions: ReadConditions
}
/** Every value, or combination of values, once. */
function valuesPlan(context: Context, { asked, sorts, base, conditions }: ValuesInput): Assembled {
  const columns = [...new Set([...asked, ...sorts.map(({ column }) => column)])]
  if (columns.length > 3) throw new Unreadable('out_of_scope', 'At most three columns can be listed once each.')
  const order = sorts.length > 0 ? sorts : asked.slice(0, 1).map((column) => ({ column, dir: 'asc' as const }))
  const { either } = conditions
  const measures: QueryPlan['measures'] = either
    ? [
        {
          kind: 'expression',
          agg: 'sum',
          row: {
            kind: 'function',
            fn: 'if',
            items: [either, { kind: 'number', value: 1 }, { kind: 'number', value: 0 }],
          },
        },
      ]
    : []
  const sort: NonNullable<QueryPlan['sort']> = order.map(({ column, dir }) => ({
    by: { dimension: columns.indexOf(column) },
    dir,
  }))
  const [first] = order
  const named = first && partOrder(first.column)
  if (named) {
    measures.push({ kind: 'expression', agg: 'min', row: named })
    sort[0] = { by: { measure: measures.length - 1 }, dir: first.dir }
  }
  const plan: QueryPlan = {
    ...base,
    kind: 'aggregate',
    measures,
    dimensions: columns.map((column) => ({ field: fieldOf(column) })),
    sort,
    ...(either ? { having: [{ measure: 0, op: 'gt' as const, value: 0 }] } : {}),
  }
  return { plan, shown: asked.map((column) => `d${columns.indexOf(column)}`) }
}

/** A column with at most this share of different values names kinds, not things. */
const LISTED_ONCE_SHARE = 0.6
/** A kind or place of many rows is listed once; names and records are listed as they are. */
function isListOfValues(context: Context, asked: readonly SchemaColumn[]): boolean {
  if (context.ask.rank) return false
  const isForeign = asked.some(({ dataset }) => dataset !== context.home.id)
  if (context.ask.isDistinct) return asked.length <= 3
  if (isForeign) return asked.length <= 3 && asked.every(({ dataset }) => dataset !== context.home.id)
  const [only, second] = asked
  if (!only || second || context.ask.isExplicit) return false
  const { distinct } = only.source
  return (
    !only.isKey &&
    !only.isUnique &&
    !nameColumns(context.home).includes(only) &&
    distinct !== undefined &&
    distinct <= context.home.source.rowCount * LISTED_ONCE_SHARE
  )
}

/** "Products with their price": the things are listed as well. */
const WITH_THEIRS =
  /\b(?:with|and|along with|together with|och|med) (?:their|its|sina?|deras)\b|\b(?:along with|together with|tillsammans med) (?:the|<m\d+>)/
/** The columns that were asked for; a table alone stands for what its rows are called. */
export function askedColumns(context: Context): SchemaColumn[] {
  const { outputs, rank } = context.ask
  const names = outputs.flatMap((item) => (item.kind === 'name' ? [item.at] : []))
  const isNaming = (at: number): boolean => /\bnames?\b/.test(wordsAt(context, at))
  const details = names.filter((at) => !datasetAt(context, at) || isNaming(at))
  const columns: SchemaColumn[] = []
  for (const at of names) {
    const dataset = datasetAt(context, at)
    if (!dataset || isNaming(at)) columns.push(...listedColumns(context, at))
    else if (
      ([context.words, context.encoded.source].some((text) => WITH_THEIRS.test(text)) &&
        !new RegExp(`(?:of|for) (?:the |all )*<m${at}>`).test(context.encoded.source)) ||
      (new RegExp(`<m${at}> (?:with|along with|together with|med) (?:the )?<m`).test(context.encoded.source) &&
        !details.some((detail) => isOwnNumber(context, dataset, detail))) ||
      details.length === 0 ||
      asksBoth(context, at) ||
      details.every((detail) => isRankOnly(context, detail))
    ) {
      if (
        isReachable(context, dataset.id) &&
        (names.length === 1 || dataset.id === context.home.id || entityOf(context)?.id === dataset.id)
      )
        columns.push(...nameColumns(dataset))
    }
  }
  const asksWho = columns.length === 0 ? /^(?:who|whose|vem|vems|vilka)(?: |$)/ : /^(?:who|whose|vem|vems)(?: |$)/
  if (columns.every(({ isKey }) => isKey) && asksWho.test(context.words)) {
    const people = peopleOf(context)
    if (people && nameColumns(people).every(({ isText }) => isText))
      columns.splice(0, columns.length, ...nameColumns(people))
  }
  const ranked = rank?.by?.kind === 'name' ? columnAt(context, rank.by.at) : undefined
  if (columns.length === 0 && rank?.entity != null) columns.push(...listedColumns(context, rank.entity))
  const shows = ranked && !context.ask.isExplicit && !namesOnly(context) && rank?.n !== null && details.length === 0
  if (shows) columns.push(ranked)
  const found = [...new Set(columns)]
  for (const column of found)
    if (!isReachable(context, column.dataset))
      throw new Unreadable('no_relation', `${column.source.label} is not related.`)
  return found
}
/** "What is the highest mountain, and what is its altitude": the thing itself was asked for, too. */
const asksBoth = ({ ask, encoded: { source } }: Context, at: number): boolean =>
  ask.rank !== null &&
  !ask.isExplicit &&
  new RegExp(
    `^(?:what|which|who|vilken|vilket|vem)\\b[^?.]*<m${at}>[^?.]*(?:,|and|och) (?:and |och )?(?:what|how|which|vad|hur|vilken)\\b`,
  ).test(source)
/** A heading that tells the rows of a table apart: nothing else has to name them. */
const isOwnNumber = (context: Context, { id }: SchemaDataset, at: number): boolean => {
  const column = columnAt(context, at)
  return column?.dataset === id && column.isUnique
}
const isRankOnly = (context: Context, at: number): boolean =>
  context.ask.sorts.some(({ by }) => by?.kind === 'name' && by.at === at)

function sortColumns(
  context: Context,
  asked: readonly SchemaColumn[],
): { column: SchemaColumn; dir: 'asc' | 'desc' }[] {
  const { rank, sorts } = context.ask
  const ranked = rank ? rankColumn(context) : undefined
  const said = sorts.flatMap(({ by, dir, adjective }) => {
    if (by === null && adjective !== undefined) {
      const column = fittingColumn(context, adjective) ?? measuredColumn(context, asked)
      if (!column) deduct(context, 0.6, `nothing says what is ${adjective}`)
      return column ? [{ column, dir: dir ?? ('desc' as const) }] : []
    }
    if (by === null) return asked.slice(0, 1).map((column) => ({ column, dir: dir ?? ('asc' as const) }))
    if (by.kind === 'date') {
      const column = fittingColumn(context, 'newest')
      return column ? [{ column, dir: dir ?? ('asc' as const) }] : []
    }
    if (by.kind !== 'name') return []
    const columns = listedColumns(context, by.at)
    return columns.map((column) => ({ column, dir: dir ?? ('asc' as const) }))
  })
  return [...(ranked ? [{ column: ranked, dir: rank?.dir ?? ('desc' as const) }] : []), ...said]
}
/** "From the highest to the lowest": the only figure that is listed or limited. */
function measuredColumn({ ask, lexicon, home }: Context, asked: readonly SchemaColumn[]): SchemaColumn | undefined {
  const numbers = asked.filter(({ isNumeric, isKey }) => isNumeric && !isKey)
  const limited = ask.conditions.flatMap(({ adjective }) =>
    adjective === undefined
      ? []
      : lookUp(lexicon, ADJECTIVES[adjective]?.words ?? [])
          .filter(({ dataset, isNumeric }) => isNumeric && dataset === home.id)
          .slice(0, 1),
  )
  const [only, other] = numbers.length > 0 ? numbers : limited
  return other ? undefined : only
}
/** What is large of rows that are about money is their amount. */
const SIZES = /^(?:largest|biggest|smallest|storsta|minsta)$/
/** The column of what is listed that an adjective speaks of. */
export function fittingColumn(context: Context, adjective: string): SchemaColumn | undefined {
  const { id, columns } = entityOf(context) ?? context.home
  const called = lookUp(context.lexicon, ADJECTIVES[adjective]?.words ?? []).find(
    ({ dataset, isText }) => !isText && dataset === id,
  )
  // "Most cited": the figure that is called after the verb.
  const stem = adjective.replace(/(?:ed|d)$/, '').slice(0, 5)
  const [after, second] =
    /ed$/.test(adjective) && called === undefined
      ? columns.filter(
          ({ isNumeric, isKey, words }) => isNumeric && !isKey && words.some((word) => word.startsWith(stem)),
        )
      : []
  if (after && !second) return after
  const money =
    called === undefined && SIZES.test(adjective) ? moneyColumn(context.schema.dataset(id) ?? context.home) : undefined
  if (money) return money
  if (called || !/^(?:newest|latest|recent|oldest|earliest)$/.test(adjective)) return called
  // By the only day or year that these have, else by the only one that began them.
  const days = columns.filter(({ isDate, words, isNumeric }) => isDate || (isNumeric && words.at(-1) === 'year'))
  const begun = days.length > 1 ? days.filter(beginsElapsed) : days
  const [when, other] = begun
  return other ? undefined : when
}
function rankColumn(context: Context): SchemaColumn | undefined {
  const { rank } = context.ask
  if (rank?.by?.kind === 'name') return columnAt(context, rank.by.at)
  const column = rank?.adjective == null ? undefined : fittingColumn(context, rank.adjective)
  if (!column) return undefined
  // The oldest was born first, and has the highest age.
  if (rank && rank.adjective === 'oldest' && column.isNumeric && column.words.includes('age')) rank.dir = 'desc'
  if (rank && rank.adjective === 'youngest' && (column.isDate || column.words.includes('year'))) rank.dir = 'desc'
  // The largest purchase is not the one of the dearest piece.
  if (worthOfRows(context.home, 'sum') && isPrice(column) && SIZES.test(rank?.adjective ?? ''))
    deduct(context, 0.7, 'the price of one, and not the amount')
  deduct(context, 0.95, `“${rank?.adjective ?? ''}” is read as ${column.source.label}`)
  return column
}

function limitOf(context: Context): number | undefined {
  const { rank, outputs } = context.ask
  if (!rank) return undefined
  if (rank.n !== null) return rank.n
  if (rank.skip > 0) return 1
  const entity =
    rank.entity ??
    outputs.find((item) => item.kind === 'name' && meaningsOf(context, item.at)[0]?.ref.kind === 'dataset')?.at
  return entity !== undefined && isPlural(context, entity) ? undefined : 1
}
