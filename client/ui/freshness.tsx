import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconRefresh } from '@tabler/icons-react'
import { Group, Text, Tooltip } from '@mantine/core'
import { useNetwork } from '@mantine/hooks'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useFormat } from '../lib/format'
import { MISSING_VALUE } from '../../src/shared/figures/figures'
import type { SourceStatus } from '../lib/queries/data-source-queries'
import { useNow } from '../lib/use-now'
import { RESTRICTED_TEXT } from './data-table/mask-mark'

/** What is known of the age of figures. */
export interface FreshnessInput {
  /** When the oldest rows they rest on were imported, in words; null = nothing is. */
  asOf: string | null
  /** Newer figures are on their way. */
  loading: boolean
  /** They could not be asked for again. */
  failed: boolean
  offline: boolean
  sources: SourceStatus
}

const describeFailedSources = (failed: readonly string[]): string =>
  failed.length > 2 ? `${failed.length} sources` : failed.join(' and ')

/**
 * How current figures are: a colour and one line. What keeps newer ones away goes before their age. When a page was
 * given them is not said: only when their rows came.
 */
export function describeFreshness(input: FreshnessInput): { state: Freshness; words: string } {
  const { asOf, sources } = input
  const age = asOf === null ? 'No data yet' : `Updated ${asOf}`
  const line = (state: Freshness, reason?: string) => ({
    state,
    words: reason === undefined ? age : `${age} · ${reason}`,
  })
  if (input.offline) return line('stale', 'offline')
  if (input.failed) return line('stale', 'couldn’t refresh')
  if (input.loading) return line('working', 'refreshing')
  if (sources.failed.length > 0) return line('failed', `import of ${describeFailedSources(sources.failed)} failed`)
  return sources.loading ? line('working', 'importing') : line('fresh')
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
  /** When the oldest rows that the figures rest on were imported: an instant, or null. */
  asOf: string | null
  /** Newer figures are on their way. */
  loading?: boolean
  /** They could not be asked for again. */
  failed?: boolean
  sources: SourceStatus
  /** Rules of access left rows or values out. */
  restricted?: boolean | undefined
  /** Their age stands above already: shown only when there is more to say. */
  isAgeShown?: boolean
}

/** How many strips the page has; the shell's badge gives way to them, so that a page says one age. */
const strips = { count: 0, listeners: new Set<() => void>() }
function countStrip(by: 1 | -1): void {
  strips.count += by
  for (const listener of strips.listeners) listener()
}
const subscribeToStrips = (listener: () => void): (() => void) => {
  strips.listeners.add(listener)
  return () => strips.listeners.delete(listener)
}

/** Told by a line of its own: the shell's badge gives way to it as to a strip. */
export function useOwnFreshness(): void {
  useEffect(() => {
    countStrip(1)
    return () => countStrip(-1)
  }, [])
}

/** Does the page say itself how current its figures are? */
export const useHasFreshnessStrip = (): boolean => useSyncExternalStore(subscribeToStrips, () => strips.count > 0)

/** How current the figures beside it are, in one line; wherever figures stand. News of them are told politely. */
export function FreshnessStrip(props: FreshnessStripProps) {
  const { asOf, loading = false, failed = false, sources, restricted = false, isAgeShown = false } = props
  const format = useFormat()
  const { online } = useNetwork()
  const now = useNow()
  useOwnFreshness()
  const asOfWords = asOf === null ? null : format.asOf(asOf, now)
  const line = describeFreshness({ asOf: asOfWords, loading, failed, offline: !online, sources })
  const news = useFreshnessAnnouncement({ loading, failed, asOf: asOfWords })
  return (
    <>
      {!(isAgeShown && line.state === 'fresh' && !restricted) && (
        <FreshnessBadge {...line} words={restricted ? `${line.words} · ${RESTRICTED_TEXT}` : line.words} wrap />
      )}
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
    if (!loading) setNews(failed ? 'Couldn’t refresh' : `Figures refreshed: updated ${asOf ?? MISSING_VALUE}`)
  }
  return news
}
