import type { D1Migration } from '@cloudflare/vitest-plugin'
import type { Env } from '../../src/env'

declare global {
  namespace Cloudflare {
    interface Env extends BaseEnv {
      MIGRATIONS: D1Migration[]
      LONG: string
    }
  }
}
type BaseEnv = Env
