import type { ReportReader } from './reader'
import { redactedForLink, changedBlocks, shownContent } from '../../../features/reports/links/shown'
import { scheduleStore, type StoredSchedule } from '../../../features/reports/schedules/store'
import { tryCommit } from '../../../db/commit'
import type { Deps } from '../../../deps'
import { readPolicy } from '../../../identity/access/access-store'
import { canonicalJson, sha256Hex } from '../../../lib/hash'
import type { ReportContent } from '../../../shared/reports/reports'

/** What people outside get of a report: what the schedule's owner shared, as a link would show it. */
export interface SharedOutside {
  content: ReportContent
  /** Nothing of it is as it was shared. */
  none: boolean
  /** Of all that it asks. */
  print: string
  /** Names what the report asks now, where some of it is left out; null: nothing is. */
  changed: string | null
}

/** Null for members: they get what they may see. */
export async function sharedOutside(
  { deps, schedule, reader }: { deps: Deps; schedule: StoredSchedule; reader: ReportReader },
  published: ReportContent,
): Promise<SharedOutside | null> {
  if (!reader.isOutside) return null
  const now = await shownContent({ deps, scope: reader.scope }, published)
  const print = await sha256Hex(canonicalJson([schedule.shown, now]))
  // Nobody ever wrote a rule: everybody who edits sees what it shows.
  if ((await readPolicy(deps.db, schedule.workspaceId)).epoch === 0) {
    if (canonicalJson(schedule.shown) !== canonicalJson(now))
      await tryCommit(deps, { change: [scheduleStore(deps.db, schedule).follow(schedule, now)] })
    return { content: published, none: false, print: await sha256Hex(canonicalJson(now)), changed: null }
  }
  const { ids, none } = changedBlocks(published, schedule.shown, now)
  const changed = ids.length === 0 ? null : print.slice(0, 32)
  return { content: redactedForLink(published, schedule.shown, now), none, print, changed }
}
