import { D, M, numberIn, Q, tidy, type Encoded } from './encoded'
import type { Item } from './ask'

export const ITEM = `(?:${M}|${Q}|${D})`

/** Replaces every match by what `read` answers. */
export function replaceMatches(
  encoded: Encoded,
  source: string,
  read: (found: RegExpExecArray) => string | null,
): void {
  const pattern = new RegExp(`(?<![\\w])${source}(?![\\w])`)
  let from = 0
  for (let turn = 0; turn < 30; turn += 1) {
    const found = pattern.exec(encoded.text.slice(from))
    if (!found) return
    const at = from + found.index
    const replacement = read(found)
    if (replacement === null) {
      from = at + Math.max(1, found[0].length)
      continue
    }
    encoded.text = tidy(`${encoded.text.slice(0, at)} ${replacement} ${encoded.text.slice(at + found[0].length)}`)
  }
}

export const itemOf = (mark: string | undefined): Item | null => {
  if (mark === undefined) return null
  const kind = mark.includes('<q') ? 'figure' : mark.includes('<d') ? 'date' : 'name'
  return { kind, at: numberIn(mark) }
}
/** The marks of a text in their order. */
export const itemsIn = (text: string): Item[] =>
  [...text.matchAll(new RegExp(ITEM, 'g'))].flatMap((found) => itemOf(found[0]) ?? [])
