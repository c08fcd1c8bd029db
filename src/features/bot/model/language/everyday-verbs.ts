/**
 * What a company's people say by verbs, as the nouns that tables, metrics and rules have: "hur mycket drog Lena in",
 * "vad har kunden köpt för", "which client brings in the most money", "how's revenue doing".
 */
export type Idiom = readonly [said: RegExp, plain: string | ((...found: string[]) => string)]

/** The end of a word where letters are beyond ASCII. */
const END = String.raw`(?=[\s?.!,]|$)`
const TIME_OR_END = String.raw`(?=\s*(?:[?.!,]|$)| (?:i|under|förra|sedan|mellan|från|senaste|per|20\d\d|in|during|last|this|since|between|on|so far|hittills)(?: |\d|$))`
const idiom = (said: string, plain: Idiom[1], flags = 'iu'): Idiom => [new RegExp(said, flags), plain]
const NOT_US = '(?!(?:vi|ni|jag|du|man|det|de|vår|våra)[ ?])'
const SOMEBODY = String.raw`([^?]{2,60}?)`
const isLeast = (way: string): boolean => /^(?:minst|least|fewest|lägst|lowest)/iu.test(way)
const endOf = (way: string): string => (isLeast(way) ? 'lägst' : 'högst')
const extremeOf = (way: string): string => (isLeast(way) ? 'lowest' : 'highest')

/** "Vad köpte Lena för": what it came to. "Vad köpte Lena" asks which things. */
const HOW_MUCH = String.raw`(?:hur mycket|vad(?=[^?]* för${END}))`
/** Who spends and pays what is no sale: we ourselves, and whoever does so for us. */
const SPENDERS =
  'department|team|employee|supplier|vendor|campaign|channel|cost cent|project|avdelning|anställd|leverantör|kampanj|kanal|kostnadsställe|projekt'
const BY_BUYERS = String.raw`(?<!(?:^|\s)(?:(?:we|vi)\s|${SPENDERS})[^?]*)`

/** How much somebody sold, bought or brought in. */
const SOLD_AND_BOUGHT: readonly Idiom[] = [
  idiom(
    String.raw`^\s*(?:(?:hur mycket|vad) (?:pengar )?(?:drog|drar|spelade|omsatte|omsätter|tjänade)|${HOW_MUCH} (?:sålde|säljer)) ${NOT_US}${SOMEBODY}(?: in)?(?: för)?(?: totalt| sammanlagt)?${TIME_OR_END}`,
    'total försäljning för $1',
  ),
  idiom(
    String.raw`^\s*(?:${HOW_MUCH} (?:pengar )?har ${NOT_US}${SOMEBODY} (?:köpt|handlat|beställt|betalat|sålt|spenderat)|(?:hur mycket|vad) (?:pengar )?har ${NOT_US}${SOMEBODY} (?:omsatt|dragit in|tjänat in))(?: in)?(?: för| hos oss| av oss)*(?: totalt| sammanlagt)?${TIME_OR_END}`,
    (_, who?: string, earner?: string) => `total försäljning för ${who ?? earner ?? ''}`,
  ),
  idiom(
    String.raw`^\s*${HOW_MUCH} (?:köpte|handlade|köper|handlar) ${NOT_US}(?!en |ett |varje )${SOMEBODY}(?: för)?(?: totalt| sammanlagt)?${TIME_OR_END}`,
    'total försäljning för $1',
  ),
  idiom(
    String.raw`^\s*how much (?:money )?(?:did|does|has|have) (?!we |you |i |it |each |every |an? |the average )${SOMEBODY} (?:sell|sold|bring in|brought in|turn over|generated?|buy|bought|order|ordered)(?: for)?(?: from us)?(?: in total| altogether)?${TIME_OR_END}`,
    'total revenue from $1',
  ),
  idiom(
    String.raw`\b(?:brings?|brought|made|makes?|gives?|gave|generates?|generated|earns?|earned) (?:in )?(?:us )?(?:the )?(most|least) (?:money|revenue|income|sales|cash)${END}`,
    (_, way = '') => `has the ${extremeOf(way)} revenue`,
  ),
  idiom(
    String.raw`(?<=\s)${BY_BUYERS}(?:spends?|spent|has spent|have spent|pays us|paid us|has paid us) (?:with us )?(?:the )?(most|least)(?: money)?(?: with us| from us)?${TIME_OR_END}`,
    (_, way = '') => `has the ${extremeOf(way)} revenue`,
  ),
  idiom(
    String.raw`(?<=\s)(?:${BY_BUYERS}(?:har |hade )?(?:betalat|betalade|betalar|spenderat|spenderade|spenderar|köpt för|handlat för|köper för)|(?:har |hade )?(?:ger oss|gett oss|inbringar|inbringade|drar in|dragit in|drog in)) (?:oss )?(?:allra )?(mest|minst)(?: pengar)?${TIME_OR_END}`,
    (_, way = '') => `har ${endOf(way)} total försäljning`,
  ),
  idiom(
    String.raw`^\s*(?:sålde|har|omsatte) vi (?:sålt )?(?:för )?(?:mer|mindre) ([^?]{2,40}?) än ([^?]{2,40}?)\s*\??\s*$`,
    'försäljning $1 jämfört med $2',
  ),
  idiom(
    String.raw`^\s*did we sell (?:for )?(?:more|less) ([^?]{2,40}?) than ([^?]{2,40}?)\s*\??\s*$`,
    'sales $1 compared with $2',
  ),
  idiom(
    String.raw`(?<=^|\s)(?:la|lade|lagt|gjorde|gjort) (?:en |minst en |någon )?(?:order|ordrar|beställning|beställningar)${END}`,
    'beställde',
  ),
]

