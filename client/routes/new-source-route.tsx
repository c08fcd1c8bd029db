import { useNavigate } from '@tanstack/react-router'
import { SourceLimitGate } from '../features/data-sources/data-source-limit'
import { UploadPanel } from '../features/data-sources/upload/upload-panel'
import { PageHeader } from '../ui/page-header'

export function NewSourceRoute() {
  const navigate = useNavigate()
  return (
    <>
      <PageHeader
        title="Connect source"
        description="Drop Excel, CSV, SIE or other files. Preview before importing."
      />
      <SourceLimitGate>
        <UploadPanel onDone={(id) => void navigate({ to: '/data-sources/$id', params: { id } })} />
      </SourceLimitGate>
    </>
  )
}
