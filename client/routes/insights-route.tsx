import { TopFindings, useTopFindingsPending } from '../features/findings/finding-lists'
import { InsightsScreen } from '../features/insights/list/insights-screen'
import { SampleStatusBar, SampleOffer, useSampleStatusPending } from '../features/sample/sample-company'

export function InsightsRoute() {
  const findingsPending = useTopFindingsPending()
  return (
    <InsightsScreen
      isWaiting={useSampleStatusPending()}
      notice={<SampleStatusBar />}
      findings={<TopFindings />}
      findingsPending={findingsPending}
      emptyStateExtra={<SampleOffer />}
    />
  )
}
