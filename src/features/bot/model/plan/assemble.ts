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
import {
  DIMENSIONS_MAX,
  entityOf,
  isFigure,
  isOfEntity,
  isOneAsked,
  isAdditiveItem,
  isListedHere,
  ranksOther,
  measureOfItem,
  MEASURES_MAX,
  type Assembled,
} from './items'
import { datasetAt, tellingKey, listedColumns, isOfPerson, nameColumns, peopleOf, personColumn } from './entities'
import { amountOfSales, countOfRows } from '../figures/money-of-kind'
import { measureOf, namedFigure } from '../figures/figures'
import { existsFilters, readConditions, type ReadConditions } from '../conditions/where'
import { countedOver, countOfHome, figurePlan, isTableAlone } from '../figures/counted-over'
import { amongAll } from '../whole-plans/among-all'
import { idlePlan } from '../whole-plans/idle-units'
import { partOfShare } from '../figures/part-of-share'
import { bestOfEach } from '../whole-plans/best-of-each'
import { isDeedOf } from '../conditions/deeds'
import { dateColumn } from './time'
import { addMeasure, type Building } from './building'
import { addSorts } from './sorts'
import { shownOf } from './shown'
import { applyEither, liftFilters } from '../conditions/lifted'
import { ofEach, splitsOf, type Split } from './splits'
import { ADJECTIVES } from '../parse/adjectives'
import { rowsPlan } from './rows-plan'
import { silentPlan } from '../whole-plans/silent-plan'
import type { Item } from '../parse/ask'
import type { Dimension, FieldFilter, Measure, QueryPlan } from '../../../../shared/query/plan'
import type { SchemaColumn, SchemaDataset } from '../schema/schema'

/** The plan of a question about the rows of one dataset. @throws Unreadable where these rows cannot answer it */
export function assemble(context: Context): Assembled {
  if (context.ask.silent !== null) return silentPlan(context, context.ask.silent)
  const read = readConditions(context)
  const splits = splitsOf(context)
  const each = ofEach(context, read.filters)
  const conditions = partOfShare(context, read, splits.length > 0)
  conditions.filters.push(...each)
  const among = amongAll(context, conditions)
  if (among) return among
  const idle = idlePlan(context, conditions)
  if (idle) return idle
  const figures = context.ask.outputs.filter((item) => item.kind === 'figure')
  const { rank } = context.ask
  const ranksByFigure = rank?.by?.kind === 'figure' || (rank?.by?.kind === 'name' && !isOfEntity(context, rank.by.at))
  const isCounted = conditions.having.length > 0
  const needsFigures =
    figures.length > 0 ||
    splits.length > 0 ||
    ranksByFigure ||
    isCounted ||
    (rank?.adjective !== undefined && rank?.adjective !== null && ADJECTIVES[rank.adjective]?.words.length === 0) ||
    (rank?.adjective != null && isDeedOf(rank.adjective, context.home) && entityOf(context)?.id !== context.home.id) ||
    context.ask.sorts.some(({ by }) => by?.kind === 'figure')
  if (isTableAlone(context)) return figurePlan(context, conditions, [measureOf(context, countOfHome(context))])
  if (!needsFigures && !isTotalQuestion(context)) return rowsPlan(context, conditions)
  return aggregatePlan(context, { conditions, splits })
}
/** "What was revenue last month": one figure, nothing listed. */
function isTotalQuestion(context: Context): boolean {
  const { outputs, rank } = context.ask
  const [first] = outputs
  const figures = outputs.filter((item) => isFigure(context, item))
  const [figure] = figures
  if (first === undefined || figure === undefined || rank) return false
  const isDefined = figures.some(
    (item) =>
      item.kind === 'name' &&
      columnOfRef(context, meaningsOf(context, item.at)[0]?.ref ?? { kind: 'metric', id: '' }) === undefined,
  )
  return isDefined || (figures.length === outputs.length && isAdditiveItem(context, figure))
}

interface Parts {
  conditions: ReadConditions
  splits: Split[]
}

