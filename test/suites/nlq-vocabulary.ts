import { naiveValueIndex, type HeldValue } from './nlq-values'
import type { ValueIndex, Vocabulary, VocabularyColumn } from '../../src/features/bot/model/contract'
import type { Column } from '../../src/shared/data-sources/data-sources'
import type { Calendar } from '../../src/shared/dates'
import type { Measure, QueryPlanInput, Scalar } from '../../src/shared/query/plan'
import { queryPlanSchema } from '../../src/shared/query/plan'
import type { QueryResult } from '../../src/shared/query/result'
import { confirmedEdges } from '../../src/warehouse/query/plan/relation-graph'
import type { CatalogueDataset } from '../../src/warehouse/contract'
import type { WarehouseClient } from '../../src/warehouse/stub'

const LISTED_VALUES_MAX = 50
const INDEXED_VALUES_MAX = 10_000
const CALENDAR: Calendar = { timeZone: 'UTC', weekStart: 'monday', fiscalYearStart: 1, today: '2024-06-01' }

/** What the engine knows of the tables of a warehouse, worked out by questions to it. */
export async function vocabularyOf(
  warehouse: WarehouseClient,
): Promise<{ vocabulary: Vocabulary; values: ValueIndex }> {
  const held: HeldValue[] = []
  const datasets: Vocabulary['datasets'] = []
  for (const dataset of await warehouse.datasets()) {
    const columns: VocabularyColumn[] = []
    for (const column of dataset.columns.filter(({ hidden }) => !hidden))
      columns.push(await describeColumn(warehouse, { dataset, column }, held))
    datasets.push({ id: dataset.id, name: dataset.name, columns, rowCount: dataset.rowCount })
  }
  const relations = confirmedEdges(await warehouse.relations({}))
  const vocabulary = { datasets, relations, metrics: [], groupings: [], things: [], glossary: [], verified: [] }
  return { vocabulary, values: naiveValueIndex(held) }
}

async function describeColumn(
  warehouse: WarehouseClient,
  { dataset, column }: { dataset: CatalogueDataset; column: Column },
  held: HeldValue[],
): Promise<VocabularyColumn> {
  const field = { dataset: dataset.id, column: column.key }
  const ask = (plan: Pick<QueryPlanInput, 'measures' | 'dimensions' | 'sort' | 'limit'>): Promise<QueryResult> => {
    const rest = { v: 3 as const, kind: 'aggregate' as const, dataset: dataset.id, filters: [] }
    return warehouse.query({ plan: queryPlanSchema.parse({ ...plan, ...rest }), calendar: CALENDAR })
  }
  const isTime = column.type === 'date' || column.type === 'datetime'
  const aggs = isTime ? (['countDistinct', 'min', 'max'] as const) : (['countDistinct'] as const)
  const measures = aggs.map((agg): Measure => ({ kind: 'column', agg, field }))
  const [figures = []] = (await ask({ measures, dimensions: [] })).rows
  const { key, label, type, role, format } = column
  const described = { key, label, type, role, format, distinct: Number(figures[0] ?? 0) }
  if (isTime) return { ...described, from: dayOf(figures[1]), to: dayOf(figures[2]) }
  const isText = type === 'text'
  const isShort = described.distinct <= LISTED_VALUES_MAX
  if (!isText && !isShort) return described
  const { rows } = await ask({
    measures: [{ kind: 'column', agg: 'count' }],
    dimensions: [{ field }],
    sort: [{ by: { measure: 0 }, dir: 'desc' }],
    limit: INDEXED_VALUES_MAX,
  })
  const filled = rows.filter(([value]) => value !== null && value !== undefined)
  if (isText)
    for (const [value, count] of filled)
      held.push({ dataset: dataset.id, column: key, value: String(value), count: Number(count) })
  return isShort ? { ...described, values: filled.map(([value]): Scalar => value ?? null) } : described
}

const dayOf = (value: unknown): string | null => (typeof value === 'string' ? value.slice(0, 10) : null)
