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

/** "How many times has each car been sold", "hur många gånger har varje bil sålts". */
const deedsCounted = (): [RegExp, string][] =>
  [['sold|sålts', 'sales'] as const, ...DEEDS].map(([verbs, noun]) => [
    new RegExp(
      String.raw`\b(?:how many times|hur många gånger) (?:has|have|was|were|did|har|blev) (each|every|the|varje) (\p{L}+)(?: been| was)? (?:${verbs})(?= |[?.,]|$)`,
      'giu',
    ),
    `number of ${noun} for $1 $2`,
  ])

const LIMIT = '(?=(?:above|below|over|under|at least|at most|more|less|higher|lower|better|worse|exactly|between)\\b)'
/** What people say in a way of their own, as the plain words that rules know. */
const IDIOMS: readonly (readonly [RegExp, string])[] = [
  [/^\s*compare (?:the )?(?!.*\b(?:with|to|vs|versus|against)\b)/i, 'show the '],
  [/^\s*jämför (?!.*\b(?:med|mot)\b)/iu, 'visa '],
  [new RegExp(String.raw`\brated ${LIMIT}`, 'gi'), 'with a rating '],
  [new RegExp(String.raw`\bpriced ${LIMIT}`, 'gi'), 'with a price '],
  [/\b(largest|highest|smallest|lowest|biggest|longest|shortest) single\b/gi, '$1'],
  [
    /\b(?:is|are|was|were) (?:still |yet )?un(sold|used|ordered|booked|rented|reviewed|invoiced)\b/gi,
    'have never been $1',
  ],
  [/\bun(sold|used|ordered|booked|rented|reviewed|invoiced) (\p{L}+)/giu, '$2 that have never been $1'],
  [/\b(?:an? )?negative (\p{L}+)(?! (?:review|feedback|comment))/giu, '$1 below 0'],
  [/\b(?:an? )?positive (\p{L}+)(?! (?:review|feedback|comment))/giu, '$1 above 0'],
  [
    /\band the (\p{L}+) (?:they|it|each|each one) (?:is|are|was|were) (?:located |situated |based )?(?:in|at|from)\b/giu,
    'and their $1',
  ],
  [
    /^\s*(return|list|show|give me) (?:me )?all (?:of )?(?:the |our )?([^?.,]{3,40}?) (?:that )?(?:we have )?by ([^?.]*(?:,| and )[^?.]*?)\s*[.?]?\s*$/i,
    '$1 the $3 of all $2',
  ],
  [/\b(?:has |have )?(?:received|made|earned|collected|brought in) the (most|least) money\b/gi, 'has the $1 revenue'],
  [/\bnon-(?=\p{L})/giu, 'non '],
  [/\bbetter than (?=\d)/gi, 'above '],
  [/\bworse than (?=\d)/gi, 'below '],
  [
    /\b(?:is|are|was|were) the (busiest|biggest|largest|best|top|strongest|worst|smallest|weakest) (?:by|in terms of|measured by|when it comes to) (?:the )?/gi,
    'has the $1 ',
  ],
  [/\b(busiest|strongest)\b(?= (?:number|total|amount|sales|revenue))/gi, 'highest'],
  [/\b(weakest)\b(?= (?:number|total|amount|sales|revenue))/gi, 'lowest'],
  [/\b(earns?|earned|makes?) the (most|least)(?: money)?(?= (?:in|at|among|of|on)\b)/gi, 'is the $2 paid'],
  [/,?\s*\b(?:i\.e\.|dvs\.?|d\.v\.s\.)(?=[\s,]),?/giu, ', '],
  ...deedsMost(),
  ...deedsCounted(),
  // "How many sales did each seller make?": the verb says no more than "have".
  [/\b(do|does|did) ([^?.]{2,60}?) make(?=\s*\?)/gi, '$1 $2 have'],
  [/\b(paid|returned|settled) late\b/gi, '$1 after the due date'],
  [
    /^\s*how much (?:money )?(?:has|have|had|was|were) (?:been )?(paid|received|invoiced|billed|charged|collected)(?: out| in)?(?= )/i,
    'total $1',
  ],
  [
    /^\s*how much (?:money )?(?:did|has|have) ([^?]{2,60}?) (?:spend|spent|pay|paid)(?: us)?(?: for)?(?: in total| altogether)?(?=\s*(?:[?.]|$)| (?:in|during|last|this|since|on|between|from)\b)/i,
    'total revenue from $1',
  ],
  [
    /^\s*hur mycket (?:köpte|handlade|beställde|betalade|har) ([^?]{2,60}?)(?: köpt| handlat| beställt| betalat)?(?: för)?(?: totalt| sammanlagt)?(?=\s*(?:[?.]|$)| (?:i|under|förra|sedan|mellan|från)\b)/iu,
    'total försäljning för $1',
  ],
  [
    /^\s*(?:what|which) (?:was|is) (?:our|the) (best|worst|strongest|weakest|busiest) (day|week|month|quarter|year) (?:in terms of|by|for|when it comes to|measured by) (?:the )?/i,
    'which $2 had the $1 ',
  ],
  [/\bkostar (mest|minst)(?=\s*(?:[?.]|$))/giu, 'har $1 kostnad'],
  [/\bantal (\p{L}+) i (?:genomsnitt|snitt)\b/giu, 'genomsnittligt antal $1'],
  [/\bnumber of (\p{L}+) on average\b/giu, 'average number of $1'],
]

export const withoutIdioms = (question: string): string =>
  IDIOMS.reduce((text, [idiom, plain]) => text.replace(idiom, plain), question)
