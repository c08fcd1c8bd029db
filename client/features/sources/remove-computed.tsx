import { Alert, Button, Group, List, Modal, Stack, Text } from '@mantine/core'
import type { ComputedColumn } from './computed-columns'
import { dependentsOf } from './fault-words'
import { FaultNotice } from './fault-notice'
import { useRemoveComputed } from './computed-queries'
import type { Dataset } from '../../../src/shared/sources'

export interface RemoveComputedProps {
  dataset: Dataset
  column: ComputedColumn
  onClose: () => void
}

/** Asks once; when insights use the column, names them and asks again. */
export function RemoveComputed({ dataset, column, onClose }: RemoveComputedProps) {
  const remove = useRemoveComputed()
  const dependents = dependentsOf(remove.error)
  const go = () => remove.mutate({ dataset, key: column.key, force: dependents !== null }, { onSuccess: onClose })
  return (
    <Modal opened onClose={onClose} title={`Remove ${column.label}?`}>
      <Stack gap="md">
        <Text size="sm">The columns it is made of stay, and you can write it again.</Text>
        {dependents && (
          <Alert color="yellow" title="Insights use this column" role="alert">
            <List size="sm">
              {dependents.map(({ id, name }) => (
                <List.Item key={id}>{name}</List.Item>
              ))}
            </List>
            <Text size="sm" mt="xs">
              They will need another column.
            </Text>
          </Alert>
        )}
        {remove.error && !dependents && <FaultNotice error={remove.error} onRetry={go} />}
        <Group justify="flex-end">
          <Button data-autofocus variant="default" onClick={onClose}>
            Keep it
          </Button>
          <Button color="red" loading={remove.isPending} onClick={go}>
            {dependents ? 'Remove anyway' : 'Remove column'}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
