import { Avatar } from '@mantine/core'

export interface PersonAvatarProps {
  /** Gives the initials where there is no picture, or where it cannot be shown. */
  name: string
  /** Path of the picture, or null. */
  picture: string | null
  /** Side in pixels. */
  size?: number
}

/** The ground of a page is nearly as light as that of initials. */
const EDGE = 'inset 0 0 0 1px color-mix(in srgb, var(--accent) 30%, transparent)'

/** A person's picture or initials in a circle. Says nothing to a screen reader: the name stands beside it. */
export function PersonAvatar({ name, picture, size = 32 }: PersonAvatarProps) {
  return (
    <Avatar
      src={picture}
      alt=""
      size={size}
      radius="50%"
      color="accent"
      aria-hidden
      style={{ flex: 'none' }}
      styles={{ placeholder: { boxShadow: EDGE } }}
    >
      {initials(name)}
    </Avatar>
  )
}

/** Up to two letters that stand for a name: first and last word. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean)
  const picked = words.length > 1 ? [words[0], words.at(-1)] : words
  return picked.map((word) => Array.from(word ?? '')[0]?.toLocaleUpperCase('en') ?? '').join('')
}
