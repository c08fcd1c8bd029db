import { COUNTRIES, settingsOf } from './regions'

export interface Choice {
  value: string
  label: string
}

const names = (type: 'region' | 'currency' | 'language') => new Intl.DisplayNames('en', { type })
const byLabel = (a: Choice, b: Choice): number => a.label.localeCompare(b.label, 'en')
const named = (codes: readonly string[], label: (code: string) => string): Choice[] =>
  codes.map((value) => ({ value, label: label(value) })).sort(byLabel)

export function countryChoices(): Choice[] {
  const regions = names('region')
  return named(COUNTRIES, (code) => regions.of(code) ?? code)
}

/** Every currency the browser knows, with its name: "SEK, Swedish Krona". */
export function currencyChoices(current: string): Choice[] {
  const currencies = names('currency')
  const codes = new Set([...Intl.supportedValuesOf('currency'), current])
  return named([...codes], (code) => `${code}, ${currencies.of(code) ?? code}`)
}

/** Number formats by example: "1 234 567,89 (Sweden)". */
export function localeChoices(current: string): Choice[] {
  const regions = names('region')
  const locales = new Set([...COUNTRIES.map((country) => settingsOf(country).numberLocale), current])
  const label = (locale: string): string => {
    const region = new Intl.Locale(locale).region
    const example = new Intl.NumberFormat(locale, { minimumFractionDigits: 2 }).format(1_234_567.89)
    return `${example} (${region === undefined ? locale : (regions.of(region) ?? locale)})`
  }
  return [...locales]
    .map((value) => ({ value, label: label(value) }))
    .sort((a, b) => (a.label.split('(')[1] ?? '').localeCompare(b.label.split('(')[1] ?? '', 'en'))
}

export function zoneChoices(current: string): Choice[] {
  const zones = new Set([...Intl.supportedValuesOf('timeZone'), current])
  return named([...zones], (zone) => zone.replaceAll('_', ' '))
}

export function monthChoices(): Choice[] {
  const format = new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' })
  return Array.from({ length: 12 }, (_, month) => ({
    value: String(month + 1),
    label: format.format(new Date(Date.UTC(2026, month, 1))),
  }))
}

export const WEEK_CHOICES: Choice[] = [
  { value: 'monday', label: 'Monday' },
  { value: 'sunday', label: 'Sunday' },
  { value: 'saturday', label: 'Saturday' },
]
