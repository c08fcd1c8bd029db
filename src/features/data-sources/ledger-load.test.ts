import { beforeAll, describe, expect, it } from 'vitest'
import { signedIn, type SignedIn } from '../../../test/worker/factories'
import { createLedger, inspectTable, openLedger, readTotals, startLoad, waitForRun } from '../../../test/worker/loads'
import type { Relation } from '../../shared/relations'
import type { Dataset, DatasetCleaning, DataSource, SyncRun } from '../../shared/data-sources/data-sources'

/** Books of one year: rent paid and goods sold for `amount`, by cost centre. */
const books = (year: number, amount: string): string =>
  [
    ...['#FLAGGA 0', '#FORMAT PC8', '#SIETYP 4', '#ORGNR 556000-0001', '#FNAMN "Alfa AB"'],
    ...[`#RAR 0 ${year}0101 ${year}1231`, `#RAR -1 ${year - 1}0101 ${year - 1}1231`],
    ...['#KONTO 1930 "Bank"', '#KONTO 3010 "Sales"', '#KONTO 5010 "Rent"', '#DIM 1 "Cost centre"'],
    ...['#OBJEKT 1 10 "North"', '#IB 0 1930 0', `#UB 0 1930 ${amount}`, `#RES 0 3010 -${amount}`],
    ...[`#VER A 1 ${year}0115 "Sold"`, '{', `#TRANS 1930 {} ${amount}`, `#TRANS 3010 {1 10} -${amount}`, '}'],
    ...[`#VER A 2 ${year}0216 "Rent"`, '{', '#TRANS 5010 {} 50.25', '#TRANS 1930 {} -50.25', '}'],
  ].join('\r\n')

const named = ({ datasets }: DataSource, name: string): Dataset => {
  const found = datasets.find((dataset) => dataset.name === name)
  if (!found) throw new Error(`no dataset ${name}`)
  return found
}
const keyOf = ({ columns }: Dataset, label: string) => columns.find((column) => column.label === label)?.key ?? 'c99'

/** Another file's table in place of the same years of a dataset. */
async function replaced(me: SignedIn, dataset: Dataset, text: string): Promise<SyncRun> {
  const table = (await openLedger(me, text)).find(({ name }) => name === dataset.name)
  if (!table) throw new Error(`no table ${dataset.name}`)
  const { settings, columns } = await inspectTable(me, table)
  const answer = await startLoad(me, dataset.id, {
    ...{ uploadId: table.uploadId, mode: 'replacePart', settings, columns },
    mapping: columns.map(({ index, label }) => ({ index, key: keyOf(dataset, label) })),
    keyColumns: [keyOf(dataset, 'org_number'), keyOf(dataset, 'fiscal_year')],
  })
  expect([answer.status, await answer.clone().text()]).toEqual([201, expect.anything()])
  return waitForRun(me, (await answer.json<SyncRun>()).id)
}

describe('books of a company', () => {
  let me: SignedIn
  let source: DataSource
  beforeAll(async () => {
    me = await signedIn()
    source = await createLedger(me, books(2024, '1000.10'))
  })

  it('load as the datasets of a ledger, to the last hundredth', async () => {
    expect(source.datasets.map(({ name }) => name).toSorted()).toEqual(
      ['accounts', 'balances', 'companies', 'dimensions', 'entries', 'fiscal_years', 'objects', 'vouchers'].toSorted(),
    )
    const entries = named(source, 'entries')
    const amount = entries.columns.find(({ label }) => label === 'amount')
    expect(amount).toMatchObject({ type: 'number', scale: 2, format: { style: 'currency', currency: 'SEK' } })
    expect(await readTotals(me, entries.id, keyOf(entries, 'amount'))).toEqual({ rows: 4, sum: 0 })
    const balances = named(source, 'balances')
    expect(await readTotals(me, balances.id, keyOf(balances, 'amount'))).toEqual({ rows: 3, sum: 0 })
  })

  it('are no tables to clean', async () => {
    const answer = await me.fetch(`/api/datasets/${named(source, 'companies').id}/cleaning`)
    expect(await answer.json<DatasetCleaning>()).toMatchObject({ steps: [], ledger: true })
  })

  it('relate entries to their accounts and vouchers by one column each, without asking anybody', async () => {
    const entries = named(source, 'entries')
    for (const [table, label] of [
      ['accounts', 'account_key'],
      ['vouchers', 'voucher_key'],
    ] as const) {
      const to = named(source, table)
      const all = await (await me.fetch('/api/relations')).json<Relation[]>()
      const relation = all.find(({ from, to: one }) => from.key === keyOf(entries, label) && one.datasetId === to.id)
      expect(relation).toMatchObject({ state: 'confirmed', to: { label } })
      expect(relation?.proof).toMatchObject({ fromRows: 4, matchedRows: 4, duplicateKeys: 0 })
    }
    const all = await (await me.fetch('/api/relations')).json<Relation[]>()
    const words = all.map(({ from, to }) => `${from.datasetName}.${from.label} → ${to.datasetName}.${to.label}`)
    // Accounts repeat from the second year on: a relation along them would break then.
    expect(words.filter((word) => word.endsWith('accounts.account'))).toEqual([])
    expect(
      words.filter((word) => word.includes('org_number')),
      'of one company',
    ).toEqual([])
  })

  it('take the place of the same year, and stand beside another', async () => {
    const entries = named(source, 'entries')
    const sum = () => readTotals(me, entries.id, keyOf(entries, 'amount'))
    expect(await replaced(me, entries, books(2024, '2000.20'))).toMatchObject({ state: 'succeeded' })
    expect(await sum()).toEqual({ rows: 4, sum: 0 })
    expect(await replaced(me, entries, books(2025, '3000.30'))).toMatchObject({ state: 'succeeded' })
    expect(await sum()).toEqual({ rows: 8, sum: 0 })
  })
})
