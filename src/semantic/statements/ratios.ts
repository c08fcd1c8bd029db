import { TERMS } from '../../shared/terms'
import type { LineFormat, StatementName, StatementRow } from '../../shared/statements/statements'
import type { FoldedLine } from './fold-lines'
import type { Span } from './months'
import { firstDayOf, lastDayOf } from './months'
import { dayFromIso } from '../../shared/dates'
import { unitsNumber, unitsText } from './units'

/** A line of the profit and loss (`income`) or of the balance sheet, taken so many times. */
interface RatioTerm {
  in: 'income' | 'balance'
  key: string
  times: number
}
interface Ratio {
  key: string
  label: StatementName
  format: LineFormat
  over: RatioTerm[]
  /** Null: an amount, as it is or per month. */
  under: RatioTerm[] | null
  /** What a share is multiplied or an amount divided by. */
  per?: 'days' | 'months'
  how: StatementName
}
const income = (key: string, times = 1): RatioTerm => ({ in: 'income', key, times })
const balance = (key: string, times = 1): RatioTerm => ({ in: 'balance', key, times })

/** Of untaxed reserves, the part that is equity: less corporate tax of 20.6 % (Sweden, since 2021). */
const EQUITY_OF_RESERVES = 0.794

const SHORT_DEBT = [balance('payables'), balance('shortDebt')]
const RATIOS: readonly Ratio[] = [
  {
    ...{ key: 'grossMargin', label: { en: TERMS.grossMargin, sv: 'Bruttomarginal' }, format: 'percent' },
    ...{ over: [income('grossProfit')], under: [income('netSales')] },
    how: { en: 'Gross profit / Net sales', sv: 'Bruttovinst / Nettoomsättning' },
  },
  {
    ...{ key: 'operatingMargin', label: { en: 'Operating margin', sv: 'Rörelsemarginal' }, format: 'percent' },
    ...{ over: [income('operatingResult')], under: [income('netSales')] },
    how: { en: 'Operating profit (EBIT) / Net sales', sv: 'Rörelseresultat / Nettoomsättning' },
  },
  {
    ...{ key: 'netMargin', label: { en: 'Net margin', sv: 'Nettomarginal' }, format: 'percent' },
    ...{ over: [income('netResult')], under: [income('netSales')] },
    how: { en: 'Net profit / Net sales', sv: 'Årets resultat / Nettoomsättning' },
  },
  {
    ...{ key: 'resultPerMonth', label: { en: 'Net profit per month', sv: 'Resultat per månad' }, format: 'money' },
    ...{ over: [income('netResult')], under: null, per: 'months' },
    how: { en: 'Net profit / months of the period', sv: 'Årets resultat / periodens månader' },
  },
  {
    ...{ key: 'equityRatio', label: { en: 'Equity ratio', sv: 'Soliditet' }, format: 'percent' },
    ...{ over: [balance('totalEquity'), balance('untaxed', EQUITY_OF_RESERVES)], under: [balance('assets')] },
    how: {
      en: '(Total equity + 79.4 % of untaxed reserves) / Total assets',
      sv: '(Summa eget kapital + 79,4 % av obeskattade reserver) / Summa tillgångar',
    },
  },
  {
    ...{ key: 'quickRatio', label: { en: 'Quick ratio', sv: 'Kassalikviditet' }, format: 'percent' },
    ...{ over: [balance('currentAssets'), balance('inventory', -1)], under: SHORT_DEBT },
    how: {
      en: '(Total current assets − Inventory) / Short-term liabilities',
      sv: '(Summa omsättningstillgångar − Varulager) / Kortfristiga skulder',
    },
  },
  {
    ...{ key: 'workingCapital', label: { en: 'Working capital', sv: 'Rörelsekapital' }, format: 'money' },
    ...{ over: [balance('currentAssets'), balance('payables', -1), balance('shortDebt', -1)], under: null },
    how: {
      en: 'Total current assets − Short-term liabilities',
      sv: 'Summa omsättningstillgångar − Kortfristiga skulder',
    },
  },
  {
    ...{
      key: 'dso',
      label: { en: 'Days sales outstanding (DSO)', sv: 'Kredittid kunder (DSO), dagar' },
      format: 'days',
    },
    ...{ over: [balance('receivables')], under: [income('netSales')], per: 'days' },
    how: {
      en: 'Trade receivables (incl. VAT) / Net sales × days of the period',
      sv: 'Kundfordringar (inkl. moms) / Nettoomsättning × periodens dagar',
    },
  },
  {
    ...{
      key: 'dpo',
      label: { en: 'Days payable outstanding (DPO)', sv: 'Kredittid leverantörer (DPO), dagar' },
      format: 'days',
    },
    ...{ over: [balance('payables')], under: [income('goods', -1), income('external', -1)], per: 'days' },
    how: {
      en: 'Trade payables (incl. VAT) / (Cost of goods sold + Other external expenses) × days of the period',
      sv: 'Leverantörsskulder (inkl. moms) / (Råvaror och handelsvaror + Övriga externa kostnader) × periodens dagar',
    },
  },
]

/** Key ratios of each column, from the lines of its profit and loss and balance sheet. */
export function ratioRows(
  lines: { income: readonly FoldedLine[]; balance: readonly FoldedLine[] },
  spans: readonly Span[],
  decimals: number,
): StatementRow[] {
  const amounts = {
    income: new Map(lines.income.map(({ layout, amounts: own }) => [layout.key, own])),
    balance: new Map(lines.balance.map(({ layout, amounts: own }) => [layout.key, own])),
  }
  const total = (terms: readonly RatioTerm[], column: number): number | null => {
    let sum = 0
    for (const term of terms) {
      const amount = amounts[term.in].get(term.key)?.[column] ?? null
      if (amount === null) return null
      sum += unitsNumber(amount) * term.times
    }
    return sum
  }
  return RATIOS.map(({ key, label, format, over, under, per, how }): StatementRow => ({
    ...{ key, label, format, level: 0, style: 'line', how: { kind: 'words', text: how } },
    values: spans.map((span, column) => {
      const above = total(over, column)
      const factor = per === 'days' ? daysOf(span) : 1
      if (above === null) return null
      if (under === null) return moneyText(per === 'months' ? above / (span.to - span.from + 1) : above, decimals)
      const below = total(under, column)
      // Days are of sales or costs. Nothing outstanding beside them is no days, which is a figure like any other.
      if (below === null || below === 0 || (per === 'days' && below < 0)) return null
      return ((above / below) * factor).toFixed(6)
    }),
  }))
}

const daysOf = ({ from, to }: Span): number =>
  (dayFromIso(lastDayOf(to)) ?? 0) - (dayFromIso(firstDayOf(from)) ?? 0) + 1
const moneyText = (amount: number, decimals: number): string =>
  unitsText(BigInt(Math.round(amount * 100)) * 100n, decimals)
