import { describe, expect, it } from 'vitest'
import { analyzeSubject } from './analyze-subject'
import { selectFindings } from './select-findings'
import type { AnalysisSubject, SubjectDimension, SubjectSeries } from './subject'
import { randomFrom, range } from '../../../../test/worker/planted/simulation'
import { plainSentenceOf } from '../../../../test/worker/finding-text'
import type { DetectedFinding } from '../../../shared/findings'

const N = 30
const isNewest = (t: number): boolean => t >= N - 3

/** Lines of one price each: their number is what moves. */
function lines(groups: readonly string[], rowsAt: (group: number, t: number) => number): AnalysisSubject {
  const random = randomFrom(23)
  const members = groups.map((member, i) => {
    const count = range(N).map((t) => random.poisson(rowsAt(i, t)))
    const value = count.map((rows) => range(rows).reduce((sum) => sum + 100 * Math.exp(0.8 * random.normal()), 0))
    return { member, series: { value, count } }
  })
  const dimension: SubjectDimension = { key: 'group', label: 'Product group', members }
  const sum = (key: keyof SubjectSeries): number[] =>
    range(N).map((t) => members.reduce((all, { series }) => all + (series[key][t] ?? 0), 0))
  return {
    ...{ key: 's', label: 'Sales', grain: 'month', additive: true, direction: 'up' },
    buckets: range(N).map((t) => new Date(Date.UTC(2023, t, 1)).toISOString().slice(0, 10)),
    total: { value: sum('value'), count: sum('count') },
    dimensions: [dimension],
  }
}
const GROUPS = ['Timber', 'Decking', 'Insulation', 'Boards', 'Doors', 'Nails']
const told = (subject: AnalysisSubject): DetectedFinding[] =>
  selectFindings([analyzeSubject(subject)]).filter(({ kind }) => kind === 'contribution')

describe('members that moved far in the newest quarter', () => {
  it('are told each, not only the one that fell most and the one that rose most', () => {
    const halved = new Set([1, 3])
    const found = told(lines(GROUPS, (i, t) => (halved.has(i) && isNewest(t) ? 24 : 60)))
    const quarter = found.filter(({ period }) => period.from === '2025-04-01' && period.to === '2025-06-01')
    expect(quarter.map(({ member }) => String(member?.value)).toSorted((a, b) => a.localeCompare(b))).toEqual([
      'Boards',
      'Decking',
    ])
    expect(quarter.every(({ effect, against }) => (effect.percent ?? 0) < -0.3 && against === 'year')).toBe(true)
  })

  it('are not told where all moved alike, nor where the same quarter of the year before was as low', () => {
    expect(told(lines(GROUPS, (_, t) => (isNewest(t) ? 20 : 40)))).toEqual([])
    const isSpring = (t: number): boolean => t % 12 >= 3 && t % 12 <= 5
    expect(told(lines(GROUPS, (i, t) => (i === 1 && isSpring(t) ? 20 : 40)))).toEqual([])
  })

  it('are not told of a few rows, nor of a small part of the whole', () => {
    expect(told(lines(GROUPS, (i, t) => (i === 1 && isNewest(t) ? 2 : 4)))).toEqual([])
    const small = told(lines(GROUPS, (i, t) => (i === 1 ? (isNewest(t) ? 4 : 8) : 80)))
    expect(small).toEqual([])
  })

  it('are called the largest only where they are', () => {
    // Decking falls further: the change of the whole names it.
    const found = told(lines(GROUPS, (i, t) => (isNewest(t) ? ([60, 15, 30][i] ?? 60) : 60)))
    expect(found.map((one) => plainSentenceOf(one).slice(0, 25))).toEqual(['Sales for Insulation fell'])
  })
})
