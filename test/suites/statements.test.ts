import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { loadedLedger, type LoadedLedger } from './loaded-ledger'
import { suiteFiles } from './suite'
import { toUnits } from '../../src/semantic/statements/units'
import type { Statement } from '../../src/shared/statements/statements'

const schema = z.object({ files: z.array(z.object({ file: z.string() })) })

type Sums = Map<string, bigint>
const COMPARED_MIN = 26
const TABLES_OF_FIGURES = ['entries', 'balances', 'period_balances']
interface YearTruth {
  opening: Sums
  closing: Sums
  result: Sums
  moved: Sums
  hasEntries: boolean
}
const ZERO = 0n
const add = (sums: Sums, key: string, amount: bigint): void => void sums.set(key, (sums.get(key) ?? ZERO) + amount)
const total = (sums: Sums): bigint => [...sums.values()].reduce((sum, amount) => sum + amount, ZERO)

/** What the file itself says of a year, added up without the product. */
function truthOf(ledger: LoadedLedger, year: string): YearTruth {
  const truth: YearTruth = {
    opening: new Map(),
    closing: new Map(),
    result: new Map(),
    moved: new Map(),
    hasEntries: false,
  }
  const kinds: Record<string, Sums> = { IB: truth.opening, UB: truth.closing, RES: truth.result }
  for (const row of ledger.rows('balances'))
    if (row['fiscal_year'] === year && row['object'] === null)
      add(kinds[row['kind'] ?? ''] ?? new Map(), row['account'] ?? '', toUnits(row['amount'] ?? null))
  // Some programs state a closing balance of what they state a result of, too: it is said twice, and counts once.
  for (const account of truth.result.keys())
    if (/^[3-8]/.test(account) && truth.closing.get(account) === truth.result.get(account))
      truth.closing.delete(account)
  for (const row of ledger.rows('entries'))
    if (row['fiscal_year'] === year) {
      truth.hasEntries = true
      add(truth.moved, row['account'] ?? '', toUnits(row['amount'] ?? null))
    }
  return truth
}
/** Whether vouchers lead from the opening to the closing balances, account by account. */
function addsUp({ opening, closing, result, moved, hasEntries }: YearTruth): boolean {
  if (!hasEntries) return true
  const at = (sums: Sums, account: string): bigint => sums.get(account) ?? ZERO
  return (
    [...closing].every(([account, amount]) => at(opening, account) + at(moved, account) === amount) &&
    [...result].every(([account, amount]) => at(moved, account) === amount)
  )
}

const valueOf = (statement: Statement, key: string): bigint =>
  toUnits(statement.rows.find((row) => row.key === key)?.values[0] ?? null)
const hasRow = (statement: Statement, key: string): boolean => statement.rows.some((row) => row.key === key)
/** Figures of accounts in the statement's own sign. */
function accountsOf(statement: Statement, column = 0): Sums {
  const sums: Sums = new Map()
  for (const { accounts = [] } of statement.rows)
    for (const { account, values } of accounts) add(sums, account, toUnits(values[column] ?? null))
  return sums
}

