import classes from './groups.module.css'
import type { GroupColor } from '../../../src/shared/groups'

/** The colour of a group. Says nothing to a screen reader: the name stands beside it. */
export function GroupColorDot({ color }: { color: GroupColor }) {
  return <span aria-hidden className={classes.mark} style={{ background: `var(--mantine-color-${color}-6)` }} />
}
