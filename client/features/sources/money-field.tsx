import { Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import type { ColumnMetadataEdit } from './dataset-edits'
import { ColumnFormatField } from './format-field'
import { useSession } from '../../lib/session'
import { suggestCurrencyColumn } from '../../../src/shared/currencies'
import type { Column } from '../../../src/shared/sources'

export interface NumberFormatFieldProps {
  column: Column
  columns: readonly Column[]
  editable: boolean
  onEdit: (edit: ColumnMetadataEdit) => void
}

/** How the figures of a column are shown, and for money: which currency it is in, and whether in its smallest unit. */
export function NumberFormatField({ column, columns, editable, onEdit }: NumberFormatFieldProps) {
  const multiCurrency = useSession().workspace?.entitlements.features.multiCurrency ?? false
  const held = column.currencyColumn ?? null
  const texts = columns.filter(({ type, computed, role }) => type === 'text' && !computed && role === 'currency')
  const choices = columns.filter(({ key }) => key === held || (multiCurrency && texts.some((each) => each.key === key)))
  const proposed =
    multiCurrency && editable ? columns.find(({ key }) => key === suggestCurrencyColumn(column, columns)) : undefined
  const isMoney = held !== null || column.format.style === 'currency'
  const isWhole = column.type === 'integer' || column.scale !== undefined
  return (
    <Stack gap={6}>
      <ColumnFormatField
        hideLabel
        label={`${column.label} is shown as`}
        format={column.format}
        disabled={!editable}
        onChange={(format) => onEdit({ format, ...(held === null ? {} : { currencyColumn: null }) })}
        rowCurrency={{
          choices,
          held,
          onPick: (key) => onEdit({ currencyColumn: key, format: { style: 'plain' } }),
        }}
      />
      {proposed && (
        <Group gap={6} wrap="nowrap">
          <Text size="xs" c="dimmed">
            Are these amounts in the currency that {proposed.label} names?
          </Text>
          <Button
            size="compact-xs"
            variant="light"
            style={{ flexShrink: 0 }}
            aria-label={`Yes, ${column.label} is in the currency of ${proposed.label}`}
            onClick={() => onEdit({ currencyColumn: proposed.key, format: { style: 'plain' } })}
          >
            Yes
          </Button>
        </Group>
      )}
      {isMoney && isWhole && !column.computed && (editable || column.minorUnits === true) && (
        <Checkbox
          size="xs"
          label={
            <>
              In the smallest unit (1250 is 12.50)<span className="only-reader">, {column.label}</span>
            </>
          }
          checked={column.minorUnits ?? false}
          disabled={!editable}
          onChange={(event) => onEdit({ minorUnits: event.currentTarget.checked })}
        />
      )}
    </Stack>
  )
}
