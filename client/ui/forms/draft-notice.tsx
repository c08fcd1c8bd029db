import { Alert, Button, Group } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useFormat } from '../../lib/format'
import type { KeptDraft } from '../../lib/writes/kept-draft'

/** Says that unsaved work from before is back, or waits to be. */
export function DraftNotice({ draft }: { draft: KeptDraft }) {
  const format = useFormat()
  const { state, savedAt, restore, discard } = draft
  if (state === null) return null
  return (
    <Alert
      role="status"
      variant="light"
      mb="md"
      icon={<IconHistory aria-hidden />}
      title={`Unsaved changes from ${format.dateTime(savedAt)}`}
    >
      {state === 'offered' && 'The saved version has changed since.'}
      <Group gap="xs" mt={state === 'offered' ? 'xs' : 0}>
        {state === 'offered' && (
          <Button size="xs" onClick={restore}>
            Restore changes
          </Button>
        )}
        <Button size="xs" variant="default" onClick={discard}>
          Discard changes
        </Button>
      </Group>
    </Alert>
  )
}
