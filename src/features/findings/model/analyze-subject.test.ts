import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { detectedFindingSchema, type FindingKind, type DetectedFinding } from '../../../shared/findings'
import { analyzeSubject } from './analyze-subject'
import { NO_TESTS } from './candidates'
import { selectFindings } from './select-findings'
import type { AnalysisSubject, SubjectMember } from './subject'

/** Small fluctuations without luck: the same for everybody who reads this. */
const wobble = (t: number, of = 0): number =>
  Math.sin(t * 12.9898 + of * 4.1414 + 1) * 0.6 + Math.sin(t * 78.233 + of) * 0.4
const months = (n: number): string[] =>
  Array.from({ length: n }, (_, t) => new Date(Date.UTC(2023, t, 1)).toISOString().slice(0, 10))
const series = (value: (number | null)[]) => ({
  value,
  count: value.map((one) => (one === null || one === 0 ? 0 : 40)),
})
const flat = (n: number, level = 1000, of = 0): number[] =>
  Array.from({ length: n }, (_, t) => level * (1 + 0.02 * wobble(t, of)))
const from = (values: readonly number[], at: number, change: (value: number, t: number) => number): number[] =>
  values.map((value, t) => (t >= at ? change(value, t) : value))
const only = (values: readonly number[], at: number, factor: number): number[] =>
  values.map((value, t) => (t === at ? value * factor : value))

const subject = (total: (number | null)[], over: Partial<AnalysisSubject> = {}): AnalysisSubject => ({
  key: 's',
  label: 'Revenue',
  grain: 'month',
  buckets: months(total.length),
  additive: true,
  total: series(total),
  dimensions: [],
  direction: 'up',
  ...over,
})
/** A subject whose total is the sum of its members. */
function withMembers(members: readonly number[][], over: Partial<AnalysisSubject> = {}): AnalysisSubject {
  const total = (members[0] ?? []).map((_, t) => members.reduce((sum, values) => sum + (values[t] ?? 0), 0))
  const named = members.map((values, at): SubjectMember => ({ member: `m${at}`, series: series(values) }))
  return subject(total, { dimensions: [{ key: 'd', label: 'Region', members: named }], ...over })
}
const found = (...subjects: AnalysisSubject[]): DetectedFinding[] => selectFindings(subjects.map(analyzeSubject))
const kinds = (of: AnalysisSubject): FindingKind[] => found(of).map(({ kind }) => kind)
const words = (one: DetectedFinding | undefined): string =>
  (one?.sentence ?? [])
    .map((part) => {
      if ('text' in part) return part.text
      if ('member' in part) return `<${part.member.value}>`
      if ('season' in part) return `{season ${part.season.from.slice(5)}}`
      if ('period' in part)
        return `{${part.period.from === part.period.to ? '' : `${part.period.from}…`}${part.period.to}}`
      return `[${part.format}]`
    })
    .join('')

const N = 36
const YEAR = { from: '2025-01-01', to: '2025-01-01', grain: 'year' as const }
const LAST = N - 1