/** A participle that begins a question is the amount of it: "fakturerat per kund", "invoiced last month". */
const PARTICIPLES: readonly Idiom[] = [
  idiom(
    String.raw`^\s*(?:visa |totalt )?(?:fakturerat|fakturerade)(?= (?:per|i|under|förra|efter|20\d\d|hittills|senaste|till|för)(?: |$)|\s*$)`,
    'totalt fakturabelopp',
  ),
  idiom(
    String.raw`^\s*(?:visa |totalt )?(?:sålt|omsatt)(?= (?:per|i|under|förra|efter|20\d\d|hittills|senaste|för|av)(?: |$))`,
    'total försäljning',
  ),
  idiom(
    String.raw`^\s*(?:show |total )?(?:invoiced|billed)(?= (?:per|by|in|during|last|this|20\d\d|so far|for each|each|to)(?: |$))`,
    'total invoice amount',
  ),
  idiom(
    String.raw`^\s*how much (?:money )?(?:is|are|do we have) (?:still |currently )?(?:unpaid|outstanding|not (?:yet )?paid)${END}`,
    'total amount of unpaid invoices',
  ),
  idiom(
    String.raw`^\s*how much (?:money )?is (?:currently )?(?:unpaid and )?overdue(?: and (?:still )?unpaid)?${END}`,
    'total amount of overdue invoices',
  ),
  idiom(
    String.raw`^\s*(?:hur mycket|vad) (?:pengar )?(?:är|har vi) (?:fortfarande |ännu )?(?:obetalt|utestående|ej betalt|inte betalt)${END}`,
    'totalt belopp för obetalda fakturor',
  ),
  idiom(
    String.raw`^\s*(?:hur mycket|vad) (?:pengar )?är (?:just nu )?förfallet(?: och (?:fortfarande |ännu )?(?:obetalt|ej betalt|inte betalt))?${END}`,
    'totalt belopp för förfallna fakturor',
  ),
  // "How much VAT did we charge", "hur mycket rabatt gav vi": what is named is the figure, and the verb says no more.
  idiom(
    String.raw`^\s*how much (?!money|of|more|less|time|cash)((?:\p{L}+ ){1,2})(?:did|do|have|has) (?:we|the company) (?:charged?|collect(?:ed)?|pay|paid|give|given|gave|spend|spent|receive[d]?|take|took|taken|get|got|have|had|use[d]?|issue[d]?|book(?:ed)?|record(?:ed)?)(?: out| in)?${TIME_OR_END}`,
    (_, what = '') => `total ${what.trim()}`,
  ),
  idiom(
    String.raw`^\s*hur mycket (?!pengar|av|mer|mindre|tid)((?:\p{L}+ ){1,2})(?:betalade|la|lade|fick|tog|gav|debiterade|redovisade|hade|har) vi(?: betalat| lagt| fått| tagit| gett| debiterat| haft| ut| in)*${TIME_OR_END}`,
    (_, what = '') => `total ${what.trim()}`,
  ),
]

