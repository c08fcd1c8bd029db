import { wordTable } from '../../../../lib/word-table'

/**
 * What owners say of stock, of customers who no longer come, and of what is left to pay, in the plain words that rules
 * know. Applied before verbs and idioms are.
 */
type Saying = readonly [said: RegExp, plain: string | ((...found: string[]) => string)]

const END = String.raw`(?=\s*(?:[?.!,]|$))`
const TIME_OR_END = String.raw`(?=\s*(?:[?.!,]|$)| (?:i|under|förra|sedan|senaste|in|during|last|this|since|20\d\d)(?: |$))`
const saying = (said: string, plain: Saying[1]): Saying => [new RegExp(said, 'iu'), plain]

const NUMBERS: Readonly<Record<string, string>> = wordTable({
  two: '2',
  three: '3',
  four: '4',
  five: '5',
  six: '6',
  ten: '10',
  två: '2',
  tre: '3',
  fyra: '4',
  fem: '5',
  sex: '6',
  tio: '10',
})
const NUMBER_WORD = Object.keys(NUMBERS).join('|')
const digits = (word: string): string => NUMBERS[word.toLowerCase()] ?? word

/** Who came before and does not any more. */
const GONE: readonly Saying[] = [
  saying(
    String.raw`(?<=\s)(?:(?:have |has )?stopped (?:buying|ordering|shopping|booking|coming|visiting)|no longer (?:buy|order|shop|book|come|visit)s?|(?:do not|don['’]?t|does not|doesn['’]?t) (?:buy|order|shop|book|come) (?:any ?more|any longer)|(?:have |has )?(?:gone|fallen|become) (?:quiet|silent|inactive|dormant)|(?:have|has) not (?:bought|ordered|booked|been)(?: anything| here)? (?:lately|recently|for a while|in a while))(?: anything)?(?: from us| with us| here)?${END}`,
    'have gone silent',
  ),
  saying(String.raw`(?<=\s)have we stopped (?:using|buying from|ordering from|working with)${END}`, 'have gone silent'),
  saying(
    String.raw`(?<=\s)har vi slutat (?:använda|anlita|köpa (?:av|från)|beställa (?:av|från))${END}`,
    'har tystnat',
  ),
  saying(
    String.raw`(?<=\s)(?:(?:har )?slutat (?:köpa|handla|beställa|boka|komma)|slutade (?:köpa|handla|beställa|boka|komma)|(?:köper|handlar|beställer|bokar|kommer) (?:inte längre|inte mer|inget mer|inte)|har (?:blivit )?tystnat|har inte (?:köpt|handlat|beställt|bokat|varit här)(?: något| någonting)? på (?:länge|ett tag))(?: av oss| hos oss| från oss| längre)*${END}`,
    'har tystnat',
  ),
  saying(
    String.raw`(?<=\s)(?:have|has) not (?:bought|ordered|booked)(?: anything)?(?: from us)? (?:for|in)(?: the last| over)? (\d+|${NUMBER_WORD}) months${END}`,
    (_, n = '') => `have gone silent ${digits(n)} months`,
  ),
  saying(
    String.raw`(?<=\s)(?:som )?(?:har inte|inte har|inte) (?:köpt|handlat|beställt|bokat)(?: något| någonting)?(?: av oss| hos oss)? på (?:de senaste )?(\d+|${NUMBER_WORD}) månader(?:na)?${END}`,
    (_, n = '') => `har tystnat ${digits(n)} manader`,
  ),
]

/** How much there is of a thing, and what it is worth. */
const IN_STOCK: readonly Saying[] = [
  saying(
    String.raw`^\s*(vilken|vilket|vilka) (\p{L}+) (?:har|finns) (?:vi |det )?(minst|mest) av(?: i lager| på lager| i lagret| hemma)?${END}`,
    (_, which = '', what = '', way = '') =>
      `${which} ${what} har ${/^minst/iu.test(way) ? 'lägst' : 'högst'} lagersaldo`,
  ),
  saying(
    String.raw`^\s*(which|what) (\p{L}+(?: \p{L}+)?) (?:do we have|have we got|is there|are there) (?:the )?(least|most|fewest)(?: of)?(?: left)?(?: in stock| on hand)?${END}`,
    (_, which = '', what = '', way = '') =>
      `${which} ${what} has the ${/^most/iu.test(way) ? 'highest' : 'lowest'} stock level`,
  ),
  saying(
    String.raw`^\s*(?:vad|hur mycket) (?:är|var) (?:vårt |hela |allt i )?(?:lagret|lager|varulagret) värt(?: totalt| just nu)?${END}`,
    'totalt lagervärde',
  ),
  saying(
    String.raw`^\s*(?:vad är )?(?:vårt |det totala )?värdet på (?:vårt )?(?:lagret|lager|varulagret)${END}`,
    'totalt lagervärde',
  ),
  saying(
    String.raw`^\s*(?:what|how much) (?:is|are) (?:our |the |all the )?(?:stock|inventory|warehouse)(?: on hand)? worth(?: in total| right now)?${END}`,
    'total stock value',
  ),
  saying(
    String.raw`^\s*(?:what is |what's )?(?:the |our )?(?:total )?value of (?:the |our )?(?:stock|inventory)${END}`,
    'total stock value',
  ),
]

