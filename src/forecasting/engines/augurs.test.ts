import { describe, expect, it } from 'vitest'
import { AutoETS } from '@bsull/augurs/ets'
import { MSTL } from '@bsull/augurs/mstl'
import { augursEngines } from './augurs'
import { workerEngines } from './worker-engines'

const VALUES = Float64Array.from({ length: 40 }, (_, t) => 10 + (t % 4) + Math.sin(t * t))

/** Counts how often `free` is called on models of a class, and calls it. */
function counted(model: { free: () => void }): { frees: () => number; restore: () => void } {
  const before = model.free
  let count = 0
  model.free = function (this: { free: () => void }) {
    count++
    before.call(this)
  }
  return { frees: () => count, restore: () => void (model.free = before) }
}

describe('models of augurs', () => {
  it('are freed after an answer and after a failure', () => {
    expect(workerEngines()).not.toBeNull()
    const engines = augursEngines({ AutoETS, MSTL })
    const ets = counted(AutoETS.prototype)
    const mstl = counted(MSTL.prototype)
    engines.ets(VALUES, 3)
    engines.mstl(VALUES, 3, [4])
    expect([ets.frees(), mstl.frees()]).toEqual([1, 1])
    expect(() => engines.mstl(VALUES, 3, [0])).toThrow()
    expect(mstl.frees()).toBe(2)
    ets.restore()
    mstl.restore()
  })
})
