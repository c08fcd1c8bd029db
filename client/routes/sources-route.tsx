import { useQuery } from '@tanstack/react-query'
import { sampleQuery } from '../features/sample/queries'
import { SampleStatusBar, SampleOffer } from '../features/sample/sample-company'
import { SourcesScreen } from '../features/data-sources/data-sources-screen'

/** The list is drawn once it is known whether the bar of the sample company stands above it: nothing moves down for it. */
export function SourcesRoute() {
  const { isLoading } = useQuery(sampleQuery())
  return <SourcesScreen isWaiting={isLoading} notice={<SampleStatusBar />} offer={<SampleOffer />} />
}
