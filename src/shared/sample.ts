import { z } from 'zod'

/** Stages of bringing in the sample company, in their order, as a person reads them. */
export const SAMPLE_STAGES = [
  'Writing the files',
  'Reading orders',
  'Reading customers',
  'Reading the ledger',
  'Relating the tables',
  'Making insights',
] as const

/**
 * `none`: never asked for. `removed`: taken away by a person, and never brought back unasked.
 * `failed`: it stopped half-way; asking again starts over.
 */
const SAMPLE_STATES = ['none', 'loading', 'ready', 'failed', 'removed'] as const
type SampleState = (typeof SAMPLE_STATES)[number]

/** `GET /api/sample`: the made-up company of this workspace. It counts against no limit. */
export interface Sample {
  state: SampleState
  /** Stages that are done, of `stages`. */
  done: number
  stages: number
  /** The stage under way while `loading`; why it stopped when `failed`. */
  message: string | null
  sourceIds: string[]
}

/** `DELETE /api/sample?force=1`: `force` once the insights that a person built on it were seen. */
export const removeSampleSchema = z.strictObject({ force: z.enum(['0', '1']).default('0') })

/** What starts the job, and all that its durable state holds of the person who started it. */
export interface LoadSampleParams {
  jobId: string
  workspaceId: string
  userId: string
  epoch: string
}

/** The person of the demo, in local mode only. */
export const DEMO_EMAIL = 'demo@example.com'
