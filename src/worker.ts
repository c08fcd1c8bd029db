import { createApp } from './app'
import { runScheduledTasks } from './flows/scheduled-tasks'
import type { Env } from './bindings'

export { PushInbox } from './flows/connections/push-inbox-object'
export { FollowUp } from './flows/post-load-workflow'
export { ForecastRun } from './flows/forecast-workflow'
export { LoadSample } from './flows/sample/load-sample-workflow'
export { SyncSource } from './flows/sync/sync-workflow'
export { RateLimiter } from './live/rate-limiter'
export { WorkspaceHub } from './flows/workspace-hub-object'
export { LoadFile } from './sync/load-workflow'
export { Warehouse } from './warehouse/warehouse'

const app = createApp()

export default {
  fetch: (request, env, context) => app.fetch(request, env, context),
  scheduled: (_event, env, context) => runScheduledTasks(env, context),
} satisfies ExportedHandler<Env>
