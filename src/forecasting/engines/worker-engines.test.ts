import { describe, expect, it } from 'vitest'
import { forecast } from '../forecast'
import { workerEngines } from './worker-engines'

const MONTHS = Array.from(
  { length: 60 },
  (_, t) => 1_000 + 2 * t + 120 * Math.sin((Math.PI * t) / 6) + 30 * Math.sin(t * t),
)

describe('the engines inside a Worker', () => {
  it('start from compiled modules and take part in a forecast', () => {
    const engines = workerEngines()
    expect(engines).not.toBeNull()
    const answer = forecast({ values: MONTHS, frequency: 'monthly', horizon: 12, engines })
    expect(answer).toMatchObject({ kind: 'forecast', card: { withoutEngines: false, dropped: [] } })
    expect(answer.kind === 'forecast' && answer.card.members).toContain('mstl')
  })

  it('refuse what is no series before WebAssembly sees it, and go on afterwards', () => {
    const engines = workerEngines()
    expect(() => engines?.ets(Float64Array.of(1, NaN, 3, 4, 5), 3)).toThrow(RangeError)
    expect(() => engines?.mstl(Float64Array.from(MONTHS.slice(0, 20)), 3, [12])).toThrow(RangeError)
    expect(engines?.ets(Float64Array.from(MONTHS), 3)).toHaveLength(3)
  })
})
