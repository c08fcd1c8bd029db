import type { AccountRange } from '../../shared/account-classes'
import type {
  StatementAccount,
  StatementFormula,
  StatementName,
  StatementRow,
  StatementValue,
} from '../../shared/statements/statements'
import { isBalanceLine, type AccountLine, type ColumnFacts } from './books'
import type { AccountTerm, LayoutLine } from './layouts'
import { unitsText } from './units'

/** What stands in a column, in units; null: not known. */
type Amount = bigint | null

/** What a layout is filled with. */
export interface FoldInput {
  facts: readonly (ColumnFacts | null)[]
  /** By column, what the books leave open. */
  remainders: readonly (Remainder | null)[]
  lineOf: (account: string) => AccountLine
  names: ReadonlyMap<string, string>
  ranges: readonly AccountRange[]
  decimals: number
}
/** A line with its figures in units. */
export interface FoldedLine {
  layout: LayoutLine
  amounts: Amount[]
  accounts: { account: string; amounts: Amount[] }[]
}

/** Of a balance sheet, assets less equity, liabilities and the result of the year: what is not in any account. */
export interface Remainder {
  /** A result of earlier years that no entry has moved to equity. */
  carried: bigint
  /** Entries or balances that do not add up to zero. */
  difference: bigint
}

/**
 * What a balance sheet at the end of a column is short of. It is the earlier years' result where opening balances were
 * short of exactly this, or of the result of the year before; else the books do not balance.
 * @param before result of the year before as it was not closed, credit positive; null where it is not known
 */
export function remainderOf(
  facts: ColumnFacts,
  lineOf: (account: string) => AccountLine,
  { opening, before }: { opening: ReadonlyMap<string, bigint> | null; before: bigint | null },
): Remainder {
  let open = 0n
  for (const [account, { closing, yearToDate }] of facts) open += isBalanceLine(lineOf(account)) ? closing : yearToDate
  let short = 0n
  for (const [account, amount] of opening ?? []) if (isBalanceLine(lineOf(account))) short += amount
  const carried = short === open || short === before ? short : 0n
  return { carried, difference: open - carried }
}

/** Every line of a layout, in order, with its accounts. */
export function foldLines(layout: readonly LayoutLine[], input: FoldInput): FoldedLine[] {
  const byLine = accountsByLine(input)
  const known = new Map<string, Amount[]>()
  return layout.map((line) => {
    const accounts = line.of === 'accounts' ? accountAmounts(line.terms, byLine, input.facts) : []
    const amounts = input.facts.map((_, column) => amountOf(line, { column, input, accounts, known }))
    known.set(line.key, amounts)
    return { layout: line, amounts, accounts }
  })
}

interface LineContext {
  column: number
  input: FoldInput
  accounts: readonly { amounts: Amount[] }[]
  known: ReadonlyMap<string, Amount[]>
}
function amountOf(line: LayoutLine, { column, input, accounts, known }: LineContext): Amount {
  if (line.of === 'heading' || input.facts[column] === null) return null
  if (line.of === 'accounts') return accounts.reduce((sum, { amounts }) => sum + (amounts[column] ?? 0n), 0n)
  if (line.of === 'lines')
    return line.terms.reduce((sum, { key, sign }) => sum + BigInt(sign) * (known.get(key)?.[column] ?? 0n), 0n)
  return input.remainders[column]?.[line.of] ?? 0n
}

function accountsByLine({ facts, lineOf }: FoldInput): Map<AccountLine, string[]> {
  const byLine = new Map<AccountLine, string[]>()
  const accounts = new Set(facts.flatMap((column) => [...(column?.keys() ?? [])]))
  for (const account of [...accounts].toSorted()) {
    const line = lineOf(account)
    const own = byLine.get(line)
    if (own) own.push(account)
    else byLine.set(line, [account])
  }
  return byLine
}

