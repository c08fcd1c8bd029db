/** How well a name answers what was typed; lower is better. Null: not at all. */
const EXACT = 0
const PREFIX = 1
const WORD_PREFIX = 2
const PART = 3
const FUZZY = 4

/** Letters without accents and case: `Å` is found by `a`, as people type. */
const fold = (text: string): string => text.toLocaleLowerCase().normalize('NFD').replace(/\p{M}/gu, '').trim()
const wordsOf = (text: string): string[] => text.split(/[^\p{L}\p{N}]+/u).filter(Boolean)

/** Shorter words are other words when a letter is wrong. */
const FUZZY_MIN_CHARS = 4

/** Whether one letter more, less, other or swapped makes `typed` the beginning of `word`. */
function isNearPrefix(typed: string, word: string): boolean {
  if (typed.length < FUZZY_MIN_CHARS) return false
  let same = 0
  while (same < typed.length && typed[same] === word[same]) same += 1
  const [restTyped, restWord] = [typed.slice(same), word.slice(same)]
  return (
    restWord.startsWith(restTyped.slice(1)) ||
    restWord.slice(1).startsWith(restTyped) ||
    restWord.slice(1).startsWith(restTyped.slice(1)) ||
    (restWord[0] === restTyped[1] && restWord[1] === restTyped[0] && restWord.slice(2).startsWith(restTyped.slice(2)))
  )
}

export function matchRank(name: string, typed: string): number | null {
  const [label, query] = [fold(name), fold(typed)]
  if (query === '') return PART
  if (label === query) return EXACT
  if (label.startsWith(query)) return PREFIX
  const [words, parts] = [wordsOf(label), wordsOf(query)]
  if (parts.length > 0 && parts.every((part) => words.some((word) => word.startsWith(part)))) return WORD_PREFIX
  if (label.includes(query)) return PART
  const isNear = (part: string): boolean => words.some((word) => word.startsWith(part) || isNearPrefix(part, word))
  return parts.length > 0 && parts.every(isNear) ? FUZZY : null
}

export interface RankedItem {
  id: string
  label: string
}

/** What matches, the best first; of equals what was opened last, then by name. `recent`: ids, the newest first. */
export function rankItems<T extends RankedItem>(items: readonly T[], typed: string, recent: readonly string[]): T[] {
  const placeOf = (id: string): number => {
    const at = recent.indexOf(id)
    return at < 0 ? recent.length : at
  }
  return items
    .flatMap((item) => {
      const rank = matchRank(item.label, typed)
      return rank === null ? [] : [{ item, rank, place: placeOf(item.id) }]
    })
    .sort((a, b) => a.rank - b.rank || a.place - b.place || a.item.label.localeCompare(b.item.label, 'sv'))
    .map(({ item }) => item)
}
