import { errorMessage, log } from './lib/log'
import { createPasswords } from './identity/passwords'
import type { Passwords } from './identity/passwords'
import type { AuditEntry } from './db/commit'
import { openDatabase } from './db/database'
import type { Database } from './db/database'
import { startFollowUps, startPendingWorkflows } from './db/outbox-workflows'
import { readSettings } from './settings'
import type { Settings } from './settings'
import { publishCommit, liveChannelFor } from './live/live'
import type { LiveChannelFor } from './live/live'
import { deliverMail } from './mail/deliver'
import { mailTransport } from './mail/smtp'
import type { MailTransport } from './mail/smtp'
import { databasePools } from './outbound/database-pools'
import type { Doors } from './outbound/doors'
import { boundModel, endpointModel, type LanguageModel } from './outbound/language-model'
import type { Fetcher } from './outbound/operator-fetch'
import { dnsOverHttps, type Resolver } from './outbound/resolve-name'
import { createReporter } from './monitoring/reporter'
import type { Reporter } from './monitoring/reporter'
import { idsFrom } from './shared/ids'
import type { Clock, Ids } from './shared/ids'
import { warehouseClientFactory } from './warehouse/stub'
import type { WarehouseClientFactory } from './warehouse/stub'
import type { BackgroundTasks } from './lib/background-tasks'
import type { Env } from './bindings'
import type { Scope } from './scope'

/** What reading for somebody takes: the collaborators, and what they may see. */
export interface ReadContext {
  deps: Deps
  scope: Scope
}

/** Everything with an effect that request code may use; the one place that touches the bindings. */
export interface Deps {
  settings: Settings
  clock: Clock
  ids: Ids
  db: Database
  sessions: KVNamespace
  files: R2Bucket
  assets: Env['ASSETS']
  warehouse: WarehouseClientFactory
  rateLimiter: Env['RATE_LIMITER']
  /** Where rows that programs send wait: one object a source. */
  pushInbox: Env['PUSH_INBOX']
  /** The open pages of a workspace. */
  live: LiveChannelFor
  passwords: Passwords
  loadFile: Env['LOAD_FILE']
  loadSample: Env['LOAD_SAMPLE']
  followUp: Env['FOLLOW_UP']
  forecastRun: Env['FORECAST_RUN']
  syncSource: Env['SYNC_SOURCE']
  reporter: Reporter
  /** Stands in for the network behind the operator door; undefined = the platform's fetch. */
  operatorFetcher: Fetcher | undefined
  /** Reads questions that rules cannot; null: the operator set none up. */
  languageModel: ConfiguredModel | null
  /** Stands in for the network behind the doors of connectors; undefined = the platform's fetch. */
  targetFetcher: Fetcher | undefined
  /** Addresses of a name. */
  resolve: Resolver
  /** Pools of connections to databases that the operator bound. */
  databasePool: Doors['pool']
  /** Hands mails over: the operator's server, or what stands for it. */
  mail: MailTransport
  /** Called by `commit` once outbox rows are written: starts their delivery without waiting for the next round. */
  onOutbox: () => void
  /** Called by `commit` with the lines it wrote: open pages learn of the change, without anybody waiting for it. */
  onCommit: (audit: readonly AuditEntry[]) => void
}

/** A model, and what people are told of it. */
export interface ConfiguredModel {
  about: { name: string; host: string }
  ask: LanguageModel
}

/** The endpoint that the settings name; else the platform's own models, where they are bound and one is named. */
function configuredModel(
  { AI }: Env,
  { AI_BASE_URL: baseUrl, AI_MODEL: model, AI_API_KEY: apiKey }: Settings,
  fetcher: Fetcher | undefined,
): ConfiguredModel | null {
  if (model === undefined) return null
  if (baseUrl !== undefined) {
    const { host } = new URL(baseUrl)
    return { about: { name: model, host }, ask: endpointModel({ baseUrl, model, apiKey }, fetcher) }
  }
  return AI ? { about: { name: model, host: 'Cloudflare Workers AI' }, ask: boundModel(AI, model) } : null
}

const randomBytes = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length))
const systemClock: Clock = { now: () => Date.now() }
export const systemIds: Ids = idsFrom(randomBytes)

/** What a request (or cron tick, or workflow step) lends to its dependencies. */
interface Invocation extends BackgroundTasks {
  /** Aborts when whoever waits for the answer goes. */
  signal?: () => AbortSignal
}

/** Builds the dependencies of one request (or cron tick, or workflow step) from the platform's bindings. */
export function createDeps(env: Env, settings: Settings, tasks: Invocation, overrides: Partial<Deps> = {}): Deps {
  const { signal } = tasks
  const hubs = inJurisdiction(env.WORKSPACE_HUB, settings)
  const deps: Deps = {
    settings,
    clock: systemClock,
    ids: systemIds,
    db: openDatabase(env.DB),
    sessions: env.SESSIONS,
    files: env.FILES,
    assets: env.ASSETS,
    warehouse: warehouseClientFactory(
      inJurisdiction(env.WAREHOUSE, settings),
      signal && { signal, tasks, ids: systemIds },
    ),
    rateLimiter: inJurisdiction(env.RATE_LIMITER, settings),
    pushInbox: inJurisdiction(env.PUSH_INBOX, settings),
    live: liveChannelFor(hubs),
    passwords: createPasswords(randomBytes),
    loadFile: env.LOAD_FILE,
    loadSample: env.LOAD_SAMPLE,
    followUp: env.FOLLOW_UP,
    forecastRun: env.FORECAST_RUN,
    syncSource: env.SYNC_SOURCE,
    targetFetcher: undefined,
    resolve: dnsOverHttps(overrides.operatorFetcher),
    databasePool: databasePools(env, (overrides.settings ?? settings).HYPERDRIVE_LOGINS),
    reporter: createReporter(settings, tasks, overrides.operatorFetcher),
    operatorFetcher: undefined,
    languageModel: configuredModel(env, overrides.settings ?? settings, overrides.operatorFetcher),
    mail: mailTransport(settings),
    onOutbox: () => tasks.waitUntil(deliverOutbox(deps)),
    onCommit: (audit) => tasks.waitUntil(publishCommit({ hubs, db: deps.db }, audit)),
    ...overrides,
  }
  return deps
}

/** The dependencies of work outside a request. @throws Error when a setting is missing or weak */
export function depsFor(env: Env, tasks: BackgroundTasks): Deps {
  const parsed = readSettings(env)
  if (!parsed.ok) throw new Error('misconfigured')
  return createDeps(env, parsed.settings, tasks)
}

/** What fails here is tried again by the scheduled round. */
async function deliverOutbox(deps: Deps): Promise<void> {
  try {
    const starting = [startFollowUps(deps), startPendingWorkflows(deps, 'forecastRun', deps.forecastRun)]
    await Promise.all([...starting, deliverMail(deps)])
  } catch (error) {
    log('error', 'delivering failed', { error: errorMessage(error) })
  }
}

/** The same objects' namespace, confined to the installation's jurisdiction when it has one. */
const inJurisdiction = <T extends Rpc.DurableObjectBranded>(
  namespace: DurableObjectNamespace<T>,
  { JURISDICTION }: Settings,
): DurableObjectNamespace<T> => (JURISDICTION === '' ? namespace : namespace.jurisdiction(JURISDICTION))
