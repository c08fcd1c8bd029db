import { Select, Stack, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import classes from './connections.module.css'
import { previewQuery } from './queries'
import { COLUMN_TYPE_LABELS, COLUMN_TYPES } from '../../../src/shared/data-sources/files'
import { QueryView } from '../../ui/query-view'
import { ScrollableTable } from '../../ui/scrollable-table'
import { TableSkeleton } from '../../ui/skeletons'
import type { PreviewStreamInput, StreamPreview as Preview } from '../../../src/shared/data-sources/connections'
import type { SourceStream } from '../../../src/shared/data-sources/connectors'

const ROWS_SHOWN = 20
const COLUMN_MIN_WIDTH = 110
const isNumeric = (type: string): boolean => type === 'integer' || type === 'number'
const typeLabel = (type: string): string => {
  const known = COLUMN_TYPES.find((each) => each === type)
  return known ? COLUMN_TYPE_LABELS[known] : type
}

const MOMENT = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(?:\.0+|(\.\d*?)0*)?(Z?)$/
/** A value as it is at the source; a moment as people write one: `2026-01-31 12:00:00 UTC`. */
function shownValue(cell: string | null, type: string): string {
  const found = cell !== null && type === 'datetime' ? MOMENT.exec(cell) : null
  if (!found) return cell ?? ''
  const [, day = '', time = '', fraction = '', zone] = found
  return `${day} ${time}${fraction}${zone === 'Z' ? ' UTC' : ''}`
}

interface StreamPreviewProps {
  connection: Omit<PreviewStreamInput, 'stream'>
  streams: readonly SourceStream[]
}

/** The first rows of a chosen stream, as they are at the source. */
export function StreamPreview({ connection, streams }: StreamPreviewProps) {
  const [asked, setAsked] = useState<string | null>(null)
  const stream = streams.find(({ key }) => key === asked) ?? streams[0]
  const preview = useQuery({
    ...previewQuery({ ...connection, stream: stream?.key ?? '' }),
    enabled: stream !== undefined,
  })
  if (!stream) return null
  return (
    <Stack gap="sm">
      {streams.length > 1 && (
        <Select
          label="Preview"
          maw={320}
          allowDeselect={false}
          data={streams.map(({ key, label }) => ({ value: key, label }))}
          value={stream.key}
          onChange={setAsked}
        />
      )}
      <QueryView query={preview} skeleton={<TableSkeleton count={5} />}>
        {({ tables }) => tables.map((table) => <PreviewTable key={table.name} table={table} />)}
      </QueryView>
    </Stack>
  )
}

function PreviewTable({ table }: { table: Preview['tables'][number] }) {
  if (table.rows.length === 0) return <Text c="dimmed">{table.name}: no rows</Text>
  return (
    <ScrollableTable label={`First rows of ${table.name}`} minWidth={table.columns.length * COLUMN_MIN_WIDTH}>
      <Table.Thead>
        <Table.Tr>
          {table.columns.map(({ label, type }, at) => (
            <Table.Th key={at} className={`${classes.line} ${isNumeric(type) ? 'numeric' : ''}`}>
              {label}
              <Text size="xs" c="dimmed">
                {typeLabel(type)}
              </Text>
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {table.rows.slice(0, ROWS_SHOWN).map((row, at) => (
          <Table.Tr key={at}>
            {table.columns.map(({ type }, cell) => (
              <Table.Td key={cell} className={`${classes.cell} ${isNumeric(type) ? 'numeric' : ''}`}>
                {shownValue(row[cell] ?? null, type)}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </ScrollableTable>
  )
}
