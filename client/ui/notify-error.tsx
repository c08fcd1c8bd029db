import { notifications } from '@mantine/notifications'
import { isPlanError, UpgradeHint } from './upgrade-hint'
import { describeError } from '../lib/describe-error'

/** A refusal of what was done outside a form. With a way out of it, the notice stays until it is closed. */
export function notifyError(error: unknown): void {
  const { title, advice } = describeError(error)
  notifications.show({
    color: 'red',
    title,
    message: (
      <>
        {advice}
        <UpgradeHint error={error} />
      </>
    ),
    ...(isPlanError(error) ? { autoClose: false as const } : {}),
  })
}
