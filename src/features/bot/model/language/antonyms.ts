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
/** Whether one word only denies the other: never a misspelling of it. */
export const isDenialOf = (word: string, other: string): boolean =>
  /^(?:un|in|im|ir|non|dis|o|ej|icke)$/.test(word.endsWith(other) ? word.slice(0, -other.length) : '') ||
  /^(?:un|in|im|ir|non|dis|o|ej|icke)$/.test(other.endsWith(word) ? other.slice(0, -word.length) : '')
