import { exactOf, pow10, toNumber, type ExactDecimal } from '../expressions/decimal'
import type { Column } from '../../../shared/data-sources/data-sources'
import type { QueryPlan } from '../../../shared/query/plan'

/** A split by steps of a number: the bin of n holds numbers from n·width to below (n+1)·width. */
export interface BinSize {
  width: number
  /** The same in whole numbers of the column's own scale, and what its stored numbers are multiplied by for that. */
  exact: { width: bigint; factor: bigint } | null
}

export function binSize(column: Pick<Column, 'type' | 'scale'>, width: number): BinSize {
  const scale = column.type === 'integer' ? 0 : column.scale
  const given = exactOf(width)
  if (scale === undefined || !given) return { width, exact: null }
  const shared = Math.max(scale, given.scale)
  const whole = given.n * pow10(shared - given.scale)
  const factor = pow10(shared - scale)
  const fits = whole <= BigInt(Number.MAX_SAFE_INTEGER) && factor <= 1_000_000n
  return { width, exact: fits ? { width: whole, factor } : null }
}

/** The lower edge of a bin. */
export function binEdge(bin: number, width: number): number {
  const exact: ExactDecimal | null = exactOf(width)
  return exact && Number.isSafeInteger(bin) ? toNumber({ n: exact.n * BigInt(bin), scale: exact.scale }) : bin * width
}

/** 1, 2 or 5 of a power of ten, at least as large; of whole numbers at least 1. */
function roundStep(least: number, isWhole: boolean): number {
  if (!(least > 0) || !Number.isFinite(least)) return 1
  const power = Math.floor(Math.log10(least))
  const step = [1, 2, 5, 10].find((digit) => digit * 10 ** power >= least * 0.999_999) ?? 10
  // Decimal text keeps a tenth a tenth.
  const found = Number(`${step}e${power}`)
  return isWhole ? Math.max(1, found) : found
}

/** The width of about so many bins between two numbers. */
export function binWidth(
  { least, most, count }: { least: number | null; most: number | null; count: number },
  isWhole: boolean,
): number {
  return least === null || most === null ? 1 : roundStep((most - least) / count || Math.abs(most) / count, isWhole)
}

/** The plan with the widths that its counts of bins come to. */
export const withBinWidths = (plan: QueryPlan, widths: ReadonlyMap<number, number>): QueryPlan => ({
  ...plan,
  dimensions: plan.dimensions.map((dimension, i) => {
    const width = widths.get(i)
    return width === undefined ? dimension : { ...dimension, bins: { width } }
  }),
})
