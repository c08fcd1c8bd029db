import type { Idiom } from './everyday-verbs'

/** "How large were the costs", "hur stora var kostnaderna": what they were. */
export const SIZES: readonly Idiom[] = [
  [/^\s*(?:how (?:large|big|high)) (was|were) (?=\p{L})/iu, 'what $1 '],
  [/^\s*hur (?:(?:stora|höga) (?:är|var|blev)|(?:stor|stort|hög|högt) (?:var|blev)) (?=\p{L})/iu, 'vad var '],
  [
    /(?<=^|\s)(kostnads|intäkts)konto(n|na|t)?(?=[\s?.!,]|$)/giu,
    (_, of = '', end = '') => `${/^kost/iu.test(of) ? 'kostnad' : 'intäkt'} konto${end}`,
  ],
  [/^\s*(?:what|how much) did we spend on (?=\p{L})/iu, 'total '],
  [/^\s*vad betalade vi i (?=\p{L})/iu, 'total '],
  [
    /^\s*(?:how much (?:cash|money) (?:do we have|have we got|is there|is left)|what is our cash position)(?: now| right now| today| in the bank| in total)*(?=\s*[?.!]?\s*$)/iu,
    'what is our cash',
  ],
  [
    /^\s*hur mycket (?:pengar|kassa|cash|likvida medel) (?:har vi|finns det|finns|har företaget)(?: nu| just nu| idag| kvar| i kassan| på banken| på kontot| totalt)*(?=\s*[?.!]?\s*$)/iu,
    'vad är kassa',
  ],
]

/** What there is least of, and who did most of what is counted in hours. */
export const MOST_OF: readonly Idiom[] = [
  [
    /^\s*(?:which|what) (\p{L}+) do we (?:currently )?have (?:the )?(least|most|fewest) of(?: in stock| left)?(?=\s*[?.]?\s*$)/iu,
    (_, what = '', way = '') => `which ${what} has the ${/most/iu.test(way) ? 'highest' : 'lowest'} stock level`,
  ],
  [
    /^\s*(vilken|vilket|vilka) (\p{L}+) (?:har vi|finns det) (minst|mest|flest) (?:av|kvar av)(?: i lager| på lager)?(?=\s*[?.]?\s*$)/iu,
    (_, ask = '', what = '', way = '') => `${ask} ${what} har ${/minst/iu.test(way) ? 'lägst' : 'högst'} lagersaldo`,
  ],
  [
    /(?<=^\s*(?:who|which \p{L}+|what \p{L}+) )(?:has |have )?(?:worked|works|work|logged) (?:the )?(most|least)(?=\s*[?.]?\s*$| (?:in|during|last|this)\b)/iu,
    'has the $1 hours',
  ],
  [
    /(?<=^\s*(?:vem|vilken \p{L}+|vilka \p{L}+) )(?:har |hade )?(?:jobbat|jobbade|arbetat|arbetade|jobbar|arbetar) (mest|minst)(?=\s*[?.]?\s*$| (?:i|under|förra)(?: |$))/iu,
    'har $1 timmar',
  ],
  [
    /(?<=^\s*(?:which|what) \p{L}+ )(?:takes?|took|takes up|took up|do we spend|did we spend|eats?)(?: up)? (?:the )?(most|least)(?: of)?(?: our| the)? (?:time|hours)(?: on)?(?=\s*[?.]?\s*$| (?:in|during|last|this)\b)/iu,
    'has the $1 hours',
  ],
]
