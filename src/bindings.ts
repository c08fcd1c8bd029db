import type { FollowUpEvent } from './db/outbox-workflows'
import type { RateLimiter } from './live/rate-limiter'
import type { WorkspaceHubRpc } from './live/socket-grant'
import type { ModelBinding } from './outbound/language-model'
import type { SyncSourceParams } from './shared/data-sources/connections'
import type { LoadFileParams } from './shared/data-sources/data-sources'
import type { ForecastRunParams } from './shared/forecasts/forecasts'
import type { LoadSampleParams } from './shared/sample'
import type { PushInboxRpc } from './connectors/push/push-inbox'
import type { WarehouseRpc } from './warehouse/contract'

/** Bindings and settings as the platform hands them over. Only `src/deps.ts` reads the bindings. */
export interface Env {
  ASSETS: Fetcher
  DB: D1Database
  SESSIONS: KVNamespace
  FILES: R2Bucket
  WAREHOUSE: DurableObjectNamespace<WarehouseRpc & Rpc.DurableObjectBranded>
  RATE_LIMITER: DurableObjectNamespace<RateLimiter>
  PUSH_INBOX: DurableObjectNamespace<PushInboxRpc>
  WORKSPACE_HUB: DurableObjectNamespace<WorkspaceHubRpc>
  LOAD_FILE: Workflow<LoadFileParams>
  LOAD_SAMPLE: Workflow<LoadSampleParams>
  FOLLOW_UP: Workflow<FollowUpEvent>
  FORECAST_RUN: Workflow<ForecastRunParams>
  /** The platform's models, where the operator bound them. */
  AI?: ModelBinding
  SYNC_SOURCE: Workflow<SyncSourceParams>
  [setting: string]: unknown
}
