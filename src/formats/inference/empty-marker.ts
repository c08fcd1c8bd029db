import type { ColumnStats } from './column-types'

/** What systems write into texts where there is no value. `NA` may be a place, so it is none of them. */
const MARKERS = new Set(['null', '\\n', 'n/a', '#n/a', '-', '\u2013', '\u2014'])

/** Fewer different values beside it, and the marker may be one of them: yes, no and not applicable. */
const OTHER_VALUES_MIN = 2
const DASHES = /^[-\u2013\u2014]$/
const NAME = /\p{L}.*\p{L}/su

/** What a column of texts writes where it has no value, where that is one word and nothing else in it is as short. */
export function findEmptyMarker({
  markers,
  distinct,
  words,
}: Pick<ColumnStats, 'markers' | 'distinct' | 'words'>): string | null {
  const [found, ...others] = [...markers]
  if (!found || others.length > 0 || distinct < OTHER_VALUES_MIN || !MARKERS.has(found[0])) return null
  // Beside signs and single letters, a hyphen says something: plus and minus, grades.
  return !DASHES.test(found[0]) || [...words.keys()].every((word) => NAME.test(word)) ? found[1] : null
}
