import { dateTimeWords } from '../../lib/format'
import { PERSON_LOCALES } from '../../../src/shared/account'

export type PersonLocale = (typeof PERSON_LOCALES)[number]
/** The choice of those who chose none. */
export const STANDARD = 'standard'

export const isPersonLocale = (text: string | null): text is PersonLocale =>
  PERSON_LOCALES.some((locale) => locale === text)

/** Ways of writing dates, each shown by the same moment: `Swedish (Sweden) · 20 nov. 2026 14:05`. */
export function dateChoices(instant: string, timeZone: string): { value: string; label: string }[] {
  const languages = new Intl.DisplayNames(['en'], { type: 'language', languageDisplay: 'standard' })
  return [
    { value: STANDARD, label: `As everywhere in Insikt · ${dateTimeWords(instant, timeZone)}` },
    ...PERSON_LOCALES.map((locale) => ({
      value: locale,
      label: `${languages.of(locale) ?? locale} · ${dateTimeWords(instant, timeZone, locale)}`,
    })),
  ]
}