function aggregatePlan(context: Context, { conditions, splits }: Parts): Assembled {
  const over = countedOver(context, conditions)
  if (over) return figurePlan(context, conditions, [over])
  const best = bestOfEach(context, splits)
  if (best) return { plan: { ...figurePlan(context, conditions, []).plan, ...best }, shown: null }
  const building: Building = { dimensions: [], measures: [], shown: [] }
  for (const split of splits) addSplit(context, building, split)
  const listed = listOutputs(context, building)
  const rankAt = addRank(context, building, conditions)
  const isFallback = building.measures.length === 0 && conditions.having.length === 0
  // What was counted before is what is sorted: "the type and the count, most frequent first".
  const isSaid = saidFigure(context) !== undefined
  if (isFallback && isSaid) building.measures.push(measureFallback(context, building))
  const sorts = addSorts(context, building, rankAt)
  const having = addHaving(context, building, conditions)
  if (building.measures.length === 0) building.measures.push(measureFallback(context, building))
  having.push(...applyEither(building, conditions))
  const lifted = liftFilters(building)
  limits(building)
  if (context.ask.wantsEmpty && building.dimensions.length > 0)
    deduct(context, 0.7, 'an answer has no rows for what has no records')
  const filters = [...conditions.filters, ...lifted, ...existsFilters(context, conditions)]
  const { rank } = context.ask
  const limit = rank ? (rank.n ?? (isOneAsked(context) || rank.skip > 0 ? 1 : undefined)) : undefined
  const plan: QueryPlan = {
    v: 3,
    kind: 'aggregate',
    dataset: context.home.id,
    measures: building.measures,
    dimensions: building.dimensions,
    filters,
    sort: sorts,
    ...(having.length > 0 ? { having } : {}),
    ...(conditions.period ? { period: conditions.period } : {}),
    ...(limit === undefined ? {} : { limit }),
    ...(rank && rank.skip > 0 ? { offset: rank.skip } : {}),
  }
  if (building.dimensions.length === 0) delete plan.sort
  return { plan, shown: shownOf(context, building, { listed: listed && !isFallback, rankAt }) }
}

function limits({ dimensions, measures }: Building): void {
  if (dimensions.length > DIMENSIONS_MAX)
    throw new Unreadable('out_of_scope', 'At most three breakdowns can be asked for at once.')
  if (measures.length > MEASURES_MAX)
    throw new Unreadable('out_of_scope', 'At most five figures can be asked for at once.')
}

/** Which column of the answer a field stands in already; adds it where it stands in none. */
function addDimension(building: Building, dimension: Dimension): string {
  const same = building.dimensions.findIndex((known) => JSON.stringify(known) === JSON.stringify(dimension))
  return `d${same >= 0 ? same : building.dimensions.push(dimension) - 1}`
}
function addColumn(context: Context, building: Building, column: SchemaColumn): string {
  if (!isReachable(context, column.dataset))
    throw new Unreadable('no_relation', `${column.source.label} is not related.`)
  return addDimension(building, { field: fieldOf(column) })
}

function addSplit(context: Context, building: Building, split: Split): void {
  if (split.kind === 'dimension') building.shown.push(addDimension(building, split.dimension))
  else {
    if (split.thing) tellApart(context, building, split.thing, split.columns)
    building.shown.push(...split.columns.map((column) => addColumn(context, building, column)))
  }
}

