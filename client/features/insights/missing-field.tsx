import { Alert, Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconColumnRemove } from '@tabler/icons-react'
import type { Insight } from '../../../src/shared/insights'
import { ApiError } from '../../lib/api'
import { useMayWrite } from '../../lib/gate'
import { datasetQuery } from './queries'

/** The field (`dataset.column`) that a question names and the data no longer has; null for any other error. */
export function missingFieldOf(error: unknown): string | null {
  if (!(error instanceof ApiError) || error.body.code !== 'unknown_field') return null
  const field: unknown = error.body['field']
  return typeof field === 'string' ? field : ''
}

interface MissingFieldAlertProps {
  field: string
  insight: Insight
  onEdit: () => void
}

/** A column this insight was built on is gone: says which, and offers to choose another. */
export function MissingFieldAlert({ field, insight, onEdit }: MissingFieldAlertProps) {
  const [datasetId = '', key = ''] = field.split('.')
  const dataset = useQuery({ ...datasetQuery(datasetId), enabled: datasetId !== '' })
  const may = useMayWrite('edit:insight')
  const column = dataset.data?.columns.find((one) => one.key === key)
  const name = column ? `The column “${column.label}”` : 'A column this insight uses'
  const where = dataset.data ? ` of ${dataset.data.name}` : ''
  return (
    <Alert
      color="yellow"
      icon={<IconColumnRemove aria-hidden />}
      role="alert"
      title={`${name}${where} is no longer there.`}
    >
      <Text size="sm" mb="sm">
        It was hidden, or the last file came without it. Choose another column, and “{insight.name}” works again.
      </Text>
      {may && <Button onClick={onEdit}>Edit insight</Button>}
    </Alert>
  )
}
