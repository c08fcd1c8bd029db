import { Button, Group, Stack, Title } from '@mantine/core'
import { UploadPanel } from './upload-panel'
import type { Dataset } from '../../../src/shared/sources'

/** Another file into this source; its identity, and every insight on it, stays. */
export function AddData({ dataset, onClose }: { dataset: Dataset; onClose: () => void }) {
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <Title order={2}>Add or replace data</Title>
        <Button variant="subtle" onClick={onClose}>
          Close
        </Button>
      </Group>
      <UploadPanel datasetId={dataset.id} onDone={onClose} />
    </Stack>
  )
}
