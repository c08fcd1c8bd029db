import { beforeAll, describe, expect, it } from 'vitest'
import { signedIn, type SignedIn } from '../../../test/worker/factories'
import { createLedger } from '../../../test/worker/loads'
import type { Statement } from '../../shared/statements/statements'

/**
 * Balances by month, written as programs differ: rows without an object are all of 3010 and only a part of 4010, 5010 has
 * none; months of 1930 come to 200 where the year moved 150; 3010 has a closing balance beside its result, and 3740 is
 * carried from year to year. Nothing says what 2023 began with, nor what its balance accounts moved by month.
 */
const BOOKS = [
  ...['#FLAGGA 0', '#FORMAT PC8', '#SIETYP 3', '#ORGNR 556000-0001', '#FNAMN "Alfa AB"'],
  ...['#RAR 0 20240101 20241231', '#RAR -1 20230101 20231231'],
  ...[1930, 2081, 3010, 3740, 4010, 5010].map((account) => `#KONTO ${account} "Account ${account}"`),
  ...['#SRU 1110 7214', '#KTYP 3740 T', '#DIM 1 "Cost centre"', '#OBJEKT 1 10 "North"'],
  ...['#IB 0 1930 1000', '#IB 0 2081 -990', '#IB 0 3740 -10'],
  ...['#UB 0 1930 1150', '#UB 0 2081 -990', '#UB 0 3740 -10', '#UB 0 3010 -300'],
  ...['#RES 0 3010 -300', '#RES 0 4010 120', '#RES 0 5010 30'],
  ...['#PSALDO 0 202401 3010 {} -300', '#PSALDO 0 202401 3010 {1 10} -200'],
  ...['#PSALDO 0 202402 4010 {} 50', '#PSALDO 0 202402 4010 {1 10} 70', '#PSALDO 0 202402 5010 {1 10} 30'],
  ...['#PSALDO 0 202401 1930 {} 300', '#PSALDO 0 202402 1930 {} -100', '#PSALDO 0 202412 2081 {} 0'],
  ...['#UB -1 1930 1000', '#UB -1 2081 -990', '#UB -1 3740 -10', '#RES -1 3010 -40', '#RES -1 4010 40'],
  ...['#PSALDO -1 202306 3010 {} -40', '#PSALDO -1 202306 4010 {} 40'],
  ...['#PBUDGET 0 202401 3010 {1 10} -100', '#PBUDGET 0 202401 4010 {} 60', '#PBUDGET 0 202401 4010 {1 10} 25'],
].join('\r\n')

describe('years whose balances a ledger states', () => {
  let me: SignedIn
  let source: string
  const ask = async (query: Record<string, string>): Promise<Statement> => {
    const answer = await me.fetch(`/api/statements/${source}?${new URLSearchParams(query).toString()}`)
    expect(answer.status).toBe(200)
    return answer.json<Statement>()
  }
  const closings = ({ rows }: Statement) =>
    Object.fromEntries(
      rows.flatMap(({ accounts = [] }) => accounts).map(({ account, values }) => [account, values.at(-1)]),
    )
  const values = ({ rows }: Statement, key: string) => rows.find((row) => row.key === key)?.values
  beforeAll(async () => {
    me = await signedIn()
    source = (await createLedger(me, BOOKS)).id
  })

  it('come to them, whichever rows are a whole account, and name no account that only an attribute speaks of', async () => {
    const trial = await ask({ statement: 'trial', year: '2024' })
    expect(closings(trial)).toEqual({
      ...{ 1930: '1150.00', 2081: '-990.00', 3010: '-300.00', 3740: '-10.00', 4010: '120.00', 5010: '30.00' },
    })
    expect(values(trial, 'total')?.at(-1)).toBe('0.00')
    const income = await ask({ view: 'months', year: '2024' })
    expect(income.columns.map(({ span }) => span.to)).toEqual(['2024-01', '2024-02', '2024-02'])
    expect(values(income, 'netSales')).toEqual(['300.00', '0.00', '300.00'])
    expect(values(income, 'goods')).toEqual(['0.00', '-120.00', '-120.00'])
    expect(values(income, 'netResult')).toEqual(['300.00', '-150.00', '150.00'])
  })

  it('count what their months lack in the last month with figures, and say so', async () => {
    const balance = await ask({ statement: 'balance', view: 'months', year: '2024' })
    expect(values(balance, 'cash')).toEqual(['1300.00', '1150.00'])
    expect(balance.notices).toContainEqual({ kind: 'completed', year: '2024', month: '2024-02', accounts: ['1930'] })
    expect(values(balance, 'assets')).toEqual(values(balance, 'equityAndLiabilities'))
  })

  it('began with what they closed with less what moved, where no opening balance is stated', async () => {
    const balance = await ask({ statement: 'balance', view: 'ytd', year: '2023' })
    expect([values(balance, 'cash'), values(balance, 'difference')]).toEqual([['1000.00'], undefined])
    expect(closings(await ask({ statement: 'trial', year: '2023' }))).toMatchObject({ 1930: '1000.00', 3740: '-10.00' })
  })

  it('have a budget of cost centres where no whole account has one', async () => {
    const income = await ask({ view: 'ytd', year: '2024', through: '2024-01', budget: '1' })
    const at = income.columns.findIndex(({ kind }) => kind === 'budget')
    expect([values(income, 'netSales')?.[at], values(income, 'goods')?.[at]]).toEqual(['100.00', '-60.00'])
  })
})
