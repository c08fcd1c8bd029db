import { DurableObject } from 'cloudflare:workers'
import type { Env } from '../env'

/** Counts tries per key in a window. */
export class RateLimiter extends DurableObject<Env> {}
