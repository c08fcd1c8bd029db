import { Avatar } from '@mantine/core'

export interface PersonAvatarProps {
  /** Gives the initials where there is no picture, or where it cannot be shown. */
  name: string
  /** Path of the picture, or null. */
  picture: string | null
  /** Side in pixels. */
  size?: number
}

/** A person's picture or initials in a circle. Says nothing to a screen reader: the name stands beside it. */
export function PersonAvatar({ name, picture, size = 32 }: PersonAvatarProps) {
  return (
    <Avatar src={picture} alt="" size={size} radius="50%" color="accent" aria-hidden style={{ flex: 'none' }}>
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
