import { humanizeLabel, lowerFirst } from '../../../../shared/text'
import { TERMS } from '../../../../shared/terms'
import { isOfBooks } from '../schema/ledger'
import { schemaOf, type SchemaColumn, type SchemaDataset } from '../schema/schema'
import { moneyColumn } from '../schema/money'
import type { Vocabulary } from '../contract'

const STARTERS_MAX = 6
const FEW_VALUES = { least: 2, most: 60 }

const labelOf = ({ source }: SchemaColumn): string => lowerFirst(humanizeLabel(source.label))
const nameOf = ({ source }: SchemaDataset): string => lowerFirst(humanizeLabel(source.name))
/** Columns that sort rows into a few kinds. */
const kindsOf = ({ columns }: SchemaDataset): SchemaColumn[] =>
  columns.filter(
    ({ isText, isKey, isUnique, source }) =>
      isText &&
      !isKey &&
      !isUnique &&
      (source.distinct ?? 0) >= FEW_VALUES.least &&
      (source.distinct ?? 0) <= FEW_VALUES.most,
  )

/** An amount that adds up: what one piece costs does not. */
function amountOf(table: SchemaDataset): SchemaColumn | undefined {
  const money = moneyColumn(table)
  return money?.isAdditive === true ? money : undefined
}

/** Questions to begin with, made of what is there: metrics first, then the tables with amounts. */
export function starterQuestions(vocabulary: Vocabulary): string[] {
  const schema = schemaOf(vocabulary)
  const metrics = vocabulary.metrics.slice(0, 2).flatMap(({ name, dataset, time }) => {
    const table = schema.dataset(dataset)
    const [kind] = table ? kindsOf(table) : []
    return [...(time ? [`${name} by month`] : []), ...(kind ? [`${name} by ${labelOf(kind)}`] : [])]
  })
  const tables = schema.datasets
    .filter((table) => !isOfBooks(table))
    .toSorted((a, b) => Number(amountOf(b) !== undefined) - Number(amountOf(a) !== undefined))
    .flatMap((table) => {
      const money = amountOf(table)
      const [kind] = kindsOf(table)
      const isDated = table.columns.some(({ isDate }) => isDate)
      return [
        ...(money && isDated ? [`Total ${labelOf(money)} by month`] : []),
        ...(money && kind ? [`Total ${labelOf(money)} by ${labelOf(kind)}`] : []),
        ...(kind ? [`How many ${nameOf(table)} are there by ${labelOf(kind)}?`] : []),
      ]
    })
  return [...new Set([...metrics, ...bookQuestions(vocabulary).slice(0, BOOKS_MAX), ...tables])].slice(0, STARTERS_MAX)
}

const BOOKS_MAX = 3
/** How the figures of books are asked for first: what came in, what it was spent on, what is left. */
const OF_BOOKS: readonly (readonly [name: string, split: string])[] = [
  [TERMS.revenue, 'by month'],
  ['Operating expenses', 'by account'],
  [TERMS.profitAfterFinancialItems, 'by month'],
  ['Cash flow', 'by month'],
]
/** Questions about ledgers, of whose entries a plain sum is nothing; none where the workspace has none. */
export function bookQuestions({ books = [] }: Vocabulary): string[] {
  return OF_BOOKS.flatMap(([name, split]) =>
    books.flatMap(({ term, synonyms }) =>
      term === name || term.startsWith(`${name} (`) ? [`${term === name ? name : (synonyms[0] ?? name)} ${split}`] : [],
    ),
  )
}
