import { errorMessage, log } from '../lib/log'
import { createDeps, type Deps } from '../deps'
import { sendDueDigests } from '../features/digest/delivery'
import { sweepFindings } from '../features/findings/service'
import { ungroupedValues } from '../features/groupings/values'
import { briefingFindings, briefingLines } from './briefing/digest-sources'
import { purgeBriefingMarks } from '../features/briefing/store'
import { purgeWorkspaces } from './purge-workspace'
import { sendDueFigures } from './reports/subscriptions/send'
import { sendDueReports, sweepDeliveries } from './reports/schedules/deliver'
import { sweepPushed } from './sync/drain-pushed'
import { reconcileSyncs, startDueSyncs } from './sync/due-syncs'
import { deleteExpiredReplies, deleteExpiredSessions } from '../db/expiry'
import { startFollowUps } from '../db/outbox-workflows'
import { DAY_MS } from '../shared/dates'
import { readSettings } from '../settings'
import { sweepAccessTokens } from '../features/programs/access-tokens/service'
import { anonymizeDeletedUsers } from '../features/account/deletion'
import { evaluateDueAlerts } from '../features/alerts/evaluate'
import { sweepConversations } from '../features/bot/conversations'
import { sendDueNotices } from '../features/billing/notices'
import { reconcileSubscriptions } from '../features/billing/reconcile'
import { deleteOldEvents } from '../features/billing/webhook'
import { sweepForecasts } from '../features/forecasts/run-recovery'
import { sweepConnectedApps } from '../features/programs/connected-apps/service'
import { refreshRates } from '../features/currencies/rate-feed'
import { sweepGroupings } from '../features/groupings/service'
import { purgeExpiredGroups } from '../features/groups/service'
import { sweepInsights } from '../features/insights/service'
import { sweepEditionFiles } from '../features/reports/editions/edition-files'
import { sweepReports } from '../features/reports/service'
import { deleteExpiredOffers } from '../features/ownership/service'
import { finishInterruptedRemovals } from '../features/sample/service'
import { deleteExpiredUploads } from '../features/uploads/service'
import { deleteOldEndedMemberships } from '../identity/ended-membership-store'
import { deleteUnreferencedPictures } from '../http/picture-upload'
import { deliverMail, deleteProcessedEvents } from '../mail/deliver'
import {
  resendChangedDatasets,
  purgeDeletedDatasets,
  purgeSyncObjects,
  purgeUnneededOriginals,
  reconcileRuns,
} from '../sync/sweep'
import { draftStore } from '../sync/draft-store'
import { rotateModelKeys } from '../features/bot/language-model/own-model'
import { rotateSecrets } from '../sync/rotate-secrets'
import type { BackgroundTasks } from '../lib/background-tasks'
import type { Env } from '../bindings'

/** Digests whose morning has come: the briefing by mail, with what its reader follows and what came into no group. */
export const sendDigests = (deps: Deps): Promise<void> =>
  sendDueDigests(deps, { findings: briefingFindings, standing: briefingLines, ungroupedValues })

/** What was found no more for so long is forgotten with what people did of it. */
const MARKS_RETENTION_MS = 180 * DAY_MS

const SCHEDULED_TASKS: { name: string; run: (deps: Deps) => Promise<unknown> }[] = [
  { name: 'mail', run: deliverMail },
  { name: 'rates', run: refreshRates },
  { name: 'follow-ups', run: startFollowUps },
  { name: 'runs', run: reconcileRuns },
  { name: 'syncs', run: startDueSyncs },
  { name: 'lost syncs', run: reconcileSyncs },
  { name: 'sent rows', run: sweepPushed },
  { name: 'old consents', run: ({ db, clock }) => draftStore(db).deleteExpired(clock.now()) },
  { name: 'sealed secrets', run: (deps) => rotateSecrets(deps) },
  { name: 'sealed keys of language models', run: rotateModelKeys },
  { name: 'uploads', run: deleteExpiredUploads },
  { name: 'changed', run: resendChangedDatasets },
  { name: 'originals', run: purgeUnneededOriginals },
  { name: 'left by syncs', run: purgeSyncObjects },
  { name: 'deleted', run: purgeDeletedDatasets },
  { name: 'insights', run: sweepInsights },
  { name: 'reports', run: sweepReports },
  { name: 'editions', run: sweepEditionFiles },
  { name: 'findings', run: sweepFindings },
  { name: 'briefing', run: ({ db, clock }) => purgeBriefingMarks(db, clock.now() - MARKS_RETENTION_MS) },
  { name: 'groupings', run: sweepGroupings },
  { name: 'groups', run: purgeExpiredGroups },
  { name: 'forecasts', run: sweepForecasts },
  { name: 'alerts', run: evaluateDueAlerts },
  { name: 'digests', run: sendDigests },
  { name: 'figures of blocks', run: sendDueFigures },
  { name: 'scheduled reports', run: sendDueReports },
  { name: 'old deliveries', run: sweepDeliveries },
  { name: 'offers of ownership', run: deleteExpiredOffers },
  { name: 'notices', run: sendDueNotices },
  { name: 'samples', run: finishInterruptedRemovals },
  { name: 'pictures', run: deleteUnreferencedPictures },
  { name: 'people', run: anonymizeDeletedUsers },
  { name: 'ended memberships', run: deleteOldEndedMemberships },
  { name: 'conversations', run: sweepConversations },
  { name: 'billing', run: reconcileSubscriptions },
  { name: 'events of billing', run: deleteOldEvents },
  { name: 'workspaces', run: purgeWorkspaces },
  { name: 'sessions', run: deleteExpiredSessions },
  { name: 'connected apps', run: sweepConnectedApps },
  { name: 'access tokens', run: sweepAccessTokens },
  { name: 'replies', run: deleteExpiredReplies },
  { name: 'old mail', run: deleteProcessedEvents },
]

/** The scheduled round: ends what nobody works on and removes what nobody needs. One failing chore stops no other. */
export async function runScheduledTasks(env: Env, tasks: BackgroundTasks): Promise<void> {
  const parsed = readSettings(env)
  if (!parsed.ok) return log('error', 'misconfigured', { problem: parsed.problem })
  const deps = createDeps(env, parsed.settings, tasks)
  for (const { name, run } of SCHEDULED_TASKS) {
    try {
      await run(deps)
    } catch (error) {
      log('error', 'a scheduled chore failed', { name, error: errorMessage(error) })
      deps.reporter.report(error, { route: `scheduled ${name}` })
    }
  }
}
