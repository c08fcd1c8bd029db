import type {
  StatementColumn,
  StatementColumnKind,
  StatementName,
  StatementRow,
} from '../../shared/statements/statements'
import type { ColumnFacts, AccountFact } from './books'
import { CARRIED_WORDS, DIFFERENCE_WORDS } from './fold-lines'
import { CARRIED, DIFFERENCE } from './layouts'
import { monthText, type Span } from './months'
import { unitsText } from './units'

/** Classes of the BAS chart of accounts. */
const CLASSES: Readonly<Record<string, StatementName>> = {
  1: { en: '1 Assets', sv: '1 Tillgångar' },
  2: { en: '2 Equity and liabilities', sv: '2 Eget kapital och skulder' },
  3: { en: '3 Operating income', sv: '3 Rörelsens inkomster' },
  4: { en: '4 Cost of goods sold', sv: '4 Varor, material och köpta tjänster' },
  5: { en: '5 Other external expenses', sv: '5 Övriga externa kostnader' },
  6: { en: '6 Other external expenses', sv: '6 Övriga externa kostnader' },
  7: { en: '7 Personnel and depreciation', sv: '7 Personal och avskrivningar' },
  8: { en: '8 Financial items, tax and result', sv: '8 Finansiella poster, skatt och resultat' },
  9: { en: '9 Other accounts', sv: '9 Övriga konton' },
}
const OTHER: StatementName = { en: 'Other accounts', sv: 'Övriga konton' }
const SUMS: StatementName = { en: 'Total', sv: 'Summa' }

type TrialFigure = (fact: AccountFact) => bigint | null
const FIGURES: Readonly<Partial<Record<StatementColumnKind, TrialFigure>>> = {
  opening: ({ opening }) => opening,
  debit: ({ debit }) => debit,
  credit: ({ debit, change }) => (debit === null ? null : debit - change),
  change: ({ change }) => change,
  closing: ({ closing }) => closing,
}

/** Opening balance, debit, credit and closing balance of each account; the change where debits are not known. */
export function trialColumns(span: Span, facts: ColumnFacts | null): StatementColumn[] {
  const hasSides = [...(facts?.values() ?? [])].every(({ debit }) => debit !== null)
  const kinds: StatementColumnKind[] = hasSides
    ? ['opening', 'debit', 'credit', 'closing']
    : ['opening', 'change', 'closing']
  const text = { from: monthText(span.from), to: monthText(span.to) }
  return kinds.map((kind) => ({ key: kind, kind, group: '0', span: text, total: false }))
}

/** Accounts by class, each class with its sum, and the sum of all: 0 in books that balance. */
export function trialRows(
  columns: readonly StatementColumn[],
  facts: ColumnFacts | null,
  { names, decimals }: { names: ReadonlyMap<string, string>; decimals: number },
): StatementRow[] {
  const used = [...(facts ?? [])].filter(
    ([, { opening, change, debit, closing }]) =>
      opening !== 0n || change !== 0n || closing !== 0n || (debit ?? 0n) !== 0n,
  )
  const values = (own: readonly AccountFact[]) =>
    columns.map(({ kind }) => {
      const amounts = own.map((fact) => FIGURES[kind]?.(fact) ?? null)
      if (amounts.includes(null)) return null
      return unitsText(
        amounts.reduce<bigint>((sum, amount) => sum + (amount ?? 0n), 0n),
        decimals,
      )
    })
  const classOf = (account: string): string => (/^[1-9]/.test(account) ? account.charAt(0) : '')
  const classes = [...new Set(used.map(([account]) => classOf(account)))].toSorted((a, b) =>
    (a || 'z').localeCompare(b || 'z'),
  )
  const rows = classes.map((digit): StatementRow => {
    const own = used.filter(([account]) => classOf(account) === digit).toSorted(([a], [b]) => a.localeCompare(b))
    return {
      ...{ key: `class${digit}`, label: CLASSES[digit] ?? OTHER, level: 0, style: 'subtotal', format: 'money' },
      values: values(own.map(([, fact]) => fact)),
      accounts: own.map(([account, fact]) => ({ account, name: names.get(account) ?? null, values: values([fact]) })),
      how: { kind: 'accounts', ranges: digit === '' ? '' : `${digit}000–${digit}999`, of: 'change', flipped: false },
    }
  })
  const total: StatementRow = {
    ...{ key: 'total', label: SUMS, level: 0, style: 'total', format: 'money' },
    values: values(used.map(([, fact]) => fact)),
    how: { kind: 'lines', terms: rows.map(({ key, label }) => ({ key, sign: 1, label })) },
  }
  return [...rows, total]
}

/** Under a sum that is not 0: what of it is a result of earlier years that no entry moved to equity, and what is not. */
export function trialRemainders(
  columns: readonly StatementColumn[],
  facts: ColumnFacts | null,
  { carried, decimals }: { carried: bigint; decimals: number },
): StatementRow[] {
  const sum = (kind: StatementColumnKind): bigint =>
    [...(facts?.values() ?? [])].reduce((total, fact) => total + (FIGURES[kind]?.(fact) ?? 0n), 0n)
  const isBalance = (kind: StatementColumnKind): boolean => kind === 'opening' || kind === 'closing'
  const memo = (
    { key, label }: typeof CARRIED,
    text: StatementName,
    amountOf: (kind: StatementColumnKind) => bigint,
  ): StatementRow[] => {
    const amounts = columns.map(({ kind }) => (isBalance(kind) ? amountOf(kind) : null))
    if (!amounts.some((amount) => amount !== null && amount !== 0n)) return []
    const values = amounts.map((amount) => (amount === null ? null : unitsText(amount, decimals)))
    return [{ key, label, values, level: 0, style: 'memo', format: 'money', how: { kind: 'words', text } }]
  }
  return [
    ...memo(CARRIED, CARRIED_WORDS, () => carried),
    ...memo(DIFFERENCE, DIFFERENCE_WORDS, (kind) => sum(kind) - carried),
  ]
}
