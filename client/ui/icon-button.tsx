import { ActionIcon } from '@mantine/core'
import type { IconPencil } from '@tabler/icons-react'

export interface IconButtonProps {
  /** What a screen reader calls it. */
  label: string
  icon: typeof IconPencil
  variant?: 'subtle' | 'default'
  size?: 'sm' | 'md' | 'lg' | number
  iconSize?: number
  disabled?: boolean
  onClick: () => void
}

/** A button that shows an icon only. */
export function IconButton(props: IconButtonProps) {
  const { label, icon: Icon, variant = 'subtle', size = 'md', iconSize = 16, disabled = false, onClick } = props
  return (
    <ActionIcon variant={variant} color="gray" size={size} disabled={disabled} aria-label={label} onClick={onClick}>
      <Icon size={iconSize} aria-hidden />
    </ActionIcon>
  )
}
