import type { CsvReaderOptions } from '../contract'

const TOTAL_PATTERN =
  /^(?:grand |sub[- ]?|del|slut)?(?:total(?:s|t|en|summa|belopp)?|summa|summe|sum|gesamt(?:summe)?|i alt|yhteensä|totaal|omslutning)(?: (?:totalt?|summa|kr|sek|nok|dkk|eur|usd|gbp|(?:exkl|inkl|excl|incl)\b.{0,20}))?\s*:?$/i
/** `Total: Account`, `Summa kund 10:` */
const NAMED_TOTAL_PATTERN = /^(?:(?:grand |sub)?total: \p{L}|(?:del)?(?:summa|total)\s[^:]*:$)/iu
const TOTAL_MAX_CHARS = 40

/** The word that makes a row a total of others: its first value, when it is that word and nothing else. */
export function totalRowLabel(cells: readonly string[]): string | null {
  const first = cells.find((cell) => cell !== '')?.trim()
  if (first === undefined || first.length > TOTAL_MAX_CHARS) return null
  return TOTAL_PATTERN.test(first) || NAMED_TOTAL_PATTERN.test(first) ? first : null
}

/** Hands on every record that is no total. `names`: the first one names the columns, or could. */
export function dropTotalRows(onRecord: CsvReaderOptions['onRecord'], names: boolean): CsvReaderOptions['onRecord'] {
  let first = names
  return (cells, line) => {
    if (first || totalRowLabel(cells) === null) onRecord(cells, line)
    first = false
  }
}