async function faultsOf(ledger: LoadedLedger, year: string): Promise<string[]> {
  const truth = truthOf(ledger, year)
  const ask = (statement: 'income' | 'balance' | 'trial' | 'cashFlow') =>
    ledger.statement({ statement, view: 'ytd', year, through: '9999-12' })
  const [income, balance, trial, cashFlow] = [
    await ask('income'),
    await ask('balance'),
    await ask('trial'),
    await ask('cashFlow'),
  ]
  const faults: string[] = []
  const same = (what: string, wanted: bigint, got: bigint): void => {
    if (wanted !== got) faults.push(`${year} ${what}: wanted ${wanted}, got ${got}`)
  }
  if (addsUp(truth)) {
    const closing = accountsOf(trial, trial.columns.length - 1)
    for (const [account, amount] of [...truth.closing, ...truth.result])
      same(`closing of ${account}`, amount, closing.get(account) ?? ZERO)
    const [earned, held] = [accountsOf(income), accountsOf(balance)]
    for (const [account, amount] of truth.result)
      same(
        `profit and loss of ${account}`,
        account >= '8990' && account <= '8999' ? amount : -amount,
        earned.get(account) ?? ZERO,
      )
    for (const [account, amount] of truth.closing)
      same(`balance of ${account}`, account.startsWith('2') ? -amount : amount, held.get(account) ?? ZERO)
    const isResult = (account: string): boolean => account >= '3' && !truth.closing.has(account)
    const results = truth.hasEntries ? new Map([...truth.moved].filter(([account]) => isResult(account))) : truth.result
    // Months of an account that no result is stated of count, too: such books do not balance by what they state.
    if (truth.hasEntries || total(truth.closing) + total(truth.result) === ZERO)
      same('result', -total(results), valueOf(income, 'netResult') - valueOf(income, 'closingEntry'))
  }
  if (addsUp(truth) && total(truth.moved) === ZERO) {
    const open = total(truth.closing) + total(truth.result)
    if ((open === ZERO || open === total(truth.opening)) && hasRow(balance, 'difference'))
      faults.push(`${year}: a difference in a balance sheet that balances`)
    if (total(truth.opening) === open && hasRow(cashFlow, 'difference'))
      faults.push(`${year}: a difference in a cash flow that adds up`)
  }
  same('assets', valueOf(balance, 'assets'), valueOf(balance, 'equityAndLiabilities'))
  same('result of the year', valueOf(income, 'netResult'), valueOf(balance, 'yearResult'))
  same('closing cash', valueOf(balance, 'cash'), valueOf(cashFlow, 'closingCash'))
  same(
    'change of cash',
    valueOf(cashFlow, 'closingCash') - valueOf(cashFlow, 'openingCash'),
    valueOf(cashFlow, 'cashFlow') + valueOf(cashFlow, 'difference'),
  )
  return faults
}

/** Months add up to the year, wherever months are known. */
async function monthFaults(ledger: LoadedLedger, year: string): Promise<string[]> {
  const months = await ledger.statement({ view: 'months', year, through: '9999-12' })
  if (months.view !== 'months') return []
  return months.rows.flatMap(({ key, style, values }) => {
    const parts = values.slice(0, -1).reduce((sum, value) => sum + toUnits(value), ZERO)
    return style === 'heading' || parts === toUnits(values.at(-1)) ? [] : [`${year} ${key}: months come to ${parts}`]
  })
}

describe('statements of foreign SIE files (skipped where the folder is not at hand)', () => {
  it.skipIf(!env.SUITE_FOLDERS.includes('sie'))(
    'equal the balances and results of every file to the last hundredth, balance, and end in the change of cash',
    { timeout: 300_000 },
    async () => {
      const files = suiteFiles('sie')
      const { files: listed } = await files.json('expected.json', schema)
      const faults: string[] = []
      const without: string[] = []
      let years = 0
      /** Years whose vouchers lead to the balances that the file states, so that accounts were compared. */
      let compared = 0
      for (const { file } of listed) {
        const ledger = await loadedLedger({ name: file, bytes: await files.bytes(file) })
        if (ledger.statement === null) {
          without.push(file)
          const figures = TABLES_OF_FIGURES.flatMap(ledger.rows).length
          if (figures > 0) faults.push(`${file}: ${figures} rows, and no statement`)
          continue
        }
        const { years: all } = await ledger.statement({})
        for (const { name } of all) {
          years++
          const truth = truthOf(ledger, name)
          if (truth.closing.size + truth.result.size > 0 && addsUp(truth)) compared++
          const own = [...(await faultsOf(ledger, name)), ...(await monthFaults(ledger, name))]
          faults.push(...own.map((fault) => `${file} ${fault}`))
        }
      }
      expect(faults).toEqual([])
      expect(without.length).toBeLessThanOrEqual(1)
      expect(years).toBeGreaterThanOrEqual(listed.length - without.length)
      expect(compared).toBeGreaterThanOrEqual(COMPARED_MIN)
    },
  )
})
