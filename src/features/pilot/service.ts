import type { z } from 'zod'
import { pilotAdminStore, pilotStore } from './store'
import { enrolmentsOf, readEarlyAccess, type EarlyAccess } from '../../entitlements/early-access-store'
import { auditEntryFactory, commit } from '../../db/commit'
import type { Deps } from '../../deps'
import type { Staff } from '../../scope'
import type { RequestContext } from '../../http/request-context'
import { ProductError } from '../../shared/errors'
import { roleMay } from '../../shared/permissions'
import {
  isPilotOn,
  isPlanAtLeast,
  PILOT_FEATURES,
  pilotFeature,
  pilotStatus,
  type PilotFeature,
} from '../../shared/pilot/features'
import type {
  PilotFeedback,
  PilotItem,
  PilotList,
  PilotOverview,
  pilotFeedbackSchema,
  pilotSwitchSchema,
  savePilotSchema,
} from '../../shared/pilot/pilot'

/** Features that are tried, as one member has them: their own first, then the furthest ones. */
export async function listPilot(context: RequestContext): Promise<PilotList> {
  const store = pilotStore(context.deps.db, context.scope)
  const [access, feedback] = await Promise.all([
    readEarlyAccess(context.deps.db, { workspaceId: context.scope.workspaceId, userId: context.scope.actorId }),
    store.feedback(),
  ])
  const items = PILOT_FEATURES.flatMap((feature) => toItem(context, feature, { access, feedback }) ?? [])
  return { items: items.toSorted((a, b) => Number(b.on) - Number(a.on) || STAGE_ORDER[a.stage] - STAGE_ORDER[b.stage]) }
}

const STAGE_ORDER: Record<PilotFeature['stage'], number> = { beta: 0, alpha: 1, concept: 2, general: 3 }

function toItem(
  { deps, membership }: RequestContext,
  feature: PilotFeature,
  { access, feedback }: { access: EarlyAccess; feedback: ReadonlyMap<string, PilotFeedback> },
): PilotItem | null {
  const now = deps.clock.now()
  const stopped = access.switches.get(feature.key) ?? null
  const enrolments = enrolmentsOf(access.enrolments, feature.key)
  const status = pilotStatus(feature, stopped, now)
  const { entitlements } = membership
  // What everybody has, and what is long gone, is nothing to try.
  if (status.kind === 'general' || status.kind === 'gone') return null
  const { key, title, summary, stage, scope, risk, changes, limits, startsAt, endsAt, docs, minPlan } = feature
  const isLocked = minPlan !== undefined && !isPlanAtLeast(entitlements.planId, minPlan)
  return {
    ...{ key, title, summary, stage, scope, risk, changes, limits, startsAt, endsAt, docs, ...enrolments },
    status: status.kind,
    reason: status.kind === 'withdrawn' ? status.reason : null,
    requiredPlan: isLocked ? minPlan : null,
    on: isPilotOn(feature, { enrolments, stopped, entitlements, now }),
    feedback: feedback.get(key) ?? null,
  }
}

/** @throws ProductError `not_found` for what is not tried any more, or never was */
async function requireItem(context: RequestContext, key: string): Promise<PilotItem> {
  const item = (await listPilot(context)).items.find((each) => each.key === key)
  if (!item) throw new ProductError('not_found')
  return item
}

/**
 * Takes part, ends it, or asks to be told. For oneself; administrators also for everybody here.
 * @throws ProductError `plan_required`; `not_enabled` for what cannot be turned on; `forbidden`; `invalid_input` without
 * the confirmation that a change of data asks for
 */
export async function savePilot(
  context: RequestContext,
  key: string,
  input: z.output<typeof savePilotSchema>,
): Promise<PilotItem> {
  const { deps, scope } = context
  const before = await requireItem(context, key)
  assertMayEnrol(context, before, input)
  const whole = input.for === 'workspace'
  const after = await withState(context, before, input)
  const [id, was] = [`${key}:${input.for}`, whole ? before.workspace : before.own]
  await commit(deps, {
    change: [pilotStore(deps.db, scope).enrol(key, { state: input.state, whole, now: deps.clock.now() })],
    audit: [
      auditOf(context, {
        action: input.state === 'on' ? 'pilot.enrol' : 'pilot.leave',
        id,
        before: was,
        after: { name: before.title, state: input.state },
      }),
    ],
    reply: context.reply(after),
  })
  return after
}

