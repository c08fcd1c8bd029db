import { describe, expect, it } from 'vitest'
import type { ContributionTable, FindingMember } from '../../../shared/findings'
import { plainSentenceOf } from '../../../../test/worker/finding-text'
import type { SentenceInput } from './candidates'
import { DesignCache } from './regression-design'
import {
  changeSentence,
  concentrationSentence,
  contributionSentence,
  levelShiftSentence,
  lostMemberSentence,
  mixShiftSentence,
  newMemberSentence,
  outlierSentence,
  seasonSentence,
  streakSentence,
  targetRiskSentence,
  trendBreakSentence,
} from './sentences'
import type { AnalysisSubject } from './subject'

const month = (from: string, to = from) => ({ from, to, grain: 'month' as const })
const NOW = month('2026-05')
const THEN = month('2025-05')
const REGION: FindingMember = { dimension: 'r', label: 'Region', value: 'Skåne' }
const EMPTY: FindingMember = { dimension: 's', label: 'ShipVia', value: null }
const rise = { value: '120', previous: '100', change: '20', percent: 0.2 }
const fall = { value: '80', previous: '100', change: '-20', percent: -0.2 }
const drivers = (member: string | null, change: string): ContributionTable => ({
  ...{ dimension: 'r', label: 'Region' },
  lines: [{ member, previous: null, value: null, change }],
})

function told(over: Partial<SentenceInput> & { member?: FindingMember; percent?: boolean } = {}): SentenceInput {
  const { member = null, percent, ...rest } = over
  const total = { value: [], count: [] }
  const subject: AnalysisSubject = {
    ...{ key: 's', label: 'Sales', grain: 'month', buckets: [], additive: true, total, dimensions: [], percent },
    direction: 'up',
  }
  const look = { subject, member, span: { from: 0, to: 0 }, usual: { whole: 1, own: 1 } }
  return {
    look: { ...look, designs: new DesignCache(subject) },
    ...{ effect: rise, period: NOW, comparison: THEN, contributions: [] },
    ...rest,
  }
}
const say = (sentence: Parameters<typeof plainSentenceOf>[0]['sentence']): string => plainSentenceOf({ sentence })

