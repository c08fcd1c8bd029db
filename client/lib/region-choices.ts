import { COUNTRIES, settingsForCountry } from './regions'

export interface SelectOption {
  value: string
  label: string
}

const displayNames = (type: 'region' | 'currency' | 'language') => new Intl.DisplayNames('en', { type })
const byLabel = (a: SelectOption, b: SelectOption): number => a.label.localeCompare(b.label, 'en')
const toSortedOptions = (codes: readonly string[], label: (code: string) => string): SelectOption[] =>
  codes.map((value) => ({ value, label: label(value) })).sort(byLabel)

export function countryOptions(): SelectOption[] {
  const regions = displayNames('region')
  return toSortedOptions(COUNTRIES, (code) => regions.of(code) ?? code)
}

/** Every currency the browser knows, with its name: "SEK, Swedish Krona". */
export function currencyNameOptions(current: string): SelectOption[] {
  const currencies = displayNames('currency')
  const codes = new Set([...Intl.supportedValuesOf('currency'), current])
  return toSortedOptions([...codes], (code) => `${code}, ${currencies.of(code) ?? code}`)
}

/** Number formats by example: "1 234 567,89 (Sweden)". */
export function numberLocaleOptions(current: string): SelectOption[] {
  const regions = displayNames('region')
  const locales = new Set([...COUNTRIES.map((country) => settingsForCountry(country).numberLocale), current])
  const label = (locale: string): string => {
    const region = new Intl.Locale(locale).region
    const example = new Intl.NumberFormat(locale, { minimumFractionDigits: 2 }).format(1_234_567.89)
    return `${example} (${region === undefined ? locale : (regions.of(region) ?? locale)})`
  }
  return [...locales]
    .map((value) => ({ value, label: label(value) }))
    .sort((a, b) => (a.label.split('(')[1] ?? '').localeCompare(b.label.split('(')[1] ?? '', 'en'))
}

export function timeZoneOptions(current: string): SelectOption[] {
  const zones = new Set([...Intl.supportedValuesOf('timeZone'), current])
  return toSortedOptions([...zones], (zone) => zone.replaceAll('_', ' '))
}

export function monthOptions(): SelectOption[] {
  const format = new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' })
  return Array.from({ length: 12 }, (_, month) => ({
    value: String(month + 1),
    label: format.format(new Date(Date.UTC(2026, month, 1))),
  }))
}

export const WEEK_START_OPTIONS: SelectOption[] = [
  { value: 'monday', label: 'Monday' },
  { value: 'sunday', label: 'Sunday' },
  { value: 'saturday', label: 'Saturday' },
]
