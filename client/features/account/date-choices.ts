import { dateTimeWords } from '../../lib/format'
import { PERSON_LOCALES } from '../../../src/shared/account'

export type PersonLocale = (typeof PERSON_LOCALES)[number]
/** The choice of those who chose none. */
export const STANDARD = 'standard'

export const isPersonLocale = (text: string | null): text is PersonLocale =>
  PERSON_LOCALES.some((locale) => locale === text)

/** Ways of writing dates, each shown by the same moment: `20 nov. 2026 14:05 · Swedish (Sweden)`. */
export function dateChoices(instant: string, timeZone: string): { value: string; label: string }[] {
  const languages = new Intl.DisplayNames(['en'], { type: 'language', languageDisplay: 'standard' })
  return [
    { value: STANDARD, label: `${dateTimeWords(instant, timeZone)} · as everywhere in Insikt` },
    ...PERSON_LOCALES.map((locale) => ({
      value: locale,
      label: `${dateTimeWords(instant, timeZone, locale)} · ${languages.of(locale) ?? locale}`,
    })),
  ]
}
