import { ActionIcon, Button, Group, Popover, Select, Stack, Text, TextInput } from '@mantine/core'
import { IconCalendarPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import type { GroupingEditorContext } from './grouping-editor'
import { useFormat } from '../../lib/format'

/** Which period's groups are shown. A reorganisation begins a new one; figures of before can keep the old groups. */
export function ValidityPeriodPicker({
  draft,
  at,
  act,
  may,
  onChoose,
}: GroupingEditorContext & { onChoose: (at: number) => void }) {
  const format = useFormat()
  const periodLabel = (from: string | null): string =>
    from === null ? 'From the beginning' : `From ${format.date(from)}`
  if (draft.eras.length === 1 && !may) return null
  return (
    <Group gap="xs" align="flex-end">
      {draft.eras.length > 1 && (
        <>
          <Select
            label="Groups in force"
            data={draft.eras.map(({ from }, n) => ({ value: String(n), label: periodLabel(from) }))}
            value={String(at)}
            onChange={(value) => value !== null && onChoose(Number(value))}
            allowDeselect={false}
            w={210}
          />
          {may && (
            <ActionIcon
              variant="subtle"
              color="gray"
              size={36}
              aria-label={`Remove the period “${periodLabel(draft.eras[at]?.from ?? null)}”`}
              onClick={() => act({ kind: 'removeEra', at })}
            >
              <IconTrash size={18} aria-hidden />
            </ActionIcon>
          )}
        </>
      )}
      {may && (
        <NewValidityPeriod onAdd={(from) => act({ kind: 'addEra', from })} taken={draft.eras.map(({ from }) => from)} />
      )}
    </Group>
  )
}

function NewValidityPeriod({ onAdd, taken }: { onAdd: (from: string) => void; taken: readonly (string | null)[] }) {
  const [from, setFrom] = useState('')
  const [opened, setOpened] = useState(false)
  const isTaken = taken.includes(from)
  return (
    <Popover opened={opened} onChange={setOpened} trapFocus position="bottom-start">
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconCalendarPlus size={16} aria-hidden />}
          onClick={() => setOpened(!opened)}
        >
          New period
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="sm" maw={280}>
          <Text size="sm">From this day on other groups can be in force. It begins with those of today.</Text>
          <TextInput
            type="date"
            label="First day"
            value={from}
            error={isTaken ? 'A period begins on this day already.' : undefined}
            onChange={(event) => setFrom(event.currentTarget.value)}
          />
          <Button
            disabled={from === '' || isTaken}
            onClick={() => {
              onAdd(from)
              setOpened(false)
              setFrom('')
            }}
          >
            Begin period
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
