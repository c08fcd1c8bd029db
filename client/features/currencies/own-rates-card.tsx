import { ActionIcon, Button, Group, Table, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import classes from './currencies.module.css'
import { OwnRateDialog } from './own-rate-dialog'
import { useRemoveRate } from './queries'
import { describeDayRange } from './rate-words'
import { useFormat } from '../../lib/format'
import { useMayWrite } from '../../lib/gate'
import { confirmDestructive } from '../../ui/confirm-danger'
import { FormError } from '../../ui/form-error'
import { SectionCard } from '../../ui/section-card'
import type { OwnRate, OwnRateKind, RatesOverview } from '../../../src/shared/currencies'

const RATE_KIND_TEXTS = {
  override: {
    title: 'Rates set by hand',
    description: 'They take the place of published ones for their pair, in both directions, on their days.',
    add: 'Set a rate',
    none: 'None. Set one where a contract fixes the rate, or where none is published.',
  },
  budget: {
    title: 'Budget rates',
    description:
      'One fixed rate for a stretch of days, such as the fiscal year. Figures use them by the mode “Budget rate”.',
    add: 'Set a budget rate',
    none: 'None. Without one, figures by budget rates leave the currency out.',
  },
} as const

/** What the workspace set itself, with why and by whom. */
export function OwnRatesCard({ kind, overview }: { kind: OwnRateKind; overview: RatesOverview }) {
  const may = useMayWrite('edit:rates')
  const [editing, setEditing] = useState<OwnRate | 'new' | null>(null)
  const remove = useRemoveRate()
  const own = overview.own.filter((rate) => rate.kind === kind)
  const words = RATE_KIND_TEXTS[kind]
  return (
    <SectionCard title={words.title} description={words.description}>
      <FormError error={remove.error} />
      {own.length === 0 ? (
        <Text size="sm" c="dimmed">
          {words.none}
        </Text>
      ) : (
        <OwnRatesTable
          label={words.title}
          rates={own}
          {...(may
            ? {
                onEdit: setEditing,
                onRemove: (rate: OwnRate) => confirmRemoveRate(rate, () => remove.mutate(rate, REMOVED_MESSAGE)),
              }
            : {})}
        />
      )}
      {may && (
        <Group>
          <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEditing('new')}>
            {words.add}
          </Button>
        </Group>
      )}
      {editing !== null && (
        <OwnRateDialog
          kind={kind}
          rate={editing === 'new' ? null : editing}
          overview={overview}
          onClose={() => setEditing(null)}
        />
      )}
    </SectionCard>
  )
}

const REMOVED_MESSAGE = { onSuccess: () => void notifications.show({ color: 'green', message: 'Rate removed.' }) }
const confirmRemoveRate = (rate: OwnRate, onConfirm: () => void): void =>
  confirmDestructive({
    title: `Remove the rate of ${rate.base} in ${rate.quote}?`,
    message: 'Figures that used it are worked out anew, by published rates where there are any.',
    confirm: 'Remove rate',
    onConfirm,
  })

interface OwnRatesTableProps {
  label: string
  rates: readonly OwnRate[]
  onEdit?: (rate: OwnRate) => void
  onRemove?: (rate: OwnRate) => void
}

function OwnRatesTable({ label, rates, onEdit, onRemove }: OwnRatesTableProps) {
  const format = useFormat()
  return (
    <Table.ScrollContainer
      minWidth={560}
      scrollAreaProps={{ viewportProps: { tabIndex: 0, role: 'group', 'aria-label': label } }}
    >
      <Table aria-label={label} className={classes.table} horizontalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Pair</Table.Th>
            <Table.Th className={classes.number}>Rate</Table.Th>
            <Table.Th>Days</Table.Th>
            <Table.Th>Why</Table.Th>
            {onEdit && (
              <Table.Th>
                <span className="only-reader">Actions</span>
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rates.map((rate) => (
            <Table.Tr key={rate.id}>
              <Table.Td className={classes.pair}>
                1 {rate.base} in {rate.quote}
              </Table.Td>
              <Table.Td className={classes.number}>{format.decimal(rate.rate, 10)}</Table.Td>
              <Table.Td className={classes.days}>{describeDayRange(rate, format.date)}</Table.Td>
              <Table.Td>
                <Text size="sm">{rate.reason}</Text>
                <Text size="xs" c="dimmed">
                  {rate.byName ?? 'Somebody who left'}, {format.day(rate.updatedAt)}
                </Text>
              </Table.Td>
              {onEdit && onRemove && (
                <Table.Td>
                  <Group gap={4} wrap="nowrap" justify="flex-end">
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      aria-label={`Change the rate of ${rate.base} in ${rate.quote}`}
                      onClick={() => onEdit(rate)}
                    >
                      <IconPencil size={16} aria-hidden />
                    </ActionIcon>
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      aria-label={`Remove the rate of ${rate.base} in ${rate.quote}`}
                      onClick={() => onRemove(rate)}
                    >
                      <IconTrash size={16} aria-hidden />
                    </ActionIcon>
                  </Group>
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
