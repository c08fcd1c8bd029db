import { useNavigate } from '@tanstack/react-router'
import { UploadPanel } from '../features/sources/upload-panel'
import { PageHeader } from '../ui/page-header'

export function NewSourceRoute() {
  const navigate = useNavigate()
  return (
    <>
      <PageHeader
        title="Connect source"
        description="Drop a CSV file. You see how it was read before anything is loaded."
      />
      <UploadPanel onDone={(id) => void navigate({ to: '/data-sources/$id', params: { id } })} />
    </>
  )
}
