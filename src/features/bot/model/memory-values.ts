import { foldText } from '../../../shared/bot/fold-text'
import { editDistance, typosAllowed } from './language/words'
import type { ValueIndex, ValueMatch } from './contract'

export interface HeldValue {
  dataset: string
  column: ValueMatch['column']
  value: string
  count: number
}

/** An index of values that all fit in memory: for small tables, and for whoever has no warehouse at hand. */
export function memoryValues(held: readonly HeldValue[]): ValueIndex {
  const byText = new Map<string, HeldValue[]>()
  const byWord = new Map<string, HeldValue[]>()
  const put = (map: Map<string, HeldValue[]>, key: string, value: HeldValue): void => {
    const list = map.get(key)
    if (list) list.push(value)
    else map.set(key, [value])
  }
  for (const value of held) {
    const folded = foldText(value.value)
    put(byText, folded, value)
    const words = folded.split(' ')
    if (words.length > 1) for (const word of new Set(words)) put(byWord, word, value)
  }
  const matched = (values: readonly HeldValue[], how: ValueMatch['how'], distance = 0): ValueMatch[] =>
    values.map((value) => ({ ...value, how, distance }))
  const typos = (phrase: string): ValueMatch[] => {
    const most = typosAllowed(phrase.length)
    if (most === 0) return []
    return [...byText].flatMap(([text, values]) => {
      if (Math.abs(text.length - phrase.length) > most) return []
      const distance = editDistance(text, phrase, most)
      return distance > 0 && distance <= most ? matched(values, 'typo', distance) : []
    })
  }
  const find = (phrase: string): ValueMatch[] => {
    const exact = matched(byText.get(phrase) ?? [], 'exact')
    const words = phrase.length >= 3 ? matched(byWord.get(phrase) ?? [], 'word') : []
    const found = [...exact, ...words]
    return found.length > 0 || phrase.includes(' ') ? found : typos(phrase)
  }
  return {
    find: ({ phrases, limit }) =>
      Promise.resolve(new Map(phrases.map((phrase) => [phrase, find(phrase).slice(0, limit)]))),
  }
}
