import { describe, expect, it } from 'vitest'
import { peerEvidenceOf, peersOf } from './peers'
import { buildDesign } from './regression-design'
import { digamma, trigamma } from './statistics'
import type { SubjectMember } from './subject'
import { randomFrom, range } from '../../../../test/worker/planted/simulation'

const N = 30
const design = buildDesign(range(N), 12)
const FREE = N - (design.models[0]?.basis.length ?? 0)
/** Members that vary by these parts of their own size, each of a size of its own. */
function membersOf(spreads: readonly number[], sizes = spreads.map((_, i) => 100 * (i + 1))): SubjectMember[] {
  const random = randomFrom(5)
  return spreads.map((spread, i) => ({
    member: `m${i}`,
    series: {
      value: range(N).map(() => (sizes[i] ?? 1) * (1 + spread * random.normal())),
      count: range(N).map(() => 10),
    },
  }))
}
const evidenceFor = (members: readonly SubjectMember[], unit = 1) => {
  const [own] = members
  return own ? peerEvidenceOf({ peers: peersOf(design, members), own, unit }, design, { one: null, df: FREE }) : null
}
/** Standard deviation of one error of the first, by its size; errors that remember nothing. */
const deviation = (members: readonly SubjectMember[]): number => Math.sqrt(evidenceFor(members)?.variance[0] ?? 0)

describe('what other members say of how much one varies', () => {
  it('is what they vary by beside their sizes, in the figures that are tested', () => {
    const alike = membersOf(range(13).map(() => 0.1))
    expect(deviation(alike)).toBeGreaterThan(8)
    expect(deviation(alike)).toBeLessThan(12)
    const halved = evidenceFor(alike, 2)?.variance[0] ?? 0
    expect(Math.sqrt(halved)).toBeCloseTo(deviation(alike) / 2, 6)
  })

  it('leaves the member itself out', () => {
    const wild = membersOf(range(13).map((i) => (i === 0 ? 0.9 : 0.1)))
    expect(deviation(wild)).toBeLessThan(12)
  })

  it('knows that large ones vary less where they do', () => {
    const sizes = range(13).map((i) => (i === 0 ? 6400 : 100 * 2 ** (i % 5)))
    const rows = membersOf(
      sizes.map((size) => 1 / Math.sqrt(size)),
      sizes,
    )
    expect(deviation(rows) / 6400).toBeLessThan(0.025)
  })

  it('is surer of members that are alike, and nothing of a few', () => {
    const sure = (spreads: readonly number[]): number => evidenceFor(membersOf(spreads))?.df[0] ?? 0
    const alike = sure(range(13).map(() => 0.1))
    expect(alike).toBeGreaterThan(2 * sure(range(13).map((i) => 0.1 * 3 ** (i % 3))))
    expect(evidenceFor(membersOf([0.1, 0.1, 0.1, 0.1]))).toBeNull()
  })
})

it('knows the derivatives of the logarithm of gamma', () => {
  expect([digamma(1), digamma(0.5), digamma(20)].map((one) => one.toFixed(7))).toEqual([
    ...['-0.5772157', '-1.9635100', '2.9705240'],
  ])
  expect([trigamma(1), trigamma(0.5), trigamma(20)].map((one) => one.toFixed(7))).toEqual([
    ...['1.6449341', '4.9348022', '0.0512708'],
  ])
})
