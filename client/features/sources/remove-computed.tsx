import type { ComputedColumn } from './computed-columns'
import { FaultNotice } from './fault-notice'
import { useRemoveComputed } from './computed-queries'
import { dependentsOf } from '../../lib/dependents'
import { RemoveDialog } from '../../ui/remove-dialog'
import type { Dataset } from '../../../src/shared/sources'

export interface RemoveComputedProps {
  dataset: Dataset
  column: ComputedColumn
  onClose: () => void
}

/** Removes a computed column. */
export function RemoveComputed({ dataset, column, onClose }: RemoveComputedProps) {
  const remove = useRemoveComputed()
  const dependents = dependentsOf(remove.error)
  const go = () => remove.mutate({ dataset, key: column.key, force: dependents !== null }, { onSuccess: onClose })
  return (
    <RemoveDialog
      title={`Remove ${column.label}?`}
      dependents={dependents}
      use={{ title: 'Insights or metrics use this column', after: 'They will need another column.' }}
      fault={remove.error && <FaultNotice error={remove.error} onRetry={go} />}
      button={{ first: 'Remove column', again: 'Remove anyway' }}
      pending={remove.isPending}
      onRemove={go}
      onClose={onClose}
    >
      The columns it is made of stay, and you can write it again.
    </RemoveDialog>
  )
}
