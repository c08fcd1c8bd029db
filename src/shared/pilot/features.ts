import type { Entitlements } from '../billing/entitlements'
import { PLANS, type PlanId } from '../billing/plans'
import { DAY_MS } from '../dates'

/** Early access: features that are not for everybody yet, as data. Who takes part is stored; what there is stands here. */

const PILOT_KEYS = ['mcp', 'voice'] as const
export type PilotKey = (typeof PILOT_KEYS)[number]

/** How far a feature is: an idea, tried by few, tried by many, there for everybody. */
export type PilotStage = 'concept' | 'alpha' | 'beta' | 'general'

export interface PilotFeature {
  key: PilotKey
  title: string
  summary: string
  stage: PilotStage
  /** `workspace`: it can only be turned on for everybody in a workspace. */
  scope: 'user' | 'workspace'
  /** `writesData`: it changes what is stored; an administrator turns it on, and confirms. */
  risk: 'view' | 'writesData'
  /** What it changes, and how it is left; told before it is turned on. */
  changes: string
  /** What it cannot do yet. */
  limits: readonly string[]
  /** The cheapest plan that may take part; absent: all. */
  minPlan?: PlanId
  /** Days (ISO): it can be turned on from the first on, and is off after the second; null: none is set yet. Of a general one: since when it is. */
  startsAt: string
  endsAt: string | null
  /** Where it is explained: a path of the product; null: its card says it all. */
  docs: string | null
  /** Why it was taken back, and when (ISO day). */
  withdrawn?: { on: string; reason: string }
}

export const PILOT_FEATURES: readonly PilotFeature[] = [
  {
    key: 'mcp',
    title: 'MCP server',
    summary: 'Ask about your data from AI tools that speak the Model Context Protocol.',
    stage: 'beta',
    scope: 'user',
    risk: 'view',
    changes: 'Tools you connect read what you may see. Turn it off to disconnect them.',
    limits: ['Reads only', 'One workspace per connection'],
    startsAt: '2026-11-01',
    endsAt: null,
    docs: null,
  },
  {
    key: 'voice',
    title: 'Voice input',
    summary: 'Speak your question to the insight bot.',
    stage: 'beta',
    scope: 'user',
    risk: 'view',
    changes: 'Your browser turns speech into text; some browsers send the audio to their vendor.',
    limits: ['Needs a browser with speech recognition', 'Follows the browser’s language'],
    startsAt: '2026-11-01',
    endsAt: null,
    docs: null,
  },
]

export const pilotFeature = (key: string): PilotFeature | undefined => PILOT_FEATURES.find((each) => each.key === key)

/** How long a card tells that a feature became general or was taken back. */
const NOTE_MS = 30 * DAY_MS

/** An installation's kill switch of a feature. */
export interface PilotSwitch {
  reason: string
  /** Epoch ms. */
  stoppedAt: number
}

/**
 * What a feature is for anybody at an instant (epoch ms). `open`: can be turned on; `gone`: nothing is told of it any more.
 */
export type PilotStatus =
  | { kind: 'open' | 'general' | 'graduated' | 'gone' | 'concept' }
  /** `startsAt`, `withdrawn.on`, … are days of UTC: a day here or there changes nothing. */
  | { kind: 'soon'; startsAt: string }
  | { kind: 'withdrawn'; reason: string }

const ENDED = 'The trial has ended.'

/** @param now epoch ms */
export function pilotStatus(feature: PilotFeature, stopped: PilotSwitch | null, now: number): PilotStatus {
  const { stage, startsAt, endsAt, withdrawn } = feature
  const noteSince = (instant: number, status: PilotStatus): PilotStatus =>
    now - instant > NOTE_MS ? { kind: 'gone' } : status
  if (stopped) return noteSince(stopped.stoppedAt, { kind: 'withdrawn', reason: stopped.reason })
  if (withdrawn) return noteSince(Date.parse(withdrawn.on), { kind: 'withdrawn', reason: withdrawn.reason })
  if (stage === 'general') return now - Date.parse(startsAt) > NOTE_MS ? { kind: 'general' } : { kind: 'graduated' }
  const end = endsAt === null ? Infinity : Date.parse(endsAt) + DAY_MS
  if (now >= end) return noteSince(end, { kind: 'withdrawn', reason: ENDED })
  if (stage === 'concept') return { kind: 'concept' }
  return now < Date.parse(startsAt) ? { kind: 'soon', startsAt } : { kind: 'open' }
}

/** Whether a plan is `least` or more. A trial is of the largest plan on sale. */
export function isPlanAtLeast(planId: PlanId | null, least: PlanId): boolean {
  const order = PLANS.map(({ id }) => id)
  return planId === null || order.indexOf(planId) >= order.indexOf(least)
}

export type EnrolmentState = 'interested' | 'on' | 'off'
/** What a person said of a feature, and what was said for the whole workspace. */
export interface PilotEnrolments {
  own: EnrolmentState | null
  workspace: EnrolmentState | null
}

/** Whether a feature is on for somebody. One's own word comes before the workspace's. */
export function isPilotOn(
  feature: PilotFeature,
  at: {
    enrolments: PilotEnrolments
    stopped: PilotSwitch | null
    entitlements: Pick<Entitlements, 'planId' | 'features'>
    /** Epoch ms. */
    now: number
  },
): boolean {
  const { enrolments, entitlements } = at
  const { kind } = pilotStatus(feature, at.stopped, at.now)
  if (!entitlements.features.aiAssistant) return false
  if (feature.minPlan !== undefined && !isPlanAtLeast(entitlements.planId, feature.minPlan)) return false
  if (kind === 'general' || kind === 'graduated') return true
  if (kind !== 'open') return false
  const own = feature.scope === 'user' ? enrolments.own : null
  return (own ?? enrolments.workspace) === 'on'
}