const UNIT_OF_TIME = '(day|week|month|quarter|year|dag|vecka|månad|kvartal|år)'
/** Averages without the word for what they are of, or with "in average" at the end. */
const AVERAGES: readonly Idiom[] = [
  idiom(
    String.raw`^\s*(?:vad är |what is |what's |show |visa )?(?:the |our |vårt |vår )?(?:snittet|snitt|snittbeloppet|snittköpet|genomsnittet|genomsnitt|average|avg)(?: amount| sale| sales| spend)? (?:per|för varje|for each) (?:en |ett )?(order|ordrar|köp|kvitto|kund|faktura|purchase|receipt|customer|client|invoice)${END}`,
    (_, of = '') =>
      `${/^(?:purchase|receipt|customer|client|invoice)/iu.test(of) ? 'average sales per' : 'genomsnittlig försäljning per'} ${of}`,
  ),
  idiom(
    String.raw`^\s*(?:hur mycket|vad|för hur mycket) (?:köper|handlar|spenderar|beställer|betalar) (?:en|varje|våra) (\p{L}+)(?: oss)?(?: för)?(?: i snitt| i genomsnitt| per gång)+`,
    'genomsnittlig försäljning per $1',
  ),
  idiom(
    String.raw`^\s*how much (?:does|do|did) (?:an?|each|every|the average|our) (\p{L}+) (?:spend|buy|pay|order)(?: for)?(?: with us)?(?: on average)?(?=\s*\??\s*$)`,
    'average sales per $1',
  ),
  // "Hur många bokningar har vi per vecka i snitt".
  idiom(
    String.raw`^\s*(?:hur många|antal) (\p{L}+) (?:\p{L}+ vi )?(?:i snitt |i genomsnitt )?(?:per|varje|i) ${UNIT_OF_TIME}(?:en)?(?: i snitt| i genomsnitt)(?=\s*[?.]?\s*$| (?:i|under|förra|20\d\d))`,
    'genomsnittligt antal $1 per $2',
  ),
  idiom(
    String.raw`^\s*(?:hur många|antal) (\p{L}+) (?:\p{L}+ vi )?(?:i snitt|i genomsnitt) (?:per|varje|i|om) ${UNIT_OF_TIME}(?:en)?`,
    'genomsnittligt antal $1 per $2',
  ),
  idiom(
    String.raw`^\s*how many (\p{L}+) (?:(?:do|did) we \p{L}+ )?(?:on average )?(?:per|each|every|an?) ${UNIT_OF_TIME}(?: on average)(?=\s*\??\s*$)`,
    'average number of $1 per $2',
  ),
  idiom(
    String.raw`^\s*how many (\p{L}+) (?:do|did) we \p{L}+ on average (?:per|each|every|an?) ${UNIT_OF_TIME}`,
    'average number of $1 per $2',
  ),
  idiom(
    String.raw`^\s*hur många (\p{L}+) (?:har|gör|får|gjorde|hade) (?:varje|en|ett) (\p{L}+) (?:i snitt|i genomsnitt)(?=\s*\??\s*$)`,
    'genomsnittligt antal $1 per $2',
  ),
  idiom(
    String.raw`^\s*how many (\p{L}+) (?:does|do|did) (?:an?|each|every|the average) (\p{L}+) (?:have|make|do|get|place)(?: on average)(?=\s*\??\s*$)`,
    'average number of $1 per $2',
  ),
]

