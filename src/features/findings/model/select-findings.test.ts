import { expect, it } from 'vitest'
import type { FindingKind } from '../../../shared/findings'
import type { FindingCandidate } from './candidates'
import { selectFindings } from './select-findings'

const line = (member: string, previous: string, change: string) => ({ member, previous, value: null, change })
const FLOORS = [line('Floors', '30', '-20'), line('Doors', '60', '-1'), line('Paint', '50', '1')]

const candidate = (kind: FindingKind, p: number, over: Partial<FindingCandidate> = {}): FindingCandidate => ({
  ...{ kind, p, subject: 's', member: null, family: 'total', weight: 1, novelty: 1, against: 'year', comparison: null },
  ...{ period: { from: '2024-01-01', to: '2024-08-01', grain: 'month' }, statistic: { name: 't', value: -5 }, n: 32 },
  ...{ effect: { value: '120', previous: '140', change: '-20', percent: null }, tone: 'bad', sentence: [] },
  contributions: [{ dimension: 'd', label: 'Group', lines: FLOORS }],
  ...over,
})
const ofMember = (p: number, value = 'Floors'): FindingCandidate =>
  candidate('levelShift', p, {
    ...{ member: { dimension: 'd', label: 'Group', value }, family: 'member', contributions: [] },
    period: { from: '2024-04-01', to: '2024-08-01', grain: 'month' },
  })
const told = (...candidates: FindingCandidate[]): string[] =>
  selectFindings([{ subject: 's', tests: { total: 5, member: 20, window: 0 }, candidates }]).map(
    ({ kind, member, period }) => `${kind} ${String(member?.value ?? 'all')} ${period.from.slice(0, 7)}`,
  )

it('lets few members say when it began what they made of the whole, where it shows far more surely in them', () => {
  const turn = candidate('trendBreak', 1e-3)
  expect(told(turn, ofMember(1e-6))).toEqual(['levelShift Floors 2024-04'])
  expect(told(turn, ofMember(9e-4)), 'hardly surer than the whole').toEqual(['trendBreak all 2024-01'])
  const shared = { lines: [line('Floors', '30', '-10'), line('Doors', '60', '-9')], dimension: 'd', label: 'Group' }
  const both = candidate('trendBreak', 1e-3, { contributions: [shared] })
  expect(told(both, ofMember(1e-6)), 'made by another too').toEqual(['trendBreak all 2024-01'])
  const large = { lines: [line('Floors', '90', '-20'), line('Doors', '20', '-1')], dimension: 'd', label: 'Group' }
  const own = candidate('trendBreak', 1e-3, { contributions: [large] })
  expect(told(own, ofMember(1e-6)), 'most of the whole anyway').toEqual(['trendBreak all 2024-01'])
})

it('lends no other finding of a series the errors that its season, or another view of the same, would have earned it', () => {
  // Held against five tests, 0.02 of a change is worth q = 0.079 by itself: more than is allowed.
  const change = candidate('change', 0.02)
  expect(told(change)).toEqual([])
  const season = candidate('season', 1e-9)
  expect(told(change, season), 'beside a season').toEqual(['season all 2024-01'])
  expect(told(change, candidate('trendBreak', 0.02)), 'seen twice').toEqual([])
  const other = ofMember(1e-6, 'Paint')
  const both = told(change, other)
  expect(both, 'beside a finding of another series').toEqual(['levelShift Paint 2024-04', 'change all 2024-01'])
})

it('shares what the mix of a ratio is given among its dimensions, and holds a change that its mix tells as a change', () => {
  const isTold = (over: Partial<FindingCandidate>, dimensions: string[]): boolean =>
    selectFindings([
      {
        ...{ subject: 's', tests: { total: 6, member: 0, window: 0 } },
        members: Object.fromEntries(dimensions.map((key) => [key, 3])),
        candidates: [candidate('mixShift', 0.01, over)],
      },
    ]).length > 0
  const four = ['region', 'city', 'group', 'customer']
  expect([isTold({}, ['region']), isTold({}, four)]).toEqual([true, false])
  expect(isTold({ tested: 'change' }, four)).toBe(true)
})

it('tells many members that move alike by the one of another dimension that they are in', () => {
  const moved = (dimension: string, value: string, change: string, p = 1e-7): FindingCandidate =>
    candidate('trendBreak', p, {
      ...{ member: { dimension, label: dimension, value }, family: 'member', contributions: [] },
      effect: { value: '0.3', previous: '0.36', change, percent: null },
    })
  const products = ['Varnish', 'Primer', 'Oil'].map((name, at) => moved('product', name, `-0.0${at + 5}`))
  const group = moved('group', 'Paint', '-0.055')
  expect(told(group, ...products)).toEqual(['trendBreak Paint 2024-01'])
  expect(told(group, ...products.slice(1)).toSorted(), 'two may be chance').toHaveLength(3)
  expect(told(moved('group', 'Paint', '0.06'), ...products), 'it rose').toHaveLength(4)
  expect(told(moved('group', 'Paint', '-0.01'), ...products), 'it hardly moved').toHaveLength(4)
  expect(told(moved('group', 'Paint', '-0.055', 1e-4), ...products), 'less surely than they').toHaveLength(4)
})
