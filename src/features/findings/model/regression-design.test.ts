import { expect, it } from 'vitest'
import { DesignCache } from './regression-design'

it('keeps the frame of the whole while members with gaps of their own come and go, and few of theirs', () => {
  const designs = new DesignCache({ grain: 'month' })
  const whole = Array.from({ length: 30 }, (_, t) => t)
  const without = (gap: number): number[] => whole.filter((t) => t !== gap)
  const [first, member] = [designs.designFor({ at: whole }), designs.designFor({ at: without(1) })]
  expect(designs.designFor({ at: without(1) })).toBe(member)
  for (let gap = 2; gap < 20; gap += 1) {
    designs.designFor({ at: without(gap) })
    expect(designs.designFor({ at: [...whole] })).toBe(first)
  }
  expect(designs.designFor({ at: without(1) })).not.toBe(member)
  expect(designs.designFor({ at: without(1) })).toEqual(
    expect.objectContaining({ at: member.at, season: member.season }),
  )
})
