import { Button, Group, Loader, Skeleton, Stack, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { TableSkeleton } from '../../ui/skeletons'

/** A file that has arrived and is being taken apart: a large workbook takes some seconds. */
export function ParsingFile({ fileName, onCancel }: { fileName: string; onCancel?: () => void }) {
  return (
    <Stack gap="md" role="status" aria-label={`Reading ${fileName}`}>
      <Group className="surface" p="md" gap="sm" justify="space-between" wrap="nowrap">
        <Group gap="sm" wrap="nowrap" style={{ minWidth: 0 }}>
          <Loader size={18} aria-hidden style={{ flex: 'none' }} />
          <Text size="sm">
            Looking for the tables in <strong style={{ overflowWrap: 'anywhere' }}>{fileName}</strong>. A large workbook
            takes a few seconds.
          </Text>
        </Group>
        {onCancel && (
          <Button
            variant="default"
            leftSection={<IconX size={16} aria-hidden />}
            onClick={onCancel}
            style={{ flex: 'none' }}
          >
            Cancel
          </Button>
        )}
      </Group>
      <Skeleton h={92} radius="lg" />
      <TableSkeleton count={8} />
    </Stack>
  )
}

/** One table on its way to the screen. */
export function ParsingTable({ name }: { name: string }) {
  return (
    <Stack gap="md" role="status" aria-label={`Reading ${name}`}>
      <Skeleton h={92} radius="lg" />
      <TableSkeleton count={8} />
    </Stack>
  )
}
