import { MOST_OF, SIZES } from './owner-idioms'

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
type Idiom = readonly [said: RegExp, plain: string | ((...found: string[]) => string)]

/** Two things beside each other. */
const COMPARING: readonly Idiom[] = [
  // "Compare sales of A and B": of the one, and of the other.
  [
    /^\s*(?:compare|jämför) (?:the |our |våra? )?([\p{L} ]{3,40}?) (of|for|from|in|between|för|av|från|i|mellan) (?!.*\b(?:with|to|vs|versus|against|med|mot)\b)([^?,]{2,40}?) (and|och) ([^?,]{2,40}?)\s*[?.]?\s*$/iu,
    (_, of = '', way = '', one = '', and = '', two = '') =>
      `${of} ${/^(?:between|mellan)$/iu.test(way) ? (and === 'och' ? 'för' : 'for') : way} ${one} ${and === 'och' ? 'jämfört med' : 'compared with'} ${two}`,
  ],
  [/^\s*compare (?:the )?(?!.*\b(?:with|to|vs|versus|against)\b)/i, 'show the '],
  [/^\s*jämför (?!.*\b(?:med|mot)\b)/iu, 'visa '],
  [/\bbetter than (?=\d)/gi, 'above '],
  [/\bworse than (?=\d)/gi, 'below '],
]

/** Figures of a thing, said by a verb or an adjective. */
const MEASURING: readonly Idiom[] = [
  [
    /^\s*vad kostar (?:(?:en|ett|varje|våra) )?([\p{L} ]{2,40}?) i (?:snitt|genomsnitt)(?=\s*[?.]?\s*$| (?:per|i|under|för) )/iu,
    'genomsnittligt pris för $1',
  ],
  // Of one, or of what is called so; what many cost in a time is no price.
  [/^\s*vad kostar (?:(?:en|ett|1) (?=\p{L})|(?=[\p{L}\d]+(?: [\p{L}\d]+)?\s*\??\s*$))(?!.* per )/iu, 'priset för '],
  [
    /^\s*(?:how much|what) (?:does|do) (?:an? |each |our )?([\p{L} ]{2,40}?) cost(?: us)? on average(?=\s*[?.]?\s*$| (?:per|by|in|for) )/iu,
    'average price of $1',
  ],
  [/\batt få (?:in )?betalt(?=[\s?.,]|$)/giu, 'att betala'],
  [/^\s*hur många (?:\p{L}+ )?(?:har vi kvar av|finns (?:det )?kvar av|har vi i lager av) /iu, 'lagersaldo för '],
  [new RegExp(String.raw`\brated ${LIMIT}`, 'gi'), 'with a rating '],
  [new RegExp(String.raw`\bpriced ${LIMIT}`, 'gi'), 'with a price '],
  [
    /\b(?:(?:that|which) )?(?:are |is |were )?(?:being )?(?:sold|selling|priced) (below|under|above|over) (?:the |their |our |its )?(cost|unit cost|purchase price|cost price|list price)\b/gi,
    'with a price $1 their $2',
  ],
  [
    /\b(?:som )?(?:säljs|såldes|sålts) (under|över) (?:sitt |sina |det )?(\p{L}*(?:pris|kostnad)\p{L}*)/giu,
    'med försäljningspris $1 $2',
  ],
  [/\b(largest|highest|smallest|lowest|biggest|longest|shortest) single\b/gi, '$1'],
  [/\b(?:an? )?negative (\p{L}+)(?! (?:review|feedback|comment))/giu, '$1 below 0'],
  [/\b(?:an? )?positive (\p{L}+)(?! (?:review|feedback|comment))/giu, '$1 above 0'],
  [/\bnegativ(?:t|a)? (\p{L}+)/giu, '$1 under 0'],
  [/\bpositiv(?:t|a)? (\p{L}+)/giu, '$1 över 0'],
  [/\bantal (\p{L}+) i (?:genomsnitt|snitt)\b/giu, 'genomsnittligt antal $1'],
  [/\bnumber of (\p{L}+) on average\b/giu, 'average number of $1'],
  [/\b(?:return on ad spend|roas)\b/gi, 'revenue divided by ad spend'],
]

