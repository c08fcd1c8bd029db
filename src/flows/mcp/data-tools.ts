import { z } from 'zod'
import { MCP_ROWS_DEFAULT, MCP_ROWS_MAX, toAnswer } from './answers'
import type { McpContext } from './context'
import { defineTool } from './tool'
import { listMetrics } from '../../features/metrics/service'
import { hasFullAccess } from '../../scope'
import { queryService } from '../../semantic/query-service'
import { nameKey } from '../../shared/field-schemas'
import { idSchema } from '../../shared/ids'
import { queryPlanSchema } from '../../shared/query/plan'
import type { CatalogueDataset } from '../../warehouse/contract'

const LIST_MAX = 200

export const listMetricsTool = defineTool(
  {
    name: 'list_metrics',
    title: 'List metrics',
    description:
      'Metrics that the workspace has defined, with synonyms, meaning and formula. Use a metric in run_plan as the measure {"kind":"metric","id":"met_…"}.',
    scope: 'read',
    permission: 'view:insight',
    gate: 'aiAssistant',
  },
  z.strictObject({
    search: z.string().trim().max(100).optional().describe('Part of a name or synonym'),
    dataset: idSchema('dataset').optional().describe('Only metrics of this dataset'),
  }),
  async (context, { search, dataset }) => {
    const { items } = await listMetrics(context, dataset)
    const wanted = nameKey(search ?? '')
    const found = items.filter(({ name, synonyms }) => [name, ...synonyms].some((one) => nameKey(one).includes(wanted)))
    return {
      metrics: found.slice(0, LIST_MAX).map((metric) => ({
        ...{ id: metric.id, name: metric.name, synonyms: metric.synonyms, description: metric.description },
        ...{ formula: metric.formula, dataset: metric.dataset, time: metric.time, direction: metric.direction },
        verified: metric.verified !== null,
      })),
      truncated: found.length > LIST_MAX,
    }
  },
)

/** @param isWhole whether its rows are told to be so many: rules of access may leave some out */
const describeDataset = ({ id, name, rowCount, columns, loadedAt }: CatalogueDataset, isWhole: boolean) => ({
  ...{ id, name },
  ...(isWhole ? { rowCount } : {}),
  loadedAt: loadedAt === null ? null : new Date(loadedAt).toISOString(),
  columns: columns
    .filter(({ hidden }) => !hidden)
    .map(({ key, label, type, role, format, mask, computed }) => ({
      ...{ key, label, type, role, format },
      ...(mask === undefined ? {} : { masked: true }),
      ...(computed === undefined ? {} : { calculated: true }),
    })),
})

export const describeDataTool = defineTool(
  {
    name: 'describe_data',
    title: 'Describe data',
    description:
      'Datasets, their columns (key, label, type, role) and the relationships between them. Columns are named in plans as {"dataset":"ds_…","column":"c3"}. No values are told.',
    scope: 'read',
    permission: 'view:data',
    gate: 'aiAssistant',
  },
  z.strictObject({ dataset: idSchema('dataset').optional().describe('Only this dataset') }),
  async ({ deps, scope, calendar }, { dataset }) => {
    const warehouse = deps.warehouse(scope)
    const isWhole = hasFullAccess(scope)
    const [datasets, relations] = await Promise.all([
      dataset === undefined ? warehouse.datasets() : warehouse.dataset(dataset).then((one) => [one]),
      warehouse.relations(dataset === undefined ? {} : { dataset }),
    ])
    return {
      today: calendar.today,
      datasets: datasets.slice(0, LIST_MAX).map((one) => describeDataset(one, isWhole)),
      relationships: relations
        .filter(({ state }) => state === 'confirmed')
        .map(({ id, from, to }) => ({ id, from, to })),
    }
  },
)

const PLAN_HELP = `A query plan, version 3. Fields:
v: 3. kind: "aggregate" (figures) or "rows" (records).
measures: 1–5 of {"kind":"metric","id"}, {"kind":"column","agg":"sum|count|countDistinct|avg|min|max|median","field":{"dataset","column"}} (count needs no field, then set "dataset"), {"kind":"ratio","over":measure,"under":measure}.
dimensions: 0–3 of {"field":{"dataset","column"},"grain":"day|week|month|quarter|year" for dates,"topN":n}.
period: {"field":date column,"range":{"kind":"absolute","from":"2026-01-01","to":"2026-03-31"} or {"kind":"relative", …},"compare":"previous|year|none","completeOnly":true}.
filters: AND of {"field","any":[{"op":"eq|ne|lt|le|gt|ge","value"} or {"op":"in","values":[…]} or {"op":"contains","value"} or {"op":"between","from","to"}]}.
columns: for "rows", the fields to show. sort: [{"by":{"measure":0} or {"dimension":0} or {"column":0},"dir":"asc|desc"}]. totals: true. limit.`

const planInput = z.strictObject({
  plan: queryPlanSchema,
  rows: z.int().min(1).max(MCP_ROWS_MAX).default(MCP_ROWS_DEFAULT),
})
const planDescribed = z.strictObject({
  plan: z.looseObject({}).describe(PLAN_HELP),
  rows: z.int().min(1).max(MCP_ROWS_MAX).default(MCP_ROWS_DEFAULT).describe('Rows to answer'),
})

/** Figures of a plan, by the one way to figures. */
export async function answerPlan(context: McpContext, { plan, rows }: z.output<typeof planInput>) {
  const { deps, scope, calendar } = context
  const limit = Math.min(plan.limit ?? rows, rows)
  return toAnswer(await queryService(deps, { scope, calendar }).answer({ ...plan, limit }), rows)
}

export const runPlanTool = defineTool(
  {
    name: 'run_plan',
    title: 'Run a query plan',
    description:
      'Figures or records of the workspace, by a query plan over datasets and columns of describe_data or metrics of list_metrics.',
    scope: 'read',
    permission: 'view:data',
    gate: 'aiAssistant',
  },
  planInput,
  answerPlan,
  planDescribed,
)
