import { z } from 'zod'
import type { ModelNames, NamedColumn } from './names'
import { GRAINS } from '../../../shared/query/date-range'
import { queryPlanSchema, type QueryPlan, type QueryPlanInput } from '../../../shared/query/plan'

/** What a model may say: a plan in names, or that there is none. Anything else is no answer. */
const nameSchema = z.string().min(1).max(170)
const measureSchema = z.union([
  z.strictObject({ metric: nameSchema }),
  z.strictObject({ agg: z.enum(['sum', 'count', 'countDistinct', 'avg', 'min', 'max', 'median']), column: nameSchema }),
  z.strictObject({ agg: z.literal('count'), table: nameSchema }),
])
const splitSchema = z.strictObject({
  column: nameSchema,
  grain: z.enum(GRAINS).nullish(),
  top: z.int().min(1).max(100).nullish(),
})
const filterSchema = z.strictObject({
  column: nameSchema,
  op: z.enum(['eq', 'ne', 'lt', 'le', 'gt', 'ge', 'contains']),
  value: z.union([z.string().max(300), z.number(), z.boolean()]),
})
const UNITS = ['day', 'week', 'month', 'quarter', 'year'] as const
const periodSchema = z.union([
  z.strictObject({ column: nameSchema, from: z.iso.date(), to: z.iso.date() }),
  z.strictObject({ column: nameSchema, last: z.int().min(1).max(400), unit: z.enum(UNITS) }),
  z.strictObject({ column: nameSchema, this: z.enum(UNITS) }),
])
const modelAnswerSchema = z.union([
  z.strictObject({ kind: z.literal('refuse') }),
  z.strictObject({
    kind: z.literal('plan'),
    measures: z.array(measureSchema).min(1).max(5),
    splits: z.array(splitSchema).max(3).nullish(),
    filters: z.array(filterSchema).max(10).nullish(),
    period: periodSchema.nullish(),
    compare: z.enum(['previous', 'year', 'none']).nullish(),
    order: z.enum(['desc', 'asc']).nullish(),
    limit: z.int().min(1).max(1000).nullish(),
  }),
])
type PlanInNames = Extract<z.output<typeof modelAnswerSchema>, { kind: 'plan' }>

/** What became of a model's text. `mistake`: what it may be told once, so that it mends it. */
export type ModelPlan = { plan: QueryPlan } | { refused: true } | { mistake: string }

/** Reads a model's text as a plan over what the asker may see. Nothing of the text itself goes on. */
export function readModelPlan(text: string, names: ModelNames): ModelPlan {
  const parsed = modelAnswerSchema.safeParse(jsonOf(text))
  if (!parsed.success) return { mistake: 'Not one JSON object of the described form.' }
  if (parsed.data.kind === 'refuse') return { refused: true }
  try {
    const plan = queryPlanSchema.safeParse(toPlan(parsed.data, names))
    return plan.success ? { plan: plan.data } : { mistake: 'The plan is not possible.' }
  } catch (error) {
    if (error instanceof UnknownName) return { mistake: 'A name is not in the list, or not of this kind.' }
    throw error
  }
}

const FENCE = '```'
/** Models like to fence what they write. Blanks within are none of JSON's concern. */
function withoutFence(text: string): string {
  if (text.length < 2 * FENCE.length || !text.startsWith(FENCE) || !text.endsWith(FENCE)) return text
  const inner = text.slice(FENCE.length, -FENCE.length)
  return inner.startsWith('json') ? inner.slice('json'.length) : inner
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(withoutFence(text.trim()))
  } catch {
    return undefined
  }
}

class UnknownName extends Error {}
function known<T>(thing: T | null): T {
  if (thing === null) throw new UnknownName()
  return thing
}

function toPlan(said: PlanInNames, names: ModelNames): QueryPlanInput {
  const column = (name: string): NamedColumn => known(names.columnOf(name))
  const splits = (said.splits ?? []).map(({ column: name, grain, top }) => {
    const { field, column: of } = column(name)
    const isDate = of.type === 'date' || of.type === 'datetime'
    return { field, ...(isDate ? { grain: grain ?? 'month' } : {}), ...(top == null ? {} : { topN: top }) }
  })
  const filters = (said.filters ?? []).map(({ column: name, op, value }) => ({
    field: column(name).field,
    any: [op === 'contains' ? { op, value: String(value) } : { op, value }],
  }))
  const order = said.order ?? null
  return {
    ...{ v: 3, kind: 'aggregate', filters, dimensions: splits },
    measures: said.measures.map((measure): QueryPlanInput['measures'][number] => {
      if ('metric' in measure) return { kind: 'metric', id: known(names.metricOf(measure.metric)) }
      if ('table' in measure) return { kind: 'column', agg: 'count', dataset: known(names.datasetOf(measure.table)) }
      return { kind: 'column', agg: measure.agg, field: column(measure.column).field }
    }),
    ...(said.period == null ? {} : { period: { ...periodOf(said.period, column), compare: said.compare ?? 'none' } }),
    ...(order === null ? {} : { sort: [{ by: { measure: 0 }, dir: order }] }),
    ...(said.limit == null ? {} : { limit: said.limit }),
  }
}

function periodOf(
  period: NonNullable<PlanInNames['period']>,
  column: (name: string) => NamedColumn,
): { field: NamedColumn['field']; range: NonNullable<QueryPlanInput['period']>['range'] } {
  const { field, column: of } = column(period.column)
  if (of.type !== 'date' && of.type !== 'datetime') throw new UnknownName()
  if ('from' in period) return { field, range: { kind: 'absolute', from: period.from, to: period.to } }
  if ('last' in period) return { field, range: { kind: 'relative', span: 'last', unit: period.unit, n: period.last } }
  return { field, range: { kind: 'relative', span: 'this', unit: period.this } }
}
