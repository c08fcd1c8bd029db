import type { Column } from './data-sources'

/** Which columns of a table a business would look at first, judged by their type, role and name. */
const MEASURES_MAX = 3
const DIMENSIONS_MAX = 5
const paddedWords = (label: string): string => ` ${label.toLowerCase().replaceAll(/[^\p{L}\d%]+/gu, ' ')} `

/** Figures that do not add up: prices for one piece, shares, ages, places. */
const NON_ADDITIVE_NAMES =
  / (pris|price|apris|rate|kurs|procent|percent|%|share|andel|rabatt|discount|unit|per|average|avg|snitt|medel|lat|latitude|lon|lng|longitude|year|år|age|ålder|score|betyg|temperature|margin|marginal|saldo|balance|row|rad) /
const TOTAL_NAMES =
  / (amount|belopp|summa|sum|total|totalt|sales|försäljning|revenue|omsättning|net|netto|value|värde|turnover) /
const COST_NAMES = / (cost|costs|kostnad|kostnader|inköp|inköpspris|varukostnad|cogs) /

/** By its name, what was paid or earned as a whole. */
export const isTotalAmount = ({ label }: Pick<Column, 'label'>): boolean => TOTAL_NAMES.test(paddedWords(label))
/** By its name, what something cost. */
export const isCostAmount = ({ label }: Pick<Column, 'label'>): boolean => COST_NAMES.test(paddedWords(label))

/** The column that says when. */
export const primaryDateColumn = (columns: readonly Column[]): Column | undefined =>
  columns.find(({ type, role, hidden }) => !hidden && role === 'time' && (type === 'date' || type === 'datetime'))

/** Figures that can be added up, what a business would look at first standing first. */
export function additiveMeasureColumns(columns: readonly Column[]): Column[] {
  const rank = (column: Column): number =>
    (isTotalAmount(column) ? 2 : 0) + (column.format.style === 'currency' ? 1 : 0) - (isCostAmount(column) ? 4 : 0)
  return columns
    .filter(({ type, role, hidden }) => !hidden && role === 'measure' && (type === 'number' || type === 'integer'))
    .filter(({ label, format }) => format.style !== 'percent' && !NON_ADDITIVE_NAMES.test(paddedWords(label)))
    .toSorted((a, b) => rank(b) - rank(a))
    .slice(0, MEASURES_MAX)
}

/** Columns that may tell groups apart. */
export const dimensionColumns = (columns: readonly Column[]): Column[] =>
  columns
    .filter(({ type, role, hidden }) => !hidden && role === 'dimension' && (type === 'text' || type === 'boolean'))
    .slice(0, DIMENSIONS_MAX)
