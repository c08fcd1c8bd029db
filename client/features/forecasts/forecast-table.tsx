import { Button, CopyButton, Group, Switch, Table } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useState } from 'react'
import type { ForecastResult } from '../../../src/shared/forecast-result'
import { MISSING_VALUE } from '../../lib/format'
import { SectionCard } from '../../ui/section-card'
import classes from './forecast-page.module.css'
import { clipboardText, forecastTableRows, formatTableRows } from './table-rows'
import type { SeriesSelection } from './table-rows'
import { useForecastFormatter } from './use-forecast-words'

interface ForecastTableProps extends SeriesSelection {
  result: ForecastResult
}

/** Every figure of a forecast: the middle, its bands, the year before and the parts. */
export function ForecastTable({ result, part, asBalance = false }: ForecastTableProps) {
  const words = useForecastFormatter(result)
  const [withPast, setWithPast] = useState(false)
  const rows = forecastTableRows(result, { part, asBalance }).filter(({ isAhead }) => isAhead || withPast)
  const figure = (value: number | null): string => (value === null ? MISSING_VALUE : words.figure(value))
  const { head, rows: lines } = formatTableRows(result, rows, { figure, period: words.period })
  // Without the past, its column says nothing.
  const columns = head.flatMap((name, at) => (at === 1 && !withPast ? [] : [{ name, at }]))
  const copied = (): string =>
    clipboardText(
      formatTableRows(result, rows, {
        figure: (value) => (value === null ? '' : String(value)),
        period: (start) => start,
      }),
    )
  return (
    <SectionCard title="Figures">
      <Group justify="space-between">
        <Switch
          label="With the past"
          checked={withPast}
          onChange={(event) => setWithPast(event.currentTarget.checked)}
        />
        <CopyButton value={copied()}>
          {({ copied: isCopied, copy }) => (
            <Button
              variant="default"
              size="xs"
              leftSection={isCopied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
              onClick={copy}
            >
              {isCopied ? 'Copied' : 'Copy table'}
            </Button>
          )}
        </CopyButton>
      </Group>
      <div className={classes.tableFrame} tabIndex={0} role="region" aria-label="Figures of the forecast">
        <Table stickyHeader striped>
          <Table.Thead>
            <Table.Tr>
              {columns.map(({ name, at }) => (
                <Table.Th key={at} ta={at === 0 ? 'left' : 'right'}>
                  {name}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {lines.map(({ start, cells }) => (
              <Table.Tr key={start}>
                {columns.map(({ at }) =>
                  at === 0 ? (
                    <Table.Th key={at} scope="row" fw={400}>
                      {cells[at]}
                    </Table.Th>
                  ) : (
                    <Table.Td key={at} ta="right" className="figure" fw={at === 2 ? 550 : 400}>
                      {cells[at]}
                    </Table.Td>
                  ),
                )}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </SectionCard>
  )
}
