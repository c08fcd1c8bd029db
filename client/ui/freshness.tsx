import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconRefresh } from '@tabler/icons-react'
import { Group, Text, Tooltip } from '@mantine/core'
import { useNetwork } from '@mantine/hooks'
import { useState } from 'react'
import { formatRelativeTime, useFormat } from '../lib/format'
import type { SourceStatus } from '../lib/queries/data-source-queries'
import { useNow } from '../lib/use-now'

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
export function describeFreshness(input: FreshnessInput): { state: Freshness; words: string } {
  const { asOf, updatedAt, sources } = input
  const line = (state: Freshness, ...more: string[]) => ({
    state,
    words: [asOf === null ? 'No data yet' : `Data as of ${asOf}`, ...more].join(' · '),
  })
  if (input.offline) return line('stale', 'offline, nothing new until the connection is back')
  if (input.failed) return line('stale', 'newer figures could not be asked for')
  if (input.loading) return line('working', 'getting newer figures')
  if (sources.failed.length > 0)
    return line('failed', `the last load of ${describeFailedSources(sources.failed)} failed`)
  if (sources.loading) return line('working', 'new rows are being loaded')
  if (updatedAt === undefined || asOf === null) return line('fresh')
  return line('fresh', `updated ${formatRelativeTime(new Date(updatedAt).toISOString(), input.now)}`)
}

export type Freshness = 'fresh' | 'stale' | 'failed' | 'working'

const FRESHNESS_ICONS = {
  fresh: { icon: IconCircleCheck, colour: 'var(--good)' },
  stale: { icon: IconAlertTriangle, colour: 'var(--warn)' },
  failed: { icon: IconCircleX, colour: 'var(--bad)' },
  working: { icon: IconRefresh, colour: 'var(--accent)' },
} as const satisfies Record<Freshness, { icon: typeof IconRefresh; colour: string }>

interface FreshnessBadgeProps {
  state: Freshness
  words: string
  detail?: string
  /** Long words go on in the next line instead of being cut. */
  wrap?: boolean
}

/** How current the data is: colour, sign and words together. */
export function FreshnessBadge({ state, words, detail, wrap: whole = false }: FreshnessBadgeProps) {
  const { icon: Icon, colour } = FRESHNESS_ICONS[state]
  const badge = (
    <Group gap={6} wrap="nowrap" style={{ minWidth: 0 }} tabIndex={detail === undefined ? undefined : 0}>
      <Icon size={16} color={colour} aria-hidden style={{ flex: 'none' }} />
      <Text size="xs" truncate={!whole}>
        {words}
      </Text>
    </Group>
  )
  if (detail === undefined) return badge
  return (
    <Tooltip label={detail} multiline maw={280}>
      {badge}
    </Tooltip>
  )
}

interface FreshnessStripProps {
  /** When the oldest rows that the figures rest on were loaded: an instant, or null. */
  asOf: string | null
  /** When this page was given the figures, epoch ms. */
  updatedAt?: number
  /** Newer figures are on their way. */
  loading?: boolean
  /** They could not be asked for again. */
  failed?: boolean
  sources: SourceStatus
}

/** How current the figures beside it are, in one line; wherever figures stand. News of them are told politely. */
export function FreshnessStrip({ asOf, updatedAt, loading = false, failed = false, sources }: FreshnessStripProps) {
  const format = useFormat()
  const { online } = useNetwork()
  const now = useNow(updatedAt)
  const asOfWords = asOf === null ? null : format.asOf(asOf, now)
  const line = describeFreshness({
    ...{ asOf: asOfWords, loading, failed, offline: !online, sources, now },
    ...(updatedAt === undefined ? {} : { updatedAt }),
  })
  const news = useFreshnessAnnouncement({ loading, failed, asOf: asOfWords })
  return (
    <>
      <FreshnessBadge {...line} wrap />
      <span className="only-reader" role="status">
        {news}
      </span>
    </>
  )
}

/** What is read out: only how a wait for newer figures ended, not every minute that they grow older. */
function useFreshnessAnnouncement({
  loading,
  failed,
  asOf,
}: {
  loading: boolean
  failed: boolean
  asOf: string | null
}): string {
  const [before, setBefore] = useState(loading)
  const [news, setNews] = useState('')
  if (before !== loading) {
    setBefore(loading)
    if (!loading)
      setNews(failed ? 'Newer figures could not be asked for.' : `Figures updated: data as of ${asOf ?? '–'}.`)
  }
  return news
}
