import { PageHeader } from '../../ui/page-header'

export function SourcesScreen() {
  return <PageHeader title="Data sources" />
}
