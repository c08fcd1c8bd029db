import { analyzeDatasets, analyzeAffectedDatasets } from '../features/findings/analyze'
import type { CalendarContext } from '../semantic/calendar'
import type { MemberContext } from '../identity/member-context-store'
import type { FollowUpEvent, FollowUpParams, RightsChangedParams } from '../db/outbox-workflows'
import type { Deps } from '../deps'
import { evaluateAlertsOfChangedRights, evaluateDependentAlerts } from '../features/alerts/evaluate'
import { queueDependentRuns, queueRunsOfChangedRights } from '../features/forecasts/runner'
import { deliveryQueue } from '../features/reports/schedules/delivery-store'
import { blockSubscriptionQueue } from '../features/reports/subscriptions/store'
import { sampleStore } from '../features/sample/store'
import { updateUnmatchedCounts } from '../features/groupings/values'
import type { AlertBasis } from '../shared/alerts'
import type { LiveNoun } from '../shared/live'
import type { Calendar } from '../shared/dates'

/** New rows: what is measured over them is looked at. Tables of the sample company come in one after the other: later. */
export async function analyzeAfterLoad(at: CalendarContext & { swapped: { datasetId: string } }): Promise<void> {
  const { datasetId } = at.swapped
  if (!(await sampleStore(at.deps.db, at.scope).isLoading(datasetId))) await analyzeAffectedDatasets(at, datasetId)
}

/** Once the sample company stands: everything in it is looked at. */
export const analyzeSample = async (at: CalendarContext): Promise<void> =>
  analyzeDatasets(at, new Set(await sampleStore(at.deps.db, at.scope).datasetIds()))

/** What happened, seen as an owner of the workspace. */
interface FollowUpContext<T extends FollowUpEvent> extends MemberContext {
  deps: Deps
  calendar: Calendar
  swapped: T
}
export interface FollowUpStep<T extends FollowUpEvent> {
  name: string
  /** May be done twice: a step that died is repeated. */
  run: (at: FollowUpContext<T>) => Promise<void>
  /** What open pages are told once it is done. */
  changedNoun: LiveNoun
}

/** Alerts judged by this: those judged by rows wait for nothing that is found in them. */
const evaluateAlerts =
  (by: AlertBasis): FollowUpStep<FollowUpParams>['run'] =>
  ({ deps, scope, swapped }) =>
    evaluateDependentAlerts(deps, { scope, by }, swapped.datasetId)

/** What follows new rows, in this order: what is true of them at once comes before what takes longer to find. */
export const POST_LOAD_STEPS: readonly FollowUpStep<FollowUpParams>[] = [
  { name: 'alerts on figures', run: evaluateAlerts('rows'), changedNoun: 'alert' },
  { name: 'findings', run: analyzeAfterLoad, changedNoun: 'finding' },
  {
    name: 'values without a group',
    run: (at) => updateUnmatchedCounts({ ...at, max: at.entitlements.features.groupings }),
    changedNoun: 'unmatched',
  },
  {
    name: 'forecasts',
    run: (at) => queueDependentRuns(at.deps, at, at.swapped.datasetId),
    changedNoun: 'forecast',
  },
  {
    name: 'alerts on findings and forecasts',
    run: evaluateAlerts('found'),
    changedNoun: 'alert',
  },
  {
    name: 'subscriptions to blocks',
    run: async ({ deps, scope }) => {
      await blockSubscriptionQueue(deps.db).wake(scope.workspaceId).run()
    },
    changedNoun: 'alert',
  },
  {
    name: 'held reports',
    run: async ({ deps, scope: { workspaceId } }) => {
      await deliveryQueue(deps.db).wakeHeld({ workspaceId, now: deps.clock.now() }).run()
    },
    changedNoun: 'report',
  },
]

/**
 * What follows changed rules of access: figures that are kept under the rights somebody had are found again under those
 * that they have. Findings of rights of their own are looked for when their reader asks.
 */
export const RIGHTS_STEPS: readonly FollowUpStep<RightsChangedParams>[] = [
  { name: 'forecasts', run: (at) => queueRunsOfChangedRights(at.deps, at), changedNoun: 'forecast' },
  { name: 'alerts', run: (at) => evaluateAlertsOfChangedRights(at.deps, at), changedNoun: 'alert' },
]
