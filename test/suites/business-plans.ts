import { z } from 'zod'
import { COLUMN_ROLES, COLUMN_TYPES } from '../../src/shared/data-sources/files'
import { queryPlanSchema, type QueryPlan } from '../../src/shared/query/plan'
import { exprSchema } from '../../src/shared/query/expression'
import type { Relation } from '../../src/shared/relations'
import type { Column } from '../../src/shared/data-sources/data-sources'

/** `plans.json`: relations, computed columns and a plan a question; datasets are file names, columns their headers. */
export const plansSchema = z.object({
  relations: z.array(z.object({ from: z.string(), to: z.string() })).default([]),
  /** What a person corrects on the import screen: types and roles of columns, each named `file.header`. */
  columns: z
    .array(
      z.object({ column: z.string(), type: z.enum(COLUMN_TYPES).optional(), role: z.enum(COLUMN_ROLES).optional() }),
    )
    .default([]),
  computed: z.array(z.object({ column: z.string(), expr: z.unknown() })).default([]),
  /** Questions that no plan can say, with the reason. */
  cannot: z.record(z.string(), z.string()).default({}),
  plans: z.record(z.string(), z.unknown()),
})
export type Plans = z.infer<typeof plansSchema>

/** What names stand for. */
export interface Names {
  datasets: ReadonlyMap<string, { id: string; columns: Column[] }>
  /** By both ends, `file.column → file.column`, or by their beginning alone. */
  relations: readonly { name: string; from: string; relation: Relation }[]
}

/** `file.column` → its dataset and key; file names may hold points. @throws Error when there is no such column */
export function endOf(names: Pick<Names, 'datasets'>, text: string): { datasetId: string; key: Column['key'] } {
  for (const [name, { id, columns }] of names.datasets) {
    if (!text.startsWith(`${name}.`)) continue
    const header = text.slice(name.length + 1)
    const plain = (label: string): string => label.trim().toLowerCase()
    const column =
      columns.find(({ label }) => label === header) ?? columns.find(({ label }) => plain(label) === plain(header))
    if (column) return { datasetId: id, key: column.key }
  }
  throw new Error(`there is no column ${text}`)
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
  const [from = ''] = name.split(/\s*(?:->|→|=)\s*/)
  const found = names.relations.find((each) => each.name === name) ?? names.relations.find((each) => each.from === from)
  if (!found) throw new Error(`there is no relation ${name}`)
  return found.relation.id
}
