import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'

/** Adds another item to the list above it. */
export function AddButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      leftSection={<IconPlus size={14} aria-hidden />}
      onClick={onClick}
      style={{ alignSelf: 'flex-start' }}
    >
      {label}
    </Button>
  )
}
