import { dayFromDate, isoFromDay, yearOf, type DayNumber } from './days'

/** The accounts that the company uses, by the Swedish BAS plan. */
export const ACCOUNTS = {
  1220: 'Inventarier och verktyg',
  1229: 'Ackumulerade avskrivningar på inventarier och verktyg',
  1460: 'Lager av handelsvaror',
  1510: 'Kundfordringar',
  1930: 'Företagskonto',
  2081: 'Aktiekapital',
  2091: 'Balanserad vinst',
  2098: 'Vinst från föregående år',
  2099: 'Årets resultat',
  2350: 'Banklån',
  2440: 'Leverantörsskulder',
  2512: 'Beräknad inkomstskatt',
  2611: 'Utgående moms, 25 %',
  2641: 'Debiterad ingående moms',
  2650: 'Redovisningskonto för moms',
  2710: 'Personalskatt',
  2731: 'Avräkning lagstadgade sociala avgifter',
  2898: 'Outtagen vinstutdelning',
  2920: 'Upplupna semesterlöner',
  2940: 'Upplupna sociala avgifter',
  2990: 'Övriga upplupna kostnader',
  3001: 'Försäljning varor inom Sverige, 25 % moms',
  3105: 'Försäljning varor till land utanför EU',
  3108: 'Försäljning varor till annat EU-land, momsfri',
  4010: 'Inköp av varor',
  4960: 'Förändring av lager av handelsvaror',
  5010: 'Lokalhyra',
  5020: 'El för belysning och värme',
  5070: 'Reparation och underhåll av lokaler',
  5410: 'Förbrukningsinventarier',
  5611: 'Drivmedel för personbilar',
  5615: 'Leasing av personbilar',
  5710: 'Frakter, transporter och försäkringar vid varudistribution',
  5910: 'Annonsering',
  6110: 'Kontorsmateriel',
  6212: 'Mobiltelefon',
  6310: 'Företagsförsäkringar',
  6420: 'Ersättningar till revisor',
  6540: 'IT-tjänster',
  6570: 'Bankkostnader',
  7010: 'Löner till kollektivanställda',
  7210: 'Löner till tjänstemän',
  7290: 'Förändring av semesterlöneskuld',
  7510: 'Lagstadgade sociala avgifter',
  7519: 'Sociala avgifter för semester- och löneskulder',
  7832: 'Avskrivningar på inventarier och verktyg',
  8410: 'Räntekostnader för långfristiga skulder',
  8910: 'Skatt som belastar årets resultat',
  8999: 'Årets resultat',
} as const
export type Account = keyof typeof ACCOUNTS

export const ACCOUNT_NUMBERS: readonly Account[] = Object.keys(ACCOUNTS).flatMap((key) => {
  const number = Number(key)
  return isAccount(number) ? [number] : []
})
function isAccount(number: number): number is Account {
  return Object.hasOwn(ACCOUNTS, number)
}

/** Balance accounts carry over into the next year, result accounts begin at nothing. */
const isBalanceAccount = (account: Account): boolean => account < 3000

/** T = asset, S = debt, I = income, K = cost: the letters of the SIE format. */
export function accountType(account: Account): 'T' | 'S' | 'I' | 'K' {
  if (account < 2000) return 'T'
  if (account < 3000) return 'S'
  return account < 4000 ? 'I' : 'K'
}

/** One row of a voucher. Öre; debit is positive. */
export interface VoucherEntry {
  account: Account
  amount: number
  /** Object of dimension 1. */
  costCentre?: CostCentre
}
export const COST_CENTRES = { 10: 'Försäljning', 20: 'Lager', 30: 'Administration' } as const
export type CostCentre = keyof typeof COST_CENTRES

/** Series of vouchers and what they hold. */
const SERIES = {
  A: 'Manuella',
  B: 'Kundfakturor',
  C: 'Inbetalningar',
  D: 'Leverantörsfakturor',
  E: 'Utbetalningar',
  L: 'Löner',
}
type VoucherSeries = keyof typeof SERIES

/** A voucher before it has its number. */
export interface VoucherDraft {
  day: DayNumber
  series: VoucherSeries
  text: string
  entries: VoucherEntry[]
}
export interface Voucher extends VoucherDraft {
  number: number
}
export type Balances = ReadonlyMap<Account, number>

/** One fiscal year: balances at its start and end in öre, and everything posted between. */
export interface FiscalYear {
  from: DayNumber
  to: DayNumber
  opening: Balances
  vouchers: Voucher[]
  /** Balance accounts at the end of the last day that is posted. */
  closing: Balances
  /** Result accounts over the year. */
  results: Balances
}

export const debit = (account: Account, amount: number, costCentre?: CostCentre): VoucherEntry => ({
  account,
  amount,
  ...(costCentre === undefined ? {} : { costCentre }),
})
export const credit = (account: Account, amount: number): VoucherEntry => debit(account, -amount)

/** Rounded to whole öre. */
export const vatOf = (net: number): number => Math.round(net / 4)

/** Adds entries to a copy of balances. */
function withEntries(balances: Balances, entries: readonly VoucherEntry[]): Map<Account, number> {
  const sums = new Map(balances)
  for (const { account, amount } of entries) sums.set(account, (sums.get(account) ?? 0) + amount)
  return sums
}

/** Closes a year: numbers its vouchers by series in order of date, and adds up. */
export function closeYear(year: number, opening: Balances, drafts: readonly VoucherDraft[]): FiscalYear {
  const last = new Map<VoucherSeries, number>()
  const vouchers = drafts
    .toSorted((a, b) => a.day - b.day)
    .map((draft) => {
      const number = (last.get(draft.series) ?? 0) + 1
      last.set(draft.series, number)
      return { ...draft, number }
    })
  const end = withEntries(
    opening,
    vouchers.flatMap(({ entries }) => entries),
  )
  const of = (wanted: boolean): Balances =>
    new Map([...end].filter(([account]) => isBalanceAccount(account) === wanted).toSorted(([a], [b]) => a - b))
  return {
    from: dayFromDate(year, 1, 1),
    to: dayFromDate(year, 12, 31),
    opening,
    vouchers,
    closing: of(true),
    results: of(false),
  }
}

/** A sentence for whoever made a posting that does not add up: it can only be a fault of this room. */
export function assertBalanced(drafts: readonly VoucherDraft[]): void {
  const wrong = drafts.find(({ entries }) => entries.reduce((sum, { amount }) => sum + amount, 0) !== 0)
  if (wrong) throw new Error(`The voucher "${wrong.text}" of ${isoFromDay(wrong.day)} does not balance.`)
}

export const draftsOfYear = (drafts: readonly VoucherDraft[], year: number): VoucherDraft[] =>
  drafts.filter(({ day }) => yearOf(day) === year)
