import { ALERT_GRAIN_LABELS } from '../alerts'
import type { ForecastGrain } from './result'
import type { RunFailure } from './forecasts'

export interface RunFailureText {
  title: string
  /** What to do about it. */
  advice: string
}

const FINER_GRAIN: Record<ForecastGrain, ForecastGrain | null> = {
  quarter: 'month',
  month: 'week',
  week: 'day',
  day: null,
}

const countOf = ({ have = 0, need = 0 }: RunFailure, grain: ForecastGrain): string =>
  need === 0 ? '' : `: ${have} of ${need} ${ALERT_GRAIN_LABELS[grain]}s`

function describeTooShort(failure: RunFailure, grain: ForecastGrain): RunFailureText {
  const finer = FINER_GRAIN[grain]
  return {
    title: `Not enough history${countOf(failure, grain)}`,
    advice: finer === null ? 'Import more.' : `Import more or forecast by ${ALERT_GRAIN_LABELS[finer]}.`,
  }
}

const FAILURE_TEXT: Record<string, (failure: RunFailure, grain: ForecastGrain) => RunFailureText> = {
  too_short: describeTooShort,
  too_many_gaps: (failure, grain) => ({
    title: `Too many gaps${countOf(failure, grain)}`,
    advice: 'Import the missing periods, start the history later, or choose longer periods.',
  }),
  owner_gone: () => ({ title: 'Owner has left', advice: 'Save to take over.' }),
  not_found: () => ({
    title: 'Source deleted',
    advice: 'Showing the last result. Choose another insight or metric, or delete the forecast.',
  }),
  invalid_input: () => ({ title: 'No date column', advice: 'Add a date column to the insight or metric.' }),
  mixed_currency: () => ({
    title: 'Mixed currencies',
    advice: 'Choose a currency for the insight, then run again.',
  }),
  no_rate: () => ({
    title: 'Missing exchange rate',
    advice: 'Add the rate in the workspace’s currency settings, then run again.',
  }),
}

/** Why a run has no result, and what to do. */
export function describeRunFailure(failure: RunFailure, grain: ForecastGrain): RunFailureText {
  const words = FAILURE_TEXT[failure.code]
  if (words) return words(failure, grain)
  return { title: 'Forecast failed', advice: `${failure.message} Run again or change the settings.` }
}
