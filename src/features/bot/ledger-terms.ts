import { cashHeld } from './ledger-cash'
import { filtered } from './model/figures/figures'
import type { GlossaryEntry } from './model/contract'
import { ledgerFigures, type AccountMeaning, type LedgerFigureKind } from '../../shared/statements/ledger-figures'
import type { DatasetProfile } from '../../shared/bot/values'
import { TERMS } from '../../shared/terms'
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

/** Parts of what was earned, in per cent: what of what, and its names. */
const MARGINS = [
  {
    name: 'Profit margin',
    over: 'resultBeforeTax',
    under: 'revenue',
    words: ['margin', 'net margin', 'net profit margin', 'marginal', 'vinstmarginal', 'nettomarginal'],
  },
  {
    name: TERMS.grossMargin,
    over: 'grossProfit',
    under: 'netSales',
    words: ['bruttomarginal', 'bruttovinstmarginal', 'tackningsgrad'],
  },
  {
    name: 'Operating margin',
    over: 'operatingResult',
    under: 'revenue',
    words: ['ebit margin', 'rorelsemarginal'],
  },
] as const satisfies readonly { name: string; over: LedgerFigureKind; under: LedgerFigureKind; words: string[] }[]
const CASH_WORDS = [
  ...['cash', 'cash balance', 'cash on hand', 'cash in hand', 'cash position', 'bank balance', 'cash and bank'],
  ...['money in the bank', 'cash in the bank', 'kassa', 'kassan', 'kassa och bank', 'likvida medel', 'likviditet'],
  ...['banksaldo', 'bankmedel', 'pengar', 'pengar i kassan', 'pengar pa banken', 'pengar pa kontot', 'money'],
]

/** A figure of one ledger by its names. */
interface LedgerWord {
  kind: string
  owner: string
  name: string
  words: readonly string[]
  definition: string
  measure: Measure
  isStanding?: true
}
interface LedgerWords {
  meaning: AccountMeaning
  sourceNames: ReadonlyMap<string, string>
  profiles: readonly DatasetProfile[]
}

/** The figures of the workspace's ledgers as words of it. Of several ledgers each figure says whose it is. */
export function ledgerTerms(datasets: readonly CatalogueDataset[], of: LedgerWords): GlossaryEntry[] {
  const words = datasets.flatMap((dataset) => wordsOf(dataset, datasets, of))
  const isOne = new Set(words.map(({ owner }) => owner)).size < 2
  return words.map(({ kind, owner, name, words: names, definition, measure, isStanding }): GlossaryEntry => {
    const others = words.filter((other) => other.kind === kind && other.measure !== measure)
    const called = [name, ...names]
    const owned = called.flatMap((word) => [`${word} of ${owner}`, `${word} for ${owner}`, `${word} i ${owner}`])
    return {
      term: isOne ? name : `${name} (${owner})`,
      // What begins as the name goes on as the name: the first is how it is asked for where there are several.
      synonyms: isOne ? called : [...owned, ...called],
      ...{ definition, measure: { ...measure, label: isOne ? name : `${name} (${owner})` } },
      elsewhere: others.map((other) => other.measure),
      ...(isStanding ? { isStanding } : {}),
    }
  })
}

function wordsOf(
  dataset: CatalogueDataset,
  datasets: readonly CatalogueDataset[],
  { meaning, sourceNames, profiles }: LedgerWords,
): LedgerWord[] {
  const seen = dataset.columns.filter(({ hidden, mask }) => !hidden && !mask)
  const figures = ledgerFigures({ id: dataset.id, columns: seen }, meaning) ?? []
  const owner = sourceNames.get(dataset.id) ?? dataset.name
  const told = figures.map(({ kind, name, measure, filters, accounts }) => ({
    ...{ kind, owner, name, words: WORDS[kind], definition: `${accounts}.`, measure: filtered(measure, filters) },
  }))
  const measureOf = (kind: LedgerFigureKind): Measure | undefined => told.find((each) => each.kind === kind)?.measure
  const margins = MARGINS.flatMap(({ name, over, under, words }): LedgerWord[] => {
    const [part, whole] = [measureOf(over), measureOf(under)]
    if (!part || !whole) return []
    const measure: Measure = { kind: 'ratio', over: part, under: whole, format: { style: 'percent' } }
    return [{ kind: name, owner, name, words, definition: `${name} of the books.`, measure }]
  })
  const held = figures.length > 0 ? cashHeld(dataset, { datasets, profiles, meaning }) : null
  const cash: LedgerWord[] = held
    ? [
        {
          ...{ kind: 'cashHeld', owner, name: 'Cash and bank', words: CASH_WORDS, measure: held, isStanding: true },
          definition: 'Opening balance of the newest fiscal year and what was posted in it.',
        },
      ]
    : []
  return [...told, ...margins, ...cash]
}