/** What the question lists: names become breakdowns, figures measures. Answers whether anything was listed. */
function listOutputs(context: Context, building: Building): boolean {
  const { outputs, isExplicit } = context.ask
  const shown: string[] = []
  for (const item of outputs) {
    const ranked = rankedFigure(context, building, item)
    if (ranked !== null) shown.push(ranked)
    else if (item.kind === 'figure') shown.push(`m${addMeasure(building, measureOfItem(context, item))}`)
    else if (isFigureHere(context, building, item))
      shown.push(`m${addMeasure(building, namedFigure(context, item.at))}`)
    else shown.push(...listName(context, building, item.at))
  }
  if (isExplicit && outputs.length > 0) {
    const asked = new Set(shown)
    // "for each state" is shown with what it is broken down to, wherever it was said.
    building.shown = [...building.shown.filter((key) => !asked.has(key) && keepsSplit(context)), ...shown]
  } else building.shown = [...building.shown, ...shown.filter((key) => !building.shown.includes(key))]
  building.shown = [...new Set(building.shown)]
  return outputs.length > 0
}
/** "The lowest average rating? Return its name and rating": the figure that ranks is what is shown. */
function rankedFigure(context: Context, building: Building, item: Item): string | null {
  const by = context.ask.rank?.by
  if (by?.kind !== 'figure' || item.kind !== 'name' || !context.ask.isExplicit) return null
  const measure = measureOfItem(context, by)
  const column = columnAt(context, item.at)
  const isSame =
    measure.kind === 'column' &&
    /^(?:avg|sum|min|max|median)$/.test(measure.agg) &&
    column !== undefined &&
    measure.field?.column === column.key &&
    measure.field.dataset === column.dataset
  return isSame ? `m${addMeasure(building, measure)}` : null
}
const keepsSplit = ({ ask }: Context): boolean =>
  ask.rank === null || !ask.isExplicit || ask.outputs.every(({ kind }) => kind === 'figure')

function isFigureHere(context: Context, building: Building, item: Item): boolean {
  if (!isFigure(context, item)) return false
  const [best] = meaningsOf(context, item.at)
  const column = best && columnOfRef(context, best.ref)
  if (!column) return true
  // "return make, model and year": of a thing that is listed its own numbers are its own.
  const isBesideNames = context.ask.isExplicit && column.dataset !== context.home.id
  return !isBesideNames || column.isAdditive ? true : building.dimensions.length === 0
}
function listName(context: Context, building: Building, at: number): string[] {
  const dataset = datasetAt(context, at)
  if (!dataset) return listedColumns(context, at).map((column) => addDetail(context, building, column))
  const isNamed = /\bnames?\b/.test(wordsAt(context, at))
  const isDetailed =
    !isNamed &&
    context.ask.outputs.some(
      (item) =>
        item.kind === 'name' &&
        item.at !== at &&
        !datasetAt(context, item.at) &&
        columnAt(context, item.at)?.dataset === dataset.id,
    )
  const isAlreadySplit = nameColumns(dataset).every((column) =>
    building.dimensions.some(({ field }) => field.column === column.key && field.dataset === column.dataset),
  )
  if (isAlreadySplit) return nameColumns(dataset).map((column) => addColumn(context, building, column))
  if (
    isDetailed ||
    !isReachable(context, dataset.id) ||
    (dataset.id === context.home.id && !isNamed && !isListedHere(context, at))
  )
    return []
  return entityColumns(context, building, dataset)
}
/** Things of which several share a name are told apart by their key, which is not shown. */
function tellApart(
  context: Context,
  building: Building,
  dataset: SchemaDataset,
  [name, second]: readonly SchemaColumn[],
): void {
  const key = tellingKey(dataset, context.schema)
  const names = name?.source.distinct
  // Accounts stand in a row of each year: as many names as numbers are those of one each.
  const isEach = names !== undefined && key?.source.distinct !== undefined && names >= key.source.distinct
  const isShared = name !== undefined && !second && !name.isUnique && names !== undefined && !isEach
  // Rows that nothing points at only say of what kind others are: these are told by their name.
  const isThing = context.schema.vocabulary.relations.some(({ to }) => to.dataset === dataset.id)
  if (isShared && isThing && key && key !== name && building.dimensions.length + 2 <= DIMENSIONS_MAX)
    addColumn(context, building, key)
}
/** What the rows of a dataset are called. */
function entityColumns(context: Context, building: Building, dataset: SchemaDataset): string[] {
  const names = nameColumns(dataset)
  tellApart(context, building, dataset, names)
  return names.map((column) => addColumn(context, building, column))
}
/** A column beside the breakdowns; beyond three, the value that rows of one group share. */
function addDetail(context: Context, building: Building, column: SchemaColumn): string {
  const field = fieldOf(column)
  const known = building.dimensions.some(
    (each) => each.field.column === field.column && each.field.dataset === field.dataset && each.grain === undefined,
  )
  if (known || building.dimensions.length < DIMENSIONS_MAX) return addColumn(context, building, column)
  if (
    !building.dimensions.some(
      ({ field: other }) => context.schema.column(other.dataset, other.column)?.dataset === column.dataset,
    )
  )
    throw new Unreadable('out_of_scope', 'At most three breakdowns can be asked for at once.')
  swapForKey(context, building, column)
  return `m${addMeasure(building, { kind: 'column', agg: 'first', field, dataset: context.home.id, label: column.source.label })}`
}
/** Details beyond three hang on what tells the rows apart, so one of the breakdowns must. */
function swapForKey(context: Context, building: Building, column: SchemaColumn): void {
  const isKeyed = building.dimensions.some(
    ({ field }) => context.schema.column(field.dataset, field.column)?.isUnique === true,
  )
  if (!isKeyed && column.isUnique) deduct(context, 0.97, 'details by one key')
  else if (!isKeyed) deduct(context, 0.95, 'details of rows that may differ')
}

