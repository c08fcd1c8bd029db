/** Words and signs that stand in a column of figures or dates where there is no value: errors of spreadsheets in the languages
 * of the region, what statistical programs write, and days that no calendar has. */
const GAPS: ReadonlySet<string> = new Set([
  ...['nan', 'none', 'nil', '(null)', '<na>', '#na', 'n.a.', 'n.a', 'inf', '-inf', 'infinity', '-infinity', '+inf'],
  ...['#div/0!', '#value!', '#ref!', '#name?', '#num!', '#null!', '#spill!', '#calc!', '#n/a n/a', '#error!'],
  ...['#saknas!', '#division/0!', '#värdefel!', '#referens!', '#namn?', '#ogiltigt!', '#skärning!'],
  ...['#i/t', '#verdi!', '#værdi!', '#ref', '#nv', '#wert!', '#bezug!', '#zahl!', '#valeur!', '#puuttuu!', '#arvo!'],
  ...['.', '..', '...', ':', '?', '*', '**', '***', '****', '*****', '--', '---', '\u2026'],
  ...['missing', 'saknas', 'uppgift saknas', 'unknown', 'okänd', 'okänt'],
  // Where a day is not known yet: of amounts that a bank reserved, and of campaigns that go on.
  ...['reserverat', 'reserverad', 'pågående', 'ongoing', 'tills vidare', 'until further notice'],
  ...['0000-00-00', '0000-00-00 00:00:00', '0000/00/00', '00/00/0000', '00.00.0000'],
])
const GAP_MAX_CHARS = 19

/** Whether a text says that a figure or a date is not there. In a column of texts it is a text like any other. */
export const isGapWord = (text: string): boolean => text.length <= GAP_MAX_CHARS && GAPS.has(text.toLowerCase())
