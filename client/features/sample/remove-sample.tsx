import { useRemoveSample } from './queries'
import { dependentsOf } from '../../lib/dependents'
import { FormError } from '../../ui/form-error'
import { DeleteDialog } from '../../ui/remove-dialog'

/** Removes the sample company for good. */
export function RemoveSampleDialog({ onClose }: { onClose: () => void }) {
  const remove = useRemoveSample()
  const dependents = dependentsOf(remove.error)
  return (
    <DeleteDialog
      title="Remove the sample company?"
      dependents={dependents}
      dependentsText={{ title: 'You built on it', before: 'These insights read the sample and go with it:' }}
      errorNotice={<FormError error={remove.error} />}
      button={{ first: 'Remove sample', again: 'Remove with them' }}
      pending={remove.isPending}
      onDelete={() => remove.mutate({ force: dependents !== null }, { onSuccess: onClose })}
      onClose={onClose}
    >
      Its sources, rows and insights go for good. Your own data stays as it is, and you can bring the sample in again at
      any time.
    </DeleteDialog>
  )
}
