import type { ValueIndex, ValueMatch, ValueQuery } from '../../src/features/bot/model/contract'
import { foldText } from '../../src/shared/bot/fold-text'
import type { ColumnKey } from '../../src/shared/data-sources/files'

/** A value of a text column, with how many rows hold it. */
export interface HeldValue {
  dataset: string
  column: ColumnKey
  value: string
  count: number
}

/** Letters that may differ in a phrase of this length. */
const typosOf = (phrase: string): number => (phrase.length >= 9 ? 2 : phrase.length >= 5 ? 1 : 0)

/** Letters put in, left out, changed or exchanged with their neighbour; more than `most` count as `most + 1`. */
export function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1
  let [before, row]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, i) => i)]
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1]
      const steps = [(row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (isSame ? 0 : 1)]
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) steps.push((before[j - 2] ?? 0) + 1)
      next.push(Math.min(...steps))
    }
    ;[before, row] = [row, next]
  }
  return Math.min(row[b.length] ?? 0, most + 1)
}

const HOWS: ValueMatch['how'][] = ['exact', 'word', 'prefix', 'typo']

/** Looks through all values one by one: what the index of the product answers, without an index. */
export function naiveValueIndex(held: readonly HeldValue[]): ValueIndex {
  const folded = held.map((each) => ({ each, text: foldText(each.value) }))
  const matchOf = (phrase: string, text: string): Pick<ValueMatch, 'how' | 'distance'> | null => {
    if (text === phrase) return { how: 'exact', distance: 0 }
    if (phrase.length >= 3 && ` ${text} `.includes(` ${phrase} `)) return { how: 'word', distance: 0 }
    if (phrase.length >= 3 && text.startsWith(phrase)) return { how: 'prefix', distance: 0 }
    const most = typosOf(phrase)
    const distance = most === 0 ? 1 : editDistance(phrase, text, most)
    return distance <= most ? { how: 'typo', distance } : null
  }
  const find = ({ phrases, limit }: ValueQuery): ReadonlyMap<string, ValueMatch[]> =>
    new Map(
      phrases.map((phrase) => [
        phrase,
        folded
          .flatMap(({ each, text }): ValueMatch[] => {
            const match = matchOf(phrase, text)
            return match ? [{ ...each, ...match }] : []
          })
          .toSorted((a, b) => HOWS.indexOf(a.how) - HOWS.indexOf(b.how) || a.distance - b.distance || b.count - a.count)
          .slice(0, limit),
      ]),
    )
  return { find: (query) => Promise.resolve(find(query)) }
}
