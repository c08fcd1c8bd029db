import { saidAsSales } from './business-words'
import { MONTH_PATTERN, monthNumber } from '../dates/date-words'
import { withEverydayVerbs } from './everyday-verbs'
import { withOwnerTurns } from './owner-turns'
import { withoutIdioms } from './idioms'
import { wordTable } from '../../../../lib/word-table'

/** What people say to be polite, before and after what they ask. */
const MANNERS: readonly RegExp[] = [
  /^\s*(?:hi|hello|hey|hej|hejsan|hallå|good (?:morning|afternoon))(?: there| team| all)?\s*[,!.:-]*\s*/iu,
  /^\s*(?:can|could|would|will) (?:you|we|i|somebody) (?:please |kindly |quickly )?(?:(?:tell|show|give|get|find|list)(?: out)?(?: me| us)?|let me know|see|know)\s+/i,
  /^\s*(?:i|we)(?:['’]d| would|['’]m| am| do| just)? (?:just )?(?:like|want|need|wish|love|curious|trying|wondering)(?: to (?:see|know|get|find out|have|understand|find))?[,:]?\s+/i,
  /^\s*(?:kan|skulle|kunde) (?:du|ni|vi|jag) (?:kunna |snälla )?(?:visa|säga|ta fram|ge|få|se|berätta|lista)(?: mig| oss)?(?: en lista på)?\s+/iu,
  /^\s*jag (?:vill|undrar|skulle vilja)(?: veta| se| ha)?[,:]?\s+/iu,
  /\s*[,.]?\s*(?:please|thanks|thank you|tack|snälla)(?: in advance| på förhand)?\s*(?=[!.?]*\s*$)/iu,
]
/** "The best day ever": of all there are, which every question is. */
const EVER = / (?:någonsin|ever|genom tiderna|of all time)(?=\s*[?.!]?\s*$)/iu
const withoutManners = (question: string): string =>
  MANNERS.reduce((text, manner) => text.replace(manner, ''), question).replace(EVER, '')

const TWO_MONTHS = new RegExp(
  String.raw`^\s*(?:compare|jämför) (.+?) (?:in|for|during|between|of|from|i|under|mellan|för) (${MONTH_PATTERN})(?: (\d{4}))? (?:and|och|with|to|vs|med|mot) (${MONTH_PATTERN})(?: (\d{4}))?\b`,
  'iu',
)
/** "Compare hours in April and May": of each of the two, where one follows the other. */
const monthBesideMonth = (question: string): string =>
  question.replace(TWO_MONTHS, (whole, of: string, one: string, early: string | undefined, two: string, late = '') => {
    const [first, second] = [one, two].map((month) => monthNumber(month.toLowerCase()) ?? 0)
    const follows = first !== undefined && second === first + 1 && (early === undefined || early === late)
    return follows ? `${of} per month from ${one} to ${two} ${String(late)}` : whole
  })

const WITH = '(?:with|to|and|vs[.]?|versus|against|compared to|compared with|med|mot|och|jämfört med)'
const TWO_YEARS = new RegExp(
  String.raw`^\s*(?:compare|jämför) (.{3,60}?) (?:in |for |i |för |under )?(20\d\d) ${WITH} (20\d\d)(?=\s*[?.]?\s*$)`,
  'iu',
)
const YEAR_BEFORE = new RegExp(
  String.raw`^\s*(?:compare |jämför )?(.{3,60}?) (?:in |for |from |i |för |under )?(${MONTH_PATTERN})(?: ?(?:-|to|till) ?(${MONTH_PATTERN}))? (20\d\d) ${WITH} (20\d\d)(?=\s*[?.]?\s*$)`,
  'iu',
)
/** "Sales Jun-Aug 2025 vs 2024": of the months, beside the same of the year before. */
const besideYearBefore = (question: string): string =>
  question
    .replace(TWO_YEARS, '$1 $2 vs $3')
    .replace(YEAR_BEFORE, (whole, of: string, from: string, to: string | undefined, year: string, before: string) =>
      Number(year) === Number(before) + 1
        ? `${of} from ${from} ${year} to ${to ?? from} ${year} compared to the same period last year`
        : whole,
    )

