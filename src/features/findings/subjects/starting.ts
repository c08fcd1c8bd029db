import type { Field, Filter, Measure } from '../../../shared/query'
import type { Column } from '../../../shared/sources'
import type { CatalogueDataset } from '../../../warehouse/contract'

/** A figure worth looking at in a dataset for which nobody has said what matters. */
export interface DefaultMeasure {
  label: string
  measure: Measure
  filters: Filter[]
  time: Field
  direction: 'up' | 'down' | 'none'
}

/** Figures that do not add up: prices for one piece, shares, ages, places. */
const NON_ADDITIVE_NAMES =
  /(^|[^\p{L}])(pris|price|rate|kurs|procent|percent|share|andel|rabatt|discount|unit|average|avg|snitt|medel|lat|latitude|lon|lng|longitude|year|år|age|ålder|score|betyg|temperature|margin|marginal|saldo|balance|row|rad)([^\p{L}]|$)|%/iu
const MAIN_AMOUNT_NAMES =
  /(^|[^\p{L}])(amount|belopp|summa|sum|total|totalt|sales|försäljning|revenue|omsättning|net|netto|value|värde|turnover)([^\p{L}]|$)/iu
const DEFAULT_MEASURES_MAX = 3

export const timeColumn = (columns: readonly Column[]): Column | undefined =>
  columns.find(({ type, role, hidden }) => !hidden && role === 'time' && (type === 'date' || type === 'datetime'))

/** Amounts of a dataset over its time column; of a ledger's entries the result, the turnover and classes of costs. */
export function defaultMeasures({ id, name, columns }: CatalogueDataset): DefaultMeasure[] {
  const time = timeColumn(columns)
  if (!time) return []
  const field = ({ key }: Column): Field => ({ dataset: id, column: key })
  const labels = new Map(columns.map((column) => [column.label, column]))
  if (labels.has('account_key') || labels.has('fiscal_year')) return ledgerMeasures(labels, { time, field })
  const sums = columns
    .filter(({ type, role, hidden }) => !hidden && role === 'measure' && (type === 'number' || type === 'integer'))
    .filter(({ label }) => !NON_ADDITIVE_NAMES.test(label.replaceAll('_', ' ')))
    .toSorted((a, b) => Number(MAIN_AMOUNT_NAMES.test(b.label)) - Number(MAIN_AMOUNT_NAMES.test(a.label)))
    .slice(0, DEFAULT_MEASURES_MAX)
  const shared = { filters: [], time: field(time), direction: 'none' as const }
  if (sums.length === 0)
    return [{ label: `Rows of ${name}`, measure: { kind: 'column', agg: 'count', dataset: id }, ...shared }]
  return sums.map((column) => ({
    label: column.label,
    measure: { kind: 'column', agg: 'sum', field: field(column), label: column.label },
    ...shared,
  }))
}

/** First and last account, and how it is called; in the books income is negative. */
const LEDGER_MEASURES = [
  { label: 'Result', from: '3000', to: '8799', sign: -1, direction: 'up' },
  { label: 'Turnover', from: '3000', to: '3999', sign: -1, direction: 'up' },
  { label: 'Cost of goods', from: '4000', to: '4999', sign: 1, direction: 'down' },
  { label: 'Other external costs', from: '5000', to: '6999', sign: 1, direction: 'down' },
  { label: 'Staff costs', from: '7000', to: '7699', sign: 1, direction: 'down' },
] as const

function ledgerMeasures(
  labels: ReadonlyMap<string, Column>,
  { time, field }: { time: Column; field: (column: Column) => Field },
): DefaultMeasure[] {
  const [account, amount] = [labels.get('account'), labels.get('amount')]
  if (!labels.has('voucher_key') || !account || !amount) return []
  return LEDGER_MEASURES.map(({ label, from, to, sign, direction }) => ({
    label,
    measure:
      sign === 1
        ? { kind: 'column', agg: 'sum', field: field(amount), label }
        : {
            kind: 'expression',
            agg: 'sum',
            label,
            row: {
              kind: 'binary',
              op: 'multiply',
              left: { kind: 'field', field: field(amount) },
              right: { kind: 'number', value: -1 },
            },
          },
    filters: [{ field: field(account), any: [{ op: 'between', from, to }] }],
    time: field(time),
    direction,
  }))
}
