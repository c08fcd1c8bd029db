import { closeYear, credit, debit, draftsOfYear, assertBalanced } from './bookkeeping'
import type { Account, Balances, VoucherDraft, VoucherEntry, FiscalYear } from './bookkeeping'
import { FISCAL_YEARS, type SampleScenario } from './scenario'
import { costPostings, purchasePostings, salesPostings } from './postings'
import { dayFromDate, monthsBetween, nextWorkday, yearOf } from './days'
import type { OrderLine } from './orders'
import type { SeededRandom } from './random'

const KRONA = 100
const TAX_SHARE = 0.206
const DIVIDEND = 900_000 * KRONA

/** What stood in the books before the first year, in kronor. It adds up to nothing, as it must. */
const OPENING: [Account, number][] = [
  [1220, 3_350_000],
  [1229, -1_240_000],
  [1460, 7_900_000],
  [1510, 4_620_000],
  [1930, 5_480_000],
  [2081, -500_000],
  [2350, -4_800_000],
  [2440, -3_870_000],
  [2512, -640_000],
  [2650, -505_000],
  [2710, -158_000],
  [2731, -171_000],
  [2920, -610_000],
  [2940, -192_000],
  [2990, -85_000],
]

/** The company's books: as many fiscal years as {@link FISCAL_YEARS}, the last one open at the end of today. */
export function makeLedger(random: SeededRandom, scenario: SampleScenario, orders: readonly OrderLine[]): FiscalYear[] {
  const opening = openingBalances()
  const running = [
    ...openItemSettlements(scenario, opening),
    ...salesPostings(random, scenario, orders),
    ...purchasePostings(random, scenario, orders),
    ...costPostings(random, scenario),
  ]
  const drafts = [...running, ...vatReturns(scenario, running)]
  const years: FiscalYear[] = []
  let [balances, carried]: [Balances, VoucherDraft[]] = [opening, []]
  for (let year = yearOf(scenario.from); year < yearOf(scenario.from) + FISCAL_YEARS; year++) {
    const posted = [...carried, ...draftsOfYear(drafts, year)]
    const isOver = dayFromDate(year, 12, 31) < scenario.today
    const close = isOver ? yearEndPostings(year, closeYear(year, balances, posted)) : []
    assertBalanced([...posted, ...close])
    const closed = closeYear(year, balances, [...posted, ...close])
    years.push(closed)
    balances = closed.closing
    carried = carryForward(scenario, closed)
  }
  return years
}

function openingBalances(): Balances {
  const known = OPENING.map(([account, kronor]): [Account, number] => [account, kronor * KRONA])
  const equity = -known.reduce((sum, [, amount]) => sum + amount, 0)
  return new Map([...known, [2091, equity] as const].toSorted(([a], [b]) => a - b))
}

/** Open items of the year before are paid in its first months. */
function openItemSettlements(scenario: SampleScenario, opening: Balances): VoucherDraft[] {
  const year = yearOf(scenario.from)
  const owed = (account: Account): VoucherEntry => debit(account, -(opening.get(account) ?? 0))
  const pay = (on: [month: number, day: number], text: string, accounts: Account[]): VoucherDraft => {
    const entries = accounts.map(owed)
    const total = entries.reduce((sum, { amount }) => sum + amount, 0)
    const day = nextWorkday(dayFromDate(year, ...on))
    return { day, series: total < 0 ? 'C' : 'E', text, entries: [...entries, credit(1930, total)] }
  }
  return [
    pay([1, 12], 'Skatter och avgifter, december', [2710, 2731]),
    pay([1, 19], 'Inbetalningar, fakturor från förra året', [1510]),
    pay([1, 23], 'Betalning leverantörer, förra året', [2440]),
    pay([1, 26], 'Moms, december', [2650]),
    pay([2, 12], 'Inkomstskatt', [2512]),
    pay([3, 24], 'Revision', [2990]),
  ].filter(({ day }) => day <= scenario.today)
}

