import { analyzeAfterLoad } from './follow-findings'
import type { MemberContext } from '../access/standing'
import type { FollowUpParams } from '../db/follow-ups'
import type { Deps } from '../deps'
import { evaluateDependentAlerts } from '../features/alerts/watch'
import { queueDependentRuns } from '../features/forecasts/run'
import { updateUnmatchedCounts } from '../features/groupings/recount'
import type { LiveNoun } from '../shared/live'
import type { Calendar } from '../warehouse/contract'

/** New rows of a dataset, seen as an owner of the workspace. */
export interface PostLoadContext extends MemberContext {
  deps: Deps
  calendar: Calendar
  swapped: FollowUpParams
}
export interface PostLoadStep {
  name: string
  /** May be done twice: a step that died is repeated. */
  run: (at: PostLoadContext) => Promise<void>
  /** What open pages are told once it is done. */
  changedNoun: LiveNoun
}

/** What follows new rows, in this order. */
export const POST_LOAD_STEPS: readonly PostLoadStep[] = [
  {
    name: 'values without a group',
    run: (at) => updateUnmatchedCounts({ ...at, max: at.entitlements.features.groupings }),
    changedNoun: 'unmatched',
  },
  { name: 'findings', run: analyzeAfterLoad, changedNoun: 'finding' },
  {
    name: 'forecasts',
    run: (at) => queueDependentRuns(at.deps, at, at.swapped.datasetId),
    changedNoun: 'forecast',
  },
  {
    name: 'alerts',
    run: ({ deps, scope, swapped }) => evaluateDependentAlerts(deps, { scope }, swapped.datasetId),
    changedNoun: 'alert',
  },
]
