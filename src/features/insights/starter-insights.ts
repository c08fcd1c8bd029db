import { createInsight, insightsOf, type InsightReadContext, type InsightWriteContext } from './service'
import { chooseStarters, type DatasetProfile } from './model/starter-insights'
import { inStarterCurrency, starterCurrency, type StarterCurrency } from './starter-currency'
import { ProductError } from '../../shared/errors'
import { createInsightSchema, STARTERS_MAX, type Insight, type SuggestedInsight } from '../../shared/insights'
import { nameKey } from '../../shared/field-schemas'
import type { Measure, QueryPlan } from '../../shared/query/plan'
import type { Field } from '../../shared/query/field'
import type { Cell } from '../../shared/query/result'
import type { Column } from '../../shared/data-sources/data-sources'
import {
  BUSINESS_RANKS,
  dimensionColumns,
  additiveMeasureColumns,
  joinColumnsOf,
  tableRank,
} from '../../shared/data-sources/key-columns'
import { lineAmountOf } from '../../shared/data-sources/line-amounts'
import { PLAN_MEASURES_MAX } from '../../shared/limits'
import type { AccountMeaning } from '../../shared/statements/ledger-figures'
import { dateFieldOf, isRecordDate } from '../../shared/data-sources/date-fields'
import { readAccountClasses } from '../../semantic/account-class-store'
import { queryService } from '../../semantic/query-service'
import { relatedTables } from '../../semantic/related-tables'
import { confirmedEdges, type RelationEdge } from '../../warehouse/query/plan/relation-graph'
import type { CatalogueDataset } from '../../warehouse/contract'
import type { CalendarContext } from '../../semantic/calendar'

const DATASETS_ASKED = 3
/** The largest tables, among which those are chosen that are asked. */
const DATASETS_READ = 20

type StarterContext = InsightReadContext & CalendarContext

/** Up to five questions worth asking of the workspace's own data, as far as none of their names is taken. */
export async function suggestInsights(context: StarterContext): Promise<SuggestedInsight[]> {
  const store = insightsOf(context)
  const warehouse = context.deps.warehouse(context.scope)
  const [{ names, starters }, ids] = await Promise.all([store.takenNames(), store.ownDatasets(DATASETS_READ)])
  if (starters >= STARTERS_MAX || ids.length === 0) return []
  const [datasets, relations, accounts] = await Promise.all([
    warehouse.datasets(),
    warehouse.relations({}),
    readAccountClasses(context.deps.db, context.scope),
  ])
  const catalogue = { datasets, edges: confirmedEdges(relations), accounts }
  const asked = mostTelling(ids, catalogue).slice(0, DATASETS_ASKED)
  const byDataset = await Promise.all(asked.map((dataset) => suggestForDataset(context, { ...catalogue, dataset })))
  const seen = new Set(names)
  return interleave(byDataset)
    .filter(({ name }) => !seen.has(nameKey(name)) && seen.add(nameKey(name)))
    .slice(0, STARTERS_MAX - starters)
}

/** The first of each, then the second of each … */
const interleave = <T>(lists: T[][]): T[] =>
  Array.from({ length: Math.max(0, ...lists.map(({ length }) => length)) }, (_, n) =>
    lists.flatMap((list) => list.slice(n, n + 1)),
  ).flat()

interface Catalogue {
  datasets: readonly CatalogueDataset[]
  edges: readonly RelationEdge[]
  accounts: AccountMeaning
}

/** Tables by what a business looks at first, of equal ones the larger first. */
function mostTelling(ids: readonly string[], catalogue: Catalogue): CatalogueDataset[] {
  const ranked = ids.flatMap((id) => {
    const dataset = catalogue.datasets.find((one) => one.id === id)
    if (!dataset) return []
    const related = relatedTables(id, catalogue)
    const time = dateFieldOf(dataset, related)
    const isDocument = time !== null && !isRecordDate(time.column)
    const joins = joinColumnsOf(id, catalogue.edges)
    const line = lineAmountOf({ ...dataset, joins, related }) ? BUSINESS_RANKS.lineAmount : BUSINESS_RANKS.technical
    return [{ dataset, rank: Math.min(line, tableRank(dataset.columns, isDocument, joins)) }]
  })
  return ranked.toSorted((a, b) => a.rank - b.rank).map(({ dataset }) => dataset)
}

