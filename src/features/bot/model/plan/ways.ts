import { queryPlanSchema, isExistsFilter, type QueryPlan } from '../../../../shared/query/plan'
import { planFieldsOf } from '../../../../shared/query/plan-fields'
import { shortestPaths, type FollowedPath } from '../../../../shared/query/relation-paths'
import type { Context } from './context'

/** A plan that follows one of several equally short ways to a table, and what that leads by. */
export interface Way {
  plan: QueryPlan
  /** The tables on the way; empty where there is only one. */
  by: string[]
}

/**
 * Rows may point at a thing in several ways: a booking at a branch by its car and by its agent. The way by a table that is
 * named is meant; else each is a plan of its own, of which the person chooses.
 */
export function waysOf({ schema, home, named }: Pick<Context, 'schema' | 'home' | 'named'>, plan: QueryPlan): Way[] {
  if (plan.filters.some(isExistsFilter)) return [{ plan, by: [] }]
  const open = new Set(
    planFieldsOf(plan).flatMap(({ dataset, via }) => (dataset === home.id || via !== undefined ? [] : [dataset])),
  )
  let ways: Way[] = [{ plan, by: [] }]
  for (const to of open) {
    const paths = shortestPaths(schema.vocabulary.relations, { from: home.id, to, least: 0 })
    if (paths.length < 2) continue
    const byNamed = paths.filter((path) => between(path).some((id) => named.has(id)))
    const meant = byNamed.length === 1 ? byNamed : paths
    // Cut after each table: ways to many tables multiply.
    ways = ways
      .flatMap((way) => meant.map((path) => ({ way, path })))
      .slice(0, WAYS_MAX)
      .map(({ way, path }) => ({
        plan: following(way.plan, to, path),
        by: [...way.by, ...(meant.length > 1 ? namesOf(schema, path) : [])],
      }))
  }
  return ways
}
const WAYS_MAX = 4
const between = (path: FollowedPath): string[] => path.slice(0, -1).map(({ to }) => to.dataset)
/** What tells a way from others: the tables on it, else the heading that points. */
const namesOf = (schema: Context['schema'], path: FollowedPath): string[] => {
  const tables = between(path).map((id) => schema.dataset(id)?.source.name ?? id)
  const [first] = path
  const heading = first && schema.column(first.from.dataset, first.from.key)?.source.label
  return tables.length > 0 ? tables : heading === undefined ? [] : [heading]
}
const following = (plan: QueryPlan, to: string, path: FollowedPath): QueryPlan =>
  queryPlanSchema.parse(
    withVia(
      plan,
      to,
      path.map(({ id }) => id),
    ),
  )
/** Every field of a table with the way to it. */
function withVia(part: unknown, to: string, via: string[]): unknown {
  if (Array.isArray(part)) return part.map((each: unknown) => withVia(each, to, via))
  if (typeof part !== 'object' || part === null) return part
  const entries = Object.entries(part).map(([key, value]: [string, unknown]) => [key, withVia(value, to, via)] as const)
  const copy = Object.fromEntries(entries)
  return 'column' in part && 'dataset' in part && part.dataset === to && !('via' in part) ? { ...copy, via } : copy
}
