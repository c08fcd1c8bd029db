/**
 * What is done, by the beginnings of its verbs and nouns in English and Swedish, folded: "receipt", "received" and
 * `mottagen` are one deed.
 */
const DEEDS: readonly (readonly string[])[] = [
  ['receiv', 'receipt', 'mottag', 'inkom', 'inleverer'],
  ['pay', 'paid', 'betal'],
  ['deliver', 'lever'],
  ['arriv', 'ankom', 'anland'],
  ['depart', 'avga', 'avres', 'avgick'],
  ['ship', 'sent', 'send', 'dispatch', 'skick', 'sand'],
  ['order', 'bestall'],
  ['invoic', 'bill', 'faktur'],
  ['book', 'reserv', 'bok'],
  ['cancel', 'avbok', 'avbest'],
  ['hire', 'hiring', 'employ', 'anstall'],
  ['leav', 'left', 'terminat', 'fired', 'quit', 'slut'],
  ['start', 'begin', 'began', 'begun', 'borja', 'paborja', 'opening'],
  ['end', 'finish', 'complet', 'done', 'klar', 'avslut', 'slutfor', 'fardig'],
  ['open', 'oppn'],
  ['clos', 'stang'],
  ['resol', 'solv', 'los'],
  ['return', 'aterlam', 'retur'],
  ['approv', 'godkan', 'attest'],
  ['sign', 'join', 'regist', 'enrol', 'teckn'],
  ['admit', 'admiss', 'inskriv'],
  ['discharg', 'utskriv'],
  ['creat', 'crtd', 'skapa'],
  ['report', 'anmal', 'rapport'],
  ['submit', 'submission', 'inlam'],
  ['request', 'begar', 'onska'],
  ['checkin', 'incheck'],
  ['checkout', 'utcheck'],
  ['publish', 'publicat', 'public'],
  ['release', 'releas', 'slapp'],
  ['borrow', 'loan', 'lent', 'lan'],
  ['repair', 'reparer', 'lag'],
]
const deedOf = (word: string): number =>
  DEEDS.findIndex((roots) =>
    roots.some((root) => word.startsWith(root) && (root.length >= 4 || word.length <= root.length + 4)),
  )
const ENDINGS = /(?:ution|ation|tion|ing|ery|ment|ans|eras|ade|ats|ad|at|as|ar|ed|en|ts|s|t|d|a|e)$/
/** What the noun, the verb and the participle of one deed begin with: "resol" of resolution, `resolved`. */
export const deedRoot = (word: string): string => word.replace(ENDINGS, '').slice(0, 6)
/** Whether two words, folded, tell of one deed: by what both begin with, or as a pair that is known. */
export function isSameDeed(one: string, two: string): boolean {
  const [deed, other] = [deedOf(one), deedOf(two)]
  if (deed >= 0 || other >= 0) return deed === other
  const root = deedRoot(one)
  return root.length >= 4 && two.startsWith(root)
}
