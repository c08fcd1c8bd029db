import type { Judged, Verdict } from './nlq-judge'

/** Smallest value that so many per cent of the values do not exceed. */
const percentile = (values: readonly number[], percent: number): number =>
  values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil((percent / 100) * values.length) - 1)] ?? 0

/** What a set of questions comes to; questions that could not be asked at all count among the failed. */
export function nlqTotals(judged: readonly Judged[], asked: number): string[] {
  const count = (verdict: Verdict): number => judged.filter((each) => each.verdict === verdict).length
  const part = (n: number): string => `${n} (${((100 * n) / Math.max(1, asked)).toFixed(1)} %)`
  const choices = judged.filter(({ verdict, hasRightChoice }) => verdict === 'asked' && hasRightChoice).length
  const times = judged.map(({ ms }) => ms)
  const [p50, p95] = [50, 95].map((percent) => percentile(times, percent).toFixed(1))
  return [
    '',
    `${asked} questions`,
    `exact rows             ${part(count('right'))}`,
    `right, further columns ${part(count('right+'))}`,
    `confident and wrong    ${part(count('WRONG'))}`,
    `asked back             ${part(count('asked'))}, a choice is right in ${choices}`,
    `declined               ${part(count('declined'))}`,
    `failed                 ${part(count('failed') + asked - judged.length)}`,
    `interpretation         p50 ${p50} ms, p95 ${p95} ms`,
  ]
}
