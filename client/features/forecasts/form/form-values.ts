import { eventSchema, HORIZON_MAX, pickSettings } from '../../../../src/shared/forecasts/forecasts'
import type {
  ForecastEvent,
  ForecastSettings,
  ForecastSettingsInput,
  Forecast,
  UpdateForecastInput,
} from '../../../../src/shared/forecasts/forecasts'
import type { ForecastGrain, ForecastLevel } from '../../../../src/shared/forecasts/result'
import type { Filter } from '../../../../src/shared/query/plan'
import type { MemberField, SubjectRef } from '../../../../src/shared/monitored-metric'

/** The settings of a forecast as a form holds them. Amounts that are not given are empty text. */
export interface ForecastFormValues {
  name: string
  subject: SubjectRef | null
  filters: Filter[]
  by: MemberField | null
  grain: ForecastGrain
  horizon: number | string
  historyFrom: string | null
  ignoreIncomplete: boolean
  season: 'auto' | 'none' | 'own'
  /** Periods of a season of one's own. */
  seasonLength: number | string
  holidays: boolean
  dampOutliers: boolean
  level: ForecastLevel
  floor: number | string
  ceiling: number | string
  events: ForecastEvent[]
  accumulate: boolean
  opening: number | string
  /** The day on whose morning the balance is that. */
  openingOn: string | null
}

/** Periods of a year, or days of a week: what a season of one's own begins with. */
const SEASON_LENGTHS: Record<ForecastGrain, number> = { day: 7, week: 52, month: 12, quarter: 4 }
const HORIZONS: Record<ForecastGrain, number> = { day: 30, week: 13, month: 12, quarter: 4 }

/** What a new forecast begins with. */
export function newFormValues(
  subject: SubjectRef | null,
  name = '',
  grain: ForecastGrain = 'month',
): ForecastFormValues {
  return {
    ...{ name, subject, filters: [], by: null, grain, horizon: HORIZONS[grain], historyFrom: null },
    ...{ ignoreIncomplete: true, season: 'auto', seasonLength: SEASON_LENGTHS[grain], holidays: true },
    ...{ dampOutliers: false, level: 80, floor: '', ceiling: '', events: [], accumulate: false, opening: '' },
    openingOn: null,
  }
}

const toInput = (value: number | null): number | string => value ?? ''

export function toFormValues({ name, ...settings }: ForecastSettings & { name: string }): ForecastFormValues {
  const { season, accumulate, grain } = settings
  return {
    name,
    ...{ subject: settings.subject, filters: settings.filters, by: settings.by, grain, horizon: settings.horizon },
    ...{ historyFrom: settings.historyFrom, ignoreIncomplete: settings.ignoreIncomplete === 'auto' },
    season: typeof season === 'number' ? 'own' : season,
    seasonLength: typeof season === 'number' ? season : SEASON_LENGTHS[grain],
    ...{ holidays: settings.holidays === 'auto', dampOutliers: settings.dampOutliers, level: settings.level },
    ...{ floor: toInput(settings.floor), ceiling: toInput(settings.ceiling), events: settings.events },
    ...{ accumulate: accumulate !== null, opening: toInput(accumulate?.opening ?? null) },
    openingOn: accumulate?.on ?? null,
  }
}

const parseAmount = (value: number | string): number | null => {
  const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value)
  return Number.isFinite(number) ? number : null
}
const toInteger = (value: number | string, otherwise: number): number => Math.round(parseAmount(value) ?? otherwise)

/** A balance without a day is that before the first period ahead; without a balance the day says nothing. */
function toOpening({ opening, openingOn }: ForecastFormValues): NonNullable<ForecastSettings['accumulate']> {
  const value = parseAmount(opening)
  return { opening: value, on: value === null || openingOn === '' ? null : openingOn }
}

/** What the server is asked with; null while nothing is chosen to forecast. */
export function toForecastSettings(values: ForecastFormValues): ForecastSettingsInput | null {
  const { subject, season, grain } = values
  if (!subject) return null
  return {
    ...{ subject, filters: values.filters, by: values.by, grain },
    horizon: Math.min(HORIZON_MAX, Math.max(1, toInteger(values.horizon, HORIZONS[grain]))),
    historyFrom: values.historyFrom === '' ? null : values.historyFrom,
    ignoreIncomplete: values.ignoreIncomplete ? 'auto' : 'never',
    season: season === 'own' ? Math.max(2, toInteger(values.seasonLength, SEASON_LENGTHS[grain])) : season,
    holidays: values.holidays ? 'auto' : 'none',
    ...{ dampOutliers: values.dampOutliers, level: values.level },
    ...{ floor: parseAmount(values.floor), ceiling: parseAmount(values.ceiling), events: values.events },
    accumulate: values.accumulate ? toOpening(values) : null,
  }
}

/** Another length of period: how far ahead and the season of one's own go with it. */
export const withGrain = (grain: ForecastGrain): Partial<ForecastFormValues> => ({
  ...{ grain, horizon: HORIZONS[grain], seasonLength: SEASON_LENGTHS[grain] },
})

/** Events that say all that it takes: one that is still being written does not hold up what would come of the others. */
export const completeEvents = (events: readonly ForecastEvent[]): ForecastEvent[] =>
  events.filter((event) => event.from <= event.to && eventSchema.safeParse(event).success)

/** What saving a forecast sends: all of its settings, some of them others. */
export const forecastUpdate = (
  forecast: Forecast,
  over: Partial<ForecastSettings & { name: string }> = {},
): UpdateForecastInput & { id: string } => ({
  ...pickSettings(forecast),
  ...{ id: forecast.id, name: forecast.name, version: forecast.version },
  ...over,
})

/** The name of a copy, within the length of names. */
export const copyName = (name: string): string => `${name.slice(0, 70)} (copy)`
