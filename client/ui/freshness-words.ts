import type { Freshness } from './freshness-badge'
import { formatRelativeTime } from '../lib/format'
import type { SourceStatus } from '../lib/sources-freshness'

/** What is known of the age of figures. */
export interface FreshnessInput {
  /** When the oldest rows they rest on were loaded, in words; null = nothing is loaded. */
  asOf: string | null
  /** When this page was given them, epoch ms; absent = not said. */
  updatedAt?: number
  /** Newer figures are on their way. */
  loading: boolean
  /** They could not be asked for again. */
  failed: boolean
  offline: boolean
  sources: SourceStatus
  now: number
}

const describeFailedSources = (failed: readonly string[]): string =>
  failed.length > 2 ? `${failed.length} sources` : failed.join(' and ')

/** How current figures are: a colour and one line. What stands in the way of newer ones goes before their age. */
export function describeFreshness(freshnessInput: FreshnessInput): { state: Freshness; words: string } {
  const { asOf, updatedAt, sources } = freshnessInput
  const line = (state: Freshness, ...more: string[]) => ({
    state,
    words: [asOf === null ? 'No data yet' : `Data as of ${asOf}`, ...more].join(' · '),
  })
  if (freshnessInput.offline) return line('stale', 'offline, nothing new until the connection is back')
  if (freshnessInput.failed) return line('stale', 'newer figures could not be asked for')
  if (freshnessInput.loading) return line('working', 'getting newer figures')
  if (sources.failed.length > 0)
    return line('failed', `the last load of ${describeFailedSources(sources.failed)} failed`)
  if (sources.loading) return line('working', 'new rows are being loaded')
  if (updatedAt === undefined || asOf === null) return line('fresh')
  return line('fresh', `updated ${formatRelativeTime(new Date(updatedAt).toISOString(), freshnessInput.now)}`)
}
