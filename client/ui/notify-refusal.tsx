import { notifications } from '@mantine/notifications'
import { isOfThePlan, WayOut } from './way-out'
import { describeError } from '../lib/describe-error'

/** A refusal of what was done outside a form. With a way out of it, the notice stays until it is closed. */
export function notifyRefusal(error: unknown): void {
  const { title, advice } = describeError(error)
  notifications.show({
    color: 'red',
    title,
    message: (
      <>
        {advice}
        <WayOut error={error} />
      </>
    ),
    ...(isOfThePlan(error) ? { autoClose: false as const } : {}),
  })
}
