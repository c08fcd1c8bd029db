import { Input, VisuallyHidden } from '@mantine/core'
import { useId } from 'react'
import classes from './groupings.module.css'
import { GROUP_COLORS, type GroupColor } from '../../../src/shared/groups'

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

const COLOR_CHOICES: readonly (GroupColor | null)[] = [null, ...GROUP_COLORS]

/** The colour that charts draw a group in; arrows move among them. */
export function GroupColorPicker({
  value,
  onChange,
}: {
  value: GroupColor | null
  onChange: (color: GroupColor | null) => void
}) {
  const id = useId()
  return (
    <div role="radiogroup" aria-labelledby={id}>
      <Input.Label id={id} labelElement="div" mb={5}>
        Colour
      </Input.Label>
      <div className={classes.colors}>
        {COLOR_CHOICES.map((color) => (
          <label key={color ?? 'none'} className={classes.color} title={color ?? 'Automatic'}>
            <VisuallyHidden>
              <input type="radio" name={id} checked={value === color} onChange={() => onChange(color)} />
              {color ?? 'Automatic'}
            </VisuallyHidden>
            <GroupSwatch color={color} />
          </label>
        ))}
      </div>
    </div>
  )
}