const STATES_OF: Readonly<Record<string, string>> = wordTable({
  cancellation: 'cancelled',
  pass: 'passed',
  completion: 'completed',
  refund: 'refunded',
  return: 'returned',
  churn: 'churned',
  failure: 'failed',
  win: 'won',
  rejection: 'rejected',
  approval: 'approved',
  attendance: 'attended',
  acceptance: 'accepted',
  renewal: 'renewed',
  conversion: 'converted',
})
/** "Cancellation rate": the part that was cancelled, unless something is called so or it is said what it is. */
export const withRatesOfStates = (question: string, isName: (phrase: string) => boolean): string =>
  / (?:divided by|delat med) |=/.test(question)
    ? question
    : question.replaceAll(/\b(\p{L}+) rates?\b/giu, (whole, noun: string) => {
        const state = STATES_OF[noun.toLowerCase()]
        return state === undefined || isName(`${noun} rate`) ? whole : `${state} rate`
      })

/** "Jan–Jun 2010", as it is printed. */
const DASHES = /[\u2010-\u2013]/g
/** One blank for many: patterns that look past blanks would try each run at each of its places. */
export const withSingleBlanks = (question: string): string => question.replaceAll(/(\s)\s+/g, '$1')

/** Spellings that rules need not know twice. */
export const plainQuestion = (question: string): string =>
  saidAsSales(
    withoutIdioms(
      withEverydayVerbs(
        withOwnerTurns(
          monthBesideMonth(besideYearBefore(withoutManners(withSingleBlanks(question).replaceAll(DASHES, '-')))),
        ),
      ),
    ),
  )
    // "BRF:er", "VD:n": an abbreviation with its ending.
    .replaceAll(/(?<=\p{Lu}{2}):(?:ernas|erna|er|arna|ar|orna|or|ens|en|ets|et|na|ns|n|s|t)(?![\p{L}\d])/gu, '')
    .replaceAll(/\b(have|has|had|is|are|was|were|do|does|did)n['’]?t\b/gi, '$1 not')
    .replaceAll(
      /\bantal sålda(?: |(?=\s*[?.!]?\s*$))(?=per |av |i |under |förra |\d|\s*[?.!]?\s*$)/giu,
      'antal sålda enheter ',
    )
    .replaceAll(/\bfirst and last names?\b/gi, 'first name and last name')
    .replaceAll(
      /\b(?:has |have )?(?:spent|spends|spend|paid the company) the (most|least)(?: money)?\b/gi,
      (_, way: string) => `has the ${/most/i.test(way) ? 'highest' : 'lowest'} revenue`,
    )
    .replaceAll(
      /\b(more than|at least|less than|fewer than|exactly) (once|twice)\b/gi,
      (_, way: string, n: string) => `${way} ${/once/i.test(n) ? 1 : 2} times`,
    )
    .replaceAll(
      /\b(?:has |have )?(?:spent|bought for|purchased for|ordered for) (?:a total of )?(?=(?:more|less|at least|over|under|at most|above|below)\b)/gi,
      'with total revenue ',
    )
    .replaceAll(
      /\b(?:har )?(?:köpt|handlat|beställt|köpte|handlade|beställde) (?:varor )?för (?:sammanlagt |totalt )?(?=(?:mer|mindre|minst|över|under|högst)\b)/giu,
      'med total försäljning ',
    )
    .replaceAll(/\b(?:total amount|total|amount) (?:spent|spend|spending)\b/gi, 'total revenue')
    .replaceAll(
      /\b(?:earns?|earned|is paid|are paid|makes?) the (most|least)(?: money)?(?=[\s?.!]*$)/gi,
      'is the $1 paid',
    )
    .replaceAll(/\bcosts? the (most|least)(?=[\s?.!]*$)/gi, 'is the $1 expensive')
    .replaceAll(/\bweighs? the most(?=[\s?.!]*$)/gi, 'is the heaviest')
    .replaceAll(
      /\b((?:per|by|for each|efter) [^.?]{2,40}?) (?:och|and) (?:by |per )?(day|week|month|quarter|year|weekday|dag|vecka|månad|kvartal|år|veckodag)\b/gi,
      '$1 per $2',
    )
    .replaceAll(/\b(is|are|was|were) from (?=(?:the year )?\d{4}(?:\s*[?.,]|$| (?:and|or|with|in|that)))/gi, '$1 in ')
    .replaceAll(/\bin (\d{4}) (?:or|and|eller|och) (\d{4})\b/gi, (whole, from: string, to: string) =>
      Number(to) === Number(from) + 1 ? `between ${from} and ${to}` : whole,
    )
    .replaceAll(
      /(?<=\p{L} )(?<!\b(?:between|mellan|from|från|in|under|during|of|for) )(20\d\d) (?:och|and|&|vs\.?|versus|mot|jämfört med|compared (?:to|with)) (20\d\d)(?=\s*(?:[?.!]|$|per |by |efter ))/giu,
      (whole, from: string, to: string, at: number, text: string) => {
        const [early, late] = [from, to].toSorted()
        if (Number(late) !== Number(early) + 1) return whole
        const isSplit = /^(?:per|by|efter) /i.test(text.slice(at + whole.length).trim())
        return `${isSplit ? '' : 'per year '}between ${String(early)} and ${String(late)}`
      },
    )
    .replaceAll(
      /\b(?:improvement|difference|change|margin|increase|reduction|decrease|drop|gain|density|ratio)(?: (?:in|of)(?: [\p{L}]+){1,3})?\s*(?:, (?:which is|that is|i\.?e\.?|calculated as|measured as|defined as)) ?(?:the )?([^,()]{3,60}? (?:minus|divided by|times|plus) [^,()]{3,60}?)\s*[,)]\s*/giu,
      '$1 ',
    )
    .replaceAll(
      /\b(which|what) ([^?.,]+?) (?:has|have|is|are|was|were|gets?)(?: been)? (?!sold|bought|paid|earned|spent|improved|worsened|deteriorated|changed|increased|decreased|declined|dropped|risen|fallen|developed)\p{L}+(?:ed|en) (?:the )?(most|least)(?: often| frequently)?(?=\s*(?:[?.!]|$|in |during |last |this |for |by |at |among |with ))/giu,
      '$1 is the $3 popular $2',
    )
    .replaceAll(
      /^how many (?:people|inhabitants|residents) (?:live|are living|reside|are there|lives) in\b/gi,
      'what is the population of',
    )
    .replaceAll(/^hur många (?:människor|invånare|personer) bor (?:det )?i\b/giu, 'vad är folkmängden i')
    .replace(
      /^how much (?:did|has|have) (?:the |our )?(.{2,40}?) (?:grow|grown|increase|increased|rise|risen|change|changed|fall|fallen|decrease|decreased|drop|dropped) (?:from (?:19|20)\d\d to|in|during) ((?:19|20)\d\d)\s*\??$/i,
      '$1 in $2 compared to last year',
    )
    .replace(
      /^how much (?:did|has|have) (?:the |our )?(.{2,40}?) (?:grow|grown|increase|increased|rise|risen|change|changed|fall|fallen|decrease|decreased|drop|dropped) ((?:this|last) (?:year|month|quarter|week))\s*\??$/i,
      '$1 $2 compared to the same period last year',
    )
    .replace(
      /^hur mycket (?:växte|ökade|minskade|föll|sjönk|har|förändrades) (?:vår |den )?(.{2,30}?)(?: ökat| vuxit| minskat)? (?:under |från (?:19|20)\d\d till |i )?((?:19|20)\d\d)(?: jämfört med (?:19|20)\d\d)?\s*\??$/iu,
      '$1 $2 jämfört med förra året',
    )
    .replaceAll(/\b(månad|vecka|dag|kvartal|år) för (?:månad|vecka|dag|kvartal|år)\b/giu, 'per $1')
    .replaceAll(/\b(month|week|day|quarter|year) (?:by|for|after) (?:month|week|day|quarter|year)\b/gi, 'per $1')
    .replaceAll(/\bdag i veckan\b/gi, 'veckodag')
    .replaceAll(/\b((?:how many|number of|antal|hur många) )(?:new|nya) (?=\p{L}+ )/giu, '$1')
    .replaceAll(
      /\s*,?\s*\bin (?:dollars|euros?|pounds|kronor|usd|eur|sek)\s*[,(]\s*(?:the )?(?:amounts?|values?|prices?|figures?) (?:are|is) (?:stored |kept |given )?in (?:cents|pence|öre)\s*\)?/giu,
      ' divided by 100',
    )
    // "What share does each make up": the share is said already.
    .replaceAll(/\b(?:accounts? for|makes? up|stands? for|contributes?(?: to)?)(?=\s*[?.!]?\s*$)/gi, '')
    .replaceAll(
      /,?\s*\b(?:in percent|in per cent|as a percentage|i procent)(?=\s*(?:[?.!,]|$)|(?<=(?:share|andel)\b.*) )/gi,
      '',
    )
    .replaceAll(/\blast and first names?\b/gi, 'last name and first name')
    .replaceAll(/\b(\w+)\/(\w+)\b(?=\s+(?:was|is|were|are)\b)/g, '$1')
