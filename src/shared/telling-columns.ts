import type { Column } from './sources'

/** Which columns of a table a business would look at first, judged by their type, role and name. */
const MEASURES_ASKED = 3
const SPLITS_ASKED = 5
const wordsOf = (label: string): string => ` ${label.toLowerCase().replaceAll(/[^\p{L}\d%]+/gu, ' ')} `

/** Figures that do not add up: prices for one piece, shares, ages, places. */
const NO_SUM =
  / (pris|price|apris|rate|kurs|procent|percent|%|share|andel|rabatt|discount|unit|per|average|avg|snitt|medel|lat|latitude|lon|lng|longitude|year|år|age|ålder|score|betyg|temperature|margin|marginal|saldo|balance|row|rad) /
const MAIN =
  / (amount|belopp|summa|sum|total|totalt|sales|försäljning|revenue|omsättning|net|netto|value|värde|turnover) /
const COST = / (cost|costs|kostnad|kostnader|inköp|inköpspris|varukostnad|cogs) /

/** By its name, what was paid or earned as a whole. */
export const isMain = ({ label }: Pick<Column, 'label'>): boolean => MAIN.test(wordsOf(label))
/** By its name, what something cost. */
export const isCost = ({ label }: Pick<Column, 'label'>): boolean => COST.test(wordsOf(label))

/** The column that says when. */
export const timeColumn = (columns: readonly Column[]): Column | undefined =>
  columns.find(({ type, role, hidden }) => !hidden && role === 'time' && (type === 'date' || type === 'datetime'))

/** Figures that can be added up, what a business would look at first standing first. */
export function sumColumns(columns: readonly Column[]): Column[] {
  const rank = (column: Column): number =>
    (isMain(column) ? 2 : 0) + (column.format.style === 'currency' ? 1 : 0) - (isCost(column) ? 4 : 0)
  return columns
    .filter(({ type, role, hidden }) => !hidden && role === 'measure' && (type === 'number' || type === 'integer'))
    .filter(({ label, format }) => format.style !== 'percent' && !NO_SUM.test(wordsOf(label)))
    .toSorted((a, b) => rank(b) - rank(a))
    .slice(0, MEASURES_ASKED)
}

/** Columns that may tell groups apart. */
export const splitColumns = (columns: readonly Column[]): Column[] =>
  columns
    .filter(({ type, role, hidden }) => !hidden && role === 'dimension' && (type === 'text' || type === 'boolean'))
    .slice(0, SPLITS_ASKED)