const NAME = String.raw`(?:(?! (?:in|for|of|from|at|on|with|på|i|av|för|med|per|by) )[\p{L} -]){3,45}?`
const OF = String.raw`( (?:in|for|of|from|at|on|på|i|av|för) [\p{L}\d ]{2,40}?)?`
const SPLIT = String.raw`( (?:per|by|for each|for every|efter) [\p{L} ]{2,40}?)?`
const SIGN = '(?:divided by|minus|times|multiplied by|plus|delat med|gånger)'
/** "Conversion rate per channel, conversions divided by sessions": the formula is what is asked for, whatever its name. */
const FORMULAS: readonly Idiom[] = [
  [
    new RegExp(
      String.raw`^\s*((?:what is|what was|show|give me|calculate|vad är|visa|beräkna) )?(?:the |our |den |det |vår )?${NAME}${OF}${SPLIT}(?:,| \(|:) ?(?:alltså |dvs\.?,? |i\.?e\.?,? |that is,? |which is |defined as |calculated as )?([^,()?:]{2,60}? ${SIGN} [^,?]{2,80}?)(,? (?:for|where|during|of|in|för) [^?]+)?\s*[?.]?\s*$`,
      'iu',
    ),
    (_, ask = '', of = '', split = '', formula = '', rest = '') =>
      // "Cost per kWh, cost divided by kWh": what it is divided by says it already.
      `${ask}${formula}${of}${isIn(formula, split) ? '' : split}${rest}`,
  ],
  [
    new RegExp(
      String.raw`^\s*(?:the |our |den |det |vår )?${NAME}${SPLIT},? (?:alltså|dvs\.?|d\.v\.s\.|i\.?e\.?|that is),? ((?:the )?(?:share|percentage|number|total|average|sum|andel|andelen|antal|antalet|totala?|genomsnittlig\p{L}*|summan?) [^,?]{3,60})\s*[?.]?\s*$`,
      'iu',
    ),
    (_, split = '', meant = '') => `${meant}${split}`,
  ],
]
const isIn = (formula: string, split: string): boolean => {
  const noun = split.trim().split(' ').at(-1)?.toLowerCase() ?? ''
  return noun.length > 2 && formula.toLowerCase().includes(noun)
}

/** How things stand. */
const STANDING: readonly Idiom[] = [
  [
    /\b(?:is|are|was|were) (?:still |yet )?un(sold|used|ordered|booked|rented|reviewed|invoiced)\b/gi,
    'have never been $1',
  ],
  [/\bun(sold|used|ordered|booked|rented|reviewed|invoiced) (\p{L}+)/giu, '$2 that have never been $1'],
  [
    /\b(?:(?:that|which|who) )?(?:has|have|with|having) (?:no ?body|no ?one) (?:is )?(?:assigned|responsible)(?: to (?:it|them))?\b/gi,
    'without an assignee',
  ],
  [
    /\b(?:(?:that|which) )?(?:is|are|was|were) (?:still |currently )?(?:unassigned|not (?:yet )?assigned(?: to (?:any ?one|any ?body))?)(?! to)\b/gi,
    'without an assignee',
  ],
  [/\bunassigned ((?:[\p{L}\d]+ )?\p{L}+s)\b/giu, '$1 without an assignee'],
  [/\b(?:som )?(?:saknar|inte har|utan) (?:en )?(?:ansvarig|handläggare)(?=[\s?.!]|$)/giu, 'utan handläggare'],
  [/\b(?:som )?(?:är )?(?:otilldelade|ej tilldelade|inte tilldelade)(?=[\s?.!]|$)/giu, 'utan handläggare'],
  [/\bvarit (?:här|hos oss)(?=[\s?.!]|$)/giu, 'besökt oss'],
  [/\bbeen (?:here|to (?:see )?us)(?=[\s?.!]|$)/gi, 'visited us'],
  [/\bno-show(?=s?\b)/gi, 'no show'],
  [/\bnon-(?=\p{L})/giu, 'non '],
]

