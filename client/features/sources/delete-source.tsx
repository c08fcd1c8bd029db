import { Alert, Button, Group, List, Modal, Stack, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { dependentsOf } from './fault-words'
import { FaultNotice } from './fault-notice'
import { useRemoveSource } from './queries'
import type { DataSource } from '../../../src/shared/sources'

/** Asks once; when insights use the source, names them and asks again. Nothing has to be typed. */
export function DeleteSource({ source, onClose }: { source: DataSource; onClose: () => void }) {
  const navigate = useNavigate()
  const remove = useRemoveSource()
  const dependents = dependentsOf(remove.error)
  const go = (force: boolean) =>
    remove.mutate(
      { id: source.id, version: source.version, force },
      { onSuccess: () => void navigate({ to: '/data-sources' }) },
    )
  return (
    <Modal opened onClose={onClose} title={`Delete ${source.name}?`}>
      <Stack gap="md">
        <Text size="sm">
          Its rows leave every insight at once. For 30 days it stays under “Recently deleted” and can be restored as it
          is.
        </Text>
        {dependents && (
          <Alert color="yellow" title="Insights use this source" role="alert">
            <List size="sm">
              {dependents.map(({ id, name }) => (
                <List.Item key={id}>{name}</List.Item>
              ))}
            </List>
            <Text size="sm" mt="xs">
              They stay, and work again when the source is restored.
            </Text>
          </Alert>
        )}
        {remove.error && !dependents && <FaultNotice error={remove.error} onRetry={() => go(false)} />}
        <Group justify="flex-end">
          <Button data-autofocus variant="default" onClick={onClose}>
            Keep it
          </Button>
          <Button color="red" loading={remove.isPending} onClick={() => go(dependents !== null)}>
            {dependents ? 'Delete anyway' : 'Delete source'}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
