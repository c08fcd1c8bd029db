import { Alert } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import type { DeletedItem } from '../../../src/shared/deleted'
import { restoreErrorText } from '../../lib/deleted/restore-item'
import { FormError } from '../forms/form-error'
import { UpgradeHint } from '../upgrade-hint'

/** Why a thing could not come back, and what to do about it. */
export function RestoreRefusal({ item, error }: { item: DeletedItem; error: unknown }) {
  const words = restoreErrorText(error, item)
  if (words === null) return <FormError error={error} />
  return (
    <Alert color="red" icon={<IconAlertCircle aria-hidden />} role="alert" mt="sm">
      {words}
      <UpgradeHint error={error} />
    </Alert>
  )
}
