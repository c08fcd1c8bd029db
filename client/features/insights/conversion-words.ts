import type { Conversion, ConversionLine } from '../../../src/shared/query-result'
import type { CurrencyMode } from '../../../src/shared/query'

type Decimal = (value: number | string, decimals?: number) => string
type Day = (day: string) => string

const BY: Record<CurrencyMode, string> = {
  transaction: 'by the rate of each row’s day',
  average: 'by the average rate of each month',
  closing: 'by the last rate of each month',
  budget: 'by budget rates',
}
const SOURCES: Record<ConversionLine['source'], string> = {
  ecb: 'European Central Bank',
  riksbank: 'Sveriges Riksbank',
  manual: 'set by hand',
  same: 'its own currency',
}

/** Whether anything was brought to another currency, or left out for want of a rate: amounts may all be in it already. */
export const isConverted = (conversion: Conversion | undefined): conversion is Conversion =>
  conversion !== undefined &&
  (conversion.missing.length > 0 || conversion.lines.some(({ source }) => source !== 'same'))

/** "Converted to SEK by the rate of each row’s day." */
export const conversionSentence = ({ code, mode }: Conversion): string => `Converted to ${code} ${BY[mode]}.`

/** "11.2 to 11.5, 2 Jan 2026 – 5 Mar 2026". */
export function rateWords({ rate, from, to }: ConversionLine, decimal: Decimal, day: Day): string {
  const [least, greatest] = [decimal(rate.least, 6), decimal(rate.greatest, 6)]
  const days = from === '' ? '' : from === to ? `, ${day(from)}` : `, ${day(from)} – ${day(to)}`
  return `${least === greatest ? least : `${least} to ${greatest}`}${days}`
}
export const sourceWords = ({ source }: ConversionLine): string => SOURCES[source]

/** "1 EUR in SEK: 11.2, 30 Jan 2026 (European Central Bank)"; nothing is said of what needed no rate. */
export const lineWords = (line: ConversionLine, code: string, write: { decimal: Decimal; day: Day }): string =>
  line.source === 'same'
    ? `${line.currency}: not converted`
    : `1 ${line.currency} in ${code}: ${rateWords(line, write.decimal, write.day)} (${sourceWords(line)})${line.mode === undefined ? '' : `, ${BY[line.mode]}`}`

/** "3 rows without a rate are left out: 700 XXX." Null when there are none. */
export function missingWords({ missing }: Conversion, decimal: Decimal): string | null {
  if (missing.length === 0) return null
  const rows = missing.reduce((total, line) => total + line.rows, 0)
  const amounts = missing.map(
    ({ currency, amount }) => `${decimal(amount)} ${currency === '' ? 'without a currency' : currency}`,
  )
  return `${decimal(rows, 0)} ${rows === 1 ? 'row' : 'rows'} without a rate ${rows === 1 ? 'is' : 'are'} left out: ${amounts.join(', ')}.`
}
