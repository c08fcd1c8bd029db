import { PageHeader } from '../../ui/page-header'

export function InsightScreen({ id }: { id: string }) {
  return <PageHeader title={id} />
}
