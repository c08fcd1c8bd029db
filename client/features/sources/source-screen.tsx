import { PageHeader } from '../../ui/page-header'

export function SourceScreen({ id }: { id: string }) {
  return <PageHeader title={id} />
}
