import { ActionIcon, type ActionIconProps } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'

interface IconButtonProps extends ActionIconProps {
  icon: Icon
  /** The accessible name. */
  label: string
  onClick: () => void
  iconSize?: number
  title?: string
  tabIndex?: number
  'aria-expanded'?: boolean
}

/** A quiet button that shows only an icon. */
export const IconButton = ({ icon: ButtonIcon, label, iconSize = 16, ...props }: IconButtonProps) => (
  <ActionIcon variant="subtle" color="gray" aria-label={label} {...props}>
    <ButtonIcon size={iconSize} aria-hidden />
  </ActionIcon>
)
