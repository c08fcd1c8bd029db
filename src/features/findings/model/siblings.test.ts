import { describe, expect, it } from 'vitest'
import { randomFrom } from '../../../../test/worker/planted/simulation'
import { buildDesign } from './regression-design'
import { siblingsOf, likeliestModel, siblingEvidenceOf, siblingTails } from './siblings'
import { tailWeights, TAIL_MODELS, tailEvidenceOf } from './error-model'

const N = 36
const AT = Array.from({ length: N }, (_, t) => t)
const frame = buildDesign(AT, 52)
const df = N - (frame.models[0]?.basis.length ?? 0)

/** Parts of one split, each with errors of its own of this size. */
function kinWith(seed: number, { sizes, isHeavy = false }: { sizes: readonly number[]; isHeavy?: boolean }) {
  const random = randomFrom(seed)
  const one = (): number => {
    const scale = Math.sqrt([1, 1, 1, 1].reduce((sum, each) => sum + (each * random.normal()) ** 2, 0) / 4)
    return isHeavy ? random.normal() / scale : random.normal()
  }
  return siblingsOf(frame, [sizes.map((size) => Float64Array.from(AT, () => 5 + size * one()))])
}

describe('parts', () => {
  it('tell the variance of the whole by the sum of theirs, and how surely', () => {
    const sizes = [3, 2, 1, 1, 1]
    const variances = Array.from({ length: 40 }, (_, seed) => {
      const saying = siblingEvidenceOf(kinWith(seed + 1, { sizes }), frame, { one: null, df })
      expect(saying?.df[0]).toBeLessThanOrEqual(60)
      return saying?.variance[0] ?? 0
    })
    // 9 + 4 + 1 + 1 + 1; the mean of forty has an error of about half of one.
    expect(Math.abs(variances.reduce((sum, one) => sum + one, 0) / 40 - 16)).toBeLessThan(1.6)
  })

  it('say that errors do not remember where they do not, and nothing where there is one part', () => {
    expect(
      frame.models[likeliestModel(kinWith(3, { sizes: Array.from({ length: 12 }, () => 1) }), frame)]?.white.phi,
    ).toBe(0)
    expect(siblingEvidenceOf(kinWith(3, { sizes: [1] }), frame, { one: null, df })).toBeNull()
  })

  it('tell heavy tails from normal ones', () => {
    const sizes = Array.from({ length: 20 }, () => 1)
    const normal = (isHeavy: boolean): number =>
      tailWeights(siblingTails(kinWith(7, { sizes, isHeavy }), { one: null, model: 0, df }))[0] ?? Number.NaN
    expect(normal(false)).toBeGreaterThan(2 * (TAIL_MODELS[0]?.[1] ?? 1))
    expect(normal(true)).toBeLessThan(0.001)
    expect(tailWeights()[0]).toBeCloseTo(TAIL_MODELS[0]?.[1] ?? 0)
    expect(tailEvidenceOf(Float64Array.from([1, -1, 1, -1]), 4).scales[0]).toBe(1)
  })
})
