import { Alert, Button, Text } from '@mantine/core'
import { IconColumnRemove } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { QueryPlan } from '../../../../src/shared/query/plan'
import { datasetIdsOf, planFieldsOf } from '../../../../src/shared/query/plan-fields'
import { ApiError } from '../../../lib/api'
import { useMayWrite } from '../../../lib/gate'
import { datasetQuery, useDatasets } from '../../../lib/queries/data-source-queries'
import type { LiveQueryResult } from '../use-query-result'

/** The field (`dataset.column`) that a question names and the data no longer has; null for any other error. */
export function missingFieldOf(error: unknown): string | null {
  if (!(error instanceof ApiError) || error.body.code !== 'unknown_field') return null
  const field: unknown = error.body['field']
  return typeof field === 'string' ? field : ''
}

/** Why there are no figures for this person, though there are some: nothing else of them is offered. Null: there are, or will be. */
export function useRefusal(plan: QueryPlan, { result, error }: LiveQueryResult): 'masked' | 'refused' | null {
  const datasets = useDatasets(datasetIdsOf(plan))
  if (result || !(error instanceof ApiError)) return null
  const isMasked = planFieldsOf(plan).some(
    ({ dataset, column }) =>
      datasets.find(({ id }) => id === dataset)?.columns.find(({ key }) => key === column)?.mask !== undefined,
  )
  if (error.body.code === 'invalid_input') return isMasked ? 'masked' : null
  return error.body.code === 'not_found' || error.body.code === 'forbidden' ? 'refused' : null
}

interface MissingFieldAlertProps {
  field: string
  onEdit: () => void
}

/** A column this insight was built on is gone: says which, and offers to choose another. */
export function MissingFieldAlert({ field, onEdit }: MissingFieldAlertProps) {
  const [datasetId = '', key = ''] = field.split('.')
  const dataset = useQuery({ ...datasetQuery(datasetId), enabled: datasetId !== '' })
  const may = useMayWrite('edit:insight')
  const column = dataset.data?.columns.find((one) => one.key === key)
  const name = column ? `The column “${column.label}”` : 'A column this insight uses'
  const where = dataset.data ? ` of ${dataset.data.name}` : ''
  return (
    <Alert color="yellow" icon={<IconColumnRemove aria-hidden />} role="alert" title={`${name}${where} not found`}>
      <Text size="sm" mb="sm">
        It was hidden or missing from the last file. Choose another column.
      </Text>
      {may && <Button onClick={onEdit}>Edit insight</Button>}
    </Alert>
  )
}
