import { Button, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { aboutText, rowsText } from './amounts'
import classes from './import-preview.module.css'
import { useFormat } from '../../lib/format'
import type { FileInspection } from '../../../src/shared/files'

export interface LoadFootProps {
  /** The verb of the button: "Load". */
  verb?: string
  rows: FileInspection['rows']
  /** Why it cannot be loaded yet. */
  fault: string | null
  busy: boolean
  /** The file is being read again: what is on screen is not yet what would be loaded. */
  waiting: boolean
  onLoad: () => void
  back: ReactNode
}

/** The one primary action, always in sight. */
export function LoadFoot({ verb = 'Load', rows, fault, busy, waiting, onLoad, back }: LoadFootProps) {
  const format = useFormat()
  const many = rows.exact ? rowsText(format, rows.count) : `about ${aboutText(format, rows.count)} rows`
  return (
    <Group className={classes.foot} justify="space-between" gap="xs">
      {back}
      <Group gap="sm">
        <Text
          size="sm"
          c={fault === null ? 'dimmed' : 'var(--bad)'}
          role="status"
          visibleFrom={fault === null ? 'sm' : ''}
        >
          {fault ?? 'Rows that cannot be read are kept aside with their line and reason.'}
        </Text>
        <Button size="md" onClick={onLoad} loading={busy} disabled={fault !== null || waiting}>
          {verb} {many}
        </Button>
      </Group>
    </Group>
  )
}
