import { z } from 'zod'

/** How often a member gets the briefing by mail, with what they follow. */
export const DIGEST_CADENCES = ['off', 'daily', 'weekly'] as const
export type DigestCadence = (typeof DIGEST_CADENCES)[number]

/** `PUT /api/digest`: one's own, in this workspace. */
export const saveDigestSchema = z.strictObject({ cadence: z.enum(DIGEST_CADENCES) })
export interface DigestSetting {
  cadence: DigestCadence
  /** Insights that are followed. */
  following: number
}
/** Findings that one mail tells of. */
export const DIGEST_FINDINGS_MAX = 5
/** Insights that one mail tells of. */
export const DIGEST_ITEMS_MAX = 10
