import { MoreMenu } from '../../ui/buttons/more-menu'
import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { IconChartBar, IconRosetteDiscountCheck, IconRosetteDiscountCheckOff, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { deleteMetric, metricQuery, unverifyMetric, verifyMetric } from './queries'
import { useMayWrite } from '../../lib/gate'
import { LinkButton } from '../../ui/buttons/links'
import { notifyError } from '../../ui/notify-error'
import { DeleteDialog } from '../../ui/forms/confirm-dialog'
import type { Metric } from '../../../src/shared/metrics'

export function MetricActions({ metric }: { metric: Metric }) {
  const client = useQueryClient()
  const mayVerify = useMayWrite('verify:insight')
  const mayEdit = useMayWrite('edit:metric')
  const mayUse = useMayWrite('create:insight')
  const [deleting, setDeleting] = useState(false)
  const toggleVerified = useMutation({
    mutationFn: () => (metric.verified ? unverifyMetric(metric) : verifyMetric(metric)),
    onSuccess: (saved) => {
      client.setQueryData(metricQuery(metric.id).queryKey, saved)
      return client.invalidateQueries({ queryKey: ['metrics', 'list'] })
    },
    onError: notifyError,
  })
  const { verified } = metric
  return (
    <>
      {mayUse && (
        <LinkButton
          variant="default"
          to="/insights/new"
          search={{ metric: metric.id }}
          leftSection={<IconChartBar size={16} aria-hidden />}
        >
          Create insight
        </LinkButton>
      )}
      {mayVerify && !verified && (
        <Button
          variant="default"
          loading={toggleVerified.isPending}
          leftSection={<IconRosetteDiscountCheck size={16} aria-hidden />}
          onClick={() => toggleVerified.mutate()}
        >
          Verify metric
        </Button>
      )}
      {mayEdit && (
        <MoreMenu
          inHeader
          label="Metric actions"
          items={[
            mayVerify &&
              verified !== null && {
                label: 'Remove verification',
                icon: IconRosetteDiscountCheckOff,
                onClick: () => toggleVerified.mutate(),
              },
            { label: 'Delete metric', icon: IconTrash, color: 'red', onClick: () => setDeleting(true) },
          ]}
        />
      )}
      {deleting && <DeleteMetricDialog metric={metric} onClose={() => setDeleting(false)} />}
    </>
  )
}

function DeleteMetricDialog({ metric, onClose }: { metric: Metric; onClose: () => void }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const removing = useMutation({
    mutationFn: (force: boolean) => deleteMetric({ id: metric.id, version: metric.version, force }),
    onSuccess: async () => {
      await navigate({ to: '/metrics' })
      await client.invalidateQueries({ queryKey: ['metrics', 'list'] })
    },
  })
  return (
    <DeleteDialog
      title="Delete metric?"
      deletion={removing}
      dependentsText={{ title: 'Used by', after: 'They show no figures until changed.' }}
      button={{ first: 'Delete metric', again: 'Delete anyway' }}
      onDelete={removing.mutate}
      onClose={onClose}
    >
      Deletes “{metric.name}”. Your data isn’t affected. Can’t be undone.
    </DeleteDialog>
  )
}
