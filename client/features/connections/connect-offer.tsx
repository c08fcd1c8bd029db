import { Button, Group } from '@mantine/core'
import { IconPlugConnected } from '@tabler/icons-react'
import { useMayWrite } from '../../lib/gate'
import { MutedText } from '../../ui/muted-text'

/** For whose data lie in a database or a service: the way to all that can be connected. */
export function ConnectOffer({ onChosen }: { onChosen: () => void }) {
  if (!useMayWrite('create:source')) return null
  return (
    <Group justify="center" gap="sm" mt="lg">
      <MutedText>Data in another system?</MutedText>
      <Button variant="default" leftSection={<IconPlugConnected size={17} aria-hidden />} onClick={onChosen}>
        Connect a database or service
      </Button>
    </Group>
  )
}
