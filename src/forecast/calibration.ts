import { type Frequency, type ForecastLevel } from './contract'

/**
 * Half-widths of bands in spreads of `spread.ts`, by frequency and the share the band is to hold. Quantiles of what was missed on the
 * competition series of the development sample, at their end and one horizon earlier, each drawn towards the geometric mean over
 * frequencies by the weight of 20 series (decision 042 has the figures).
 */
export const INTERVAL_HALF_WIDTHS: Record<Frequency, Record<ForecastLevel, number>> = {
  yearly: { 50: 0.51, 80: 1.15, 95: 2.1 },
  quarterly: { 50: 0.42, 80: 0.91, 95: 1.66 },
  monthly: { 50: 0.43, 80: 0.91, 95: 1.58 },
  weekly: { 50: 0.42, 80: 0.885, 95: 1.55 },
  daily: { 50: 0.48, 80: 1.05, 95: 1.95 },
  hourly: { 50: 0.26, 80: 0.56, 95: 1.1 },
}

/** Weight of how far members lie apart, in a spread. */
export const DISAGREEMENT_WEIGHT = 2

/** Widths grow with the level they are around to this power: between an amount (0) and a share (1). */
export const LEVEL_GROWTH_POWER = 0.5
