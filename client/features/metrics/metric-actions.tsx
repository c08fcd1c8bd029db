import { ActionIcon, Button, Menu } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import {
  IconChartBar,
  IconDots,
  IconRosetteDiscountCheck,
  IconRosetteDiscountCheckOff,
  IconTrash,
} from '@tabler/icons-react'
import { useState } from 'react'
import { deleteMetric, metricQuery, unverifyMetric, verifyMetric } from './queries'
import { dependentsOf } from '../../lib/error-details'
import { useMayWrite } from '../../lib/gate'
import { FormError } from '../../ui/form-error'
import { LinkButton } from '../../ui/links'
import { notifyError } from '../../ui/notify-error'
import { DeleteDialog } from '../../ui/confirm-dialog'
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
          Use in a new insight
        </LinkButton>
      )}
      {mayVerify && !verified && (
        <Button
          variant="default"
          loading={toggleVerified.isPending}
          leftSection={<IconRosetteDiscountCheck size={16} aria-hidden />}
          onClick={() => toggleVerified.mutate()}
        >
          Verify
        </Button>
      )}
      {mayEdit && (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="default" size={36} aria-label="More about this metric">
              <IconDots size={18} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {mayVerify && verified && (
              <Menu.Item
                leftSection={<IconRosetteDiscountCheckOff size={16} aria-hidden />}
                onClick={() => toggleVerified.mutate()}
              >
                Take the verification back
              </Menu.Item>
            )}
            <Menu.Item color="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => setDeleting(true)}>
              Delete
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
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
  const dependents = dependentsOf(removing.error)
  return (
    <DeleteDialog
      title={`Delete ${metric.name}?`}
      dependents={dependents}
      dependentsText={{ title: 'These use it', after: 'They show no figures until they are changed.' }}
      errorNotice={removing.error ? <FormError error={removing.error} /> : null}
      button={{ first: 'Delete metric', again: 'Delete all the same' }}
      pending={removing.isPending}
      onDelete={() => removing.mutate(dependents !== null)}
      onClose={onClose}
    >
      The rows stay as they are. A deleted metric cannot be brought back.
    </DeleteDialog>
  )
}
