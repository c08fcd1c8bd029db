import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { loadedDataset } from '../../../../test/worker/loaded-dataset'
import { column } from '../../../../test/worker/warehouse-rows'
import { systemIds } from '../../../deps'
import { FULL_RIGHTS, Scope, type DataRights } from '../../../scope'
import { ProductError } from '../../../shared/errors'
import type { Calendar } from '../../../shared/dates'
import type { Column } from '../../../shared/data-sources/data-sources'
import type { QueryPlan } from '../../../shared/query/plan'
import { warehouseClientFactory } from '../../stub'

const COLUMNS: Column[] = [
  column(0, { type: 'text', label: 'Region' }),
  column(1, { type: 'integer', label: 'Amount', role: 'measure', currencyColumn: 'c2', minorUnits: true }),
  column(2, { type: 'text', label: 'Currency', role: 'currency' }),
]
const ROWS = [
  ['North', 1_250, 'SEK'],
  ['North', 750, 'SEK'],
  ['South', 1_250, 'JPY'],
]
const CALENDAR: Calendar = {
  timeZone: 'Europe/Stockholm',
  weekStart: 'monday',
  fiscalYearStart: 1,
  today: '2026-03-01',
}

async function planContext() {
  const workspaceId = systemIds.next('workspace')
  const dataset = await loadedDataset(workspaceId, ROWS, COLUMNS)
  const field = { dataset, column: 'c2' as const }
  const warehouseOf = (rights: Partial<DataRights>) =>
    warehouseClientFactory(env.WAREHOUSE)(
      Scope.forReader({ workspaceId, userId: 'usr', epoch: '1.1', rights: { ...FULL_RIGHTS, ...rights } }),
    )
  const sum = (region: string | null, more: Partial<QueryPlan> = {}): QueryPlan => ({
    ...{ v: 3, kind: 'aggregate', dimensions: [], ...more },
    measures: [{ kind: 'column', agg: 'sum', field: { dataset, column: 'c1' } }],
    filters: region === null ? [] : [{ field: { dataset, column: 'c0' }, any: [{ op: 'eq', value: region }] }],
  })
  const ask = async (rights: Partial<DataRights>, plan: QueryPlan) => {
    try {
      const { columns, rows } = await warehouseOf(rights).query({ plan, calendar: CALENDAR })
      return { rows, formats: columns.map(({ format }) => format.style) }
    } catch (error) {
      if (!(error instanceof ProductError)) throw error
      return { code: error.code, details: error.details }
    }
  }
  const records: QueryPlan = { v: 3, kind: 'rows', dataset, measures: [], dimensions: [], filters: [] }
  return { dataset, field, warehouseOf, sum, ask, records }
}

describe.each([
  ['hidden', (field: { dataset: string; column: 'c2' }): Partial<DataRights> => ({ hidden: [field] })],
  [
    'masked, so that two currencies look alike',
    (field: { dataset: string; column: 'c2' }): Partial<DataRights> => ({ masked: [{ field, mask: 'empty' }] }),
  ],
])('amounts whose currency column is %s', (_how, rightsFor) => {
  it('are as large as they are, without a currency', async () => {
    const { field, ask, sum, records, warehouseOf, dataset } = await planContext()
    const rights = rightsFor(field)
    expect(await ask(rights, sum('North'))).toEqual({ rows: [[20]], formats: ['plain'] })
    expect(await ask(rights, sum('South'))).toEqual({ rows: [[1250]], formats: ['plain'] })
    expect(await ask({}, sum('North'))).toEqual({ rows: [[20]], formats: ['currency'] })
    const seen = await ask(rights, records)
    expect('rows' in seen && seen.rows.map((row) => row[1])).toEqual([12.5, 7.5, 1250])
    const { columns } = await warehouseOf(rights).dataset(dataset)
    expect(columns.find(({ key }) => key === 'c1')?.currencyColumn).toBeUndefined()
  })

  it('are not added where they are in several, nor converted, and no currency is named', async () => {
    const { field, ask, sum } = await planContext()
    const rights = rightsFor(field)
    const refused = { code: 'forbidden', details: { reason: 'dataAccess' } }
    expect(await ask(rights, sum(null))).toEqual(refused)
    expect(await ask(rights, sum('North', { currency: { code: 'EUR', mode: 'transaction' } }))).toEqual(refused)
    expect(await ask({}, sum(null))).toMatchObject({ code: 'mixed_currency', details: { currencies: ['JPY', 'SEK'] } })
  })
})
