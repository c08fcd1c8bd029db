/** Nouns of what is done, by the verb that people say it with. */
const DEEDS: readonly (readonly [verbs: string, noun: string])[] = [
  ['visited|visits|visit|besökt|besökte|besöker', 'visits'],
  ['ordered|orders|beställt|beställde|beställer', 'orders'],
  ['booked|books|bokat|bokade', 'bookings'],
  ['reviewed', 'reviews'],
  ['traded|trades', 'trades'],
  ['rented|rents|hyrt', 'rentals'],
  ['borrowed|borrows|lånat', 'loans'],
  ['enrolled|enrols|enrolls', 'enrollments'],
]
const deedsMost = (): [RegExp, string][] =>
  DEEDS.map(([verbs, noun]) => [
    new RegExp(
      String.raw`\b(?:has |have |har )?(?:${verbs}) (?:us |with us |oss |hos oss )?(?:the )?(most|least|mest|flest|minst|oftast)(?: often| times| gånger)?(?=\s*(?:[?.!,]|$)| (?:in|during|last|this|since|i|under|förra|from|of)\b)`,
      'giu',
    ),
    `has the $1 ${noun}`,
  ])

const LIMIT = '(?=(?:above|below|over|under|at least|at most|more|less|higher|lower|better|worse|exactly|between)\\b)'
/** What people say in a way of their own, as the plain words that rules know. */
const IDIOMS: readonly (readonly [RegExp, string])[] = [
  [/^\s*compare (?:the )?(?!.*\b(?:with|to|vs|versus|against)\b)/i, 'show the '],
  [/^\s*jämför (?!.*\b(?:med|mot)\b)/iu, 'visa '],
  [new RegExp(String.raw`\brated ${LIMIT}`, 'gi'), 'with a rating '],
  [new RegExp(String.raw`\bpriced ${LIMIT}`, 'gi'), 'with a price '],
  [/\bbetter than (?=\d)/gi, 'above '],
  [/\bworse than (?=\d)/gi, 'below '],
  [
    /\b(?:is|are|was|were) the (busiest|biggest|largest|best|top|strongest|worst|smallest|weakest) (?:by|in terms of|measured by|when it comes to) (?:the )?/gi,
    'has the $1 ',
  ],
  [/\b(busiest|strongest)\b(?= (?:number|total|amount|sales|revenue))/gi, 'highest'],
  [/\b(weakest)\b(?= (?:number|total|amount|sales|revenue))/gi, 'lowest'],
  [/\b(earns?|earned|makes?) the (most|least)(?: money)?(?= (?:in|at|among|of|on)\b)/gi, 'is the $2 paid'],
  [/\bdvs\.?\s/giu, 'i.e. '],
  ...deedsMost(),
]

export const withoutIdioms = (question: string): string =>
  IDIOMS.reduce((text, [idiom, plain]) => text.replace(idiom, plain), question)
