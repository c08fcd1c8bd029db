import { env } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { askGolden, type GoldenSet } from './nlq-golden'
import { suiteFiles } from './suite'

/** Fewest golden questions of each set that come out as they should, and most that are answered with other figures. */
const FLOORS: Record<GoldenSet, { right: number; wrong: number }> = {
  open: { right: 125, wrong: 1 },
  shapes: { right: 940, wrong: 1 },
  'held-out': { right: 105, wrong: 1 },
}

const HALVES: readonly GoldenSet[] = ['open', 'shapes', 'held-out']

// A run by hand of one kind of suite asks what it was told to; the short run has the engine's own tables beside it.
it.skipIf(env.SUITE_KIND !== '' || env['LONG'] !== '1')(
  'answers, asks back or declines golden questions as they should be',
  async () => {
    const outcomes = await askGolden(suiteFiles('golden'), HALVES)
    for (const half of HALVES) {
      const own = outcomes.filter((outcome) => outcome.half === half)
      const told = own
        .filter(({ isRight }) => !isRight)
        .map(
          ({ item, judged }) =>
            `${judged.verdict} ${half === 'held-out' ? item.class : `${item.id}: ${item.question}`}`,
        )
        .join('\n')
      expect(own.filter(({ isRight }) => isRight).length, told).toBeGreaterThanOrEqual(FLOORS[half].right)
      expect(own.filter(({ isWrong }) => isWrong).length, told).toBeLessThanOrEqual(FLOORS[half].wrong)
    }
  },
)
