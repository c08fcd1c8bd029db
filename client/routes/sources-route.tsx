import { SampleStatusBar, SampleOffer, useSampleStatusPending } from '../features/sample/sample-company'
import { SourcesScreen } from '../features/data-sources/data-sources-screen'

/** The list is drawn once it is known whether the bar of the sample company stands above it: nothing moves down for it. */
export function SourcesRoute() {
  return <SourcesScreen isWaiting={useSampleStatusPending()} notice={<SampleStatusBar />} offer={<SampleOffer />} />
}
