import { purgeWorkspaces } from './purge-workspace'
import { sendDigests } from './send-digests'
import { deleteExpiredReplies, deleteExpiredSessions } from '../db/clean-up'
import { startFollowUps } from '../db/follow-ups'
import { createDeps } from '../deps'
import type { Deps, BackgroundTasks } from '../deps'
import { readSettings } from '../env'
import type { Env } from '../env'
import { anonymizeDeletedUsers } from '../features/account/deletion'
import { evaluateDueAlerts } from '../features/alerts/watch'
import { sendDueNotices } from '../features/billing/notices'
import { reconcileSubscriptions } from '../features/billing/rounds'
import { deleteOldEvents } from '../features/billing/webhook'
import { sweepFindings } from '../features/findings/service'
import { sweepForecasts } from '../features/forecasts/sweep'
import { refreshRates } from '../features/currencies/feed'
import { sweepGroupings } from '../features/groupings/service'
import { purgeExpiredGroups } from '../features/groups/service'
import { sweepInsights } from '../features/insights/service'
import { deleteExpiredOffers } from '../features/ownership/service'
import { finishInterruptedRemovals } from '../features/sample/service'
import { deleteExpiredUploads } from '../features/uploads/service'
import { deleteUnreferencedPictures } from '../http/picture'
import { log } from '../lib/log'
import { deliverMail, deleteProcessedEvents } from '../mail/deliver'
import { resendChangedDatasets, purgeDeletedDatasets, purgeUnneededOriginals, reconcileRuns } from '../sync/sweep'

const SCHEDULED_TASKS: { name: string; run: (deps: Deps) => Promise<unknown> }[] = [
  { name: 'mail', run: deliverMail },
  { name: 'rates', run: refreshRates },
  { name: 'follow-ups', run: startFollowUps },
  { name: 'runs', run: reconcileRuns },
  { name: 'uploads', run: deleteExpiredUploads },
  { name: 'changed', run: resendChangedDatasets },
  { name: 'originals', run: purgeUnneededOriginals },
  { name: 'deleted', run: purgeDeletedDatasets },
  { name: 'insights', run: sweepInsights },
  { name: 'findings', run: sweepFindings },
  { name: 'groupings', run: sweepGroupings },
  { name: 'groups', run: purgeExpiredGroups },
  { name: 'forecasts', run: sweepForecasts },
  { name: 'alerts', run: evaluateDueAlerts },
  { name: 'digests', run: sendDigests },
  { name: 'offers of ownership', run: deleteExpiredOffers },
  { name: 'notices', run: sendDueNotices },
  { name: 'samples', run: finishInterruptedRemovals },
  { name: 'pictures', run: deleteUnreferencedPictures },
  { name: 'people', run: anonymizeDeletedUsers },
  { name: 'billing', run: reconcileSubscriptions },
  { name: 'events of billing', run: deleteOldEvents },
  { name: 'workspaces', run: purgeWorkspaces },
  { name: 'sessions', run: deleteExpiredSessions },
  { name: 'replies', run: deleteExpiredReplies },
  { name: 'old mail', run: deleteProcessedEvents },
]

/** The scheduled round: ends what nobody works on and removes what nobody needs. One failing chore stops no other. */
export async function runScheduledTasks(env: Env, backgroundTasks: BackgroundTasks): Promise<void> {
  const parsed = readSettings(env)
  if (!parsed.ok) return log('error', 'misconfigured', { problem: parsed.problem })
  const deps = createDeps(env, parsed.settings, backgroundTasks)
  for (const { name, run } of SCHEDULED_TASKS) {
    try {
      await run(deps)
    } catch (error) {
      log('error', 'a scheduled chore failed', { name, error: error instanceof Error ? error.message : String(error) })
      deps.reporter.report(error, { route: `scheduled ${name}` })
    }
  }
}
