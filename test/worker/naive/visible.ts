import { createEvaluationContext, type NaiveTable } from './values'
import type { ScopeWire } from '../../../src/identity/scope'
import type { Calendar } from '../../../src/shared/dates'

/** What is left when the rows that may not be seen were never there. */
export function visible(
  tables: NaiveTable[],
  { guard, calendar }: { guard: ScopeWire['rowFilters'][number] | null; calendar: Calendar },
): NaiveTable[] {
  return tables.map((table) => {
    if (table.id !== guard?.dataset) return table
    const world = createEvaluationContext({ tables: [table], edges: [], calendar })
    const seen = world.rowsOf(table.id).filter((row) => guard.filters.every((filter) => world.passes(row, filter)))
    return { ...table, limited: true, rows: seen.map(({ rid }) => table.rows[rid] ?? []) }
  })
}