/** VAT of each whole month goes to the settlement account, and is paid (or comes back) on the 26th of the next. */
function vatReturns(scenario: SampleScenario, drafts: readonly VoucherDraft[]): VoucherDraft[] {
  return monthsBetween(scenario.from, scenario.today).flatMap(({ year, month, first, last }) => {
    if (last > scenario.today) return []
    const entries = drafts.filter(({ day }) => day >= first && day <= last).flatMap((draft) => draft.entries)
    const sum = (account: Account): number =>
      entries.reduce((total, entry) => (entry.account === account ? total + entry.amount : total), 0)
    const [out, into] = [sum(2611), sum(2641)]
    const due = out + into
    const settled: VoucherDraft = {
      day: last,
      series: 'A',
      text: 'Momsredovisning',
      entries: [debit(2611, -out), debit(2641, -into), debit(2650, due)],
    }
    const day = nextWorkday(dayFromDate(year, month + 1, 26))
    const paid: VoucherDraft = { day, series: 'E', text: 'Moms', entries: [debit(2650, -due), debit(1930, due)] }
    return day <= scenario.today ? [settled, paid] : [settled]
  })
}

/** Holiday pay, the auditor's coming bill, tax, and the year's result into equity. */
function yearEndPostings(year: number, soFar: FiscalYear): VoucherDraft[] {
  const day = dayFromDate(year, 12, 31)
  const [holiday, social, audit] = [38_400 * KRONA, Math.round(38_400 * KRONA * 0.3142), 85_000 * KRONA]
  const accruals: VoucherDraft[] = [
    {
      day,
      series: 'A',
      text: 'Semesterlöneskuld',
      entries: [debit(7290, holiday, 30), credit(2920, holiday), debit(7519, social, 30), credit(2940, social)],
    },
    { day, series: 'A', text: 'Upplupen revision', entries: [debit(6420, audit, 30), credit(2990, audit)] },
  ]
  const profit = -[...soFar.results.values()].reduce((sum, amount) => sum + amount, 0) - holiday - social - audit
  const tax = Math.max(0, Math.floor((profit * TAX_SHARE) / KRONA) * KRONA)
  const result = profit - tax
  return [
    ...accruals,
    { day, series: 'A', text: 'Skatt på årets resultat', entries: [debit(8910, tax), credit(2512, tax)] },
    { day, series: 'A', text: 'Årets resultat', entries: [debit(8999, result), credit(2099, result)] },
  ]
}

/** What a closed year leaves for the next: its result is carried, its tax and audit are paid, owners get their share. */
function carryForward(scenario: SampleScenario, closed: FiscalYear): VoucherDraft[] {
  const year = yearOf(closed.from) + 1
  const [result, tax, audit] = [
    -closingBalance(closed, 2099),
    -closingBalance(closed, 2512),
    -closingBalance(closed, 2990),
  ]
  const shared = result > 2 * DIVIDEND ? DIVIDEND : 0
  const drafts: VoucherDraft[] = [
    {
      day: dayFromDate(year, 1, 1),
      series: 'A',
      text: 'Omföring av årets resultat',
      entries: [debit(2099, result), credit(2098, result)],
    },
    {
      day: nextWorkday(dayFromDate(year, 2, 12)),
      series: 'E',
      text: 'Inkomstskatt',
      entries: [debit(2512, tax), credit(1930, tax)],
    },
    {
      day: nextWorkday(dayFromDate(year, 3, 24)),
      series: 'E',
      text: 'Revision',
      entries: [debit(2990, audit), credit(1930, audit)],
    },
    {
      day: nextWorkday(dayFromDate(year, 5, 14)),
      series: 'A',
      text: 'Resultatdisposition enligt årsstämman',
      entries: [debit(2098, result), credit(2091, result - shared), credit(2898, shared)],
    },
    {
      day: nextWorkday(dayFromDate(year, 5, 21)),
      series: 'E',
      text: 'Utdelning',
      entries: [debit(2898, shared), credit(1930, shared)],
    },
  ]
  return drafts.filter(({ day, entries }) => day <= scenario.today && entries.some(({ amount }) => amount !== 0))
}

const closingBalance = (year: FiscalYear, account: Account): number => year.closing.get(account) ?? 0