const BEST_UNIT = '(månad|vecka|dag|veckodag|kvartal|år|month|week|day|weekday|quarter|year)'
const isSwedish = (unit: string): boolean => /^(?:månad|vecka|dag|veckodag|kvartal|år)/iu.test(unit)
/** "The best month", "is it going up": sales of each unit of time. */
const GOING: readonly Idiom[] = [
  idiom(
    String.raw`^\s*(?:(?:vilken|vad|vilket) (?:är|var) |(?:what|which) (?:is|was) )?(?:vår |vårt |den |det |our |the )?(bästa|sämsta|starkaste|svagaste|best|worst|strongest|weakest|slowest) ${BEST_UNIT}(?:en|n|et)?(?: för försäljning(?:en)?| for sales| någonsin| hittills| ever)?(?=\s*[?.!]?\s*$| (?:i|under|förra|in|of|last|this|20\d\d))`,
    (_, way = '', unit = '') => {
      const isWorst = /^(?:sämst|svag|worst|weak|slow)/iu.test(way)
      return isSwedish(unit)
        ? `vilken ${unit} har ${isWorst ? 'lägst' : 'högst'} försäljning`
        : `which ${unit} has the ${isWorst ? 'lowest' : 'highest'} sales`
    },
  ),
  idiom(
    String.raw`^\s*(?:vilken|vilket) ${BEST_UNIT} (?:är|var) (?:vår |den )?(bäst|sämst|starkast|svagast)(?=\s*[?.!]?\s*$| (?:i|under|förra|20\d\d))`,
    (_, unit = '', way = '') => `vilken ${unit} har ${/^(?:sämst|svag)/iu.test(way) ? 'lägst' : 'högst'} försäljning`,
  ),
  idiom(
    String.raw`^\s*(?:ökar|minskar|växer|sjunker)(?: eller (?:ökar|minskar|växer|sjunker))? ((?:antalet |vår |våra |den |totala )?[\p{L} ]{3,40}?)(?: över tid| just nu)?\s*\?*\s*$`,
    '$1 per månad',
  ),
  idiom(
    String.raw`^\s*(?:is|are) (?:the |our )?([\p{L} ]{3,40}?) (?:growing|increasing|going up|going down|declining|shrinking|decreasing|rising|falling)(?: or (?:growing|increasing|going up|going down|declining|shrinking|decreasing|rising|falling|down))?(?: over time)?\s*\?*\s*$`,
    '$1 per month',
  ),
  idiom(
    String.raw`^\s*hur (?:går|gick|ser) ((?:det för )?[\p{L} ]{3,40}?)(?: ut)?(?: över tid| månad för månad)?\s*\?*\s*$`,
    (whole, what = '') => (/^(?:det|vi)\b|^det för/iu.test(what) ? whole : `${what} per månad`),
  ),
  idiom(
    String.raw`^\s*how (?:is|are|has|have) (?:the |our )?([\p{L} ]{3,40}?) (?:doing|trending|developing|developed|changed|evolved|moved)(?: over time)?\s*\?*\s*$`,
    '$1 per month',
  ),
  idiom(
    String.raw`\b(?:vilken|vilka) (?:tid|klockslag|tidpunkt)(?: på (?:dagen|dygnet))?${END}`,
    'vilken timme på dygnet',
  ),
  idiom(String.raw`\b(?:which|what) time(?: of (?:the )?day)${END}`, 'which hour of the day'),
]

/** "Top 3 customers", "average hours per entry": what ranks is sales, and each row is one. */
const PLAIN: readonly Idiom[] = [
  idiom(
    String.raw`^\s*(?:visa |show |list |vilka är )?(?:me |mig )?(?:our |the |våra |de )?(top|topp|bottom) (\d{1,3}) (?!order|faktur|invoice|köp|purchase|sale|proje|uppdrag)(\p{L}+)(?=\s*[?.]?\s*$| (?:i|under|förra|senaste|20\d\d|in|during|last|this|from|från)(?: |$))`,
    (_, way = '', n = '', what = '') =>
      `${/^topp/iu.test(way) ? 'top' : way} ${n} ${what} ${/(?:er|ar|or|are|rna|na|en)$/iu.test(what) ? 'efter försäljning' : 'by sales'}`,
  ),
  idiom(
    String.raw`\b(average|avg|mean|genomsnittliga?t?|snitt) (\p{L}+(?: \p{L}+)?) (?:per|för varje|for each) (?:entry|record|row|line|rad|post|registrering|transaktion|transaction)(?=\s*[?.]?\s*$)`,
    '$1 $2',
  ),
  idiom(
    String.raw`^\s*when (?:did|does|will) (?:the |our )?([^?]{2,50}?) (start|begin|end|finish)\s*\??\s*$`,
    (_, what = '', way = '') => `what is the ${/^(?:end|finish)/iu.test(way) ? 'end' : 'start'} date of ${what}`,
  ),
  idiom(
    String.raw`^\s*när (började|startade|slutade|börjar|startar|slutar|avslutades) (?!vi |du |jag )([^?]{2,50}?)\s*\??\s*$`,
    (_, way = '', what = '') => `vad är ${/^(?:slut|avslut)/iu.test(way) ? 'slutdatum' : 'startdatum'} för ${what}`,
  ),
  // "Sales compared with last year": this year's beside it, where no other time is said.
  idiom(
    String.raw`^\s*(?!.*\b(?:20\d\d|this|i år|denna|q[1-4])\b)([\p{L} ]{3,50}?) ((?:compared (?:to|with)|vs\.?|versus) last (year|month|quarter|week))\s*\??\s*$`,
    (_, what = '', against = '', unit = '') => `${what} this ${unit} ${against}`,
  ),
  idiom(
    String.raw`^\s*(?!.*(?:20\d\d|i år|denna|detta|q[1-4]))([\p{L} ]{3,50}?) ((?:jämfört med|mot|kontra) (?:förra (året|månaden|kvartalet|veckan)|i fjol))\s*\??\s*$`,
    (_, what = '', against = '', unit = 'året') => `${what} ${THIS[unit] ?? 'i år'} ${against}`,
  ),
]
const THIS: Readonly<Record<string, string>> = {
  året: 'i år',
  månaden: 'denna månad',
  kvartalet: 'detta kvartal',
  veckan: 'denna vecka',
}

