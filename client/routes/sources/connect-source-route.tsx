import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { ConnectWizard } from '../../features/connections/connect-wizard'
import { connectorsQuery } from '../../features/connections/queries'
import { SourceLimitGate } from '../../features/data-sources/data-source-limit'
import { LinkAnchor } from '../../ui/buttons/links'
import { PageHeader } from '../../ui/page-header'

const route = getRouteApi('/app/data-sources/new/$kind')

export function ConnectSourceRoute() {
  const { kind } = route.useParams()
  const { draft, problem } = route.useSearch()
  const navigate = useNavigate()
  const { data } = useQuery(connectorsQuery())
  const title = data?.find(({ description }) => description.kind === kind)?.description.title
  return (
    <>
      <PageHeader
        title={title === undefined ? 'Connect source' : `Connect ${title}`}
        breadcrumb={
          <LinkAnchor to="/data-sources/new" size="sm">
            Connect source
          </LinkAnchor>
        }
      />
      <SourceLimitGate>
        <ConnectWizard
          kind={kind}
          draftId={draft}
          problem={problem}
          onDone={(id) => void navigate({ to: '/data-sources/$id', params: { id } })}
        />
      </SourceLimitGate>
    </>
  )
}
