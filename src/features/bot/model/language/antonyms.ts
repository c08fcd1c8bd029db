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
export const antonymOf = (word: string): string | undefined => ANTONYMS[word]
