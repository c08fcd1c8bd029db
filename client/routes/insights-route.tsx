import { TopFindings, useTopFindingsPending } from '../features/findings/finding-lists'
import { InsightsScreen } from '../features/insights/list/insights-screen'
import { SampleStatusBar, SampleOffer } from '../features/sample/sample-company'

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
