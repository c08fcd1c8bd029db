import { Avatar } from '@mantine/core'
import { initials } from '../../ui/person-avatar'

export interface WorkspaceAvatarProps {
  /** Gives the initials where there is no logo, or where it cannot be shown. */
  name: string
  /** Path of the logo, or null. */
  logo: string | null
  /** Side in pixels. */
  size?: number
}

/** A workspace's logo or initials in a square. Says nothing to a screen reader: the name stands beside it. */
export function WorkspaceAvatar({ name, logo, size = 26 }: WorkspaceAvatarProps) {
  return (
    <Avatar
      src={logo}
      alt=""
      size={size}
      radius="sm"
      variant={logo === null ? 'filled' : 'transparent'}
      color="accent"
      aria-hidden
      imageProps={{ style: { objectFit: 'contain' } }}
      style={{ flex: 'none' }}
    >
      {initials(name)}
    </Avatar>
  )
}
