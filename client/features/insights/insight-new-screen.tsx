import { PageHeader } from '../../ui/page-header'

export function InsightNewScreen() {
  return <PageHeader title="New insight" />
}
