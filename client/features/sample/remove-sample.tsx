import { Alert, Button, Group, List, Modal, Stack, Text } from '@mantine/core'
import { useRemoveSample } from './queries'
import { ApiError } from '../../lib/api'
import { FormError } from '../../ui/form-error'
import type { Dependent } from '../../../src/shared/sources'

/** Asks once; when a person's own insights read the sample, names them and asks again. */
export function RemoveSample({ onClose }: { onClose: () => void }) {
  const remove = useRemoveSample()
  const dependents = dependentsOf(remove.error)
  return (
    <Modal opened onClose={onClose} title="Remove the sample company?">
      <Stack gap="md">
        <Text size="sm">
          Its sources, rows and insights go for good. Your own data stays as it is, and you can bring the sample in
          again at any time.
        </Text>
        {dependents && (
          <Alert color="yellow" title="You built on it" role="alert">
            <Text size="sm">These insights read the sample and go with it:</Text>
            <List size="sm">
              {dependents.map(({ id, name }) => (
                <List.Item key={id}>{name}</List.Item>
              ))}
            </List>
          </Alert>
        )}
        {!dependents && <FormError error={remove.error} />}
        <Group justify="flex-end">
          <Button data-autofocus variant="default" onClick={onClose}>
            Keep it
          </Button>
          <Button
            color="red"
            loading={remove.isPending}
            onClick={() => remove.mutate({ force: dependents !== null }, { onSuccess: onClose })}
          >
            {dependents ? 'Remove with them' : 'Remove sample'}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

function dependentsOf(error: Error | null): Dependent[] | null {
  if (!(error instanceof ApiError) || error.body.code !== 'in_use') return null
  const { dependents } = error.body
  return Array.isArray(dependents) ? dependents : []
}
