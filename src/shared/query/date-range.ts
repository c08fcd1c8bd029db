import { z } from 'zod'

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
