import { purgeWorkspaces } from './purge-workspace'
import { sendDigests } from './send-digests'
import { sweepReplies, sweepSessions } from '../db/clean-up'
import { startFollowUps } from '../db/follow-ups'
import { createDeps } from '../deps'
import type { Deps, Waiter } from '../deps'
import { readSettings } from '../env'
import type { Env } from '../env'
import { sweepPeople } from '../features/account/deletion'
import { sweepAlerts } from '../features/alerts/watch'
import { sweepNotices } from '../features/billing/notices'
import { refreshSubscriptions } from '../features/billing/rounds'
import { sweepEvents } from '../features/billing/webhook'
import { sweepFindings } from '../features/findings/service'
import { sweepForecasts } from '../features/forecasts/sweep'
import { refreshRates } from '../features/currencies/feed'
import { sweepGroupings } from '../features/groupings/service'
import { sweepGroups } from '../features/groups/service'
import { sweepInsights } from '../features/insights/service'
import { sweepOffers } from '../features/ownership/service'
import { sweepSamples } from '../features/sample/service'
import { sweepUploads } from '../features/uploads/service'
import { dropStrayPictures } from '../http/picture'
import { log } from '../lib/log'
import { deliverMail, sweepMail } from '../mail/deliver'
import { sweepChanged, sweepDeleted, sweepOriginals, sweepRuns } from '../sync/sweep'

const CHORES: { name: string; work: (deps: Deps) => Promise<unknown> }[] = [
  { name: 'mail', work: deliverMail },
  { name: 'rates', work: refreshRates },
  { name: 'follow-ups', work: startFollowUps },
  { name: 'runs', work: sweepRuns },
  { name: 'uploads', work: sweepUploads },
  { name: 'changed', work: sweepChanged },
  { name: 'originals', work: sweepOriginals },
  { name: 'deleted', work: sweepDeleted },
  { name: 'insights', work: sweepInsights },
  { name: 'findings', work: sweepFindings },
  { name: 'groupings', work: sweepGroupings },
  { name: 'groups', work: sweepGroups },
  { name: 'forecasts', work: sweepForecasts },
  { name: 'alerts', work: sweepAlerts },
  { name: 'digests', work: sendDigests },
  { name: 'offers of ownership', work: sweepOffers },
  { name: 'notices', work: sweepNotices },
  { name: 'samples', work: sweepSamples },
  { name: 'pictures', work: dropStrayPictures },
  { name: 'people', work: sweepPeople },
  { name: 'billing', work: refreshSubscriptions },
  { name: 'events of billing', work: sweepEvents },
  { name: 'workspaces', work: purgeWorkspaces },
  { name: 'sessions', work: sweepSessions },
  { name: 'replies', work: sweepReplies },
  { name: 'old mail', work: sweepMail },
]

/** The scheduled round: ends what nobody works on and removes what nobody needs. One failing chore stops no other. */
export async function sweep(env: Env, waiter: Waiter): Promise<void> {
  const parsed = readSettings(env)
  if (!parsed.ok) return log('error', 'misconfigured', { problem: parsed.problem })
  const deps = createDeps(env, parsed.settings, waiter)
  for (const { name, work } of CHORES) {
    try {
      await work(deps)
    } catch (error) {
      log('error', 'a scheduled chore failed', { name, error: error instanceof Error ? error.message : String(error) })
      deps.reporter.report(error, { route: `scheduled ${name}` })
    }
  }
}
