import { z } from 'zod'

export const GRAINS = ['hour', 'day', 'week', 'month', 'quarter', 'year', 'fiscalQuarter', 'fiscalYear'] as const
export type Grain = (typeof GRAINS)[number]
/** What every year, month, week or day has again: rows of all years fall into the same few parts. */
export const DATE_PARTS = ['hourOfDay', 'weekday', 'dayOfMonth', 'monthOfYear', 'weekOfYear'] as const
export type DatePart = (typeof DATE_PARTS)[number]

const isoDate = z.iso.date()

export const absoluteRangeSchema = z.strictObject({
  kind: z.literal('absolute'),
  /** First day, inclusive. */
  from: isoDate,
  /** Last day, inclusive. */
  to: isoDate,
})
export const relativeRangeSchema = z.strictObject({
  kind: z.literal('relative'),
  /** `last`: n units before the current one (`includeCurrent` adds it); `this`: the current unit so far. */
  span: z.enum(['last', 'this', 'all']),
  unit: z.enum(['day', 'week', 'month', 'quarter', 'year', 'fiscalQuarter', 'fiscalYear']),
  n: z.int().min(1).max(1000).default(1),
  includeCurrent: z.boolean().default(false),
})
export type AbsoluteRange = z.infer<typeof absoluteRangeSchema>
export type RelativeRange = z.infer<typeof relativeRangeSchema>
