import type { WeekStart, WorkspaceSettings } from '../../src/shared/workspaces/workspaces'

/** country: currency, locale of numbers, time zone of the capital. */
const COUNTRY_DEFAULTS = {
  AE: ['AED', 'en-AE', 'Asia/Dubai'],
  AR: ['ARS', 'es-AR', 'America/Argentina/Buenos_Aires'],
  AT: ['EUR', 'de-AT', 'Europe/Vienna'],
  AU: ['AUD', 'en-AU', 'Australia/Sydney'],
  BE: ['EUR', 'nl-BE', 'Europe/Brussels'],
  BG: ['EUR', 'bg-BG', 'Europe/Sofia'],
  BR: ['BRL', 'pt-BR', 'America/Sao_Paulo'],
  CA: ['CAD', 'en-CA', 'America/Toronto'],
  CH: ['CHF', 'de-CH', 'Europe/Zurich'],
  CL: ['CLP', 'es-CL', 'America/Santiago'],
  CN: ['CNY', 'zh-CN', 'Asia/Shanghai'],
  CY: ['EUR', 'el-CY', 'Asia/Nicosia'],
  CZ: ['CZK', 'cs-CZ', 'Europe/Prague'],
  DE: ['EUR', 'de-DE', 'Europe/Berlin'],
  DK: ['DKK', 'da-DK', 'Europe/Copenhagen'],
  EE: ['EUR', 'et-EE', 'Europe/Tallinn'],
  ES: ['EUR', 'es-ES', 'Europe/Madrid'],
  FI: ['EUR', 'fi-FI', 'Europe/Helsinki'],
  FO: ['DKK', 'fo-FO', 'Atlantic/Faroe'],
  FR: ['EUR', 'fr-FR', 'Europe/Paris'],
  GB: ['GBP', 'en-GB', 'Europe/London'],
  GR: ['EUR', 'el-GR', 'Europe/Athens'],
  HK: ['HKD', 'en-HK', 'Asia/Hong_Kong'],
  HR: ['EUR', 'hr-HR', 'Europe/Zagreb'],
  HU: ['HUF', 'hu-HU', 'Europe/Budapest'],
  IE: ['EUR', 'en-IE', 'Europe/Dublin'],
  IL: ['ILS', 'he-IL', 'Asia/Jerusalem'],
  IN: ['INR', 'en-IN', 'Asia/Kolkata'],
  IS: ['ISK', 'is-IS', 'Atlantic/Reykjavik'],
  IT: ['EUR', 'it-IT', 'Europe/Rome'],
  JP: ['JPY', 'ja-JP', 'Asia/Tokyo'],
  KR: ['KRW', 'ko-KR', 'Asia/Seoul'],
  LT: ['EUR', 'lt-LT', 'Europe/Vilnius'],
  LU: ['EUR', 'fr-LU', 'Europe/Luxembourg'],
  LV: ['EUR', 'lv-LV', 'Europe/Riga'],
  MT: ['EUR', 'en-MT', 'Europe/Malta'],
  MX: ['MXN', 'es-MX', 'America/Mexico_City'],
  NL: ['EUR', 'nl-NL', 'Europe/Amsterdam'],
  NO: ['NOK', 'nb-NO', 'Europe/Oslo'],
  NZ: ['NZD', 'en-NZ', 'Pacific/Auckland'],
  PL: ['PLN', 'pl-PL', 'Europe/Warsaw'],
  PT: ['EUR', 'pt-PT', 'Europe/Lisbon'],
  RO: ['RON', 'ro-RO', 'Europe/Bucharest'],
  RS: ['RSD', 'sr-RS', 'Europe/Belgrade'],
  SE: ['SEK', 'sv-SE', 'Europe/Stockholm'],
  SG: ['SGD', 'en-SG', 'Asia/Singapore'],
  SI: ['EUR', 'sl-SI', 'Europe/Ljubljana'],
  SK: ['EUR', 'sk-SK', 'Europe/Bratislava'],
  TR: ['TRY', 'tr-TR', 'Europe/Istanbul'],
  UA: ['UAH', 'uk-UA', 'Europe/Kyiv'],
  US: ['USD', 'en-US', 'America/New_York'],
  ZA: ['ZAR', 'en-ZA', 'Africa/Johannesburg'],
} as const satisfies Record<string, readonly [string, string, string]>
export type Country = keyof typeof COUNTRY_DEFAULTS

