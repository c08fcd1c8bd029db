import { Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { ConnectorFields, initialValues, splitValues, type FieldValues } from './connector-fields'
import { ConsentButton } from './consent-button'
import { useUpdateConnection } from './queries'
import { StillWaiting } from './still-waiting'
import { fieldErrors, FormError } from '../../ui/forms/form-error'
import { FormDialog } from '../../ui/forms/form-dialog'
import type { ConnectionDetails } from '../../../src/shared/data-sources/connections'

interface CredentialsDialogProps {
  connection: ConnectionDetails
  onClose: () => void
}

/** Another address or other credentials; they are tested before they are kept. */
export function CredentialsDialog({ connection, onClose }: CredentialsDialogProps) {
  const { sourceId, kind, description, settings, secretsSet } = connection
  const { fields, auth, title } = description
  const [values, setValues] = useState<FieldValues>(() => initialValues(fields, settings))
  const update = useUpdateConnection(sourceId)
  const errors = fieldErrors(update.error)
  return (
    <FormDialog
      title="Edit connection"
      submit="Test and save"
      pending={update.isPending}
      disabled={fields.length === 0}
      onSubmit={() => update.mutate(splitValues(fields, values), { onSuccess: onClose })}
      onClose={onClose}
    >
      <Stack gap="md">
        <FormError error={errors === null ? update.error : null} />
        {auth === 'oauth' && <ConsentButton kind={kind} title={title} settings={settings} sourceId={sourceId} />}
        <ConnectorFields
          fields={fields}
          values={values}
          errors={errors ?? {}}
          stored={secretsSet}
          onChange={setValues}
        />
        <StillWaiting pending={update.isPending} />
        {secretsSet.length > 0 && (
          <Text size="sm" c="dimmed">
            Leave secrets empty to keep them.
          </Text>
        )}
      </Stack>
    </FormDialog>
  )
}
