import { wordTable } from '../../../../lib/word-table'

/** What something is not, by the word that says it, folded. */
const ANTONYMS: Readonly<Record<string, string>> = wordTable({
  closed: 'open',
  shut: 'open',
  inactive: 'active',
  unavailable: 'available',
  disabled: 'enabled',
  unpaid: 'paid',
  unverified: 'verified',
  unread: 'read',
  unpublished: 'published',
  incomplete: 'completed',
  unfinished: 'finished',
  undelivered: 'delivered',
  unshipped: 'shipped',
  unresolved: 'resolved',
  unsolved: 'solved',
  unreturned: 'returned',
  stangd: 'open',
  stangda: 'open',
  inaktiv: 'aktiv',
  inaktiva: 'aktiv',
  obetald: 'betald',
  obetalda: 'betald',
  olevererade: 'levererad',
})
export const antonymOf = (word: string): string | undefined => ANTONYMS[word] ?? deniedIn(word)
const deniedIn = (word: string): string | undefined => {
  const found = DENIED.exec(word)
  return found?.[1] ?? found?.[2]
}
/** "Unresolved", "oskickade": what was not done, by how the word begins. */
const DENIED =
  /^(?:un([a-z]{3,}(?:ed|id|nt|ld|ught|wn))|o([bdfgklmnprstv][a-z]{2,}(?:ad|ade|erad|erade|dda|tta|lda|nda|rda)))$/

const PREFIX = /^(?:un|in|im|ir|non|dis|o|ej|icke)$/
/** Whether one word only denies the other: never a misspelling of it. */
export const isDenialOf = (word: string, other: string): boolean => denies(word, other) || denies(other, word)
const denies = (word: string, other: string): boolean =>
  word.endsWith(other) && PREFIX.test(word.slice(0, -other.length))

const DENYING_WORD = /^(?:not|non|ej|inte|icke) (.+)$/
/** What a folded value says is not so, in a word of its own or of a pair that is known: `obetald`, `not sent`; never `invoice`. */
export function deniedBy(value: string): string | undefined {
  const said = DENYING_WORD.exec(value)?.[1]
  const other = said ?? antonymOf(value)
  return other !== undefined && (said !== undefined || denies(value, other)) ? other : undefined
}
