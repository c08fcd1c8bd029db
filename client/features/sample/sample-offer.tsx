import { Button, Group, Text } from '@mantine/core'
import { IconBuildingStore } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { sampleQuery, useAddSample } from './queries'
import { useMay } from '../../lib/gate'
import { useSession } from '../../lib/session'
import { FormError } from '../../ui/form-error'

/** For who has no file at hand: a made-up company to look around in. Nothing while there is one, or none may be made. */
export function SampleOffer({ onStarted }: { onStarted?: () => void }) {
  const { data } = useQuery(sampleQuery())
  const add = useAddSample()
  const may = useMay('create:source')
  const readOnly = useSession().workspace?.entitlements.readOnly ?? null
  if (!may || readOnly !== null || !data || data.state === 'loading' || data.state === 'ready') return null
  return (
    <Group justify="center" gap="sm" mt="lg">
      <Text size="sm" c="dimmed">
        No file at hand?
      </Text>
      <Button
        variant="default"
        leftSection={<IconBuildingStore size={17} aria-hidden />}
        loading={add.isPending}
        onClick={() => add.mutate(undefined, { onSuccess: () => onStarted?.() })}
      >
        Try it with the sample company
      </Button>
      <FormError error={add.error} />
    </Group>
  )
}
