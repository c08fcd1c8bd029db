import { useNavigate } from '@tanstack/react-router'
import { SourceErrorNotice } from './fault-notice'
import { useDeleteSource } from './queries'
import { dependentsOf } from '../../lib/dependents'
import { DeleteDialog } from '../../ui/remove-dialog'
import type { DataSource } from '../../../src/shared/sources'

/** Deletes a source, from which it can come back for a while. */
export function DeleteSourceDialog({ source, onClose }: { source: DataSource; onClose: () => void }) {
  const navigate = useNavigate()
  const remove = useDeleteSource()
  const dependents = dependentsOf(remove.error)
  const go = () =>
    remove.mutate(
      { id: source.id, version: source.version, force: dependents !== null },
      { onSuccess: () => void navigate({ to: '/data-sources' }) },
    )
  return (
    <DeleteDialog
      title={`Delete ${source.name}?`}
      dependents={dependents}
      dependentsText={{
        title: 'Insights or metrics use this source',
        after: 'They stay, and work again when the source is restored.',
      }}
      errorNotice={remove.error && <SourceErrorNotice error={remove.error} onRetry={go} />}
      button={{ first: 'Delete source', again: 'Delete anyway' }}
      pending={remove.isPending}
      onDelete={go}
      onClose={onClose}
    >
      Its rows leave every insight at once. For 30 days it stays under “Recently deleted” and can be restored as it is.
    </DeleteDialog>
  )
}
