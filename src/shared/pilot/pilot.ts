import { z } from 'zod'
import type { EnrolmentState, PilotFeature } from './features'
import type { PlanId } from '../billing/plans'

/** Early access as one member sees it. */

export const FEEDBACK_MAX_CHARS = 2_000

/** `PUT /api/pilot/{key}`: for oneself, or by an administrator for everybody here. `off` ends any of the others. */
export const savePilotSchema = z.strictObject({
  state: z.enum(['interested', 'on', 'off']),
  for: z.enum(['me', 'workspace']).default('me'),
  /** Of what changes data: the person was told what it changes and how it is left. */
  confirmed: z.boolean().default(false),
})
export type SavePilotInput = z.input<typeof savePilotSchema>

/** `POST /api/pilot/{key}/feedback`: replaces what the person said before. */
export const pilotFeedbackSchema = z.strictObject({
  score: z.int().min(1).max(5),
  text: z
    .string()
    .max(FEEDBACK_MAX_CHARS, { message: `At most ${FEEDBACK_MAX_CHARS} characters.` })
    .transform((text) => text.normalize('NFC').trim())
    .default(''),
})
export type PilotFeedbackInput = z.input<typeof pilotFeedbackSchema>

export interface PilotFeedback {
  score: number
  text: string
}

/**
 * `concept`: only interest can be told. `soon`: not yet. `open`: can be turned on. `graduated`, `withdrawn`: a note, for
 * 30 days.
 */
export type PilotItemStatus = 'concept' | 'soon' | 'open' | 'graduated' | 'withdrawn'

export interface PilotItem extends Pick<
  PilotFeature,
  'key' | 'title' | 'summary' | 'stage' | 'scope' | 'risk' | 'changes' | 'limits' | 'startsAt' | 'endsAt' | 'docs'
> {
  status: PilotItemStatus
  /** Why it was taken back; null while it was not. */
  reason: string | null
  /** The plan that may take part, where this workspace's may not; null where it may. */
  requiredPlan: PlanId | null
  /** Whether it is on for who asks. */
  on: boolean
  own: EnrolmentState | null
  workspace: EnrolmentState | null
  feedback: PilotFeedback | null
}

/** `GET /api/pilot`: what one takes part in first. */
export interface PilotList {
  items: PilotItem[]
}

/** `PUT /api/admin/pilot/{key}`: the installation's kill switch. */
export const pilotSwitchSchema = z.strictObject({
  stopped: z.boolean(),
  /** Shown to people; needed to stop it. */
  reason: z
    .string()
    .max(200)
    .transform((text) => text.normalize('NFC').trim())
    .default(''),
})
export type PilotSwitchInput = z.input<typeof pilotSwitchSchema>

/** `GET /api/admin/pilot`: early access over all workspaces, for the operator. */
export interface PilotOverview {
  items: {
    key: string
    title: string
    stage: PilotFeature['stage']
    stopped: { reason: string; at: string } | null
    /** Workspaces and people that have it on by their own word. */
    workspaces: number
    people: number
    interested: number
    /** Mean score; null while nobody gave one. */
    score: number | null
    /** The newest first. */
    feedback: { score: number; text: string; at: string }[]
  }[]
}
