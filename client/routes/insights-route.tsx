import { TopFindings, useTopFindingsPending } from '../features/findings/top-findings'
import { InsightsScreen } from '../features/insights/insights-screen'
import { SampleBar } from '../features/sample/sample-bar'
import { SampleOffer } from '../features/sample/sample-offer'

export function InsightsRoute() {
  const newsPending = useTopFindingsPending()
  return (
    <InsightsScreen notice={<SampleBar />} news={<TopFindings />} newsPending={newsPending} offer={<SampleOffer />} />
  )
}
