/** Names below which eight digits may be a date. */
const TIME_LABEL = /dat|dag|day|tid|time/i
/** Whether the values of a column of this name may say when. */
export const mayBeTimeLabel = (label: string): boolean => TIME_LABEL.test(label)

/** Days of long ago: two digits of their year do not say the century. */
const BIRTH_LABEL = /birth|född|födelse|født|fødsel/i
export const saysBirth = (label: string): boolean => BIRTH_LABEL.test(label)

const DATE_WORDS: ReadonlySet<string> = new Set(['date', 'datum', 'dato', 'fecha'])
/** Before the date up to which, or by which, figures are summed: "Year to date", "Sales per date". */
const BEFORE_FIGURES: ReadonlySet<string> = new Set('to till til until per pr by bis pro hasta la'.split(' '))
const compounds = (firsts: string, last: string): RegExp =>
  new RegExp(`^(?:${firsts.replaceAll(' ', '|')})${last}$`, 'u')
/** Written as one word. Only of "datum" any word may stand before it: of the others there are mandates and candidatos. */
const COMPOUNDS: readonly RegExp[] = [
  /^\p{L}+datum$/u,
  compounds(
    'invoice order due start end begin payment paid pay ship shipped shipping delivery posting posted transaction trans txn hire birth sale sales purchase created creation modified updated value document doc booking close closed closing expiry expiration required report entry effective issue receipt return',
    'date',
  ),
  compounds(
    'faktura ordre forfald forfalds forfall forfalls betalings leverings start slut slutt bokførings bogførings bilags fødsels salgs købs kjøps oprettelses opprettelses transaktions transaksjons posterings registrerings valuta udløbs utløps',
    'dato',
  ),
  compounds(
    'affärs anställnings avsändnings avslut avstämnings beställnings betal betalnings bokförings expedierings faktura fakturerings förfallo inköps köp leverans likvid mottagnings order orderläggnings registrerings slut start utleverans',
    'dag(?:en)?',
  ),
]
const isDateWord = (word: string | undefined): boolean =>
  word !== undefined && (DATE_WORDS.has(word) || COMPOUNDS.some((pattern) => pattern.test(word)))

/** Whether a name says that a date follows, and nothing else: its first or last word does, and no sum runs up to it. */
export function saysDate(label: string): boolean {
  const words = label
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/\s*[([].*$/u, '')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '')
  if (isDateWord(words[0])) return true
  return isDateWord(words.at(-1)) && !BEFORE_FIGURES.has(words.at(-2) ?? '')
}