const UNIT = '(day of the week|weekday|day|week|month|quarter|year)'
/** What was sold and bought, and which time was best. */
const DEALT: readonly Saying[] = [
  saying(String.raw`^\s*what (?:did|have) we (?:sell|sold)(?: for)?(?: in total)?${TIME_OR_END}`, 'total sales'),
  saying(
    String.raw`^\s*(?:what|how much) (?:did|have) we (?:buy|bought|purchased?) for(?: in total)?${TIME_OR_END}`,
    'total purchase amount',
  ),
  saying(
    String.raw`^\s*what (?:did|does|has|have) ([^?]{2,40}?) (?:spend|spent) (?:with|at) us${TIME_OR_END}`,
    'total revenue from $1',
  ),
  saying(
    String.raw`^\s*which ${UNIT} (?:is|was) (?:our |the )?(busiest|best|strongest|slowest|worst|weakest|quietest)${TIME_OR_END}`,
    (_, unit = '', way = '') =>
      `which ${/^day of/iu.test(unit) ? 'weekday' : unit} has the ${/^(?:bus|best|strong)/iu.test(way) ? 'highest' : 'lowest'} sales`,
  ),
  saying(String.raw`^\s*what (?:does|do) (?:an? |one )([^?]{2,30}?) cost\s*\??\s*$`, 'average price of $1'),
  saying(
    String.raw`^\s*(?:how much|what) do (?:all )?(?:the |our )?(unpaid|overdue|open) (\p{L}+) (?:come|amount|add up) to${END}`,
    'total amount of $1 $2',
  ),
]

/** What brings in how much, and how one time was beside another. */
const HOW_MUCH: readonly Saying[] = [
  saying(
    String.raw`\b(?:brings?|brought) in (?:the )?(most|least)${TIME_OR_END}`,
    (_, way = '') => `has the ${/^most/iu.test(way) ? 'highest' : 'lowest'} revenue`,
  ),
  saying(
    String.raw`(?<=\s)(?:drar|drog|dragit|ger|gav) in (mest|minst)${TIME_OR_END}`,
    (_, way = '') => `har ${/^mest/iu.test(way) ? 'högst' : 'lägst'} total försäljning`,
  ),
  saying(
    String.raw`^\s*hur mycket (?:mer|mindre) sålde vi (?:för )?([^?]{2,40}?) än ([^?]{2,40}?)\s*\??\s*$`,
    'försäljning $1 jämfört med $2',
  ),
  saying(
    String.raw`^\s*how much (?:more|less) did we sell (?:for )?([^?]{2,40}?) than ([^?]{2,40}?)\s*\??\s*$`,
    'sales $1 compared with $2',
  ),
  saying(String.raw`\b(topp|top|bottom) (${NUMBER_WORD}) (?=\p{L})`, (_, way = '', n = '') => `${way} ${digits(n)} `),
  saying(
    String.raw`(?<=\s)(?:has |have )?(?:came|comes?|been here) (?:here )?(?:the )?most often${TIME_OR_END}`,
    'has the most visits',
  ),
  saying(String.raw`(?<=\s)(?:har )?(?:kom|kommer|kommit|varit här) (?:hit )?oftast${TIME_OR_END}`, 'har flest besök'),
  // "Which of our buildings is the biggest": one of them.
  saying(String.raw`^\s*(which|what) of (?:our|the) (\p{L}{3,}?)s (is|has) `, '$1 $2 $3 '),
  saying(String.raw`(?<=^|\s)(?:det |under det |de )?senaste halvåret${END}`, 'de senaste 6 månaderna'),
  saying(
    String.raw`(?<=^|\s)(?:in |over |during )?the (?:last|past) (?:half[- ]year|half a year|six months)${END}`,
    'in the last 6 months',
  ),
]

const MONTH =
  'january|jan|januari|february|feb|februari|march|mar|mars|april|apr|may|maj|june|jun|juni|july|jul|juli|august|aug|augusti|september|sep|sept|october|oct|oktober|okt|november|nov|december|dec'
/** "June to August 2025 against 2024": the same months of the year before. */
const SAME_MONTHS = new RegExp(
  String.raw`^\s*(.{2,60}?) (?:in |for |i |under |för )?((?:${MONTH})(?:\s*(?:-|–|to|through|till) ?(?:${MONTH}))?) (20\d\d) ((?:jämfört med|mot|kontra)|(?:vs\.?|versus|compared (?:to|with)|against)) (?:samma (?:period|månader) |the same (?:period|months) (?:in|of) )?(20\d\d)\s*\??\s*$`,
  'iu',
)
const sameMonths = (question: string): string =>
  question.replace(SAME_MONTHS, (whole, of: string, months: string, year: string, way: string, before: string) => {
    if (Number(year) !== Number(before) + 1) return whole
    const span = months.replace(/\s*(?:–|-|\bto\b|\bthrough\b|\btill\b)\s*/iu, '-')
    const isSwedish = /^(?:jämf|mot|kontra)/iu.test(way)
    return isSwedish
      ? `${of} ${span} ${year} jämfört med förra året`
      : `${of} ${span} ${year} compared to the same period last year`
  })

const TURNS: readonly Saying[] = [...GONE, ...IN_STOCK, ...DEALT, ...HOW_MUCH]
export const withOwnerTurns = (question: string): string =>
  TURNS.reduce(
    (text, [said, plain]) => (typeof plain === 'string' ? text.replace(said, plain) : text.replace(said, plain)),
    sameMonths(question),
  )
