import { TopFindings, useTopFindingsPending } from '../features/findings/top-findings'
import { InsightsScreen } from '../features/insights/insights-screen'
import { SampleStatusBar } from '../features/sample/sample-bar'
import { SampleOffer } from '../features/sample/sample-offer'

export function InsightsRoute() {
  const newsPending = useTopFindingsPending()
  return (
    <InsightsScreen
      notice={<SampleStatusBar />}
      findings={<TopFindings />}
      findingsPending={newsPending}
      emptyStateExtra={<SampleOffer />}
    />
  )
}