function assertMayEnrol(
  { membership }: RequestContext,
  item: PilotItem,
  { state, for: whom, confirmed }: z.output<typeof savePilotSchema>,
): void {
  const needsAdmin = whom === 'workspace' || item.risk === 'writesData'
  if (needsAdmin && !roleMay(membership.role, 'edit:workspace'))
    throw new ProductError('forbidden', { permission: 'edit:workspace' })
  if (item.scope === 'workspace' && whom === 'me' && state !== 'interested')
    throw new ProductError('invalid_input', { fields: { for: 'This feature is turned on for the whole workspace.' } })
  if (state === 'off') return
  if (item.requiredPlan !== null)
    throw new ProductError('plan_required', { feature: item.key, requiredPlan: item.requiredPlan })
  if (state === 'interested') {
    if (item.status !== 'concept' && item.status !== 'soon')
      throw new ProductError('invalid_input', { fields: { state: 'It is here already. Turn it on instead.' } })
    return
  }
  if (item.status !== 'open')
    throw new ProductError('not_enabled', { feature: item.key }, 'This feature can’t be turned on now.')
  if (item.risk === 'writesData' && !confirmed)
    throw new ProductError('invalid_input', { fields: { confirmed: 'Confirm what changes.' } })
}

/** The item as it is once the state is saved. */
async function withState(
  { deps, membership }: RequestContext,
  item: PilotItem,
  { state, for: whom }: z.output<typeof savePilotSchema>,
): Promise<PilotItem> {
  const feature = pilotFeature(item.key)
  const enrolments = { own: item.own, workspace: item.workspace, [whom === 'me' ? 'own' : 'workspace']: state }
  const now = deps.clock.now()
  const { entitlements } = membership
  // A feature that is stopped is not open: that it stays off was looked at before.
  const on = feature !== undefined && item.status !== 'withdrawn'
  return { ...item, ...enrolments, on: on && isPilotOn(feature, { enrolments, stopped: null, entitlements, now }) }
}

/** What somebody thinks of a feature, in place of what they said before. */
export async function saveFeedback(
  context: RequestContext,
  key: string,
  { score, text }: z.output<typeof pilotFeedbackSchema>,
): Promise<PilotItem> {
  const { deps, scope } = context
  const before = await requireItem(context, key)
  const after: PilotItem = { ...before, feedback: { score, text } }
  await commit(deps, {
    change: [pilotStore(deps.db, scope).saveFeedback(key, { score, text }, deps.clock.now())],
    audit: [
      auditOf(context, {
        action: 'pilot.feedback',
        id: key,
        before: before.feedback,
        after: { name: before.title, score },
      }),
    ],
    reply: context.reply(after),
  })
  return after
}

const auditOf = auditEntryFactory('pilot')

/** Early access over all workspaces. */
export async function pilotOverview(deps: Deps, staff: Staff): Promise<PilotOverview> {
  const store = pilotAdminStore(deps.db, staff)
  const switches = await store.switches()
  const items = PILOT_FEATURES.map(async ({ key, title, stage }) => ({
    ...{ key, title, stage, stopped: switches.get(key) ?? null },
    ...(await store.counts(key)),
    feedback: await store.feedback(key),
  }))
  return { items: await Promise.all(items) }
}

/**
 * Stops a feature everywhere, or lets it go on: the next question of anybody is answered by it.
 * @throws ProductError `not_found`; `invalid_input` without a reason
 */
export async function setPilotSwitch(
  deps: Deps,
  staff: Staff,
  { key, stopped, reason }: z.output<typeof pilotSwitchSchema> & { key: string },
): Promise<PilotOverview> {
  const feature = pilotFeature(key)
  if (!feature) throw new ProductError('not_found')
  if (stopped && reason === '') throw new ProductError('invalid_input', { fields: { reason: 'Enter a reason.' } })
  const store = pilotAdminStore(deps.db, staff)
  await commit(deps, {
    change: [stopped ? store.stop(key, { reason, now: deps.clock.now() }) : store.resume(key)],
    audit: [
      {
        ...{ workspaceId: null, actorId: staff.userId, entity: 'pilot', entityId: key },
        ...{ action: stopped ? 'admin.pilot.stop' : 'admin.pilot.resume', after: { reason } },
      },
    ],
  })
  return pilotOverview(deps, staff)
}
