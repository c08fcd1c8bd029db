import { Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useState } from 'react'
import { formatCountOf } from '../../../src/shared/figures/formatter'
import type { Briefing } from '../../../src/shared/briefing/briefing'
import { useFormat } from '../../lib/format'
import { useMay } from '../../lib/gate'
import { useSession } from '../../lib/session'
import { LinkAnchor } from '../../ui/buttons/links'
import { MutedText } from '../../ui/muted-text'
import classes from './briefing.module.css'
import { landingBriefingQuery } from './queries'
import { describeDataEnd, StorySentence, ToneIcon } from './story-text'
import { WaitingSummary } from './waits'

/** What stands below waits for it no longer than this. */
const PENDING_MAX_MS = 1_500

const useHasBriefing = (): boolean => {
  const mayView = useMay('view:insight')
  const hasPlan = useSession().workspace?.entitlements.features.aiAssistant ?? false
  return mayView && hasPlan
}

/** Whether it is on its way: what stands below waits a moment, and does not move when it comes. */
export function useLandingBriefingPending(): boolean {
  const enabled = useHasBriefing()
  const { isLoading, failureCount } = useQuery({ ...landingBriefingQuery(), enabled })
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = window.setTimeout(() => setLate(true), PENDING_MAX_MS)
    return () => window.clearTimeout(timer)
  }, [])
  return enabled && isLoading && failureCount === 0 && !isLate
}

/** Nothing to tell yet: no rows with dates, and nothing that waits. */
const isSilent = ({ basis, alerts, waiting, forecasts, sources }: Briefing): boolean =>
  basis === 'none' && alerts.length + waiting.length + forecasts.length + sources.length === 0

/** Above the sources: what changed since the last visit, and what waits. Nothing while there is no data. */
export function LandingBriefing() {
  const enabled = useHasBriefing()
  const { data } = useQuery({ ...landingBriefingQuery(), enabled })
  const id = useId()
  if (!data || isSilent(data)) return null
  return (
    <section className={`surface padded ${classes.landing}`} aria-labelledby={id}>
      <div className={classes.head}>
        <Title order={2} id={id}>
          Briefing
        </Title>
        <LandingMeta briefing={data} />
        <LinkAnchor to="/pilot" size="sm">
          See all
        </LinkAnchor>
      </div>
      <LandingStories briefing={data} />
      <WaitingSummary briefing={data} />
    </section>
  )
}

function LandingMeta({ briefing: { since, dataTo } }: { briefing: Briefing }) {
  const format = useFormat()
  const words = [
    since === null ? null : `Since ${format.dateTime(since)}`,
    dataTo === null ? null : describeDataEnd(dataTo),
  ].filter((one) => one !== null)
  return words.length === 0 ? null : <MutedText size="xs">{words.join(' · ')}</MutedText>
}

function LandingStories({ briefing }: { briefing: Briefing }) {
  const format = useFormat()
  const { stories, counts, basis, behind } = briefing
  if (stories.length === 0) {
    const unread = counts.unread === 0 ? '' : ` ${formatCountOf(format, counts.unread, 'earlier finding')} unread.`
    if (basis === 'none') return null
    return (
      <Text size="sm" role="status">
        {behind
          ? 'Analysing new rows.'
          : basis === 'tooLittle'
            ? 'Too little history to judge. Needs more complete periods.'
            : `No changes since your last visit.${unread}`}
      </Text>
    )
  }
  return (
    <ul className={classes.lines} aria-label="Findings">
      {stories.map(({ finding, facets }) => (
        <li key={finding.id} className={classes.line}>
          <ToneIcon tone={finding.tone} />
          <span>
            <StorySentence finding={finding} />
            {facets.length > 0 && <MutedText span size="xs">{` ${facets.length} related`}</MutedText>}
          </span>
        </li>
      ))}
    </ul>
  )
}