/** The figure that ranks: one that is listed already, or one that only sorts. */
function addRank(context: Context, building: Building, { filters }: ReadConditions): number | null {
  const { rank } = context.ask
  if (!rank) return null
  const entity = rank.entity
  if (entity !== null && building.dimensions.length === 0)
    building.shown.unshift(...entityOrColumn(context, building, entity))
  filters.push(...somebody(context))
  if (/^(?:who|vem)\b/.test(context.words) && building.dimensions.length === 0) addWho(context, building, filters)
  if (rank.by) return addMeasure(building, rankMeasure(context, building, rank.by))
  if (rank.adjective !== null) return addMeasure(building, adjectiveMeasure(context, rank.adjective))
  // "Top 5 fans by …" of which nothing is known does not rank by what is listed.
  if (building.measures.length > 0 && /(?:^| )(?:by|efter|in terms of) (?!<)/.test(`${context.ask.rest} `))
    deduct(context, 0.7, 'it is not said what ranks')
  if (building.measures.length > 0) return 0
  const other = context.ask.elsewhere.find((item) => isFigure(context, item))
  if (other) return addMeasure(building, measureOfItem(context, other))
  deduct(context, 0.7, 'it is not said what ranks')
  return addMeasure(building, measureFallback(context, building))
}
/** Whom "who" asks for: people of a table, or a person in a column of the rows. */
function addWho(context: Context, building: Building, filters: FieldFilter[]): void {
  const people = peopleOf(context)
  const person = people?.id === context.home.id ? undefined : personColumn(context)
  // "Who resolved the most": who does it stands in the rows, and whose it was in a table of its own.
  const isDone = filters.some(({ any }) => any.some(({ op }) => op === 'notEmpty'))
  if (people && person && !isDone) deduct(context, 0.75, 'whose it was, or who did it')
  if (person && (isDone || !people)) {
    building.shown.unshift(addColumn(context, building, person))
    // Nobody is not who it was.
    filters.push({ field: fieldOf(person), any: [{ op: 'notEmpty' }] })
  } else if (people) building.shown.unshift(...entityColumns(context, building, people))
}
/** "Which agent has the most cases": what nobody has is no agent's. */
function somebody(context: Context): FieldFilter[] {
  const at = context.ask.rank?.entity ?? context.ask.outputs.find(({ kind }) => kind === 'name')?.at
  const column = at === undefined || datasetAt(context, at) ? undefined : columnAt(context, at)
  return column !== undefined && isOfPerson(column) && column.dataset === context.home.id
    ? [{ field: fieldOf(column), any: [{ op: 'notEmpty' }] }]
    : []
}
function entityOrColumn(context: Context, building: Building, at: number): string[] {
  const dataset = datasetAt(context, at)
  return dataset && isReachable(context, dataset.id)
    ? entityColumns(context, building, dataset)
    : listedColumns(context, at).map((column) => addColumn(context, building, column))
}
function rankMeasure(context: Context, building: Building, by: Item): Measure {
  if (by.kind === 'figure') return measureOfItem(context, by)
  const dataset = datasetAt(context, by.at)
  if (dataset) {
    if (
      dataset.id === context.home.id &&
      context.ask.splits.length === 0 &&
      !ranksOther(context) &&
      !ranksKinds(context) &&
      building.shown.length === 0
    )
      deduct(context, 0.6, 'it is not said what ranks')
    const ask = { kind: 'count', of: by.at, distinct: false } as const
    const isRevenue = /^(sales|revenue|forsaljning)$/.test(wordsAt(context, by.at))
    return isRevenue
      ? namedFigure(context, by.at)
      : measureOf(context, { ...ask, label: `number of ${wordsAt(context, by.at)}` })
  }
  return namedFigure(context, by.at)
}
/** "Which city has the most customers": a column of theirs sorts them. */
function ranksKinds(context: Context): boolean {
  const at = context.ask.rank?.entity ?? context.ask.outputs.find(({ kind }) => kind === 'name')?.at
  const column = at === undefined || at === null || datasetAt(context, at) ? undefined : columnAt(context, at)
  return column !== undefined && (!column.isUnique || column.dataset !== context.home.id)
}
function adjectiveMeasure(context: Context, adjective: string): Measure {
  const words = ADJECTIVES[adjective]?.words
  if (words?.length === 0) return { kind: 'column', agg: 'count', dataset: context.home.id, label: 'Count' }
  // "The most borrowed books" of loans: rows that point at them are what was done.
  const entity = entityOf(context)
  const isDone = /ed$/.test(adjective) && words === undefined && entity !== undefined && entity.id !== context.home.id
  const isTold = context.named.has(context.home.id) || isDeedOf(adjective, context.home)
  if (isDone && isTold && isReachable(context, entity.id))
    return { kind: 'column', agg: 'count', dataset: context.home.id, label: 'Count' }
  throw new Unreadable('no_metric', `Nothing says what is ${adjective}.`)
}

