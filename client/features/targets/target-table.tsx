import { ActionIcon, Table, TextInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { formatPeriod } from '../../../src/shared/target-periods'
import { useFormat } from '../../lib/format'
import { parseTargetCell, lineKey, lineSum, setCell } from './draft'
import type { TargetDraftLine, TargetDraft } from './draft'
import classes from './targets.module.css'

interface TargetDraftTableProps {
  draft: TargetDraft
  periods: readonly string[]
  onChange: (next: TargetDraft) => void
}
const memberLabel = ({ member }: TargetDraftLine): string =>
  member === undefined ? 'The whole' : member === null || member === '' ? 'No value' : String(member)

/** One row a period, one column a line: it fits a narrow screen as long as there are few lines. */
export function TargetDraftTable({ draft, periods, onChange }: TargetDraftTableProps) {
  const format = useFormat()
  const remove = (line: TargetDraftLine): void =>
    onChange({ ...draft, lines: draft.lines.filter((one) => lineKey(one) !== lineKey(line)) })
  return (
    <Table.ScrollContainer minWidth={0} mah="max(9rem, min(38vh, 100dvh - 31.5rem))">
      <Table className={classes.table} stickyHeader>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Period</Table.Th>
            {draft.lines.map((line) => (
              <Table.Th key={lineKey(line)} ta="right">
                {memberLabel(line)}{' '}
                {line.member !== undefined && (
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    size="sm"
                    aria-label={`Take ${memberLabel(line)} out`}
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
                {formatPeriod(period, draft.grain)}
              </Table.Th>
              {draft.lines.map((line) => (
                <Table.Td key={lineKey(line)}>
                  <TextInput
                    size="xs"
                    inputMode="decimal"
                    classNames={{ input: classes.cell ?? '' }}
                    aria-label={`${memberLabel(line)}, ${formatPeriod(period, draft.grain)}`}
                    value={line.cells[period] ?? ''}
                    error={parseTargetCell(line.cells[period], draft.decimalMark) === null}
                    onChange={(event) =>
                      onChange(setCell(draft, { key: lineKey(line), period, text: event.currentTarget.value }))
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
                <Table.Td key={lineKey(line)} ta="right" className="figure">
                  {format.decimal(lineSum(line, { periods, mark: draft.decimalMark }), 4)}
                </Table.Td>
              ))}
            </Table.Tr>
          </Table.Tfoot>
        )}
      </Table>
    </Table.ScrollContainer>
  )
}
