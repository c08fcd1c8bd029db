import { onlyRows } from '../../../test/worker/warehouse-rows'
import { beforeAll, expect, it, vi } from 'vitest'
import { getStatement } from './service'
import { depsAt } from '../../../test/worker/deps'
import { otherWorkspace, signedIn, type SignedIn } from '../../../test/worker/factories'
import { createLedger } from '../../../test/worker/loads'
import { Scope, type ScopeWire } from '../../scope'
import type { Filter } from '../../shared/query/plan'
import { statementQuerySchema, type Statement, type StatementQueryInput } from '../../shared/statements/statements'

const LEDGER = [
  'Verifikat;Datum;Konto;Kontonamn;Belopp;Kostnadsställe',
  ...['A1;2026-01-10;1930;Bank;100,10;North', 'A1;2026-01-10;3010;Sales;-100,10;North'],
  ...['A2;2026-02-10;1930;Bank;20,20;South', 'A2;2026-02-10;3020;Secret;-20,20;South'],
].join('\n')

let me: SignedIn
let source: { id: string; dataset: string }
beforeAll(async () => {
  me = await signedIn()
  const { id, datasets } = await createLedger(me, LEDGER)
  source = { id, dataset: datasets[0]?.id ?? '' }
})

/** A statement as somebody of other rights sees it: scopes of people who see some rows do not exist yet. */
function statementAs(rights: Partial<ScopeWire>, query: StatementQueryInput): Promise<Statement> {
  const scope = Scope.forJob({ workspaceId: me.workspaceId, userId: me.userId, epoch: '1.1' })
  vi.spyOn(scope, 'wire').mockReturnValue({ ...scope.wire(), ...rights })
  const calendar = { timeZone: 'UTC', weekStart: 'monday', fiscalYearStart: 1, today: '2026-03-01' } as const
  const context = { deps: depsAt(Date.UTC(2026, 2, 1)), scope, calendar }
  return getStatement(context, { id: source.id, query: statementQuerySchema.parse(query) })
}
const valuesOf = ({ rows }: Statement, key: string) => rows.find((row) => row.key === key)?.values

it('adds up only the rows the member may see, in every statement, and names no other account', async () => {
  const { dataset } = source
  const isNorth: Filter = { field: { dataset, column: 'c5' }, any: [{ op: 'eq', value: 'North' }] }
  const north = { rowFilters: [onlyRows(dataset, isNorth)] }
  const whole = await statementAs({}, { view: 'ytd' })
  expect(valuesOf(whole, 'netSales')).toEqual(['120.30'])
  for (const statement of ['income', 'balance', 'trial', 'cashFlow', 'ratios'] as const) {
    const own = await statementAs(north, { statement, view: 'ytd' })
    expect(JSON.stringify(own.rows), statement).not.toMatch(/120\.30|3020|Secret/)
    expect([own.through, own.dataAsOf !== null]).toEqual(['2026-01', true])
  }
  const each = await statementAs(north, { dimension: 'c5' })
  expect(each.objects).toEqual([{ key: 'North', name: null }])
  expect(valuesOf(each, 'netResult')).toEqual(['100.10', '100.10'])
})

it('is not found when its amounts or its tables are hidden, or in another workspace', async () => {
  const hidden = [{ dataset: source.dataset, column: 'c4' as const }]
  await expect(statementAs({ hidden }, {})).rejects.toMatchObject({ code: 'not_found' })
  await expect(statementAs({ datasets: [] }, {})).rejects.toMatchObject({ code: 'not_found' })
  const foreign = await (await otherWorkspace()).fetch(`/files/statements/${source.id}`)
  expect(foreign.status).toBe(404)
})
