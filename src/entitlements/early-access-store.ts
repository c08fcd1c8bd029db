import type { Database } from '../db/database'
import {
  isPilotOn,
  PILOT_FEATURES,
  pilotFeature,
  type EnrolmentState,
  type PilotEnrolments,
  type PilotKey,
  type PilotSwitch,
} from '../shared/pilot/features'
import type { Entitlements } from '../shared/billing/entitlements'
import type { Clock } from '../shared/ids'

/** Who takes part in early access: a member, with what the workspace's plan gives. */
export interface EarlyAccessHolder {
  workspaceId: string
  userId: string
  entitlements: Pick<Entitlements, 'planId' | 'features'>
}

interface EarlyAccessDeps {
  db: Database
  clock: Clock
}

/** What is stored of every feature, for one member. Features without a row are absent. */
export interface EarlyAccess {
  enrolments: Map<string, PilotEnrolments>
  switches: Map<string, PilotSwitch>
}

interface EarlyAccessRow {
  kind: 'own' | 'workspace' | 'switch'
  feature: string
  /** The state of an enrolment, the reason of a switch. */
  text: string
  at: number
}

/** Switches and enrolments in one read, never from a cache: a feature that is stopped is off with the next question. */
export async function readEarlyAccess(
  { d1 }: Database,
  { workspaceId, userId }: Pick<EarlyAccessHolder, 'workspaceId' | 'userId'>,
): Promise<EarlyAccess> {
  const { results } = await d1
    .prepare(
      `SELECT CASE WHEN user_id IS NULL THEN 'workspace' ELSE 'own' END AS kind, feature, state AS text, updated_at AS at
       FROM pilot_enrolments WHERE workspace_id = ?1 AND (user_id IS NULL OR user_id = ?2)
       UNION ALL SELECT 'switch', feature, reason, stopped_at FROM pilot_switches`,
    )
    .bind(workspaceId, userId)
    .all<EarlyAccessRow>()
  const switches = new Map<string, PilotSwitch>()
  const enrolments = new Map<string, PilotEnrolments>()
  for (const { kind, feature, text, at } of results) {
    if (kind === 'switch') switches.set(feature, { reason: text, stoppedAt: at })
    else enrolments.set(feature, { ...enrolmentsOf(enrolments, feature), [kind]: toState(text) })
  }
  return { enrolments, switches }
}

/** The database holds no other. */
const toState = (text: string): EnrolmentState => (text === 'on' || text === 'interested' ? text : 'off')

export const enrolmentsOf = (of: EarlyAccess['enrolments'], feature: string): PilotEnrolments =>
  of.get(feature) ?? { own: null, workspace: null }

/** Features of early access that are on for somebody now. */
export async function enabledPilotFeatures(
  { db, clock }: EarlyAccessDeps,
  holder: EarlyAccessHolder,
): Promise<PilotKey[]> {
  const { enrolments, switches } = await readEarlyAccess(db, holder)
  const now = clock.now()
  return PILOT_FEATURES.filter((feature) =>
    isPilotOn(feature, {
      enrolments: enrolmentsOf(enrolments, feature.key),
      stopped: switches.get(feature.key) ?? null,
      entitlements: holder.entitlements,
      now,
    }),
  ).map(({ key }) => key)
}

/** Whether somebody takes part in a feature of early access now. Asked by each call of the feature. */
export async function isEnrolled(deps: EarlyAccessDeps, holder: EarlyAccessHolder, key: PilotKey): Promise<boolean> {
  return pilotFeature(key) !== undefined && (await enabledPilotFeatures(deps, holder)).includes(key)
}