function addHaving(context: Context, building: Building, { having }: ReadConditions): NonNullable<QueryPlan['having']> {
  return having.map(({ measure, op, value }) => ({ measure: addMeasure(building, measure), op, value }))
}
/** The figure that was asked for before it was said what to return. */
const saidFigure = (context: Context): Item | undefined =>
  context.ask.elsewhere.find(({ kind }) => kind === 'figure') ??
  (context.ask.isExplicit
    ? context.ask.elsewhere.find(
        (item) => item.kind === 'name' && !datasetAt(context, item.at) && isFigure(context, item),
      )
    : undefined)
export const NO_FIGURE = 'no figure was named'
/** Without any figure named: how many rows there are. */
function measureFallback(context: Context, building: Building): Measure {
  if (building.dimensions.length === 0) throw new Unreadable('no_metric', 'No figure was named.')
  const other = saidFigure(context)
  if (other) return measureOfItem(context, other)
  const isCounted =
    /\b(?:number|count|counts|how many|most|least|common|distribution|breakdown|antal|hur manga|fordelning|flest)\b/.test(
      context.ask.rest,
    ) || context.ask.rank !== null
  const isThing = context.ask.outputs.some(
    (item) => item.kind === 'name' && datasetAt(context, item.at)?.id === context.home.id,
  )
  const sold = isCounted ? null : amountOfSales(context)
  if (sold) return sold
  deduct(context, isCounted || (isThing && !/^what (?:is|was) /.test(context.words)) ? 0.9 : 0.78, NO_FIGURE)
  const time = dateColumn(context)
  return time && context.ask.rank === null && building.dimensions.length === 0
    ? { kind: 'column', agg: 'max', field: fieldOf(time) }
    : countOfRows(context)
}
