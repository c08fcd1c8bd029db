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

function describeTooShort({ have = 0, need = 0 }: RunFailure, grain: ForecastGrain): RunFailureText {
  const unit = ALERT_GRAIN_LABELS[grain]
  const units = (count: number): string => `${count} ${unit}${count === 1 ? '' : 's'}`
  const finer = FINER_GRAIN[grain]
  const other = finer === null ? '' : `, or forecast by ${ALERT_GRAIN_LABELS[finer]}`
  return {
    title: 'There is too little history',
    advice:
      need === 0
        ? `There are no figures to go by yet. Load older rows${other}.`
        : `There ${have === 1 ? 'is' : 'are'} ${units(have)} with figures; it takes ${units(need)}. Load older rows, let the history begin earlier${other}.`,
  }
}

const FAILURE_TEXT: Record<string, (trouble: RunFailure, grain: ForecastGrain) => RunFailureText> = {
  too_short: describeTooShort,
  too_many_gaps: ({ have, need }, grain) => ({
    title: 'Too many periods have no figures',
    advice: `${
      have === undefined || need === undefined
        ? ''
        : `${have} ${ALERT_GRAIN_LABELS[grain]}s have figures; it takes ${need}. `
    }Load what is missing, let the history begin later, or choose longer periods.`,
  }),
  owner_gone: () => ({
    title: 'Whoever made it has no seat here any more',
    advice: 'It is computed with what its owner may see. Save it to take it over.',
  }),
  not_found: () => ({
    title: 'What it is about was deleted',
    advice: 'It shows what it last found. Choose another insight or metric, or delete the forecast.',
  }),
  invalid_input: () => ({
    title: 'What it is about has no date',
    advice: 'A forecast follows a figure over time. Give the insight or metric a date column.',
  }),
  mixed_currency: () => ({
    title: 'The amounts are in different currencies',
    advice: 'Choose the currency that the insight is shown in, then run it again.',
  }),
  no_rate: () => ({
    title: 'An exchange rate is missing',
    advice: 'Add the rate in the currency settings of the workspace, then run it again.',
  }),
}

/** Why a run has no result, and what to do. */
export function describeRunFailure(trouble: RunFailure, grain: ForecastGrain): RunFailureText {
  const words = FAILURE_TEXT[trouble.code]
  if (words) return words(trouble, grain)
  return { title: 'It could not be computed', advice: `${trouble.message} Run it again, or change its settings.` }
}
