import { Button, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useFormat } from '../../../lib/format'
import { describeRows, formatCountOf } from '../../../../src/shared/figures/formatter'
import classes from '../preview-grid.module.css'
import type { FileInspection } from '../../../../src/shared/data-sources/files'
import { FormFooter } from '../../../ui/forms/form-footer'

export interface ImportFooterProps {
  /** The verb of the button: "Import". */
  verb?: string
  rows: FileInspection['rows']
  /** How many tables, where there is a choice. */
  tables?: number | null
  /** Why it cannot be loaded yet. */
  fault: string | null
  busy: boolean
  /** The file is being read again: what is on screen is not yet what would be loaded. */
  waiting: boolean
  onLoad: () => void
  back: ReactNode
}

/** The one primary action, always in sight. */
export function ImportFooter({
  verb = 'Import',
  rows,
  tables = null,
  fault,
  busy,
  waiting,
  onLoad,
  back,
}: ImportFooterProps) {
  const format = useFormat()
  const rowCountText = describeRows(rows, format)
  const countText = tables === null ? rowCountText : `${formatCountOf(format, tables, 'table')}, ${rowCountText}`
  const isEmpty = rows.exact && rows.count === 0
  return (
    <div className={classes.foot}>
      <FormFooter
        // What is said here changes while files are read: on the left it grows without moving anything.
        aside={
          <>
            {back}
            <Text
              size="sm"
              c={fault === null ? 'dimmed' : 'var(--bad)'}
              role="status"
              visibleFrom={fault === null ? 'sm' : ''}
            >
              {fault ?? 'Invalid rows are skipped and listed.'}
            </Text>
          </>
        }
      >
        <Button size="md" onClick={onLoad} loading={busy} disabled={fault !== null || waiting}>
          {isEmpty ? verb.replace(/ for$/, '') : `${verb} ${countText}`}
        </Button>
      </FormFooter>
    </div>
  )
}
