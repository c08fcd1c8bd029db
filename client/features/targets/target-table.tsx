import { ActionIcon, Table, TextInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { periodName } from '../../../src/shared/target-periods'
import { useFormat } from '../../lib/format'
import { cellValue, keyOf, lineSum, setCell } from './draft'
import type { DraftLine, TargetDraft } from './draft'
import classes from './targets.module.css'

interface TargetTableProps {
  draft: TargetDraft
  periods: readonly string[]
  onChange: (next: TargetDraft) => void
}
const nameOf = ({ member }: DraftLine): string =>
  member === undefined ? 'The whole' : member === null || member === '' ? 'No value' : String(member)

/** One row a period, one column a line: it fits a narrow screen as long as there are few lines. */
export function TargetTableView({ draft, periods, onChange }: TargetTableProps) {
  const format = useFormat()
  const remove = (line: DraftLine): void =>
    onChange({ ...draft, lines: draft.lines.filter((one) => keyOf(one) !== keyOf(line)) })
  return (
    <Table.ScrollContainer minWidth={0} mah="max(9rem, min(38vh, 100dvh - 31.5rem))">
      <Table className={classes.table} stickyHeader>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Period</Table.Th>
            {draft.lines.map((line) => (
              <Table.Th key={keyOf(line)} ta="right">
                {nameOf(line)}{' '}
                {line.member !== undefined && (
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    size="sm"
                    aria-label={`Take ${nameOf(line)} out`}
                    onClick={() => remove(line)}
                  >
                    <IconX size={12} aria-hidden />
                  </ActionIcon>
                )}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {periods.map((period) => (
            <Table.Tr key={period}>
              <Table.Th scope="row" fw={500}>
                {periodName(period, draft.grain)}
              </Table.Th>
              {draft.lines.map((line) => (
                <Table.Td key={keyOf(line)}>
                  <TextInput
                    size="xs"
                    inputMode="decimal"
                    classNames={{ input: classes.cell ?? '' }}
                    aria-label={`${nameOf(line)}, ${periodName(period, draft.grain)}`}
                    value={line.cells[period] ?? ''}
                    error={cellValue(line.cells[period], draft.mark) === null}
                    onChange={(event) =>
                      onChange(setCell(draft, { key: keyOf(line), period, text: event.currentTarget.value }))
                    }
                  />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
        {periods.length > 1 && (
          <Table.Tfoot>
            <Table.Tr>
              <Table.Th scope="row">Sum</Table.Th>
              {draft.lines.map((line) => (
                <Table.Td key={keyOf(line)} ta="right" className="figure">
                  {format.decimal(lineSum(line, { periods, mark: draft.mark }), 4)}
                </Table.Td>
              ))}
            </Table.Tr>
          </Table.Tfoot>
        )}
      </Table>
    </Table.ScrollContainer>
  )
}
