import { Alert, Button, Group, Text } from '@mantine/core'
import { IconUserSearch } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { api, readJson, withIdempotencyKey } from '../../lib/api'
import { session, useSession } from '../../lib/session'
import classes from './view-as-banner.module.css'
import type { ViewAs } from '../../../src/shared/session'
import { notifyError } from '../../ui/notify-error'

const KIND_NAMES: Record<ViewAs['kind'], string> = { member: '', group: ' (group)', role: ' (role)' }

/** While the browser shows what somebody else sees: who that is, that nothing can be changed, and the way back. */
export function ViewAsBanner() {
  const viewAs = useSession().workspace?.viewAs ?? null
  const stopping = useMutation({
    mutationFn: () => readJson<null>(api.api['data-access']['view-as'].$delete({}, withIdempotencyKey())),
    onSuccess: () => window.location.assign(`/settings/workspace/data-access?w=${session().workspace?.id ?? ''}`),
    onError: notifyError,
  })
  if (viewAs === null) return null
  return (
    <Alert
      color="red"
      icon={<IconUserSearch aria-hidden />}
      mb="md"
      role="status"
      className={`no-print ${classes.viewAs}`}
    >
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Text size="sm">
          <strong>
            Viewing as {viewAs.name}
            {KIND_NAMES[viewAs.kind]}
          </strong>{' '}
          · Read-only{viewAs.limited ? ' · Data hidden from you stays hidden' : ''}
        </Text>
        <Button
          size="xs"
          color="red"
          style={{ flex: 'none' }}
          loading={stopping.isPending || stopping.isSuccess}
          onClick={() => stopping.mutate()}
        >
          Stop viewing
        </Button>
      </Group>
    </Alert>
  )
}
