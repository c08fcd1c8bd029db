import type { Freshness } from './freshness-badge'
import { ago } from '../lib/format'
import type { SourceStates } from '../lib/sources-freshness'

/** What is known of the age of figures. */
export interface Age {
  /** When the oldest rows they rest on were loaded, in words; null = nothing is loaded. */
  asOf: string | null
  /** When this page was given them, epoch ms; absent = not said. */
  updatedAt?: number
  /** Newer figures are on their way. */
  loading: boolean
  /** They could not be asked for again. */
  failed: boolean
  offline: boolean
  sources: SourceStates
  now: number
}

const names = (failed: readonly string[]): string =>
  failed.length > 2 ? `${failed.length} sources` : failed.join(' and ')

/** How current figures are: a colour and one line. What stands in the way of newer ones goes before their age. */
export function freshnessLine(age: Age): { state: Freshness; words: string } {
  const { asOf, updatedAt, sources } = age
  const line = (state: Freshness, ...more: string[]) => ({
    state,
    words: [asOf === null ? 'No data yet' : `Data as of ${asOf}`, ...more].join(' · '),
  })
  if (age.offline) return line('stale', 'offline, nothing new until the connection is back')
  if (age.failed) return line('stale', 'newer figures could not be asked for')
  if (age.loading) return line('working', 'getting newer figures')
  if (sources.failed.length > 0) return line('failed', `the last load of ${names(sources.failed)} failed`)
  if (sources.loading) return line('working', 'new rows are being loaded')
  if (updatedAt === undefined || asOf === null) return line('fresh')
  return line('fresh', `updated ${ago(new Date(updatedAt).toISOString(), age.now)}`)
}