const LAST_DEEDS: readonly (readonly [verb: string, noun: string])[] = [
  ['beställde|köpte|handlade', 'ordrar'],
  ['bokade', 'bokningar'],
  ['besökte', 'besök'],
  ['betalade', 'betalningar'],
]
const LAST_DONE: readonly (readonly [verb: string, noun: string])[] = [
  ['order|buy|purchase', 'orders'],
  ['book', 'bookings'],
  ['visit', 'visits'],
  ['pay', 'payments'],
]
/** "When did they last order": the latest day of such rows. */
const WHEN: readonly Idiom[] = [
  ...LAST_DEEDS.map(([verb, noun]) =>
    idiom(
      String.raw`^\s*när (?:${verb}) ${NOT_US}${SOMEBODY} (?:(?:hos|av|från) oss )?(senast|sist|först)\s*\??\s*$`,
      (_, who = '', end = '') => `när var ${/^först/iu.test(end) ? 'första' : 'senaste'} ${noun} för ${who}`,
    ),
  ),
  ...LAST_DONE.map(([verb, noun]) =>
    idiom(
      String.raw`^\s*when did (?!we |you |i )${SOMEBODY} (last|first) (?:${verb})(?: from us| with us| us)?\s*\??\s*$`,
      (_, who = '', end = '') =>
        `when was the ${end.toLowerCase() === 'first' ? 'first' : 'latest'} ${noun} for ${who}`,
    ),
  ),
  idiom(
    String.raw`^\s*när (?:registrerades|började|kom|fick vi|tillkom|skapades|gjordes|kom in) (?:vår|den|det) (första|senaste|sista) (\p{L}+)\s*\??\s*$`,
    (_, end = '', what = '') => `när var ${/^första/iu.test(end) ? 'första' : 'senaste'} ${what}`,
  ),
]

/** "500k", "2 mkr", "1,5 miljoner": the number that is meant; "2 m" is metres. */
const SCALES: readonly Idiom[] = [
  idiom(
    String.raw`(?<![\p{L}\d.,])(\d{1,4}(?:[.,]\d{1,2})?) ?(k|tkr|kkr|tsek|tusen|thousand|mkr|msek|mn|miljon|miljoner|million|millions)(?![\p{L}\d])(?: (?:kr|kronor|sek|dollars?|euros?))?`,
    (whole, number = '', unit = '') => {
      const value = Number(number.replace(',', '.')) * (/^(?:k|t)/iu.test(unit) ? 1000 : 1_000_000)
      return Number.isFinite(value) ? String(Math.round(value)) : whole
    },
    'giu',
  ),
]

const EVERYDAY: readonly Idiom[] = [
  ...SCALES,
  ...SOLD_AND_BOUGHT,
  ...PARTICIPLES,
  ...AVERAGES,
  ...GOING,
  ...PLAIN,
  ...WHEN,
]
export const withEverydayVerbs = (question: string): string =>
  EVERYDAY.reduce(
    (text, [said, plain]) => (typeof plain === 'string' ? text.replace(said, plain) : text.replace(said, plain)),
    question,
  )
