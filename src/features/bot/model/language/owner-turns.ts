import { wordTable } from '../../../../lib/word-table'

/**
 * What owners say of stock, of customers who no longer come, and of what is left to pay, in the plain words that rules
 * know. Applied before verbs and idioms are.
 */
type Saying = readonly [said: RegExp, plain: string | ((...found: string[]) => string)]

const END = String.raw`(?=\s*(?:[?.!,]|$))`
const TIME_OR_END = String.raw`(?=\s*(?:[?.!,]|$)| (?:i|under|förra|sedan|senaste|in|during|last|this|since|20\d\d)(?: |$))`
const turn = (said: string, plain: Saying[1]): Saying => [new RegExp(said, 'iu'), plain]

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
  turn(
    String.raw`(?<=\s)(?:(?:have |has )?stopped (?:buying|ordering|shopping|booking|coming|visiting)|no longer (?:buy|order|shop|book|come|visit)s?|(?:do not|don['’]?t|does not|doesn['’]?t) (?:buy|order|shop|book|come) (?:any ?more|any longer)|(?:have |has )?(?:gone|fallen|become) (?:quiet|silent|inactive|dormant)|(?:have|has) not (?:bought|ordered|booked|been)(?: anything| here)? (?:lately|recently|for a while|in a while))(?: anything)?(?: from us| with us| here)?${END}`,
    'have gone silent',
  ),
  turn(
    String.raw`(?<=\s)(?:(?:har )?slutat (?:köpa|handla|beställa|boka|komma)|slutade (?:köpa|handla|beställa|boka|komma)|(?:köper|handlar|beställer|bokar|kommer) (?:inte längre|inte mer|inget mer|inte)|har (?:blivit )?tystnat|har inte (?:köpt|handlat|beställt|bokat|varit här)(?: något| någonting)? på (?:länge|ett tag))(?: av oss| hos oss| från oss| längre)*${END}`,
    'har tystnat',
  ),
  turn(
    String.raw`(?<=\s)(?:have|has) not (?:bought|ordered|booked)(?: anything)?(?: from us)? (?:for|in)(?: the last| over)? (\d+|${NUMBER_WORD}) months${END}`,
    (_, n = '') => `have gone silent ${digits(n)} months`,
  ),
  turn(
    String.raw`(?<=\s)(?:som )?(?:har inte|inte har|inte) (?:köpt|handlat|beställt|bokat)(?: något| någonting)?(?: av oss| hos oss)? på (?:de senaste )?(\d+|${NUMBER_WORD}) månader(?:na)?${END}`,
    (_, n = '') => `har tystnat ${digits(n)} manader`,
  ),
]

/** How much there is of a thing, and what it is worth. */
const IN_STOCK: readonly Saying[] = [
  turn(
    String.raw`^\s*(vilken|vilket|vilka) (\p{L}+) (?:har|finns) (?:vi |det )?(minst|mest) av(?: i lager| på lager| i lagret| hemma)?${END}`,
    (_, which = '', what = '', way = '') =>
      `${which} ${what} har ${/^minst/iu.test(way) ? 'lägst' : 'högst'} lagersaldo`,
  ),
  turn(
    String.raw`^\s*(which|what) (\p{L}+(?: \p{L}+)?) (?:do we have|have we got|is there|are there) (?:the )?(least|most|fewest)(?: of)?(?: left)?(?: in stock| on hand)?${END}`,
    (_, which = '', what = '', way = '') =>
      `${which} ${what} has the ${/^most/iu.test(way) ? 'highest' : 'lowest'} stock level`,
  ),
  turn(
    String.raw`^\s*(?:vad|hur mycket) (?:är|var) (?:vårt |hela |allt i )?(?:lagret|lager|varulagret) värt(?: totalt| just nu)?${END}`,
    'totalt lagervärde',
  ),
  turn(
    String.raw`^\s*(?:vad är )?(?:vårt |det totala )?värdet på (?:vårt )?(?:lagret|lager|varulagret)${END}`,
    'totalt lagervärde',
  ),
  turn(
    String.raw`^\s*(?:what|how much) (?:is|are) (?:our |the |all the )?(?:stock|inventory|warehouse)(?: on hand)? worth(?: in total| right now)?${END}`,
    'total stock value',
  ),
  turn(
    String.raw`^\s*(?:what is |what's )?(?:the |our )?(?:total )?value of (?:the |our )?(?:stock|inventory)${END}`,
    'total stock value',
  ),
]

/** What brings in how much, and how one time was beside another. */
const HOW_MUCH: readonly Saying[] = [
  turn(
    String.raw`\b(?:brings?|brought) in (?:the )?(most|least)${TIME_OR_END}`,
    (_, way = '') => `has the ${/^most/iu.test(way) ? 'highest' : 'lowest'} revenue`,
  ),
  turn(
    String.raw`(?<=\s)(?:drar|drog|dragit|ger|gav) in (mest|minst)${TIME_OR_END}`,
    (_, way = '') => `har ${/^mest/iu.test(way) ? 'högst' : 'lägst'} total försäljning`,
  ),
  turn(
    String.raw`^\s*hur mycket (?:mer|mindre) sålde vi (?:för )?([^?]{2,40}?) än ([^?]{2,40}?)\s*\??\s*$`,
    'försäljning $1 jämfört med $2',
  ),
  turn(
    String.raw`^\s*how much (?:more|less) did we sell (?:for )?([^?]{2,40}?) than ([^?]{2,40}?)\s*\??\s*$`,
    'sales $1 compared with $2',
  ),
  turn(String.raw`\b(topp|top|bottom) (${NUMBER_WORD}) (?=\p{L})`, (_, way = '', n = '') => `${way} ${digits(n)} `),
  turn(
    String.raw`(?<=\s)(?:has |have )?(?:came|comes?|been here) (?:here )?(?:the )?most often${TIME_OR_END}`,
    'has the most visits',
  ),
  turn(String.raw`(?<=\s)(?:har )?(?:kom|kommer|kommit|varit här) (?:hit )?oftast${TIME_OR_END}`, 'har flest besök'),
  // "Which of our buildings is the biggest": one of them.
  turn(String.raw`^\s*(which|what) of (?:our|the) (\p{L}{3,}?)s (is|has) `, '$1 $2 $3 '),
  turn(String.raw`(?<=^|\s)(?:det |under det |de )?senaste halvåret${END}`, 'de senaste 6 månaderna'),
  turn(
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
    const isSwedish = /^(?:jämf|mot|kontra)/iu.test(way)
    return isSwedish
      ? `${of} ${months} ${year} jämfört med förra året`
      : `${of} ${months} ${year} compared to the same period last year`
  })

const TURNS: readonly Saying[] = [...GONE, ...IN_STOCK, ...HOW_MUCH]
export const withOwnerTurns = (question: string): string =>
  TURNS.reduce(
    (text, [said, plain]) => (typeof plain === 'string' ? text.replace(said, plain) : text.replace(said, plain)),
    sameMonths(question),
  )
