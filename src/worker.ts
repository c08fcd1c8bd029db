import { createApp } from './app'
import type { Env } from './env'
import { runScheduledTasks } from './flows/sweep'

export { FollowUp } from './flows/follow-up'
export { ForecastRun } from './flows/forecast-run'
export { LoadSample } from './flows/load-sample'
export { RateLimiter } from './live/rate-limiter'
export { WorkspaceHub } from './live/workspace-hub'
export { LoadFile } from './sync/load-file'
export { Warehouse } from './warehouse/warehouse'

const app = createApp()

export default {
  fetch: (request, env, context) => app.fetch(request, env, context),
  scheduled: (_event, env, context) => runScheduledTasks(env, context),
} satisfies ExportedHandler<Env>