async function suggestForDataset(
  context: StarterContext,
  of: Catalogue & { dataset: CatalogueDataset },
): Promise<SuggestedInsight[]> {
  const { dataset } = of
  const currency = await starterCurrency(context, dataset, visibleSums(of))
  const facts = await profileDataset(context, of, currency)
  return chooseStarters(facts).flatMap(({ kind, input }) => {
    // Columns of files and programs may be called what no insight can be.
    const { data } = createInsightSchema.safeParse(input)
    const plan = data && inStarterCurrency(data.plan, currency)
    return plan ? [{ key: `${dataset.id}.${kind}`, datasetName: dataset.name, ...data, plan }] : []
  })
}

// What a mask leaves of values is nothing to split by.
const visibleColumns = ({ columns }: CatalogueDataset): Column[] => columns.filter(({ mask }) => mask === undefined)
const visibleSums = ({ dataset, edges }: Catalogue & { dataset: CatalogueDataset }): Column[] =>
  additiveMeasureColumns(visibleColumns(dataset), joinColumnsOf(dataset.id, edges))

/** What the rows say of the columns that questions could be made of, asked as every figure is asked for. */
async function profileDataset(
  context: StarterContext,
  of: Catalogue & { dataset: CatalogueDataset },
  currency: StarterCurrency,
): Promise<DatasetProfile> {
  const { dataset, edges, accounts } = of
  const { id, name, rowCount } = dataset
  const columns = visibleColumns(dataset)
  const joins = joinColumnsOf(id, edges)
  const related = relatedTables(id, of)
  const time = dateFieldOf(dataset, related)?.field
  const splits = dimensionColumns(columns)
  const sums = visibleSums(of).filter(({ key }) => currency.to !== null || !currency.paired.has(key))
  const own = ({ key }: Column): Field => ({ dataset: id, column: key })
  const asked: Measure[] = [
    // Over the rows of this dataset: those of the other one that nothing points at have nothing to do with it.
    ...(time ? (['min', 'max'] as const).map((agg): Measure => ({ ...aggregate(time, agg), dataset: id })) : []),
    ...splits.map((column) => aggregate(own(column), 'countDistinct')),
    ...sums.map((column) => aggregate(own(column), 'sum')),
  ]
  const cells = await queryMeasures(context, { dataset: id, currency }, asked)
  const [from, to] = time ? cells.splice(0, 2) : []
  const distinct = new Map(splits.map(({ key }, at) => [key, Number(cells[at] ?? 0)]))
  const sum = new Map(sums.map(({ key }, at) => [key, Number(cells[splits.length + at] ?? 0)]))
  const days =
    time && typeof from === 'string' && typeof to === 'string' ? { field: time, ...dateRange(from, to) } : null
  return { id, name, rowCount, columns, days, distinct, sums: sum, joins, related, accounts }
}

const dateRange = (from: string, to: string) => ({ from: from.slice(0, 10), to: to.slice(0, 10) })
const aggregate = (field: Field, agg: 'min' | 'max' | 'sum' | 'countDistinct') => ({
  kind: 'column' as const,
  agg,
  field,
})

async function queryMeasures(
  context: StarterContext,
  { dataset, currency }: { dataset: string; currency: StarterCurrency },
  asked: Measure[],
): Promise<Cell[]> {
  const figures = queryService(context.deps, context)
  const cells: Cell[] = []
  for (let at = 0; at < asked.length; at += PLAN_MEASURES_MAX) {
    const measures = asked.slice(at, at + PLAN_MEASURES_MAX)
    const plan: QueryPlan = { v: 1, kind: 'aggregate', dataset, measures, dimensions: [], filters: [] }
    const { rows } = await figures.answer(inStarterCurrency(plan, currency) ?? plan)
    cells.push(...measures.map((_, n) => rows[0]?.[n] ?? null))
  }
  return cells
}

/** Keeps a suggestion: made anew here, so that what counts against nothing is only ever our own question. */
export async function saveStarter(context: InsightWriteContext & CalendarContext, key: string): Promise<Insight> {
  const suggestion = (await suggestInsights(context)).find((one) => one.key === key)
  if (!suggestion) throw new ProductError('not_found')
  const { name, description, plan, viz } = suggestion
  return createInsight(context, { name, description, plan, viz }, { origin: 'starter' })
}
