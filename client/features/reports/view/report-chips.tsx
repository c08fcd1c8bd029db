import { ActionIcon, Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { selectionLabel, type CrossFilterAction, type Selection } from './cross-filter'
import classes from './report.module.css'

interface SelectionChipsProps {
  selections: readonly Selection[]
  onMark: (action: CrossFilterAction) => void
}

/** What clicks on marks left of the figures, each to take back. */
export function SelectionChips({ selections, onMark }: SelectionChipsProps) {
  if (selections.length === 0) return null
  return (
    <div className={classes.chips} role="group" aria-label="Filtered by">
      {selections.map((selection) => {
        const label = selectionLabel(selection)
        return (
          <span key={selection.block} className={classes.chip}>
            <span>{label}</span>
            <ActionIcon
              size={20}
              radius="xl"
              variant="subtle"
              aria-label={`Remove filter ${label}`}
              onClick={() => onMark({ kind: 'remove', block: selection.block })}
            >
              <IconX size={13} aria-hidden />
            </ActionIcon>
          </span>
        )
      })}
      {selections.length > 1 && (
        <Button size="compact-xs" variant="subtle" onClick={() => onMark({ kind: 'clear' })}>
          Clear all
        </Button>
      )}
    </div>
  )
}
