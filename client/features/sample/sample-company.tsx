import { MutedText } from '../../ui/muted-text'
import { Button, Group, Progress, Text } from '@mantine/core'
import { IconAlertTriangle, IconBuildingStore } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { invalidateSample, sampleQuery, useAddSample, useRemoveSample } from './queries'
import classes from './sample-company.module.css'
import { useMayWrite, useMay } from '../../lib/gate'
import { FormError } from '../../ui/forms/form-error'
import type { Sample } from '../../../src/shared/sample'
import { useSession } from '../../lib/session'
import { DeleteDialog } from '../../ui/forms/confirm-dialog'

/** Whether it is not known yet if the bar is there: what stands below it waits, and does not move when it comes. */
export function useSampleStatusPending(): boolean {
  const { isLoading, failureCount } = useQuery(sampleQuery())
  return isLoading && failureCount === 0
}

/** Says that the sample company is here, on its way or stuck, and takes it away. Nothing without one. */
export function SampleStatusBar() {
  const { data } = useQuery(sampleQuery())
  useRefreshOnStageChange(data)
  if (data?.state === 'loading') return <SampleLoading sample={data} />
  if (data?.state === 'failed') return <SampleFailed sample={data} />
  return data?.state === 'ready' ? <SampleReady /> : null
}

/** Each stage brings sources or insights that open lists do not know yet. */
function useRefreshOnStageChange(sample: Sample | undefined): void {
  const client = useQueryClient()
  const stage = sample && `${sample.state} ${sample.done}`
  const seen = useRef(stage)
  useEffect(() => {
    if (stage !== undefined && seen.current !== undefined && seen.current !== stage) void invalidateSample(client)
    seen.current = stage
  }, [stage, client])
}

function SampleReady() {
  const [removing, setRemoving] = useState(false)
  const may = useMayWrite('delete:source')
  return (
    <Group className={classes.bar} justify="space-between" gap="xs">
      <Group gap="xs" wrap="nowrap" className={classes.words}>
        <IconBuildingStore size={18} aria-hidden className={classes.icon} />
        <Text size="sm">Sample data; doesn’t count towards limits.</Text>
      </Group>
      {may && (
        <Button size="compact-sm" variant="subtle" onClick={() => setRemoving(true)}>
          Remove sample
        </Button>
      )}
      {removing && <RemoveSampleDialog onClose={() => setRemoving(false)} />}
    </Group>
  )
}

function SampleLoading({ sample: { done, stages, message } }: { sample: Sample }) {
  return (
    <div className={classes.bar} role="status">
      <Group justify="space-between" gap="xs" mb={6}>
        <Text size="sm">Adding sample data{message === null ? '' : `: ${message.toLowerCase()}`}</Text>
        <Text size="sm" c="dimmed" className="figure">
          Step {done + 1} of {stages}
        </Text>
      </Group>
      <Progress size="sm" value={(100 * (done + 0.5)) / stages} aria-label="Adding sample data" />
    </div>
  )
}

function SampleFailed({ sample: { message } }: { sample: Sample }) {
  const add = useAddSample()
  const may = useMayWrite('create:source')
  return (
    <Group className={classes.bar} justify="space-between" gap="xs" role="alert">
      <Group gap="xs" wrap="nowrap" className={classes.words}>
        <IconAlertTriangle size={18} aria-hidden color="var(--warn)" className={classes.icon} />
        <Text size="sm">Couldn’t add sample data. {message}</Text>
      </Group>
      {may && (
        <Button size="compact-sm" variant="subtle" loading={add.isPending} onClick={() => add.mutate()}>
          Try again
        </Button>
      )}
      <FormError error={add.error} />
    </Group>
  )
}

/** For who has no file at hand: a made-up company to look around in. Nothing while there is one, or none may be made. */
export function SampleOffer({ onStarted }: { onStarted?: () => void }) {
  const { data } = useQuery(sampleQuery())
  const add = useAddSample()
  const may = useMay('create:source')
  const readOnly = useSession().workspace?.entitlements.readOnly ?? null
  if (!may || readOnly !== null || !data || data.state === 'loading' || data.state === 'ready') return null
  return (
    <Group justify="center" gap="sm" mt="lg">
      <MutedText>No file?</MutedText>
      <Button
        variant="default"
        leftSection={<IconBuildingStore size={17} aria-hidden />}
        loading={add.isPending}
        onClick={() => add.mutate(undefined, { onSuccess: () => onStarted?.() })}
      >
        Explore demo data
      </Button>
      <FormError error={add.error} />
    </Group>
  )
}

/** Removes the sample company for good. */
function RemoveSampleDialog({ onClose }: { onClose: () => void }) {
  const remove = useRemoveSample()
  return (
    <DeleteDialog
      title="Remove sample?"
      deletion={remove}
      dependentsText={{ title: 'Your insights use the sample', before: 'These insights are deleted too:' }}
      button={{ first: 'Remove sample', again: 'Remove anyway' }}
      onDelete={(force) => remove.mutate({ force }, { onSuccess: onClose })}
      onClose={onClose}
    >
      Its sources and insights are permanently deleted. Your own data isn’t affected.
    </DeleteDialog>
  )
}
