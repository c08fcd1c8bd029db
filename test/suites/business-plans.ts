import { z } from 'zod'
import { exprSchema, queryPlanSchema } from '../../src/shared/query'
import type { QueryPlan } from '../../src/shared/query'
import type { Relation } from '../../src/shared/relations'
import type { Column } from '../../src/shared/sources'

/** `plans.json`: relations, computed columns and a plan a question; datasets are file names, columns their headers. */
export const plansSchema = z.object({
  relations: z.array(z.object({ from: z.string(), to: z.string() })).default([]),
  computed: z.array(z.object({ column: z.string(), expr: z.unknown() })).default([]),
  /** Questions that no plan can say, with the reason. */
  cannot: z.record(z.string(), z.string()).default({}),
  plans: z.record(z.string(), z.unknown()),
})
export type Plans = z.infer<typeof plansSchema>

/** What names stand for. */
export interface Names {
  datasets: ReadonlyMap<string, { id: string; columns: Column[] }>
  /** By their beginning, `file.column`. */
  relations: readonly { name: string; relation: Relation }[]
}

/** `file.column` → its dataset and key. @throws Error when there is no such column */
export function endOf(names: Pick<Names, 'datasets'>, text: string): { datasetId: string; key: Column['key'] } {
  const at = text.indexOf('.')
  const dataset = names.datasets.get(text.slice(0, at))
  const column = dataset?.columns.find(({ label }) => label === text.slice(at + 1))
  if (!dataset || !column) throw new Error(`there is no column ${text}`)
  return { datasetId: dataset.id, key: column.key }
}

/** A plan with ids in place of names. @throws Error for an unknown name, ZodError when it is no plan */
export const planOf = (plan: unknown, names: Names): QueryPlan => queryPlanSchema.parse(resolved(plan, names))
export const exprOf = (expr: unknown, names: Names) => exprSchema.parse(resolved(expr, names))

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function resolved(value: unknown, names: Names): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => resolved(each, names))
  if (!isRecord(value)) return value
  const entries = Object.entries(value).map(([key, each]): [string, unknown] => [key, resolved(each, names)])
  const made: Record<string, unknown> = Object.fromEntries(entries)
  const { dataset, column, via, relation } = value
  if (typeof dataset === 'string') {
    if (typeof column === 'string') {
      const end = endOf(names, `${dataset}.${column}`)
      made['column'] = end.key
    }
    made['dataset'] = datasetOf(names, dataset)
  }
  if (Array.isArray(via)) made['via'] = via.map((each: unknown) => relationOf(names, String(each)))
  if (typeof relation === 'string') made['relation'] = relationOf(names, relation)
  return made
}

function datasetOf(names: Names, name: string): string {
  const found = names.datasets.get(name)
  if (!found) throw new Error(`there is no file ${name}`)
  return found.id
}
function relationOf(names: Names, name: string): string {
  const found = names.relations.find((each) => each.name === name || each.relation.id === name)
  if (!found) throw new Error(`there is no relation ${name}`)
  return found.relation.id
}
