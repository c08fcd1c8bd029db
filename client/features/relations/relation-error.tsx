import { Alert } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { fieldErrors, FormError } from '../../ui/form-error'

/** Why a relation could not be made or used: the server's own sentence about its ends where there is one. */
export function RelationError({ error }: { error: unknown }) {
  const fields = fieldErrors(error)
  if (fields === null) return <FormError error={error} />
  return (
    <Alert color="red" icon={<IconAlertCircle aria-hidden />} role="alert" title="These columns cannot be related">
      {[...new Set(Object.values(fields))].join(' ')}
    </Alert>
  )
}
