import { ActionIcon, Button, type ActionIconProps } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'

interface RemoveButtonProps extends Pick<ActionIconProps, 'size'> {
  /** What it removes, for people who do not see where it stands. */
  label: string
  onClick: () => void
}

/** Takes one entry out of a list that is being edited. */
export function RemoveButton({ label, onClick, size = 'lg' }: RemoveButtonProps) {
  return (
    <ActionIcon variant="subtle" color="gray" size={size} aria-label={label} onClick={onClick}>
      <IconTrash size={16} aria-hidden />
    </ActionIcon>
  )
}

interface AddButtonProps {
  disabled: boolean
  onClick: () => void
  children: ReactNode
}

/** Puts another entry into a list that is being edited. */
export function AddEntryButton({ disabled, onClick, children }: AddButtonProps) {
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconPlus size={14} aria-hidden />}
      disabled={disabled}
      onClick={onClick}
    >
      {children}
    </Button>
  )
}