/** What is to be listed. */
const LISTING: readonly Idiom[] = [
  [
    /^\s*hur (?:fördelar|fördelade) sig (?:alla )?(?:våra )?(\p{L}+) (?:på|per|mellan|efter|över) (?=\p{L}+\s*[?.]?\s*$)/iu,
    '$1 per ',
  ],
  [/^\s*vilka (har slutat|slutade|har lämnat oss|har börjat)(?=[ ?.!]|$)/iu, 'vilka personer $1'],
  [/^\s*vem (anställdes|anställts|började|slutade)(?=[ ?.!])/iu, 'vilken person $1'],
  [
    /^\s*((?:list|show|which|what|how many|number of) )?(?:the )?(?:upcoming|future) (\p{L}+)/iu,
    (_, ask = 'list ', thing = '') => `${ask}${thing} after today`,
  ],
  [
    /^\s*((?:lista|visa|vilka|hur många|antal) )?(?:de )?(?:kommande|framtida) (?!veck|månad|år|kvartal)(\p{L}+)/iu,
    (_, ask = 'lista ', thing = '') => `${ask}${thing} efter idag`,
  ],
  [
    /\band the (\p{L}+) (?:they|it|each|each one) (?:is|are|was|were) (?:located |situated |based )?(?:in|at|from)\b/giu,
    'and their $1',
  ],
  [
    /^\s*(return|list|show|give me) (?:me )?all (?:of )?(?:the |our )?([^?.,]{3,40}?) (?:that )?(?:we have )?by ([^?.]*(?:,| and )[^?.]*?)\s*[.?]?\s*$/i,
    '$1 the $3 of all $2',
  ],
  [/,?\s*\b(?:i\.e\.|dvs\.?|d\.v\.s\.)(?=[\s,]),?/giu, ', '],
]

