import { type AutoETS } from '@bsull/augurs/ets'
import { type MSTL } from '@bsull/augurs/mstl'
import { type Engines } from '../contract'

interface Model {
  fit(values: Float64Array): void
  predict(horizon: number): { point: number[] }
  free(): void
}

const FEWEST = 4

/** Fits, predicts, and gives the memory of the model back whatever happened: WebAssembly is not swept. */
function predicted(model: Model, values: Float64Array, horizon: number): number[] {
  try {
    model.fit(values)
    return model.predict(horizon).point
  } finally {
    try {
      model.free()
    } catch {
      // A model that trapped is still borrowed inside.
    }
  }
}

/** What a series must be before WebAssembly sees it: a panic in there would leak. */
function checked(values: Float64Array, fewest: number): void {
  if (values.length < fewest || !values.every(Number.isFinite)) throw new RangeError('not a series for this engine')
}

/** The two engines over augurs' classes, whose WebAssembly must have been started. */
export function enginesOver(classes: { AutoETS: typeof AutoETS; MSTL: typeof MSTL }): Engines {
  return {
    ets(values, horizon) {
      checked(values, FEWEST)
      return predicted(new classes.AutoETS(1, 'ZZN'), values, horizon)
    },
    mstl(values, horizon, seasons) {
      checked(values, 2 * Math.max(FEWEST, ...seasons) + 1)
      return predicted(classes.MSTL.ets([...seasons], { impute: false }), values, horizon)
    },
  }
}
