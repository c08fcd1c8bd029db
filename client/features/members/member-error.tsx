import { Alert } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { ApiError } from '../../lib/api'
import { FormError } from '../../ui/form-error'
import { UpgradeHint } from '../../ui/upgrade-hint'

interface ErrorText {
  title: string
  advice: string
}

/** Why something about a person was refused, in the words of this screen; null where the usual words fit. */
export function memberErrorText(error: unknown, name: string): ErrorText | null {
  if (!(error instanceof ApiError)) return null
  const { code } = error.body
  if (code === 'in_use')
    return {
      title: 'The workspace would have no owner',
      advice: 'Somebody must own it. Hand over ownership first, then try again.',
    }
  if (code === 'limit_reached') {
    const analyst = error.body['limit'] === 'analysts'
    return {
      title: analyst ? 'Every analyst seat is taken' : 'Every seat is taken',
      advice: `${analyst ? 'Change another analyst into a viewer' : 'Remove somebody or revoke an invitation'} to make room.`,
    }
  }
  if (code === 'version_conflict')
    return {
      title: `Somebody else changed ${name} meanwhile`,
      advice:
        'The list behind this is up to date again. Look at what it says, then do this once more if it still holds.',
    }
  if (code === 'not_found')
    return { title: `${name} does not belong to the workspace any more`, advice: 'Nothing is left to do.' }
  return null
}

export function MemberError({ error, name }: { error: unknown; name: string }) {
  if (error === null || error === undefined) return null
  const words = memberErrorText(error, name)
  if (!words) return <FormError error={error} />
  return (
    <Alert color="red" icon={<IconAlertCircle aria-hidden />} role="alert" title={`${words.title}.`}>
      {words.advice}
      <UpgradeHint error={error} />
    </Alert>
  )
}