describe('each kind of finding', () => {
  it('says nothing where nothing happens', () => {
    expect(found(subject(flat(N)))).toEqual([])
    expect(found(withMembers([flat(N, 500, 1), flat(N, 300, 2), flat(N, 200, 3)]))).toEqual([])
  })

  it('change: the newest month, with the member that accounts for it, told once', () => {
    const of = withMembers([only(flat(N, 500, 1), LAST, 0.6), flat(N, 300, 2), flat(N, 200, 3)])
    const all = found(of)
    expect(all.map(({ kind, member }) => [kind, member])).toEqual([['change', null]])
    expect(all[0]?.contributions[0]?.lines[0]?.member).toBe('m0')
    expect(all[0]?.tone).toBe('bad')
    expect(words(all[0])).toBe(
      'Revenue fell [share] ([change]) to [measure] in {2025-12-01} vs {2024-12-01}, outside the normal range. ' +
        '<m0> accounts for more than all of it: [change].',
    )
  })

  it('change: not of a month that is as low as it was the year before', () => {
    const season = flat(N).map((value, t) => (t % 12 === 11 ? value * 0.6 : value))
    expect(kinds(subject(season))).not.toContain('change')
    const short = flat(24).map((value, t) => (t % 12 === 11 ? value * 0.6 : value))
    expect(kinds(subject(short))).not.toContain('change')
  })

  it('outlier: one earlier month, and not a shift', () => {
    const [first, ...rest] = found(subject(only(flat(N), 20, 1.5)))
    expect(rest).toEqual([])
    expect([first?.kind, first?.period.from]).toEqual(['outlier', '2024-09-01'])
    expect(first?.statistic.value).toBeGreaterThan(3.5)
  })

  it('levelShift: from its month on, and not an outlier', () => {
    const [first, ...rest] = found(subject(from(flat(N), 26, (value) => value * 0.85)))
    expect(rest).toEqual([])
    expect([first?.kind, first?.period.from, first?.period.to]).toEqual(['levelShift', '2025-03-01', '2025-12-01'])
    expect(words(first)).toMatch(/^Revenue shifted lower in \{2025-03-01\}: \[measure\] in /)
  })

  it('levelShift: dated where the drop is, however late, and not a turn that began before it', () => {
    for (const late of [2, 3, 4, 6]) {
      const all = found(subject(from(flat(N), N - late, (value) => value * 0.5)))
      const [first] = all
      expect([late, first?.kind, first?.period.from]).toEqual([late, 'levelShift', months(N)[N - late]])
      expect(all.map(({ kind }) => kind)).not.toContain('trendBreak')
    }
    const [newest, ...rest] = found(subject(from(flat(N), LAST, (value) => value * 0.5)))
    expect([newest?.kind, newest?.period.from, rest]).toEqual(['change', '2025-12-01', []])
  })

  it('levelShift: beside comparable months, else all that were before, else the trend that they had', () => {
    const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
    const early = from(flat(N), 10, (value) => value * 0.85)
    const [long] = found(subject(early))
    expect([long?.against, long?.comparison]).toEqual(['before', null])
    expect(Number(long?.effect.previous)).toBeCloseTo(meanOf(early.slice(0, 10)), 3)
    expect(words(long)).toBe('Revenue shifted lower in {2023-11-01}: [measure] per month vs [measure] before.')

    const falling = flat(N).map((value, t) => value - 20 * t)
    const [late] = found(subject(from(falling, 28, (value) => value + 110)))
    expect([late?.kind, late?.against, late?.comparison]).toEqual(['levelShift', 'expected', null])
    expect(Number(late?.effect.previous), 'what the fall would have led to').toBeCloseTo(meanOf(falling.slice(28)), -2)
    expect(words(late)).toBe(
      'Revenue shifted above the earlier trend in {2025-05-01}: [measure] per month vs [measure] expected.',
    )
  })

  it('trendBreak: where the direction turns, and not a shift', () => {
    const of = subject(from(flat(N), 18, (value, t) => value - 20 * (t - 17)))
    const [first, ...rest] = found(of)
    expect(rest).toEqual([])
    expect(first?.kind).toBe('trendBreak')
    expect(Math.abs(months(N).indexOf(first?.period.from ?? '') - 18)).toBeLessThanOrEqual(2)
    expect(Number(first?.effect.change)).toBeLessThan(-15)
  })

  it('trendBreak: not of a steady trend, however steep', () => {
    expect(found(subject(flat(N).map((value, t) => value + 40 * t)))).toEqual([])
  })

  it('lostMember and newMember: those that stop and start lately, and not those that come and go', () => {
    const away = (t: number): boolean => t >= LAST - 3
    const lost = flat(N, 150, 4).map((value, t) => (away(t) ? 0 : value))
    const fresh = flat(N, 140, 5).map((value, t) => (away(t) ? value : 0))
    const rare = flat(N, 30, 6).map((value, t) => (t % 5 === 0 ? value : 0))
    const all = found(withMembers([flat(N, 500, 1), flat(N, 300, 2), lost, fresh, rare]))
    expect(all.filter(({ kind }) => kind === 'lostMember').map(({ member }) => member?.value)).toEqual(['m2'])
    expect(all.filter(({ kind }) => kind === 'newMember').map(({ member }) => member?.value)).toEqual(['m3'])
    expect(words(all.find(({ kind }) => kind === 'lostMember'))).toMatch(
      /^No Revenue for <m2> in \{2025-09-01…2025-12-01\}, after \[measure\] in /,
    )
  })

  it('lostMember: a large one that came now and then, and stays away twice as long as ever before', () => {
    const bought = new Set([0, 2, 5, 6, 9, 12, 13, 16, 19, 22, 24, 27])
    const lost = (away: number): DetectedFinding[] => {
      const last = LAST - away
      const rare = flat(N, 400, 6).map((value, t) => (bought.has(t - (last - 27)) && t <= last ? value : 0))
      const all = found(withMembers([flat(N, 500, 1), flat(N, 300, 2), flat(N, 300, 3), rare]))
      return all.filter(({ kind }) => kind === 'lostMember')
    }
    expect(lost(8).map(({ member }) => member?.value)).toEqual(['m3'])
    expect(lost(4), 'as long as it may').toEqual([])
  })

  it('lostMember: once of a customer and of the city that only this customer is in', () => {
    const lost = flat(N, 150, 4).map((value, t) => (t >= LAST - 3 ? 0 : value))
    const of = withMembers([flat(N, 500, 1), flat(N, 300, 2), lost])
    const cities = of.dimensions.map((dimension) => ({ ...dimension, key: 'city', label: 'City' }))
    const all = found({ ...of, dimensions: [...of.dimensions, ...cities] })
    expect(all.filter(({ kind }) => kind === 'lostMember')).toHaveLength(1)
  })

  it('lostMember: not of a member that is away in the same months each year', () => {
    const summer = flat(N, 150, 4).map((value, t) => (t % 12 >= 8 ? 0 : value))
    expect(kinds(withMembers([flat(N, 500, 1), flat(N, 300, 2), summer]))).not.toContain('lostMember')
  })

  it('mixShift: weights move and own ratios stay; a change where own ratios move', () => {
    const ratio = (weights: number[][], own: (i: number, t: number) => number): AnalysisSubject => {
      const total = (at: (i: number, t: number) => number): number[] =>
        Array.from({ length: N }, (_, t) => weights.reduce((sum, _row, i) => sum + at(i, t), 0))
      const over = (i: number, t: number): number => (weights[i]?.[t] ?? 0) * own(i, t)
      return subject(total(over), {
        label: 'Margin',
        under: series(total((i, t) => weights[i]?.[t] ?? 0)),
        dimensions: [
          {
            key: 'd',
            label: 'Group',
            members: weights.map((row, i) => ({
              member: `m${i}`,
              series: series(row.map((_, t) => over(i, t))),
              under: series(row),
            })),
          },
        ],
      })
    }
    const steady = [flat(N, 500, 1), flat(N, 500, 2)]
    const moved = [only(flat(N, 500, 1), LAST, 1.5), only(flat(N, 500, 2), LAST, 0.5)]
    const rates = (i: number, t: number): number => (i === 0 ? 0.6 : 0.2) * (1 + 0.004 * wobble(t, i + 7))
    const mixed = found(ratio(moved, rates))
    expect(mixed.filter(({ member }) => member === null).map(({ kind }) => kind)).toEqual(['mixShift'])
    const lower = found(ratio(steady, (i, t) => rates(i, t) * (i === 0 && t === LAST ? 0.8 : 1)))
    expect(lower.map(({ kind, member }) => [kind, member])).toEqual([['change', null]])
    expect(lower[0]?.contributions[0]?.lines[0]?.member).toBe('m0')
  })

  it('turned: a member whose quarter is a loss after years of profit, told before its shift', () => {
    const loss = from(flat(N, 400, 1), LAST - 2, (value) => -value / 2)
    const all = found(withMembers([loss, flat(N, 300, 2), flat(N, 200, 3)], { label: 'Profit' }))
    const own = all.filter(({ member }) => member?.value === 'm0')
    expect(own.map(({ kind, tone }) => [kind, tone])).toEqual([['turned', 'bad']])
    expect(words(own[0])).toBe(
      'Profit for <m0> turned to a loss: [measure] in {2025-10-01…2025-12-01} vs [measure] in {2024-10-01…2024-12-01}.',
    )
  })

  it('contribution: the member that fell beyond its share, while another one made up for it', () => {
    const fallen = from(flat(N, 400, 1), LAST - 2, (value) => value * 0.7)
    const risen = from(flat(N, 300, 2), LAST - 2, (value) => value * 1.4)
    const all = found(withMembers([fallen, risen, flat(N, 200, 3), flat(N, 250, 4)]))
    const told = all.filter(({ kind }) => kind === 'contribution' || kind === 'levelShift' || kind === 'overtook')
    expect(new Set(told.map(({ member }) => member?.value))).toEqual(new Set(['m0', 'm1']))
    expect(
      told
        .filter(({ kind }) => kind === 'contribution')
        .map(words)
        .join(' '),
    ).toMatch(/^<m\d>, largest (rise|fall) in Region: Revenue (rose|fell) \[share\] \(\[change\]\) to \[measure\] in /)
  })

  it('concentration: the largest share grows beyond its range', () => {
    const grown = from(flat(N, 300, 1), 28, (value) => value * 1.5)
    const [second, third] = [
      from(flat(N, 290, 2), 28, (value) => value * 0.75),
      from(flat(N, 290, 3), 28, (value) => value * 0.75),
    ]
    const all = analyzeSubject(withMembers([grown, second, third])).candidates
    expect(all.filter(({ kind }) => kind === 'concentration').map(({ member }) => member?.value)).toEqual(['m0'])
  })

  it('season: that the same months differ, told after what is new', () => {
    const of = flat(48).map((value, t) => value * (1 + 0.3 * Math.sin((2 * Math.PI * t) / 12)))
    const all = found(subject(only(of, 47, 0.6)))
    expect(all.map(({ kind }) => kind)).toEqual(['change', 'season'])
    const [season] = found(subject(of))
    expect(season?.kind).toBe('season')
    expect(words(season)).toBe(
      'Revenue: {season 04-01} is usually the highest month, [share] above average; {season 10-01} the lowest, [share] below.',
    )
  })

  it('streak: many steps the same way', () => {
    const of = flat(48, 1000).map((value, t) => (t >= 36 ? 960 + 8 * (t - 36) : value))
    expect(analyzeSubject(subject(of)).candidates.map(({ kind }) => kind)).toContain('streak')
    expect(analyzeSubject(subject(flat(48))).candidates.map(({ kind }) => kind)).not.toContain('streak')
  })

  it('targetRisk: when the year is heading short of its target beyond doubt, and not when it is not', () => {
    const year = (goal: number): AnalysisSubject =>
      subject(flat(32), { target: { amount: goal, first: 24, length: 12, way: 'sum', period: YEAR } })
    const [risk] = found(year(14_000))
    expect(risk?.kind).toBe('targetRisk')
    expect(Number(risk?.effect.value)).toBeCloseTo(12_000, -3)
    expect(words(risk)).toBe(
      'Revenue: [measure] expected for {2025-01-01}, [share] below the [measure] target (data to {2025-08-01}).',
    )
    expect(found(year(11_900))).toEqual([])
    expect(found(year(12_150)), 'within the slack of a pace').toEqual([])
    expect(found({ ...year(11_000), direction: 'down' }).map(({ kind }) => kind)).toEqual(['targetRisk'])
    const running = { first: 32, length: 1, way: 'sum' as const, period: { ...YEAR, grain: 'month' as const } }
    const month = (goal: number): AnalysisSubject => subject(flat(32), { target: { ...running, amount: goal } })
    expect(found(month(1200)).map(({ kind }) => kind)).toEqual(['targetRisk'])
    expect(found(month(1010))).toEqual([])
  })

  it('targetRisk: on the level that it has come to run on', () => {
    const target = { amount: 12_000, first: 24, length: 12, way: 'sum' as const, period: YEAR }
    const lower = subject(
      from(flat(32), 26, (value) => value * 0.85),
      { target },
    )
    const risk = found(lower).find(({ kind }) => kind === 'targetRisk')
    // Two months at 1 000, ten at 850.
    expect(Math.abs(Number(risk?.effect.value) - 10_500)).toBeLessThan(150)
  })

  it('targetRisk: of a member, and of a ratio whose mean falls short', () => {
    const target = (amount: number) => ({ amount, first: 24, length: 12, way: 'sum' as const, period: YEAR })
    const of = withMembers([flat(32, 500, 1), flat(32, 300, 2)])
    const [region] = of.dimensions
    const members = region?.members.map((one, at) => ({ ...one, target: target(at === 0 ? 8_000 : 3_500) })) ?? []
    const risks = found({ ...of, dimensions: region ? [{ ...region, members }] : [] })
    expect(risks.map(({ kind, member }) => [kind, member?.value])).toEqual([['targetRisk', 'm0']])
    const margin = (amount: number): AnalysisSubject =>
      subject(flat(32, 300, 3), { under: series(flat(32, 1000, 4)), target: { ...target(amount), way: 'level' } })
    const [low] = found(margin(0.4))
    expect([low?.kind, Number(low?.effect.value).toFixed(1)]).toEqual(['targetRisk', '0.3'])
    expect(found(margin(0.3))).toEqual([])
  })
})

