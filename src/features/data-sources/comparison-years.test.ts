import { describe, expect, it } from 'vitest'
import { signedIn, type SignedIn } from '../../../test/worker/factories'
import { createLedger, inspectTable, openLedger, startLoad, waitForRun } from '../../../test/worker/loads'
import type { DataSource, RunState, SyncRun } from '../../shared/data-sources/data-sources'
import type { Statement } from '../../shared/statements/statements'

const HEAD = ['#FLAGGA 0', '#FORMAT PC8', '#SIETYP 4', '#ORGNR 556000-0001', '#FNAMN "Alfa AB"']
const ACCOUNTS = ['#KONTO 1930 "Bank"', '#KONTO 2081 "Share capital"', '#KONTO 3010 "Sales"', '#KONTO 5010 "Rent"']

/** The books of 2024, as they were kept then: opened at 25 000, with a budget, and an account that was closed after it. */
const BOOKS_2024 = [
  ...[...HEAD, '#RAR 0 20240101 20241231', '#RAR -1 20230101 20231231', ...ACCOUNTS, '#KONTO 6110 "Office supplies"'],
  ...['#IB -1 1930 20000', '#IB -1 2081 -20000', '#UB -1 1930 25000', '#UB -1 2081 -25000'],
  ...['#IB 0 1930 25000', '#IB 0 2081 -25000', '#UB 0 1930 25920', '#UB 0 2081 -25000'],
  ...['#RES 0 3010 -1000', '#RES 0 6110 80', '#PBUDGET 0 202401 3010 {} -900'],
  ...['#VER A 1 20240115 "Sold"', '{', '#TRANS 1930 {} 1000', '#TRANS 3010 {} -1000', '}'],
  ...['#VER A 2 20240216 "Paper"', '{', '#TRANS 6110 {} 80', '#TRANS 1930 {} -80', '}'],
].join('\r\n')

/** Those of 2025, whose year −1 is told in whole balances of another opening, without budget and closed account. */
const BOOKS_2025 = [
  ...[...HEAD, '#RAR 0 20250101 20251231', '#RAR -1 20240101 20241231', ...ACCOUNTS],
  ...['#IB -1 1930 24000', '#IB -1 2081 -24000', '#UB -1 1930 25920', '#UB -1 2081 -25920', '#RES -1 3010 -1920'],
  ...['#PBUDGET -1 202401 3010 {} -5', '#IB 0 1930 25920', '#IB 0 2081 -25920'],
  ...['#VER A 1 20250115 "Sold"', '{', '#TRANS 1930 {} 500', '#TRANS 3010 {} -500', '}'],
].join('\r\n')

/** Tables of a later file into the books that are there, its years in place of the same. */
async function loadYears(
  me: SignedIn,
  source: DataSource,
  { text, of, ...more }: { text: string; of: readonly string[]; replaceComparison?: boolean },
): Promise<Record<string, RunState>> {
  const tables = (await openLedger(me, text)).filter(({ name }) => of.includes(name))
  const loads = tables.map(async (table): Promise<[string, RunState] | null> => {
    const dataset = source.datasets.find(({ name }) => name === table.name)
    const keyOf = (label: string) => dataset?.columns.find((column) => column.label === label)?.key ?? 'c99'
    if (!dataset) return null
    const { settings, columns } = await inspectTable(me, table)
    const answer = await startLoad(me, dataset.id, {
      ...{ uploadId: table.uploadId, mode: 'replacePart', settings, columns, ...more },
      mapping: columns.map(({ index, label }) => ({ index, key: keyOf(label) })),
      keyColumns: [keyOf('org_number'), keyOf('fiscal_year')],
    })
    expect([answer.status, await answer.clone().text()]).toEqual([201, expect.anything()])
    return [table.name, (await waitForRun(me, (await answer.json<SyncRun>()).id)).state]
  })
  return Object.fromEntries((await Promise.all(loads)).filter((end) => end !== null))
}

/** Both statements of a year, with its budget and by month. */
async function statementsOf(me: SignedIn, { id }: DataSource, year: string): Promise<Partial<Statement>[]> {
  const queries = [
    { statement: 'income', view: 'years', year, budget: '1' },
    { statement: 'balance', view: 'months', year },
  ]
  return Promise.all(
    queries.map(async (query) => {
      const answer = await me.fetch(`/api/statements/${id}?${new URLSearchParams(query).toString()}`)
      expect([answer.status, await answer.clone().text()]).toEqual([200, expect.anything()])
      const { columns, rows, notices } = await answer.json<Statement>()
      return { columns, rows, notices }
    }),
  )
}

describe('a later file of the same books', () => {
  it('leaves the year before as it is where that has transactions, unless the person says otherwise', async () => {
    const me = await signedIn()
    const source = await createLedger(me, BOOKS_2024)
    const years = (await openLedger(me, BOOKS_2025)).map(({ name, comparisonYears = [] }) => [name, comparisonYears])
    expect(Object.fromEntries(years)).toMatchObject({
      ...{ entries: [], budgets: [{ year: '2024', rows: 1 }], balances: [{ year: '2024', rows: 5 }] },
    })
    const before = await statementsOf(me, source, '2024')
    const ends = await loadYears(me, source, { text: BOOKS_2025, of: ['accounts', 'balances', 'budgets', 'entries'] })
    expect(ends).toEqual({
      ...{ accounts: 'succeeded', balances: 'succeeded', entries: 'succeeded', budgets: 'unchanged' },
    })
    expect(await statementsOf(me, source, '2024')).toEqual(before)
    const own = await statementsOf(me, source, '2025')
    expect(JSON.stringify(own)).toContain('25920')
    // It is of the later file once that is asked for, and as it was again by its own file.
    await loadYears(me, source, { text: BOOKS_2025, of: ['balances', 'budgets'], replaceComparison: true })
    const replaced = await statementsOf(me, source, '2024')
    expect(replaced).not.toEqual(before)
    expect(JSON.stringify(replaced[1])).toContain('24000')
    await loadYears(me, source, { text: BOOKS_2024, of: ['balances', 'budgets'] })
    expect(await statementsOf(me, source, '2024')).toEqual(before)
    expect(await statementsOf(me, source, '2025')).toEqual(own)
  })

  it('takes the place of a year before that has no transactions of its own', async () => {
    const me = await signedIn()
    const source = await createLedger(me, BOOKS_2025)
    const corrected = BOOKS_2025.replaceAll('24000', '23000')
    expect(await loadYears(me, source, { text: corrected, of: ['balances'] })).toMatchObject({ balances: 'succeeded' })
    const balances = source.datasets.find(({ name }) => name === 'balances')
    const rows = await (await me.fetch(`/api/datasets/${balances?.id ?? ''}/preview`)).text()
    expect([rows.includes('23000'), rows.includes('24000')]).toEqual([true, false])
  })
})
