import { InsightsScreen } from '../features/insights/insights-screen'
import { SampleBar } from '../features/sample/sample-bar'
import { SampleOffer } from '../features/sample/sample-offer'

export function InsightsRoute() {
  return <InsightsScreen notice={<SampleBar />} offer={<SampleOffer />} />
}