describe('what is never found', () => {
  const values: Record<string, (number | null)[]> = {
    nothing: [],
    'one bucket': [5],
    'eleven buckets': only(flat(11), 10, 5),
    'all empty': Array.from({ length: N }, () => null),
    zeros: Array.from({ length: N }, () => 0),
    constant: Array.from({ length: N }, () => 12.5),
    'a straight line': Array.from({ length: N }, (_, t) => 3 * t + 0.1),
    'huge and constant': Array.from({ length: N }, () => 1e300),
    'huge and steady': flat(N, 1e300),
    'negative and steady': flat(N, -1000),
    'tiny and steady': flat(N, 1e-300),
  }
  for (const [name, total] of Object.entries(values))
    it(name, () => {
      const dimensions = [{ key: 'd', label: 'D', members: [{ member: 'm', series: series(total) }] }]
      expect(found(subject(total, { dimensions }))).toEqual([])
      expect(found(subject(total, { under: series(total), dimensions: [] }))).toEqual([])
      expect(found(subject(total, { additive: false }))).toEqual([])
    })

  it('in small counts that come and go as counts do', () => {
    const counts = Array.from({ length: N }, (_, t) => Math.max(0, Math.round(2 + 1.6 * wobble(t, 2))))
    expect(
      found(
        subject(only(counts, LAST, 1).with(LAST, 5), {
          counts: true,
          total: { value: counts.with(LAST, 5), count: counts.with(LAST, 5) },
        }),
      ),
    ).toEqual([])
  })
})

