import { z } from 'zod'
import { assertWhole } from './whole-datasets'
import { sourceStore, type LiveDataset, type LoadableUpload, type StoreContext } from './store'
import { canRead, seenInPart } from '../../identity/access/visible-dataset'
import { Scope } from '../../scope'
import type { Deps } from '../../deps'
import type { KeptParts } from '../../sync/load-request'
import type { QueryPlan } from '../../shared/query/plan'
import { findLedgerTables, type EntryTable } from '../../shared/statements/ledger-tables'

/** What of a stored table's facts says which years it is of. */
const ledgerFactsSchema = z.object({
  rowCount: z.number(),
  hints: z.array(z.object({ index: z.number(), label: z.string().optional() })),
  comparisonYears: z.array(z.object({ year: z.string(), rows: z.number() })),
})
type LedgerFacts = z.infer<typeof ledgerFactsSchema>

/** Counts of texts are of no day: any calendar does. */
const NO_CALENDAR = { timeZone: 'UTC', weekStart: 'monday', fiscalYearStart: 1, today: '1970-01-01' } as const

/**
 * The company's years that a ledger's file has figures, but no transactions of, and that have transactions in the source:
 * its rows of them would take the place of what their own file said. Null where there are none.
 * @throws ProductError `forbidden` where rules of access leave out some of the transactions: they may be of any year
 */
export async function keptYears(
  deps: Deps,
  ask: StoreContext,
  { dataset, upload }: { dataset: LiveDataset; upload: LoadableUpload },
): Promise<KeptParts | null> {
  const facts = ledgerFactsSchema.safeParse(upload.origin.table).data
  const columns = facts && yearColumns(facts)
  if (!facts || !columns) return null
  const { workspaceId, actorId: userId } = ask.scope
  const whole = Scope.forJob({ workspaceId, userId, epoch: ask.scope.wire().epoch })
  const datasets = await sourceStore(deps.db, { ...ask, scope: whole }).datasetsOf([dataset.sourceId])
  const entries = findLedgerTables(datasets.filter(({ dataVersion }) => dataVersion > 0))?.entries
  const stored = datasets.find(({ id }) => id === entries?.dataset)
  if (stored && !canRead(ask.scope.wire(), stored)) throw seenInPart()
  if (stored) assertWhole(ask.scope, stored)
  const parts = entries ? await yearsWithEntries(deps, ask, { entries, facts }) : []
  return parts.length === 0 ? null : { columns, parts, isWhole: hasOnly(facts, parts) }
}

const yearColumns = ({ hints }: LedgerFacts): number[] | null => {
  const found = ['org_number', 'fiscal_year'].flatMap((name) => hints.find(({ label }) => label === name)?.index ?? [])
  return found.length === 2 ? found : null
}

/** Company and year of the file's comparison years that entries are there of. */
async function yearsWithEntries(
  deps: Deps,
  { scope }: StoreContext,
  { entries: { dataset, company, year }, facts }: { entries: EntryTable; facts: LedgerFacts },
): Promise<string[][]> {
  if (company === null || year === null) return []
  const field = (column: typeof year) => ({ dataset, column })
  const plan: QueryPlan = {
    ...{ v: 3, kind: 'aggregate', measures: [{ kind: 'column', agg: 'count', dataset }] },
    dimensions: [{ field: field(company) }, { field: field(year) }],
    filters: [{ field: field(year), any: facts.comparisonYears.map((each) => ({ op: 'eq', value: each.year })) }],
  }
  const { rows } = await deps.warehouse(scope).query({ plan, calendar: NO_CALENDAR })
  return rows.map(([org, name]) => [String(org ?? ''), String(name ?? '')])
}

/** Whether the file has no rows but those of parts that stay as they are. */
function hasOnly({ comparisonYears, rowCount }: LedgerFacts, parts: readonly string[][]): boolean {
  const kept = new Set(parts.map(([, year]) => year))
  return comparisonYears.reduce((sum, { year, rows }) => sum + (kept.has(year) ? rows : 0), 0) === rowCount
}
