import { type AutoETS } from '@bsull/augurs/ets'
import { type MSTL } from '@bsull/augurs/mstl'
import { type ForecastEngines } from '../contract'

interface AugursModel {
  fit(values: Float64Array): void
  predict(horizon: number): { point: number[] }
  free(): void
}

const VALUES_MIN = 4

/** Fits, predicts, and gives the memory of the model back whatever happened: WebAssembly is not swept. */
function fitAndPredict(augursModel: AugursModel, values: Float64Array, horizon: number): number[] {
  try {
    augursModel.fit(values)
    return augursModel.predict(horizon).point
  } finally {
    try {
      augursModel.free()
    } catch {
      // A model that trapped is still borrowed inside.
    }
  }
}

/** What a series must be before WebAssembly sees it: a panic in there would leak. */
function assertUsableSeries(values: Float64Array, fewest: number): void {
  if (values.length < fewest || !values.every(Number.isFinite)) throw new RangeError('not a series for this engine')
}

/** The two engines over augurs' classes, whose WebAssembly must have been started. */
export function augursEngines(classes: { AutoETS: typeof AutoETS; MSTL: typeof MSTL }): ForecastEngines {
  return {
    ets(values, horizon) {
      assertUsableSeries(values, VALUES_MIN)
      return fitAndPredict(new classes.AutoETS(1, 'ZZN'), values, horizon)
    },
    mstl(values, horizon, seasons) {
      assertUsableSeries(values, 2 * Math.max(VALUES_MIN, ...seasons) + 1)
      return fitAndPredict(classes.MSTL.ets([...seasons], { impute: false }), values, horizon)
    },
  }
}
