import { Anchor, Popover, Stack, Text } from '@mantine/core'
import type { CurrencyConversion, ConversionLine, QueryResult } from '../../../../src/shared/query/result'
import type { CurrencyMode } from '../../../../src/shared/query/currency-modes'
import { useFormat } from '../../../lib/format'
import { UpgradeLine } from '../../../ui/upgrade-prompt'
import { MutedText } from '../../../ui/muted-text'

type FormatDecimal = (value: number | string, decimals?: number) => string
type FormatDay = (day: string) => string

const CURRENCY_MODE_PHRASES: Record<CurrencyMode, string> = {
  transaction: 'at daily rates',
  average: 'at monthly average rates',
  closing: 'at month-end rates',
  budget: 'at budget rates',
}
const RATE_SOURCE_NAMES: Record<ConversionLine['source'], string> = {
  ecb: 'European Central Bank',
  riksbank: 'Sveriges Riksbank',
  manual: 'entered manually',
  same: 'its own currency',
}

/** Whether anything was brought to another currency, or left out for want of a rate: amounts may all be in it already. */
export const isConverted = (conversion: CurrencyConversion | undefined): conversion is CurrencyConversion =>
  conversion !== undefined &&
  (conversion.missing.length > 0 || conversion.lines.some(({ source }) => source !== 'same'))

/** "Converted to SEK at daily rates." */
export const describeConversion = ({ code, mode }: CurrencyConversion): string =>
  `Converted to ${code} ${CURRENCY_MODE_PHRASES[mode]}.`

/** "11.2 to 11.5, 2 Jan 2026 – 5 Mar 2026". */
function describeRate({ rate, from, to }: ConversionLine, decimal: FormatDecimal, formatDay: FormatDay): string {
  const [least, greatest] = [decimal(rate.least, 6), decimal(rate.greatest, 6)]
  const days = from === '' ? '' : from === to ? `, ${formatDay(from)}` : `, ${formatDay(from)} – ${formatDay(to)}`
  return `${least === greatest ? least : `${least} to ${greatest}`}${days}`
}
const describeRateSource = ({ source }: ConversionLine): string => RATE_SOURCE_NAMES[source]

/** "1 EUR in SEK: 11.2, 30 Jan 2026 (European Central Bank)"; nothing is said of what needed no rate. */
export const describeConversionLine = (
  line: ConversionLine,
  code: string,
  write: { decimal: FormatDecimal; day: FormatDay },
): string =>
  line.source === 'same'
    ? `${line.currency}: not converted`
    : `1 ${line.currency} in ${code}: ${describeRate(line, write.decimal, write.day)} (${describeRateSource(line)})${line.mode === undefined ? '' : `, ${CURRENCY_MODE_PHRASES[line.mode]}`}`

/** "3 rows without a rate are excluded: 700 XXX." Null when there are none. */
export function describeMissingRates({ missing }: CurrencyConversion, decimal: FormatDecimal): string | null {
  if (missing.length === 0) return null
  const rows = missing.reduce((total, line) => total + line.rows, 0)
  const amounts = missing.map(
    ({ currency, amount }) => `${decimal(amount)} ${currency === '' ? 'without a currency' : currency}`,
  )
  return `${decimal(rows, 0)} ${rows === 1 ? 'row' : 'rows'} without a rate ${rows === 1 ? 'is' : 'are'} excluded: ${amounts.join(', ')}.`
}

/** Says that figures were converted and by which rates; what was left out is said at once. */
export function ConversionNote({ conversion }: { conversion: CurrencyConversion | undefined }) {
  const format = useFormat()
  if (!isConverted(conversion)) return null
  const missing = describeMissingRates(conversion, format.decimal)
  return (
    <Stack gap={2}>
      <MutedText size="xs">
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
      </MutedText>
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
      Amounts aren’t converted to {unconverted.code}.
      <UpgradeLine need={{ kind: 'gate', gate: 'multiCurrency' }} />
    </Text>
  )
}

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
