import { Button, Group, Stack, Title } from '@mantine/core'
import { UploadPanel } from './upload-panel'
import type { DataSource, Dataset } from '../../../src/shared/sources'

/** What a further file is for: rows of the table that is looked at, or tables beside it. */
export type AddDataMode = 'rows' | 'tables'

export interface AddDataPanelProps {
  source: DataSource
  dataset: Dataset
  adding: AddDataMode
  onClose: () => void
}

/** Another file into this source; its identity, and every insight on it, stays. */
export function AddDataPanel({ source, dataset, adding, onClose }: AddDataPanelProps) {
  const several = source.datasets.length > 1
  const title =
    adding === 'tables' ? 'Add files' : several ? `Add or replace data in ${dataset.name}` : 'Add or replace data'
  return (
    <Stack gap="md">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Title order={2}>{title}</Title>
        <Button variant="subtle" onClick={onClose} style={{ flex: 'none' }}>
          Close
        </Button>
      </Group>
      <UploadPanel
        target={
          adding === 'tables' ? { kind: 'source', source } : { kind: 'dataset', datasetId: dataset.id, mode: 'append' }
        }
        onDone={onClose}
      />
    </Stack>
  )
}
