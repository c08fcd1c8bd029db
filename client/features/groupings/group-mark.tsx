import classes from './groupings.module.css'
import type { GroupColor } from '../../../src/shared/groups'

/** The colour of a group, or a ring where it has none. Says nothing to a screen reader: the name stands beside it. */
export function GroupSwatch({ color }: { color: GroupColor | null }) {
  return (
    <span
      aria-hidden
      className={classes.mark}
      style={color === null ? {} : { background: `var(--mantine-color-${color}-6)`, borderColor: 'transparent' }}
    />
  )
}
