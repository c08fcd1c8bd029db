import { z } from 'zod'
import type { RateLimiter } from './live/rate-limiter'
import type { LoadSampleParams } from './shared/sample'
import type { LoadFileParams } from './sync/load-file'
import type { Warehouse } from './warehouse/warehouse'

/** Bindings and settings as the platform hands them over. Only `src/deps.ts` reads the bindings. */
export interface Env {
  ASSETS: Fetcher
  DB: D1Database
  SESSIONS: KVNamespace
  FILES: R2Bucket
  WAREHOUSE: DurableObjectNamespace<Warehouse>
  RATE_LIMITER: DurableObjectNamespace<RateLimiter>
  LOAD_FILE: Workflow<LoadFileParams>
  LOAD_SAMPLE: Workflow<LoadSampleParams>
  [setting: string]: unknown
}

const SAMPLE_SECRETS = ['changeme', 'secret', 'sample', 'example', 'replace-me', 'password']
const flag = z
  .enum(['0', '1', 'true', 'false'])
  .default('0')
  .transform((text) => text === '1' || text === 'true')

/** At least 32 bytes, and not one of the values people copy from a guide. */
const secret = z
  .string()
  .refine((text) => new TextEncoder().encode(text).length >= 32, { message: 'at least 32 bytes' })
  .refine((text) => new Set(text).size >= 8 && !SAMPLE_SECRETS.some((word) => text.toLowerCase().startsWith(word)), {
    message: 'a random value, not a sample',
  })

const settingsSchema = z.object({
  APP_NAME: z.string().min(1).default('Insikt'),
  BASE_URL: z.url(),
  ENVIRONMENT: z.string().default('production'),
  RELEASE: z.string().default('dev'),
  LOCAL_MODE: flag,
  THEME_SWITCHER: flag,
  SESSION_SECRET: secret,
  /** Where browser and Worker report errors; absent = monitoring off. */
  SENTRY_DSN: z.url().optional(),
  /** Organisation id, when the host of the DSN does not name it. */
  SENTRY_ORG: z.string().optional(),
  /** Where the objects that hold rows and counters are kept; empty = the platform decides. Set once, before the first use. */
  JURISDICTION: z.enum(['', 'eu']).default(''),
  /** In local mode only: the demo person's password. */
  DEMO_PASSWORD: z.string().min(12).optional(),
  /** In local mode and tests only: exact `host:port` targets that outgoing calls may reach. */
  TEST_ALLOWED_TARGETS: z.string().default(''),
})

export type Settings = z.infer<typeof settingsSchema>

/** The parsed settings, or what is wrong with them in words for the log (never for a body). */
export function readSettings(
  env: Record<string, unknown>,
): { ok: true; settings: Settings } | { ok: false; problem: string } {
  const parsed = settingsSchema.safeParse(env)
  if (parsed.success) return { ok: true, settings: parsed.data }
  return {
    ok: false,
    problem: parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; '),
  }
}
