/** What a business calls its main figures, in English and Swedish, folded: the first is how we name it. */
export const BUSINESS_WORDS = {
  sales: ['sales', 'revenue', 'turnover', 'sales revenue', 'forsaljning', 'omsattning', 'intakter'],
  costs: ['costs', 'cost', 'expenses', 'total cost', 'kostnader', 'kostnad', 'utgifter'],
  profit: ['profit', 'gross profit', 'result', 'resultat', 'vinst', 'bruttovinst', 'tackningsbidrag'],
  margin: ['margin', 'gross margin', 'profit margin', 'marginal', 'bruttomarginal', 'vinstmarginal', 'tackningsgrad'],
  orderValue: ['average order value', 'aov', 'genomsnittligt ordervarde', 'snittordervarde', 'snittorder'],
} as const
export type BusinessFigure = keyof typeof BUSINESS_WORDS

/** Other words for the figure of a name; none for a name that is no such figure. */
export function businessSynonyms(name: string): string[] {
  const group = Object.values(BUSINESS_WORDS).find((words: readonly string[]) => words.includes(name))
  return group ? group.filter((word) => word !== name) : []
}

/** Verbs that ask for sales, as the noun that names them. */
const END = String.raw`(?=\s*(?:[?.!]|$|(?:last|this|in|during|of|since|förra|i|under) ))`
const MOST_SOLD = new RegExp(
  String.raw`\b(?:sold|sells|sell|bought|buys|buy|säljer|sålde|köper|köpte|har köpt|har sålt) (?:the )?(?:most|mest)${END}`,
  'i',
)
export const saidAsSales = (question: string): string =>
  question
    .replace(MOST_SOLD, 'has the highest sales')
    .replace(
      /\b(?:best[- ]?selling|top[- ]selling|bäst säljande|mest sålda) (\p{L}+)(?=\s*(?:[?.!]|$|(?:last|this|in|förra|i|under) ))/iu,
      'top $1 by sales',
    )
    .replace(
      /\bhow much (?:money )?(?:did|have|do|had) (?:we|i|the company|our company) (?:sell|sold)(?: for)?\b/i,
      'total sales',
    )
    .replace(
      /\bhur mycket (?:har |hade )?(?:vi |företaget )?(?:sålde|sålt|säljer|omsatte|omsatt)(?: vi| företaget)?(?: för)?(?=[\s?.!]|$)/i,
      'total försäljning',
    )
