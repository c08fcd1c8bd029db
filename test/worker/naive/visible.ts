import { createEvaluationContext, type NaiveTable } from './values'
import type { RowRule } from '../../../src/scope'
import type { Calendar } from '../../../src/shared/dates'
import type { Filter } from '../../../src/shared/query/plan'
import type { RelationEdge } from '../../../src/warehouse/query/plan/relation-graph'

/** What is left when the rows that may not be seen were never there: all rules are asked of all rows. */
export function visible(
  tables: NaiveTable[],
  { rules, calendar, edges }: { rules: readonly RowRule[]; calendar: Calendar; edges: RelationEdge[] },
): NaiveTable[] {
  const world = createEvaluationContext({ tables, edges, calendar })
  return tables.map((table) => {
    const own = rules.filter(({ dataset }) => dataset === table.id)
    if (own.length === 0) return table
    const seen = world.rowsOf(table.id).filter((row) => {
      const passes = (filters: readonly Filter[]): boolean => filters.every((filter) => world.passes(row, filter))
      return own.every(({ anyOf, noneOf }) => (anyOf === 'all' || anyOf.some(passes)) && !noneOf.some(passes))
    })
    return { ...table, limited: true, rows: seen.map(({ rid }) => table.rows[rid] ?? []) }
  })
}