function accountAmounts(
  terms: readonly AccountTerm[],
  byLine: ReadonlyMap<AccountLine, string[]>,
  facts: readonly (ColumnFacts | null)[],
): { account: string; amounts: Amount[] }[] {
  return terms
    .flatMap(({ line, of, sign }) =>
      (byLine.get(line) ?? []).map((account) => ({
        account,
        amounts: facts.map((column) => (column === null ? null : BigInt(sign) * (column.get(account)?.[of] ?? 0n))),
      })),
    )
    .filter(({ amounts }) => amounts.some((amount) => amount !== null && amount !== 0n))
}

const isUsed = ({ amounts, accounts }: FoldedLine): boolean =>
  accounts.length > 0 || amounts.some((amount) => amount !== null && amount !== 0n)

/** Lines as they are sent: unused ones that may be missing are left out, headings without lines too. */
export function toRows(folded: readonly FoldedLine[], input: Omit<FoldInput, 'facts' | 'remainders'>): StatementRow[] {
  const used = folded.filter((line) => line.layout.onlyWhenUsed !== true || isUsed(line))
  const isThere = (key: string): boolean => used.some(({ layout }) => layout.key === key)
  const shown = used.filter(({ layout: { onlyBeside } }) => onlyBeside === undefined || onlyBeside.some(isThere))
  const labels = new Map(folded.map(({ layout }) => [layout.key, layout.label]))
  const keys = new Set(shown.map(({ layout }) => layout.key))
  const text = (amount: Amount): StatementValue => (amount === null ? null : unitsText(amount, input.decimals))
  return shown.map(({ layout, amounts, accounts }): StatementRow => {
    const { key, label, level, style, from } = layout
    const toAccount = ({ account, amounts: own }: (typeof accounts)[number]): StatementAccount => ({
      ...{ account, name: input.names.get(account) ?? null, values: own.map(text) },
    })
    return {
      ...{ key, label, level, style, format: 'money', values: amounts.map(text) },
      ...(layout.of === 'accounts' && from === undefined ? { accounts: accounts.map(toAccount) } : {}),
      how: formulaOf(layout, { labels, ranges: input.ranges, keys }),
    }
  })
}

export const DIFFERENCE_WORDS: StatementName = {
  en: 'Entries or balances that do not add up to zero',
  sv: 'Verifikationer eller saldon som inte går jämnt upp',
}
export const CARRIED_WORDS: StatementName = {
  en: 'Result of earlier years that no entry has moved to an equity account',
  sv: 'Tidigare års resultat som inte har bokförts om till eget kapital',
}

function formulaOf(
  layout: LayoutLine,
  { labels, ranges, keys }: { labels: Map<string, StatementName>; ranges: readonly AccountRange[]; keys: Set<string> },
): StatementFormula {
  if (layout.from) return { kind: 'words', text: layout.from }
  switch (layout.of) {
    case 'heading':
      return { kind: 'heading' }
    case 'carried':
      return { kind: 'words', text: CARRIED_WORDS }
    case 'difference':
      return { kind: 'words', text: DIFFERENCE_WORDS }
    case 'lines':
      return {
        kind: 'lines',
        terms: layout.terms
          .filter(({ key }) => keys.has(key))
          .map(({ key, sign }) => ({ key, sign, label: labels.get(key) ?? { en: key, sv: key } })),
      }
    case 'accounts': {
      const [term] = layout.terms
      const of = term?.of === 'closing' || term?.of === 'opening' ? term.of : 'change'
      return { kind: 'accounts', ranges: rangesText(layout.terms, ranges), of, flipped: term?.sign === -1 }
    }
  }
}

/** `3000–3799, 3900–3999`; '' for accounts in no range. */
function rangesText(terms: readonly AccountTerm[], ranges: readonly AccountRange[]): string {
  const lines = new Set<string>(terms.map(({ line }) => line))
  return ranges
    .filter(({ line }) => lines.has(line))
    .map(({ from, to }) => (from === to ? String(from) : `${from}–${to}`))
    .join(', ')
}
