import { Badge } from '@mantine/core'

/** A word beside a name that says what kind of thing it is, without calling for attention. */
export function NeutralBadge({ children }: { children: string }) {
  return (
    <Badge size="sm" variant="default" fw={500} style={{ flex: 'none' }}>
      {children}
    </Badge>
  )
}
