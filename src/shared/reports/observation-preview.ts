import { z } from 'zod'
import { blockSchema, type BlockOf } from './blocks'
import type { TokenAnswer } from './tiles'

/** `POST /api/reports/{id}/observation-preview`: of the draft, for an observation that may not be saved yet. */
export const previewObservationSchema = z.strictObject({
  block: blockSchema.refine((block): block is BlockOf<'observation'> => block.kind === 'observation', {
    message: 'Choose an observation.',
  }),
})
/** One of the last periods, and what the observation would have said in it. */
export interface ObservationPreview {
  /** The period in words. */
  label: string
  /** Null: there is no figure. */
  meets: boolean | null
  tokens: Record<string, TokenAnswer>
  /** Why it could not be worked out. */
  problem: string | null
}
