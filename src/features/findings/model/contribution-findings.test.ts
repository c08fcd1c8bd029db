import { describe, expect, it } from 'vitest'
import { analyzeSubject } from './analyze-subject'
import { testRowShare } from './row-shares'
import { selectFindings } from './select-findings'
import type { AnalysisSubject, SubjectSeries } from './subject'
import { randomFrom, range } from '../../../../test/worker/planted/simulation'
import type { DetectedFinding } from '../../../shared/findings'

const N = 32
const NEWEST = { from: N - 2, to: N - 1 }
const YEAR_BEFORE = { from: N - 14, to: N - 13 }

/** Lines of orders that differ much in size: amounts of a month hide what its rows tell. */
function orders(
  rowsAt: (member: number, t: number) => number,
  members: readonly (string | boolean)[],
): AnalysisSubject {
  const random = randomFrom(7)
  const named = members.map((member, i) => {
    const count = range(N).map((t) => random.poisson(rowsAt(i, t)))
    const value = count.map((rows) => range(rows).reduce((sum) => sum + Math.exp(6 + 1.2 * random.normal()), 0))
    return { member, series: { value, count } }
  })
  const sum = (key: keyof SubjectSeries): number[] =>
    range(N).map((t) => named.reduce((all, { series }) => all + (series[key][t] ?? 0), 0))
  return {
    ...{ key: 's', label: 'Sales', grain: 'month', additive: true, direction: 'up' },
    buckets: range(N).map((t) => new Date(Date.UTC(2022, t, 1)).toISOString().slice(0, 10)),
    total: { value: sum('value'), count: sum('count') },
    dimensions: [{ key: 'region', label: 'Region', members: named }],
  }
}
const REGIONS = ['North', 'South', 'East', 'West']
const isNewest = (t: number): boolean => t >= NEWEST.from
const told = (subject: AnalysisSubject): DetectedFinding[] =>
  selectFindings([analyzeSubject(subject)]).filter(({ kind }) => kind === 'contribution')

describe('a member whose rows stay away', () => {
  it('is told of its newest two months, though its amounts vary too much to say so', () => {
    const [first] = told(orders((i, t) => (i === 1 && isNewest(t) ? 3 : 14), REGIONS))
    expect([first?.member?.value, first?.period.to]).toEqual(['South', '2024-08-01'])
    expect(Number(first?.effect.percent)).toBeLessThan(-0.6)
  })

  it('is not told where the same months of the year before were as few, nor of yes and no', () => {
    const isSummer = (t: number): boolean => t % 12 === NEWEST.from % 12 || t % 12 === NEWEST.to % 12
    expect(told(orders((i, t) => (i === 1 && isSummer(t) ? 3 : 14), REGIONS))).toEqual([])
    expect(told(orders((i, t) => (i === 1 && isNewest(t) ? 3 : 14), [false, true]))).toEqual([])
  })

  it('is asked where rows were to be expected and the data do not end', () => {
    const at = { subject: orders((i) => (i === 0 ? 2 : 30), REGIONS), span: { from: 0, to: N - 1 } }
    const [few, many] = at.subject.dimensions[0]?.members ?? []
    const asked = { now: NEWEST, yearBefore: YEAR_BEFORE }
    expect(few && testRowShare(at, few, asked)).toBeNull()
    expect(many && testRowShare(at, many, { ...asked, yearBefore: null })).not.toBeNull()
    const ended = { ...at, subject: orders((_, t) => (isNewest(t) ? 4 : 30), REGIONS) }
    expect(many && testRowShare(ended, many, { ...asked, yearBefore: null })).toBeNull()
  })
})

it('counts hardly any test of a turned sign for members that are far from nothing, and one for each that is near it', () => {
  const random = randomFrom(11)
  const of = (level: number): AnalysisSubject => {
    const members = range(20).map((i) => ({
      member: `m${i}`,
      series: { value: range(N).map(() => level + 10 * random.normal()), count: range(N).map(() => 30) },
    }))
    const value = range(N).map((t) => members.reduce((sum, { series }) => sum + (series.value[t] ?? 0), 0))
    return {
      ...{ key: 's', label: 'Profit', grain: 'month', additive: true, direction: 'up' },
      buckets: range(N).map((t) => new Date(Date.UTC(2022, t, 1)).toISOString().slice(0, 10)),
      total: { value, count: range(N).map(() => 600) },
      dimensions: [{ key: 'd', label: 'Group', members }],
    }
  }
  const [steady, doubtful] = [analyzeSubject(of(200)).tests.window, analyzeSubject(of(5)).tests.window]
  // Two and two fifths of contributions, three tenths of overtaking; four tenths of each of 20 signs.
  expect(steady).toBeCloseTo(2.7, 1)
  expect(doubtful).toBeGreaterThan(2.7 + 20 * 0.4 * 0.9)
})

it('counts a large member as fewer places to look at than a small one', () => {
  const told20 = (share: (i: number) => number, at: number, seed: number): number => {
    const random = randomFrom(seed)
    const members = range(20).map((i) => ({
      member: `m${i}`,
      series: {
        value: range(N).map((t) => 1000 * share(i) * (1 + 0.1 * random.normal() + (i === at && t >= N - 3 ? 0.25 : 0))),
        count: range(N).map(() => 30),
      },
    }))
    const value = range(N).map((t) => members.reduce((sum, { series }) => sum + (series.value[t] ?? 0), 0))
    const { candidates } = analyzeSubject({
      ...{ key: 's', label: 'Sales', grain: 'month', additive: true, direction: 'up' },
      buckets: range(N).map((t) => new Date(Date.UTC(2022, t, 1)).toISOString().slice(0, 10)),
      total: { value, count: range(N).map(() => 600) },
      dimensions: [{ key: 'd', label: 'Group', members }],
    })
    return candidates.find(({ kind, member }) => kind === 'contribution' && member?.value === `m${at}`)?.p ?? 1
  }
  // The same member, the same figures: one of twenty alike, and one that is half of the whole among twenty.
  const usual = (share: (i: number) => number): number =>
    Math.exp(range(12).reduce((sum, seed) => sum + Math.log(told20(share, 0, seed)), 0) / 12)
  expect(usual((i) => (i === 0 ? 1 : 1 / 19))).toBeLessThan(usual(() => 1) / 1.5)
})
