import { formatDateTime } from '../../lib/format'
import { USER_LOCALES } from '../../../src/shared/account'

export type PersonLocale = (typeof USER_LOCALES)[number]
/** The choice of those who chose none. */
export const DEFAULT_LOCALE = 'standard'

export const isPersonLocale = (text: string | null): text is PersonLocale =>
  USER_LOCALES.some((locale) => locale === text)

/** Ways of writing dates, each shown by the same moment: `20 nov. 2026 14:05 · Swedish (Sweden)`. */
export function dateFormatOptions(instant: string, timeZone: string): { value: string; label: string }[] {
  const languages = new Intl.DisplayNames(['en'], { type: 'language', languageDisplay: 'standard' })
  return [
    { value: DEFAULT_LOCALE, label: `${formatDateTime(instant, timeZone)} · as everywhere in Insikt` },
    ...USER_LOCALES.map((locale) => ({
      value: locale,
      label: `${formatDateTime(instant, timeZone, locale)} · ${languages.of(locale) ?? locale}`,
    })),
  ]
}
