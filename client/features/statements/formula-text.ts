import type {
  StatementColumnKind,
  StatementFormula,
  StatementLanguage,
} from '../../../src/shared/statements/statements'

const FIGURES = { change: 'Sum of entries', closing: 'Closing balance', opening: 'Opening balance' } as const
/** Of columns that say by themselves which figure of their accounts they show. */
const OF_COLUMNS: Partial<Record<StatementColumnKind, string>> = {
  budget: 'Budget',
  opening: 'Opening balance',
  debit: 'Debit',
  credit: 'Credit',
  closing: 'Closing balance',
}
const DERIVED: Partial<Record<StatementColumnKind, string>> = {
  lastYearChange: 'Actual − Last year',
  lastYearPercent: '(Actual − Last year) / Last year',
  budgetVariance: 'Actual − Budget',
  budgetPercent: '(Actual − Budget) / Budget',
}

/** How a figure is worked out, in a line. */
export function formulaText(
  formula: StatementFormula,
  { language, kind }: { language: StatementLanguage; kind: StatementColumnKind },
): string {
  const derived = DERIVED[kind]
  if (derived !== undefined) return derived
  switch (formula.kind) {
    case 'heading':
      return ''
    case 'words':
      return formula.text[language]
    case 'lines':
      return formula.terms
        .map(({ sign, label }, at) => `${sign < 0 ? '− ' : at > 0 ? '+ ' : ''}${label[language]}`)
        .join(' ')
    case 'accounts': {
      const what = OF_COLUMNS[kind] ?? FIGURES[formula.of]
      const accounts = formula.ranges === '' ? 'accounts on no line' : `accounts ${formula.ranges}`
      return `${what} of ${accounts}${formula.flipped ? ', credit shown as positive' : ''}`
    }
  }
}
