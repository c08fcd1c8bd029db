import type { CalculatedColumn } from './computed-columns'
import { SourceErrorNotice } from './fault-notice'
import { useDeleteCalculatedColumn } from './computed-queries'
import { dependentsOf } from '../../lib/dependents'
import { DeleteDialog } from '../../ui/remove-dialog'
import type { Dataset } from '../../../src/shared/sources'

export interface DeleteCalculatedColumnDialogProps {
  dataset: Dataset
  column: CalculatedColumn
  onClose: () => void
}

/** Removes a computed column. */
export function DeleteCalculatedColumnDialog({ dataset, column, onClose }: DeleteCalculatedColumnDialogProps) {
  const remove = useDeleteCalculatedColumn()
  const dependents = dependentsOf(remove.error)
  const go = () => remove.mutate({ dataset, key: column.key, force: dependents !== null }, { onSuccess: onClose })
  return (
    <DeleteDialog
      title={`Remove ${column.label}?`}
      dependents={dependents}
      dependentsText={{ title: 'Insights or metrics use this column', after: 'They will need another column.' }}
      errorNotice={remove.error && <SourceErrorNotice error={remove.error} onRetry={go} />}
      button={{ first: 'Remove column', again: 'Remove anyway' }}
      pending={remove.isPending}
      onDelete={go}
      onClose={onClose}
    >
      The columns it is made of stay, and you can write it again.
    </DeleteDialog>
  )
}
