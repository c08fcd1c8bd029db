import { SampleStatusBar, SampleOffer } from '../features/sample/sample-company'
import { SourcesScreen } from '../features/data-sources/data-sources-screen'

export function SourcesRoute() {
  return <SourcesScreen notice={<SampleStatusBar />} offer={<SampleOffer />} />
}