const FISCAL_START: Partial<Record<Country, number>> = { AU: 7, GB: 4, IN: 4, JP: 4, NZ: 4, ZA: 3 }
const WEEK_START: Partial<Record<Country, WeekStart>> = {
  AE: 'monday',
  BR: 'sunday',
  CA: 'sunday',
  HK: 'sunday',
  IL: 'sunday',
  IN: 'sunday',
  JP: 'sunday',
  KR: 'sunday',
  MX: 'sunday',
  US: 'sunday',
  ZA: 'sunday',
}

const isCountry = (code: string): code is Country => code in COUNTRY_DEFAULTS
export const COUNTRIES: readonly Country[] = Object.keys(COUNTRY_DEFAULTS).filter(isCountry)

/** What follows from the country; every field can be changed afterwards. */
export function settingsForCountry(country: Country, timeZone?: string): WorkspaceSettings {
  const [currency, numberLocale, capitalZone] = COUNTRY_DEFAULTS[country]
  return {
    country,
    currency,
    numberLocale,
    timeZone: timeZone ?? capitalZone,
    fiscalYearStart: FISCAL_START[country] ?? 1,
    weekStart: WEEK_START[country] ?? 'monday',
  }
}

export interface BrowserLocale {
  timeZone: string
  languages: readonly string[]
}

/** The country a browser most likely stands in: by its zone, then by the region of its languages, else Sweden. */
export function guessCountry({ timeZone, languages }: BrowserLocale): Country {
  const byZone = COUNTRIES.find((country) => COUNTRY_DEFAULTS[country][2] === timeZone)
  if (byZone) return byZone
  for (const language of languages) {
    const region = /-([A-Z]{2})$/.exec(language)?.[1]
    if (region !== undefined && isCountry(region)) return region
  }
  return 'SE'
}

/** Settings for a new workspace: the browser's own zone where it is known, the rest from the country. */
export function settingsForBrowser(signs: BrowserLocale): WorkspaceSettings {
  return settingsForCountry(
    guessCountry(signs),
    signs.timeZone === '' || signs.timeZone === 'UTC' ? undefined : signs.timeZone,
  )
}

export const settingsForCountryCode = (code: string): WorkspaceSettings | null =>
  isCountry(code) ? settingsForCountry(code) : null

export interface SelectOption {
  value: string
  label: string
}

const displayNames = (type: 'region' | 'currency' | 'language') => new Intl.DisplayNames('en', { type })
const byLabel = (a: SelectOption, b: SelectOption): number => a.label.localeCompare(b.label, 'en')
const toSortedOptions = (codes: readonly string[], label: (code: string) => string): SelectOption[] =>
  codes.map((value) => ({ value, label: label(value) })).sort(byLabel)

/** A country by its code; the code itself where it is none. */
export function countryName(code: string): string {
  try {
    return displayNames('region').of(code) ?? code
  } catch {
    return code
  }
}

export function countryOptions(): SelectOption[] {
  const regions = displayNames('region')
  return toSortedOptions(COUNTRIES, (code) => regions.of(code) ?? code)
}

/** Whether typed letters are of a country's name, in English or as it is called there: "Sverige". */
export function isCountrySearched(option: { value: string; label: string }, search: string): boolean {
  const { numberLocale = 'en' } = settingsForCountryCode(option.value) ?? {}
  const local = new Intl.DisplayNames([numberLocale], { type: 'region' }).of(option.value) ?? ''
  const wanted = search.trim().toLocaleLowerCase()
  return [option.label, local].some((name) => name.toLocaleLowerCase().includes(wanted))
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
