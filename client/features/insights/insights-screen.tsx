import { PageHeader } from '../../ui/page-header'

export function InsightsScreen() {
  return <PageHeader title="Insights" />
}
