import { followWithFindings } from './follow-findings'
import type { Standing } from '../access/standing'
import type { FollowUpParams } from '../db/follow-ups'
import type { Deps } from '../deps'
import { evaluateReaders } from '../features/alerts/watch'
import { queueReaders } from '../features/forecasts/run'
import { recountAfter } from '../features/groupings/recount'
import type { LiveNoun } from '../shared/live'
import type { Calendar } from '../warehouse/contract'

/** New rows of a dataset, seen as an owner of the workspace. */
export interface Following extends Standing {
  deps: Deps
  calendar: Calendar
  swapped: FollowUpParams
}
export interface Follower {
  name: string
  /** May be done twice: a step that died is repeated. */
  work: (at: Following) => Promise<void>
  /** What open pages are told once it is done. */
  tells: LiveNoun
}

/** What follows new rows, in this order. */
export const FOLLOWERS: readonly Follower[] = [
  {
    name: 'values without a group',
    work: (at) => recountAfter({ ...at, max: at.entitlements.features.groupings }),
    tells: 'unmatched',
  },
  { name: 'findings', work: followWithFindings, tells: 'finding' },
  {
    name: 'forecasts',
    work: (at) => queueReaders(at.deps, at, at.swapped.datasetId),
    tells: 'forecast',
  },
  {
    name: 'alerts',
    work: ({ deps, scope, swapped }) => evaluateReaders(deps, { scope }, swapped.datasetId),
    tells: 'alert',
  },
]
