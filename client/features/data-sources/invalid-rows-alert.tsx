import { Alert, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { invalidRowCount, type ParsedTable } from './import/cell-parsing'
import { useFormat } from '../../lib/format'
import { formatRowCount } from '../../../src/shared/figures/formatter'

/** Says before the import that rows of the preview will not come in, and what can be done. */
export function InvalidRowsAlert({ table, next }: { table: Pick<ParsedTable, 'columns' | 'cells'>; next: string }) {
  const format = useFormat()
  const count = invalidRowCount(table)
  if (count === 0) return null
  return (
    <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} role="status" py="sm">
      <Text size="sm">
        {format.count(count)} of the first {formatRowCount(format, table.cells.length)} will be rejected. {next}
      </Text>
    </Alert>
  )
}
