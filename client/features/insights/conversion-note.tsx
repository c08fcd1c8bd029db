import { Anchor, Popover, Stack, Text } from '@mantine/core'
import type { CurrencyConversion, QueryResult } from '../../../src/shared/query-result'
import { useFormat } from '../../lib/format'
import { UpgradeLine } from '../../ui/upgrade-prompt'
import { describeConversion, isConverted, describeConversionLine, describeMissingRates } from './conversion-words'

/** Says that figures were converted and by which rates; what was left out is said at once. */
export function ConversionNote({ conversion }: { conversion: CurrencyConversion | undefined }) {
  const format = useFormat()
  if (!isConverted(conversion)) return null
  const missing = describeMissingRates(conversion, format.decimal)
  return (
    <Stack gap={2}>
      <Text size="xs" c="dimmed">
        {describeConversion(conversion)}{' '}
        {conversion.lines.length > 0 && (
          <Popover position="bottom-start" shadow="md" withinPortal width={320}>
            <Popover.Target>
              <Anchor component="button" type="button" size="xs">
                Rates
              </Anchor>
            </Popover.Target>
            <Popover.Dropdown>
              <ConversionLines conversion={conversion} />
            </Popover.Dropdown>
          </Popover>
        )}
      </Text>
      {missing !== null && (
        <Text size="xs" c="var(--bad)">
          {missing}
        </Text>
      )}
    </Stack>
  )
}

/** Says that amounts are as they are where a currency is asked for, and what converting them takes. */
export function UnconvertedNote({ unconverted }: { unconverted: QueryResult['unconverted'] }) {
  if (!unconverted) return null
  return (
    <Text size="xs" c="dimmed" component="div">
      These amounts are as they are, not in {unconverted.code}.
      <UpgradeLine need={{ kind: 'gate', gate: 'multiCurrency' }} />
    </Text>
  )
}

/** One line per currency: rate, days and source. */
export function ConversionLines({ conversion }: { conversion: CurrencyConversion }) {
  const format = useFormat()
  const write = { decimal: format.decimal, day: format.date }
  return (
    <Stack gap={4}>
      {conversion.lines.map((line) => (
        <Text size="sm" key={`${line.currency} ${line.source}`}>
          {describeConversionLine(line, conversion.code, write)}
        </Text>
      ))}
    </Stack>
  )
}
