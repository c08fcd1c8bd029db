import { Alert, Button, Text } from '@mantine/core'
import { IconDatabaseOff } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { notifications } from '@mantine/notifications'
import type { ReactNode } from 'react'
import { restoreSource, sourcesQuery } from './queries'
import { describeRolesWith } from '../../../src/shared/permissions'
import { SourceErrorNotice } from './source-error-notice'
import { useMay } from '../../lib/gate'
import { useSession } from '../../lib/session'
import { useFormat } from '../../lib/format'
import { invalidateSources } from '../../lib/queries/query-client'
import type { DataSource } from '../../../src/shared/data-sources/data-sources'

export interface DeletedSourceAlertProps {
  /** What cannot be shown without its data: "insight". */
  noun: string
  datasetIds: readonly string[]
  /** Shown when no source of these datasets was deleted. */
  children: ReactNode
}

/** Says that the data of something was deleted, whose it was, and offers it back to who may bring it back. */
export function DeletedSourceAlert({ noun, datasetIds, children }: DeletedSourceAlertProps) {
  const deleted = useQuery(sourcesQuery({ search: '', deleted: true }))
  const source = deleted.data?.items.find(({ datasets }) => datasets.some(({ id }) => datasetIds.includes(id)))
  return source ? <DeletedSource noun={noun} source={source} /> : children
}

function DeletedSource({ noun, source }: { noun: string; source: DataSource }) {
  const format = useFormat()
  const client = useQueryClient()
  const writable = useSession().workspace?.entitlements.readOnly === null
  const may = useMay('delete:source') && writable
  const restore = useMutation({
    mutationFn: () => restoreSource(source.id),
    onSuccess: async () => {
      notifications.show({ color: 'green', message: `“${source.name}” restored` })
      await invalidateSources(client)
    },
  })
  return (
    <>
      <Alert
        color="yellow"
        icon={<IconDatabaseOff aria-hidden />}
        role="alert"
        title={`Data source “${source.name}” was deleted`}
      >
        <Text size="sm">
          {source.deletedAt !== null && `Deleted ${format.dateTime(source.deletedAt)}. `}
          {may ? `Restore it to use this ${noun} again.` : `Ask ${describeRolesWith('delete:source')} to restore it.`}
        </Text>
        {may && (
          <Button mt="sm" size="xs" loading={restore.isPending} onClick={() => restore.mutate()}>
            Restore data source
          </Button>
        )}
      </Alert>
      {restore.error && <SourceErrorNotice error={restore.error} onRetry={() => restore.mutate()} />}
    </>
  )
}
