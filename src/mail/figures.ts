import type { ColumnFormat } from '../shared/files'
import type { WorkspaceSettings } from '../shared/workspaces'

/** From here on a fraction is noise in a mail. */
const WHOLE_NUMBERS_FROM = 1_000

/** A figure as the workspace writes it. Never "NaN" or "null": a figure that is missing is a dash. */
export function formatFigure(
  value: number | null,
  format: ColumnFormat | null,
  { numberLocale }: Pick<WorkspaceSettings, 'numberLocale'>,
): string {
  if (value === null || !Number.isFinite(value)) return '–'
  const decimals = Math.abs(value) >= WHOLE_NUMBERS_FROM || Number.isInteger(value) ? 0 : 2
  const options: Intl.NumberFormatOptions = { maximumFractionDigits: decimals, minimumFractionDigits: 0 }
  if (format?.style === 'percent')
    return new Intl.NumberFormat(numberLocale, { style: 'percent', maximumFractionDigits: 1 }).format(value)
  if (format?.style === 'currency') {
    const currency = { style: 'currency' as const, currency: format.currency, currencyDisplay: 'narrowSymbol' as const }
    return new Intl.NumberFormat(numberLocale, { ...currency, ...options }).format(value)
  }
  return new Intl.NumberFormat(numberLocale, options).format(value)
}
