import { Button, Group, Select, Stack, TextInput } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import type { InspectAccessInput } from '../../../src/shared/data-access/data-access'
import { humanizeLabel } from '../../../src/shared/text'
import { parseScalar } from '../../lib/query-builder/filter-draft'
import { SideDrawer } from '../../ui/dialog'
import { QueryView } from '../../ui/query-view'
import { TableSkeleton } from '../../ui/skeletons'
import { useAccessNames, type AccessNames } from './access-names'
import { Explanation } from './explanation'
import { accessExplanationQuery } from './queries'

export interface InspectorProps {
  userId: string
  dataset: string
  onClose: () => void
}
type AskedRow = InspectAccessInput['row']

/** Why somebody sees a dataset, or one row of it, as they do: rule by rule, column by column. */
export function Inspector({ userId, dataset, onClose }: InspectorProps) {
  const names = useAccessNames()
  const [person, setPerson] = useState(userId)
  const [data, setData] = useState(dataset)
  const [row, setRow] = useState<AskedRow>()
  const asked: InspectAccessInput = { userId: person, dataset: data, ...(row ? { row } : {}) }
  const explanation = useQuery({ ...accessExplanationQuery(asked), placeholderData: keepPreviousData })
  return (
    <SideDrawer opened onClose={onClose} position="right" size="lg" title="Why">
      <Stack gap="md">
        <Group gap="sm" grow>
          <Select
            label="Person"
            data={names.choices.member}
            value={person}
            searchable
            onChange={(next) => next && setPerson(next)}
          />
          <Select
            label="Dataset"
            data={names.choices.dataset}
            value={data}
            searchable
            onChange={(next) => {
              if (next) setData(next)
              setRow(undefined)
            }}
          />
        </Group>
        <RowFields key={data} columns={names.columnsOf(data)} onAsk={setRow} />
        <QueryView query={explanation} skeleton={<TableSkeleton count={4} />}>
          {(answer) => <Explanation {...{ answer, names }} userId={person} />}
        </QueryView>
      </Stack>
    </SideDrawer>
  )
}

function RowFields({
  columns,
  onAsk,
}: {
  columns: ReturnType<AccessNames['columnsOf']>
  onAsk: (row: AskedRow) => void
}) {
  const [key, setKey] = useState<string | null>(null)
  const [value, setValue] = useState('')
  const column = columns.find((one) => one.key === key)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const typed = column ? parseScalar(value, column) : null
    onAsk(column && typed !== null ? { column: column.key, value: typed } : undefined)
  }
  return (
    <form onSubmit={submit} data-transient>
      <Group gap="sm" align="flex-end">
        <Select
          label="Row where"
          placeholder="Any column"
          data={columns.map((one) => ({ value: one.key, label: humanizeLabel(one.label) }))}
          value={key}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': 'Clear row' }}
          onChange={(next) => {
            setKey(next)
            if (next === null) onAsk(undefined)
          }}
          style={{ flex: '1 1 9rem' }}
        />
        <TextInput
          label="Is"
          value={value}
          disabled={column === undefined}
          onChange={(event) => setValue(event.currentTarget.value)}
          style={{ flex: '1 1 9rem' }}
        />
        <Button type="submit" variant="default" disabled={column === undefined || value.trim() === ''}>
          Check row
        </Button>
      </Group>
    </form>
  )
}