describe('the sentence of a finding', () => {
  it('change: direction, per cent, amount and both periods, then who accounts for it', () => {
    expect(say(changeSentence(told({ contributions: [drivers('Skåne', '15')] })))).toBe(
      'Sales rose 0.2 (20) to 120 in 2026-05 vs 2025-05, outside the normal range. Skåne accounts for 15 of the 20.',
    )
    expect(say(changeSentence(told({ effect: fall, comparison: null })))).toBe(
      'Sales reached 80 in 2026-05, 0.2 below the 100 expected.',
    )
  })

  it('names a day by "on", and days together by "in"', () => {
    const days = (from: string, to = from) => ({ from, to, grain: 'day' as const })
    const one = told({ period: days('2026-05-02'), comparison: days('2026-05-01') })
    expect(say(outlierSentence(one))).toBe('Sales spiked on 2026-05-02: 120 vs 100 on 2026-05-01.')
    expect(say(changeSentence(told({ period: days('2026-05-02', '2026-05-08'), comparison: null })))).toContain(
      'Sales reached 120 in 2026-05-02 to 2026-05-08,',
    )
  })

  it('change: both amounts from a base of nothing or below, and the amount alone of a figure in per cent', () => {
    const loss = { value: '50', previous: '-30', change: '80', percent: null }
    const said = 'Sales rose from -30 to 50 in 2026-05 vs 2025-05, outside the normal range.'
    expect(say(changeSentence(told({ effect: loss })))).toBe(said)
    expect(say(changeSentence(told({ effect: { ...loss, value: '-10', change: '20', percent: 0.67 } })))).toContain(
      'Sales rose from -30 to -10',
    )
    expect(say(changeSentence(told({ effect: fall, percent: true })))).toContain('Sales fell 20 to 80')
  })

  it('names an empty value by its column, in the subject and among those that account for a change', () => {
    expect(say(changeSentence(told({ member: EMPTY })))).toMatch(/^Sales where ShipVia is empty rose/)
    expect(say(changeSentence(told({ member: REGION })))).toMatch(/^Sales for Skåne rose/)
    expect(say(changeSentence(told({ contributions: [drivers(null, '15')] })))).toMatch(
      /Records where Region is empty account for 15 of the 20\.$/,
    )
    expect(say(lostMemberSentence(told(), EMPTY))).toMatch(/^No Sales where ShipVia is empty in 2026-05/)
  })

  it('level: where it shifted, and the figures on both sides', () => {
    const since = month('2026-03', '2026-05')
    expect(
      say(levelShiftSentence(told({ period: since, effect: fall, comparison: month('2025-03', '2025-05') }))),
    ).toBe('Sales shifted lower in 2026-03: 80 in 2026-03 to 2026-05 vs 100 in 2025-03 to 2025-05.')
    expect(say(levelShiftSentence(told({ comparison: null })))).toBe(
      'Sales shifted higher in 2026-05: 120 per month vs 100 before.',
    )
    const besideTrend = (effect: typeof rise): string =>
      say(levelShiftSentence(told({ period: since, effect, comparison: null }), { isBesideTrend: true }))
    expect(besideTrend(rise)).toBe('Sales shifted above the earlier trend in 2026-03: 120 per month vs 100 expected.')
    expect(besideTrend(fall)).toBe('Sales shifted below the earlier trend in 2026-03: 80 per month vs 100 expected.')
  })

  it('bend: both trends per unit, then who accounts for it', () => {
    const slopes = { value: '-3', previous: '2', change: '-5', percent: null }
    const line = { effect: fall, contributions: [drivers('Skåne', '-12')] }
    expect(say(trendBreakSentence(told(line), slopes))).toBe(
      'Sales changed trend in 2026-05: from 2 to -3 per month. Vs 2025-05, Skåne accounts for -12 of the -20.',
    )
  })

  it('bend: what is nearly nothing is flat, and what is nothing on both sides only turned', () => {
    const bend = (previous: string, value: string, percent = false): string =>
      say(trendBreakSentence(told({ percent }), { value, previous, change: '-1', percent: null }))
    expect(bend('0.01', '-3')).toBe('Sales changed trend in 2026-05: from flat to -3 per month.')
    expect(bend('0.0004', '-0.01', true)).toContain('from flat to -0.01 per month')
    expect(bend('0.0004', '-0.0004', true)).toBe('Sales turned down in 2026-05.')
  })

  it('contribution: where the whole did not change, no part of it is told', () => {
    const line = { member: 'Skåne', previous: null, value: null, change: '5' }
    const of = { member: REGION, whole: '0', line }
    expect(say(contributionSentence(told(), of))).toMatch(/The total stayed the same\.$/)
    const ratio = { ...of, whole: '0.0001', line: { ...line, rate: '0.004', mix: '-0.002' } }
    expect(say(contributionSentence(told({ percent: true }), ratio))).toMatch(
      /In a total that hardly changed: 0\.004 by rate, -0\.002 by mix\.$/,
    )
  })

  it('outlier, streak, season, target', () => {
    expect(say(outlierSentence(told()))).toBe('Sales spiked in 2026-05: 120 vs 100 in 2025-05.')
    expect(say(outlierSentence(told({ effect: fall, comparison: null })))).toBe(
      'Sales dropped in 2026-05: 80 vs 100 expected.',
    )
    expect(say(streakSentence(told({ period: month('2026-01', '2026-05') }), 5))).toBe(
      'Sales rose 5 months in a row to 2026-05, trend and season adjusted (unadjusted 0.2).',
    )
    expect(say(seasonSentence(told({ period: month('2026-05-01') }), null))).toBe(
      'Sales: May is usually the highest month, 0.2 above average.',
    )
    const july = told({ period: month('2026-07-01'), effect: fall })
    expect(say(seasonSentence(told({ period: month('2026-05-01') }), july))).toBe(
      'Sales: May is usually the highest month, 0.2 above average; July the lowest, 0.2 below.',
    )
    expect(say(seasonSentence(july, null))).toBe('Sales: July is usually the lowest month, 0.2 below average.')
    expect(say(targetRiskSentence(told({ effect: fall }), month('2026-12')))).toBe(
      'Sales: 80 expected for 2026-12, 0.2 below the 100 target (data to 2026-05).',
    )
  })

  it('members that stop, come and lead, and a mix shift', () => {
    expect(say(lostMemberSentence(told(), REGION))).toBe('No Sales for Skåne in 2026-05, after 100 in 2025-05.')
    expect(say(newMemberSentence(told(), REGION))).toBe('New: Skåne, 120 of Sales in 2026-05.')
    const shares = { value: '0.4', previous: '0.3', change: '0.1', percent: 0.33 }
    expect(say(concentrationSentence(told({ effect: shares }), NOW, REGION))).toBe(
      'Skåne, largest in Region, made up 0.4 of Sales in 2026-05 (0.3 expected).',
    )
    expect(say(mixShiftSentence(told({ contributions: [drivers('Skåne', '15')] })))).toBe(
      'Sales rose from 100 in 2025-05 to 120 in 2026-05; a mix shift in Region accounts for most of it.',
    )
  })
})
