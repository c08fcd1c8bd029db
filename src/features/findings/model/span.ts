import type { FindingPeriod } from '../../../shared/findings'
import { scaleFor, toNumber, unitsOf } from './amounts'
import type { Series, Subject } from './subject'

/** Buckets from one to another, both included, by their index. */
export interface Window {
  from: number
  to: number
}

export const periodOf = (subject: Pick<Subject, 'buckets' | 'grain'>, { from, to }: Window): FindingPeriod => ({
  from: subject.buckets[from] ?? '',
  to: subject.buckets[to] ?? '',
  grain: subject.grain,
})

/** Decimals that all figures of a series are taken at. */
export function decimalsOf(series: Series, given: number | undefined): number {
  if (given !== undefined) return given
  let largest = 0
  for (const figure of series.value) {
    const value = Math.abs(Number(figure ?? 0))
    if (value > largest && Number.isFinite(value)) largest = value
  }
  return scaleFor(largest)
}

/** The exact sum of a window, in units of 10^−scale. */
export function sumOver(series: Series, { window, scale }: { window: Window; scale: number }): bigint {
  let sum = 0n
  for (let at = window.from; at <= window.to; at += 1) sum += unitsOf(series.value[at] ?? null, scale) ?? 0n
  return sum
}

/** The mean of what is there in a window; null where nothing is. */
export function meanOver(series: Series, { window, scale }: { window: Window; scale: number }): number | null {
  const there = series.value.slice(window.from, window.to + 1).flatMap((figure) => unitsOf(figure, scale) ?? [])
  if (there.length === 0) return null
  const units = there.reduce((sum, one) => sum + one, 0n)
  return toNumber({ units, scale }) / there.length
}

/** Rows behind a window. */
export function rowsOver(series: Series, { from, to }: Window): number {
  let rows = 0
  for (let at = from; at <= to; at += 1) rows += series.count[at] ?? 0
  return rows
}
