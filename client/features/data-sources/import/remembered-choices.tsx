import { Alert, Button, Group, Text } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { rememberedName } from './import-choices'
import type { TableImportState } from './use-import-tables'

/** Says that the file is read as one was before, and what of that does not fit it; what was detected is one press away. */
export function RememberedChoices({
  found,
}: {
  found: Pick<TableImportState, 'memory' | 'useDetected' | 'useRemembered'>
}) {
  const { memory, useDetected, useRemembered } = found
  if (!memory || memory.state === 'reading') return null
  const { leftOut, fits } = memory
  const name = rememberedName(memory.of)
  if (!fits && leftOut.length === 0) return null
  if (memory.state === 'declined')
    return (
      <Group>
        <Button variant="subtle" size="xs" leftSection={<IconHistory size={14} aria-hidden />} onClick={useRemembered}>
          Use settings from “{name}”
        </Button>
      </Group>
    )
  return (
    <Alert color="accent" icon={<IconHistory aria-hidden />} role="status" py="sm">
      <Group justify="space-between" gap="sm">
        <div style={{ flex: '1 1 14rem', overflowWrap: 'anywhere' }}>
          <Text size="sm">
            {fits
              ? `Settings from the last import of “${name}” are used.`
              : `Settings from the last import of “${name}” don’t fit.`}
          </Text>
          {leftOut.length > 0 && (
            <Text size="xs" c="dimmed">
              Not used: {leftOut.join(', ')}.
            </Text>
          )}
        </div>
        {fits && (
          <Button variant="default" size="xs" onClick={useDetected}>
            Use detected settings
          </Button>
        )}
      </Group>
    </Alert>
  )
}
