import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { deleteGrouping } from './queries'
import { dependentsOf } from '../../lib/dependents'
import { FormError } from '../../ui/form-error'
import { DeleteDialog } from '../../ui/remove-dialog'
import type { Grouping } from '../../../src/shared/groupings'

export function DeleteGroupingDialog({ grouping, onClose }: { grouping: Grouping; onClose: () => void }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const removing = useMutation({
    mutationFn: (force: boolean) => deleteGrouping({ id: grouping.id, version: grouping.version, force }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['groupings', 'list'] })
      void navigate({ to: '/data-grouping' })
    },
  })
  const dependents = dependentsOf(removing.error)
  return (
    <DeleteDialog
      title={`Delete ${grouping.name}?`}
      dependents={dependents}
      dependentsText={{ title: 'These look at figures by it', after: 'They show no figures until they are changed.' }}
      errorNotice={removing.error ? <FormError error={removing.error} /> : null}
      button={{ first: 'Delete grouping', again: 'Delete all the same' }}
      pending={removing.isPending}
      onDelete={() => removing.mutate(dependents !== null)}
      onClose={onClose}
    >
      The rows stay as they are. It can be brought back for 30 days.
    </DeleteDialog>
  )
}
