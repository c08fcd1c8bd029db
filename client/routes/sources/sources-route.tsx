import { SampleStatusBar, SampleOffer, useSampleStatusPending } from '../../features/sample/sample-company'
import { LandingBriefing, useLandingBriefingPending } from '../../features/briefing/landing-briefing'
import { SourcesScreen } from '../../features/data-sources/data-sources-screen'

/** The list is drawn once it is known whether the bar of the sample company and what changed stand above it: nothing moves down for them. */
export function SourcesRoute() {
  const isBriefingPending = useLandingBriefingPending()
  return (
    <SourcesScreen
      isWaiting={useSampleStatusPending() || isBriefingPending}
      notice={
        <>
          <SampleStatusBar />
          <LandingBriefing />
        </>
      }
      offer={<SampleOffer />}
    />
  )
}
