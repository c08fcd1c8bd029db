/** Something that can be put into a formula. */
export interface Completion {
  kind: 'function' | 'column' | 'metric'
  /** What it is called, as people look for it. */
  name: string
  /** What stands in the formula: `sum(`, `[Amount]`. */
  text: string
  /** The type of a column, or what a function does. */
  about: string
}

export interface CompletionList {
  /** What of the formula is replaced: positions of characters, `to` exclusive. */
  from: number
  to: number
  items: Completion[]
}

const ITEMS_MAX = 8
const OPEN_NAME = /\[([^[\]]*)$/
const WORD = /[\p{L}_][\p{L}\p{N}_]*$/u

const startsWord = (name: string, typed: string): boolean =>
  name
    .toLocaleLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .some((_, at, words) => words.slice(at).join(' ').startsWith(typed))

const begins = ({ name }: Completion, typed: string): boolean => name.toLocaleLowerCase().startsWith(typed)

/** What may be meant at the caret: names within brackets, functions and names outside. Null where nothing is begun. */
export function completionsAt(formula: string, caret: number, all: readonly Completion[]): CompletionList | null {
  const before = formula.slice(0, caret)
  // Within quotes everything is text.
  if ((before.split('"').length - 1) % 2 === 1) return null
  const open = OPEN_NAME.exec(before)
  const word = open ? null : WORD.exec(before)
  const begun = open ?? word
  if (!begun) return null
  const typed = (open ? (open[1] ?? '') : begun[0]).trim().toLocaleLowerCase()
  const of = open ? all.filter(({ kind }) => kind !== 'function') : all
  const rest = open ? /^[^[\]]*\]/.exec(formula.slice(caret))?.[0] : undefined
  const found = of.filter(({ name }) => startsWord(name, typed))
  // What begins so comes before what has a later word that does.
  const [first, later] = [true, false].map((is) => found.filter((one) => begins(one, typed) === is))
  const items = [...(first ?? []), ...(later ?? [])].slice(0, ITEMS_MAX)
  const [only] = items
  // What is written out already needs no help.
  if (items.length === 0 || (items.length === 1 && only?.text === begun[0])) return null
  return { from: begun.index, to: caret + (rest?.length ?? 0), items }
}

/** The formula with a completion in its place, and where the caret is then. */
export function complete(formula: string, { from, to }: Omit<CompletionList, 'items'>, text: string) {
  return { formula: `${formula.slice(0, from)}${text}${formula.slice(to)}`, caret: from + text.length }
}