describe('findings', () => {
  const base = (): AnalysisSubject => withMembers([only(flat(N, 500, 1), LAST, 0.6), flat(N, 300, 2), flat(N, 200, 3)])
  const signature = (all: readonly DetectedFinding[]) =>
    all.map(({ kind, member, period, statistic }) => [kind, member, period.from, statistic.value.toFixed(6)])

  it('are the same however members and dimensions are ordered, and however often they are asked for', () => {
    const of = base()
    const turned = { ...of, dimensions: of.dimensions.map((one) => ({ ...one, members: one.members.toReversed() })) }
    expect(found(of)).toEqual(found(of))
    expect(found(turned)).toEqual(found(of))
  })

  it('do not depend on the unit of the figures, and those of a sum hardly on what is added to each of them', () => {
    const total = from(flat(N), 26, (value) => value * 0.85)
    const expected = signature(found(subject(total)))
    fc.assert(
      fc.property(fc.constantFrom(1e-3, 0.01, 100, 1e9), (factor) => {
        expect(signature(found(subject(total.map((value) => value * factor))))).toEqual(expected)
      }),
      { numRuns: 4 },
    )
    const shifted = found(subject(total.map((value) => value + 500)))
    expect(shifted.map(({ kind, period }) => [kind, period.from])).toEqual(expected.map(([kind, , at]) => [kind, at]))
  })

  it('hold the shape of the contract, with finite figures, for any series', () => {
    const figure = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer(), fc.constant(null))
    fc.assert(
      fc.property(
        fc.array(fc.tuple(figure, figure), { minLength: 12, maxLength: 40 }),
        fc.boolean(),
        (pairs, isRatio) => {
          const [left, right] = [pairs.map(([a]) => a), pairs.map(([, b]) => b)]
          const members = [{ member: 'a', series: series(left), ...(isRatio ? { under: series(right) } : {}) }]
          const dimensions = [{ key: 'd', label: 'D', members, other: { series: series(right), members: 3 } }]
          const of = subject(left, { dimensions, ...(isRatio ? { under: series(right) } : {}) })
          for (const one of found(of)) expect(() => detectedFindingSchema.parse(one)).not.toThrow()
        },
      ),
      { numRuns: 60 },
    )
  })

  it('are fewer the more is looked at: what stands up alone does not among a thousand quiet figures', () => {
    const weak = subject(only(flat(N), LAST, 1.08))
    const [alone] = found(weak)
    expect(alone?.kind).toBe('change')
    const quiet = Array.from({ length: 1000 }, () => ({
      subject: 'q',
      tests: { ...NO_TESTS, total: 6 },
      candidates: [],
    }))
    expect(selectFindings([analyzeSubject(weak), ...quiet])).toEqual([])
  })

  it('never speak of causes', () => {
    for (const one of found(base())) expect(words(one)).not.toMatch(/because|due to|caused|thanks to|driven by/i)
  })
})
