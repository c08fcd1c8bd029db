import { useNetwork } from '@mantine/hooks'
import { useState } from 'react'
import { FreshnessBadge } from './freshness-badge'
import { describeFreshness } from './freshness-words'
import { useFormat } from '../lib/format'
import type { SourceStatus } from '../lib/sources-freshness'
import { useNow } from '../lib/use-now'

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
