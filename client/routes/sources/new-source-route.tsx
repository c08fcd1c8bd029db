import { useNavigate } from '@tanstack/react-router'
import { ConnectorGallery } from '../../features/connections/connector-gallery'
import { SourceLimitGate } from '../../features/data-sources/data-source-limit'
import { UploadPanel } from '../../features/data-sources/upload/upload-panel'
import { PageHeader } from '../../ui/page-header'

export function NewSourceRoute() {
  const navigate = useNavigate()
  return (
    <>
      <PageHeader title="Connect source" />
      <SourceLimitGate>
        <UploadPanel
          offer={<ConnectorGallery />}
          onDone={(id) => void navigate({ to: '/data-sources/$id', params: { id } })}
        />
      </SourceLimitGate>
    </>
  )
}
