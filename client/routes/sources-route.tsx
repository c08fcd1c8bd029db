import { SampleStatusBar } from '../features/sample/sample-bar'
import { SampleOffer } from '../features/sample/sample-offer'
import { SourcesScreen } from '../features/sources/sources-screen'

export function SourcesRoute() {
  return <SourcesScreen notice={<SampleStatusBar />} offer={<SampleOffer />} />
}
