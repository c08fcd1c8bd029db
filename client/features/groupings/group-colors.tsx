import { Input, VisuallyHidden } from '@mantine/core'
import { useId } from 'react'
import classes from './groupings.module.css'
import { GroupMark } from './group-mark'
import { GROUP_COLORS } from '../../../src/shared/groups'
import type { GroupColor } from '../../../src/shared/groups'

const CHOICES: readonly (GroupColor | null)[] = [null, ...GROUP_COLORS]

/** The colour that charts draw a group in; arrows move among them. */
export function GroupColors({
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
        {CHOICES.map((color) => (
          <label key={color ?? 'none'} className={classes.color} title={color ?? 'By itself'}>
            <VisuallyHidden>
              <input type="radio" name={id} checked={value === color} onChange={() => onChange(color)} />
              {color ?? 'By itself'}
            </VisuallyHidden>
            <GroupMark color={color} />
          </label>
        ))}
      </div>
    </div>
  )
}
