import { followWithFindings } from './follow-findings'
import type { Standing } from '../access/standing'
import type { FollowUpParams } from '../db/follow-ups'
import type { Deps } from '../deps'
import { evaluateReaders } from '../features/alerts/watch'
import { recountAfter } from '../features/groupings/recount'
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
}

/** What follows new rows, in this order. */
export const FOLLOWERS: readonly Follower[] = [
  { name: 'values without a group', work: recountAfter },
  { name: 'findings', work: followWithFindings },
  { name: 'alerts', work: ({ deps, scope, swapped }) => evaluateReaders(deps, { scope }, swapped.datasetId) },
]
