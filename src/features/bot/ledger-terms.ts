import { filtered } from './model/figures/figures'
import type { GlossaryEntry } from './model/contract'
import { ledgerFigures, type AccountMeaning, type LedgerFigureKind } from '../../shared/statements/ledger-figures'
import type { Measure } from '../../shared/query/plan'
import type { CatalogueDataset } from '../../warehouse/contract'

/** What people call the figures of a ledger besides their names on its statements, in English and Swedish, folded. */
const WORDS: Readonly<Record<LedgerFigureKind, readonly string[]>> = {
  revenue: ['revenues', 'turnover', 'income', 'sales', 'omsattning', 'intakter', 'intakt', 'forsaljning'],
  netSales: ['nettoomsattning'],
  goods: ['cogs', 'cost of sales', 'kostnad salda varor', 'kostnad for salda varor', 'varukostnad', 'varukostnader'],
  grossProfit: ['bruttovinst', 'bruttoresultat', 'tackningsbidrag'],
  personnel: [
    ...['personnel costs', 'personnel cost', 'staff costs', 'staff cost', 'payroll', 'payroll costs', 'salary costs'],
    ...['personalkostnader', 'personalkostnad', 'lonekostnader', 'lonekostnad'],
  ],
  external: [
    ...['external expenses', 'external costs', 'overheads', 'overhead costs'],
    ...['externa kostnader', 'ovriga externa kostnader', 'ovriga kostnader'],
  ],
  depreciation: ['depreciations', 'avskrivning', 'avskrivningar'],
  costs: ['costs', 'cost', 'expenses', 'operating costs', 'total costs', 'kostnader', 'kostnad', 'rorelsekostnader'],
  operatingResult: ['ebit', 'operating result', 'rorelseresultat', 'rorelseresultatet'],
  resultBeforeTax: ['profit', 'result', 'earnings', 'resultat', 'vinst', 'resultat efter finansiella poster'],
  cash: ['kassaflode', 'cashflow'],
}

/** The figures of the workspace's ledgers as words of it. Of several ledgers each figure says whose it is. */
export function ledgerTerms(
  datasets: readonly CatalogueDataset[],
  { meaning, sourceNames }: { meaning: AccountMeaning; sourceNames: ReadonlyMap<string, string> },
): GlossaryEntry[] {
  const ledgers = datasets.flatMap(({ id, name, columns }) => {
    const seen = columns.filter(({ hidden, mask }) => !hidden && !mask)
    const figures = ledgerFigures({ id, columns: seen }, meaning) ?? []
    return figures.length > 0 ? [{ owner: sourceNames.get(id) ?? name, figures }] : []
  })
  const entries = ledgers.flatMap(({ owner, figures }) =>
    figures.map(({ kind, name, measure, filters, accounts }) => {
      const label = ledgers.length > 1 ? `${name} (${owner})` : name
      const held: Measure = { ...filtered(measure, filters), label }
      return { kind, term: label, synonyms: [name, ...WORDS[kind]], definition: `${accounts}.`, measure: held }
    }),
  )
  return entries.map(({ kind, ...entry }): GlossaryEntry => {
    const others = entries.filter((other) => other.kind === kind && other.measure !== entry.measure)
    return { ...entry, elsewhere: others.map(({ measure }) => measure) }
  })
}
