import { Input, VisuallyHidden } from '@mantine/core'
import { useId } from 'react'
import { COLOR_NAMES } from './group-words'
import classes from './groups.module.css'
import { GROUP_COLORS } from '../../../src/shared/groups'
import type { GroupColor } from '../../../src/shared/groups'

/** One of the colours of groups; arrows move among them. */
export function ColorPicker({ value, onChange }: { value: GroupColor; onChange: (color: GroupColor) => void }) {
  const id = useId()
  return (
    <div role="radiogroup" aria-labelledby={id}>
      <Input.Label id={id} labelElement="div" mb={5}>
        Colour
      </Input.Label>
      <div className={classes.colors}>
        {GROUP_COLORS.map((color) => (
          <label key={color} className={classes.color} title={COLOR_NAMES[color]}>
            <VisuallyHidden>
              <input type="radio" name={id} checked={value === color} onChange={() => onChange(color)} />
              {COLOR_NAMES[color]}
            </VisuallyHidden>
            <span aria-hidden className={classes.swatch} style={{ background: `var(--mantine-color-${color}-6)` }} />
          </label>
        ))}
      </div>
    </div>
  )
}
