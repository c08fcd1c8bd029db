import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import {
  COUNTED_FROM,
  wilsonInterval,
  NOISE_MOST,
  RECALL_LEAST,
  report,
  proportionOf,
  FAMILIES,
  dataSetOrders,
  outcomeOf,
  plantedFrom,
  pureNoise,
} from '../../../../test/worker/planted/report'

const COUNTS = env.LONG === '1' ? { planted: 576, noise: 600 } : { planted: 36, noise: 40 }
const still = (): number => 0

/** The benchmark itself is `npm run bench:findings`; this keeps it and its goals standing. */
describe('planted effects', () => {
  // Larger than the goal asks for, and fewer: what so few sets can say is that the goals are not beyond their limits.
  const size = env.LONG === '1' ? COUNTED_FROM : 7
  const all = dataSetOrders(FAMILIES.tuning, COUNTS).map((order) => outcomeOf(order, still))

  it('are found', () => {
    const of = plantedFrom(all, size)
    expect(of.length).toBeGreaterThanOrEqual(5)
    expect(wilsonInterval(proportionOf(of, ({ found }) => found))[1]).toBeGreaterThanOrEqual(RECALL_LEAST)
  })

  it('are not found where there are none', () => {
    const of = pureNoise(all)
    expect(of).toHaveLength(COUNTS.noise)
    expect(wilsonInterval(proportionOf(of, ({ others }) => others.length > 0))[0]).toBeLessThanOrEqual(NOISE_MOST)
  })

  it('are told by kind and size in the report, with what so few sets can say', () => {
    const few = { planted: 12, noise: 8 }
    const { lines } = report({ tuning: few, heldOut: few }, still)
    expect(lines.join('\n')).toMatch(/levelShift .*\n[^]*pure noise with any finding: .* of 8 [^]*Held-out family/)
    // Wilson's limits for 4 of 50, by hand.
    expect(wilsonInterval({ hits: 4, of: 50 }).map((limit) => limit.toFixed(3))).toEqual(['0.032', '0.188'])
  })
})
