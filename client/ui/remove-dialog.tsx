import { Alert, Button, Group, List, Modal, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Dependent } from '../../src/shared/sources'

export interface RemoveDialogProps {
  title: string
  /** What goes and what stays. */
  children: ReactNode
  /** What uses the thing, once the server has refused for it; null before. */
  dependents: readonly Dependent[] | null
  /** What is said of them, and how each is named. */
  use: { title: string; before?: string; after?: string; named?: (dependent: Dependent) => ReactNode }
  /** Any other refusal. */
  fault: ReactNode
  button: { first: string; again: string }
  pending: boolean
  onRemove: () => void
  onClose: () => void
}

/** Asks once whether a thing shall go; when insights use it, names them and asks again. Nothing has to be typed. */
export function RemoveDialog(props: RemoveDialogProps) {
  const { title, children, dependents, use, fault, button, pending, onRemove, onClose } = props
  return (
    <Modal opened onClose={onClose} title={title}>
      <Stack gap="md">
        <Text size="sm">{children}</Text>
        {dependents ? <InUse dependents={dependents} use={use} /> : fault}
        <Group justify="flex-end">
          <Button data-autofocus variant="default" onClick={onClose}>
            Keep it
          </Button>
          <Button color="red" loading={pending} onClick={onRemove}>
            {dependents ? button.again : button.first}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

function InUse({ dependents, use }: { dependents: readonly Dependent[]; use: RemoveDialogProps['use'] }) {
  return (
    <Alert color="yellow" title={use.title} role="alert">
      {use.before && <Text size="sm">{use.before}</Text>}
      <List size="sm">
        {dependents.map((each) => (
          <List.Item key={each.id}>{use.named?.(each) ?? each.name}</List.Item>
        ))}
      </List>
      {use.after && (
        <Text size="sm" mt="xs">
          {use.after}
        </Text>
      )}
    </Alert>
  )
}
