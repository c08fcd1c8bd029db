import { expect, it } from 'vitest'
import { askGolden, type GoldenHalf } from './nlq-golden'
import { suiteFiles } from './suite'

/** Fewest golden questions of each half that come out as they should, and most that are answered with other figures. */
const FLOORS: Record<GoldenHalf, { right: number; wrong: number }> = {
  open: { right: 0, wrong: 135 },
  'held-out': { right: 0, wrong: 120 },
}

it.each(['open', 'held-out'] as const)(
  'answers, asks back or declines the %s golden questions as they should be',
  async (half) => {
    const outcomes = await askGolden(suiteFiles('nlq-golden'), half)
    const told = outcomes
      .filter(({ isRight }) => !isRight)
      .map(({ item, judged }) => `${judged.verdict} ${half === 'open' ? `${item.id}: ${item.question}` : item.class}`)
    const count = (test: (outcome: (typeof outcomes)[number]) => boolean): number => outcomes.filter(test).length
    expect(
      count(({ isRight }) => isRight),
      told.join('\n'),
    ).toBeGreaterThanOrEqual(FLOORS[half].right)
    expect(
      count(({ isWrong }) => isWrong),
      told.join('\n'),
    ).toBeLessThanOrEqual(FLOORS[half].wrong)
  },
)