/** What is the most of its kind. */
const RANKING: readonly Idiom[] = [
  [
    /(?<=\s)(?:är|var) (störst|minst) (?:sett till|räknat i|mätt i|räknat på) /giu,
    (_, way = '') => `har ${way.toLowerCase() === 'störst' ? 'högst' : 'lägst'} totalt `,
  ],
  [
    /^\s*(vilken|vilket|vilka) (.{2,40}?) (?:hyrs|säljs|bokas|köps|används|beställs|väljs|lånas)(?: ut| in)? (?:oftast|mest)(?=\s*[?.]?\s*$)/iu,
    '$1 is the most popular $2',
  ],
  [/\b(?:topp|top) (\d+ )?mest sålda (\p{L}+) (?:i|sett till|efter) antal\b/giu, 'topp $1$2 efter antal'],
  [/\b(?:topp|top) (\d+ )?mest sålda (\p{L}+)/giu, 'topp $1$2 efter försäljning'],
  [
    /^\s*(?:visa |show )?([^?,]{3,50}? (?:per|by|for each) \p{L}+)((?: in| i| under| during)? \d{4})? (?:i procent av (?:totalen|det totala|hela|allt)|(?:as a |in )?(?:percentage|percent|share|%) of (?:the )?(?:total|whole))\s*\??$/iu,
    (_, of = '', year = '') => `${/ per /.test(of) ? 'andel av' : 'share of'} ${of}${year}`,
  ],
  [
    /^\s*(?:what is |what's |which is )?(?:the |our )?(?:busiest|most popular) (weekday|day of the week|day|week|month|hour) for (\p{L}+)/iu,
    'which $1 has the most $2',
  ],
  // "Vilken artikel går åt mest", "what do we use the most of".
  [
    /\b(?:går|gick|gått|har gått) åt (mest|minst)(?= |[?.!]|$)/giu,
    (_, way = '') => `har ${way.toLowerCase() === 'mest' ? 'högst' : 'lägst'} antal`,
  ],
  [
    /\b(?:förbrukar|förbrukade|använder|använde|har förbrukat) vi (mest|minst)(?: av)?(?= |[?.!]|$)/giu,
    (_, way = '') => `har ${way.toLowerCase() === 'mest' ? 'högst' : 'lägst'} antal`,
  ],
  [
    /^\s*(vilken|vilket|vilka|which|what) (.{2,40}?) (?:är|var|is|are) (?:den |det |de |the )?(?:vanligast|populärast|mest populära?t?|most common|most popular|most frequent)(?=\s*[?.]?\s*$)/iu,
    '$1 is the most popular $2',
  ],
  [
    /^\s*((?:vilken|vilket|vad) är )?(?:den |det |de )?(?:vanligaste|populäraste) (\p{L}+)/iu,
    'vilken is the most popular $2',
  ],
  [
    /\b(?:is|are|was|were) the (busiest|biggest|largest|best|top|strongest|worst|smallest|weakest) (?:by|in terms of|measured by|when it comes to) (?:the )?/gi,
    'has the $1 ',
  ],
  [/\b(busiest|strongest)\b(?= (?:number|total|amount|sales|revenue))/gi, 'highest'],
  [/\b(weakest)\b(?= (?:number|total|amount|sales|revenue))/gi, 'lowest'],
  [
    /^\s*(?:what|which) (?:was|is) (?:our|the) (best|worst|strongest|weakest|busiest) (day|week|month|quarter|year) (?:in terms of|by|for|when it comes to|measured by) (?:the )?/i,
    'which $2 had the $1 ',
  ],
  [
    /\b(?:kör|gör|har|säljer|jobbar|drives?|does|sells?|makes?) (mest|minst|flest|most|least),? (?:räknat i|sett till|mätt i|counted in|measured by|measured in|in terms of) /giu,
    'har $1 ',
  ],
  [/\bkosta(?:r|de) (mest|minst)(?=\s*(?:[?.]|$))/giu, 'har $1 kostnad'],
  ...deedsMost(),
]

/** Who did how much. */
const DOING: readonly Idiom[] = [
  // "Vilka tjänster har ingen bokat", and not "vilka kunder har ingen rabatt".
  [/\bhar ingen (\p{L}{3,}at|använt|köpt|hyrt|sålt|beställt|valt|läst|sökt|besökt)(?=[\s?.!]|$)/giu, 'har aldrig $1s'],
  [/\bsom inte (?=(?:bokat|köpt|handlat|beställt)(?: |$))/giu, 'som inte har '],
  [
    /\b(?:has|have) (?:nobody|no one) (?:ever )?(?=\p{L}+(?:ed|en)(?=\s*[?.]?\s*$|\s(?:yet|so far|this|last|in)\b)|(?:bought|sold|used|hired)\b)/giu,
    'have never been ',
  ],
  [/^\s*hur lång tid (?=(?:tar|tog) (?:en |ett )\p{L})/iu, 'hur länge '],
  ...deedsCounted(),
  // "How many sales did each seller make?": the verb says no more than "have".
  [/\b(do|does|did) ([^?.]{2,60}?) make(?=\s*\?)/gi, '$1 $2 have'],
  [
    /^(\s*(?:who|which \p{L}+) )(?:has )?(clos|handl|resolv|solv|invoic|receiv|complet|manag)(?:es|ed) (the (?:most|fewest|least) )/iu,
    '$1$2ed $3',
  ],
]

const US = '(?:vi|företaget|firman|bolaget)'
const WE = '(?:we|the company|our company)'
/** What was invoiced, said by the verb. */
const INVOICING: readonly Idiom[] = [
  [
    new RegExp(String.raw`\b(har|hade) (?:${US} )?fakturerat(?: för)? (mest|minst)(?= |[?.!]|$)`, 'giu'),
    (_, have = '', way = '') => `${have} ${way.toLowerCase() === 'mest' ? 'högst' : 'lägst'} totalt fakturabelopp`,
  ],
  [
    new RegExp(String.raw`\bfakturera(?:r|de) (?:${US} )?(?:för )?(mest|minst)(?= |[?.!]|$)`, 'giu'),
    (_, way = '') => `har ${way.toLowerCase() === 'mest' ? 'högst' : 'lägst'} totalt fakturabelopp`,
  ],
  [
    new RegExp(
      String.raw`\b(?:hur mycket|vad) (?:(?:har|hade) )?(?:${US} )?fakturera(?:t|de|r)(?: ${US})?(?: för)?(?: totalt| sammanlagt)?(?= |[?.!]|$)`,
      'giu',
    ),
    'totalt fakturabelopp',
  ],
  [
    new RegExp(
      String.raw`\b(?:have|has|had|did|do) (?:${WE} )?(?:invoiced?|billed?) (?:for )?(?:the )?(most|least)(?= |[?.!]|$)`,
      'gi',
    ),
    (_, way = '') => `has the ${way.toLowerCase() === 'most' ? 'highest' : 'lowest'} total invoice amount`,
  ],
  [
    new RegExp(
      String.raw`\b(?:how much|what) (?:have|did|do|had) ${WE} (?:invoiced?|billed?)(?: out)?(?= |[?.!]|$)`,
      'gi',
    ),
    'total invoice amount',
  ],
]

/** Who takes so long to pay is whoever owes it. */
const TAKING: readonly Idiom[] = [
  [
    /\b(tar det (?:i snitt |i genomsnitt )?)för (?:våra |de |en )?\p{L}+ (?:i snitt |i genomsnitt )?(?=att betala)/giu,
    '$1',
  ],
  [/\bdoes it (usually |normally |on average )?take (?:our |the |a )?\p{L}+ (?=to pay\b)/giu, 'does it $1take '],
  [
    /\b(how long|how many days) (?:do|does|did) (?:our |the |a )?\p{L}+ (?:normally |usually |typically )?take (?=to pay\b)/giu,
    '$1 does it take ',
  ],
]

/** What was paid and earned. */
const PAYING: readonly Idiom[] = [
  ...INVOICING,
  [/^\s*hur mycket (?:pengar )?(?:drog|drar|spelade) vi in(?= |[?.!]|$)/iu, 'totala intäkter'],
  [
    /\b(?:har )?(?:spenderat|spenderade|betalat oss|gjort av med) (?:för |sammanlagt |totalt )?(?=(?:mer|mindre|minst|över|under|högst)\b)/giu,
    'med total försäljning ',
  ],
  [
    /^\s*how much (?:money|cash) (?:came|has come|comes) in\b|^\s*how much (?:money|cash) (?:did we (?:take|get|receive)|have we (?:taken|got|received))(?: in)?(?= |[?.!]|$)/iu,
    'total payments',
  ],
  [/^\s*hur mycket pengar (?:kom|har kommit|kommer|fick vi|har vi fått) in(?= |[?.!]|$)/iu, 'totala betalningar'],
  [
    /^\s*what (?:did|has|have) ([^?]{2,60}?) (?:pay|paid) us(?: in total| altogether)?(?=\s*(?:[?.]|$)| (?:in|during|last|this|since|on|between|from)\b)/i,
    'total revenue from $1',
  ],
  [/^\s*(?:vad är |hur stort är )?saldot? (?:på|för) (?=konto)/iu, 'totalt belopp för '],
  [
    /\b(?:har vi |vi har )?(?:köpt|köpte|köper|handlat|handlade|handlar) (?:vi )?(?:in )?(mest|minst) (?:av|från|hos)(?= |[?.!]|$)/giu,
    (_, way = '') => `har ${way.toLowerCase() === 'mest' ? 'högst' : 'lägst'} totalt inköpsbelopp`,
  ],
  [
    /\b(?:do|did|have) we (?:buy|bought) (?:the )?(most|least) from\b/gi,
    (_, way = '') => `has the ${way.toLowerCase() === 'most' ? 'highest' : 'lowest'} total purchase amount`,
  ],
  [
    /\b(?:hur mycket|vad) (?:köpte vi|har vi köpt|handlade vi|har vi handlat)(?: in)?(?: för)? (?:av|från|hos) (?=\p{L})/giu,
    'totalt inköpsbelopp för ',
  ],
  [
    /\b(?:the )?(total|sum) of (?:all )?(?:the |our |my )?(?=(?:unpaid|overdue|outstanding|paid) \p{L}|(?:open|late) (?:invoices|bills|payments)\b)/giu,
    'total amount of ',
  ],
  [
    /\b(?:summan|totalen) av (?:alla )?(?:de |våra |mina )?(?=(?:obetalda|förfallna|utestående|betalda) \p{L}|öppna \p{L}*fakturor)/giu,
    'totalt belopp för ',
  ],
  [/^\s*how much (?:money )?(?:did|do|have|has) (?:we|the company) (?:spend|spent|pay|paid) (?:on|for|in) /i, 'total '],
  [
    /^\s*(?:what|how much) (?:did|do|does) (.{2,40}?) cost (?:us )?(?=(?:in|during|last|this|per|by|for) )/i,
    'total $1 ',
  ],
  [/^\s*hur mycket (?:betalade|lade|la|spenderade|betalar) (?:vi|företaget) (?:i|för|på) /iu, 'total '],
  [/^\s*(?:vad|hur mycket) kostade (?:oss )?(?=\p{L})/iu, 'total '],
  [
    /\b(?:has |have )?(?:received|made|earned|collected|brought in|raised) the (most|least) money\b/gi,
    'has the $1 revenue',
  ],
  [
    /\b(?:has |have )?(?:gave|given|donated|contributed|gett|skänkt) the (most|least)(?: money)?(?: in total| overall| altogether)?(?=\s*(?:[?.!,]|$)| (?:in|during|last|this|since|on|between|from|to|for|at|among|of|by|under|före|sedan|i|till)\b)/giu,
    'has the $1 revenue',
  ],
  [/\b(earns?|earned|makes?) the (most|least)(?: money)?(?= (?:in|at|among|of|on)\b)/gi, 'is the $2 paid'],
  [
    /\b(?:har |hade )?(?:dragit in|drog in|tjänat in|sålt för|sålde för|omsatt|genererat) (?:för )?(mest|minst)(?: pengar)?/giu,
    'har $1 intäkt',
  ],
  [
    /^\s*how much (?:money )?(?:has|have|had|was|were) (?:been )?(paid|received|invoiced|billed|charged|collected)(?: out| in)?(?= )/i,
    'total $1',
  ],
  [
    /^\s*how much (?:money )?(?:did|has|have) ([^?]{2,60}?) (?:spend|spent|pay|paid)(?: us)?(?: for)?(?: in total| altogether)?(?=\s*(?:[?.]|$)| (?:in|during|last|this|since|on|between|from)\b)/i,
    'total revenue from $1',
  ],
  [
    /^\s*hur mycket (?:köpte|handlade|beställde|betalade|har) (?!vi |ni |jag )([^?]{2,60}?)(?: köpt| handlat| beställt| betalat)?(?: för)?(?: totalt| sammanlagt)?(?=\s*(?:[?.]|$)| (?:i|under|förra|sedan|mellan|från)\b)/iu,
    'total försäljning för $1',
  ],
]

/** What people say in a way of their own, as the plain words that rules know. */
const IDIOMS: readonly Idiom[] = [
  ...SIZES,
  ...COMPARING,
  ...MEASURING,
  ...FORMULAS,
  ...STANDING,
  ...LISTING,
  ...MOST_OF,
  ...RANKING,
  ...DOING,
  ...TAKING,
  ...PAYING,
]

export const withoutIdioms = (question: string): string =>
  IDIOMS.reduce(
    (text, [idiom, plain]) => (typeof plain === 'string' ? text.replace(idiom, plain) : text.replace(idiom, plain)),
    question,
  )
