import { replaceMatches } from './replace-matches'
import { marksIn, type Encoded } from './encoded'
import type { QuestionParts } from './ask'

const BE = '(?:(?:that|which|som) )?(?:(?:is|are|was|were|ar) )?(?:currently |now |nu |just nu |helt )?'
/** What a heading calls the level at which more is bought. */
const LEVEL = /re ?order|minimum stock|min stock|safety stock|bestallningspunkt|minimilager/
/** "Out of stock", "need to be reordered": how much there is of a thing, in words of the trade. */
export function parseStock(encoded: Encoded, ask: QuestionParts): void {
  const is =
    (state: QuestionParts['stock']) =>
    ([text]: RegExpExecArray): string | null => {
      const [of] = marksIn(text, 'm')
      const level = state === 'low' ? LEVEL : /stock|lager|inventory/
      if (of !== undefined && !level.test(encoded.mentions[of]?.words ?? '')) return null
      ask.stock = state
      return ' '
    }
  replaceMatches(
    encoded,
    `${BE}(?:out of (?:stock|<m\\d+>)|sold out|slut(?: i lager(?:et)?| i <m\\d+>| pa lagret)|slutsald[at]?|(?:finns |fanns )?(?:inte|ej) i (?:lager|<m\\d+>))`,
    is('none'),
  )
  replaceMatches(
    encoded,
    `(?:(?:that|which|som) )?(?:needs? (?:to be )?(?:reordered|restocked|replenished|ordered|reordering|restocking|refilling)|should be (?:reordered|restocked|ordered)|behover (?:bestallas|fyllas pa|kopas in)(?: in| hem)?|(?:behover|maste|bor) (?:vi )?(?:bestalla|kopa|fylla) (?:hem|in|pa)|(?:bor|ska|maste) bestallas(?: in)?|${BE}(?:below|under) (?:the |their )?(?:reorder|minimum stock) (?:point|level)s?|${BE}(?:ligger |falls? )?(?:below|under) (?:the |their |its |sin |sitt )?<m\\d+>|${BE}(?:running )?low on stock|(?:have|has|with) low stock)`,
    is('low'),
  )
}
