/** What a business calls its main figures, in English and Swedish, folded: the first is how we name it. */
export const BUSINESS_WORDS = {
  sales: [
    'sales',
    'revenue',
    'turnover',
    'takings',
    'sales revenue',
    'forsaljning',
    'omsattning',
    'intakter',
    'sales value',
    'forsaljningsvarde',
  ],
  costs: ['costs', 'cost', 'cogs', 'cost of goods sold', 'expenses', 'total cost', 'kostnader', 'kostnad', 'utgifter'],
  profit: [
    'profit',
    'gross profit',
    'result',
    'resultat',
    'vinst',
    'bruttovinst',
    'tackningsbidrag',
    'tb',
    'bruttoresultat',
  ],
  margin: [
    'margin',
    'gross margin',
    'profit margin',
    'marginal',
    'bruttomarginal',
    'vinstmarginal',
    'tackningsgrad',
    'tg',
  ],
  stockValue: ['stock value', 'inventory value', 'value of stock', 'lagervarde', 'lagrets varde'],
  orderValue: [
    ...['average order value', 'aov', 'genomsnittligt ordervarde', 'snittordervarde', 'snittorder', 'order value'],
    ...[
      'average order size',
      'average order',
      'ordervarde',
      'genomsnittlig order',
      'genomsnittsorder',
      'revenue per order',
    ],
    ...['sales per order', 'forsaljning per order', 'snittkop', 'snittnota', 'snittkvitto', 'snittnotan'],
    ...['snittkop per kvitto', 'snittnota per kvitto', 'snittkop per order', 'average order value per order'],
    ...['average ticket', 'average bill', 'average check', 'average receipt', 'average sale per receipt'],
  ],
  purchases: ['purchase amount', 'purchased amount', 'amount purchased', 'inkopsbelopp', 'inkopssumma', 'inkopsvarde'],
} as const
export type BusinessFigure = keyof typeof BUSINESS_WORDS

/** Never a value that is spelt nearly so. */
export const isBusinessWord = (word: string): boolean =>
  Object.values(BUSINESS_WORDS).some((words: readonly string[]) => words.includes(word))

/** Words of money only: a table that is called so is asked for what it adds up to, never for how many rows it has. */
export const isAmountWord = (word: string): boolean =>
  /^(?:sales|forsaljning|omsattning|intakter|revenue|turnover|kostnader|vinst|resultat)$/.test(word)

/** Other words for the figure of a name; none for a name that is no such figure. */
export function businessSynonyms(name: string): string[] {
  const group = Object.values(BUSINESS_WORDS).find((words: readonly string[]) => words.includes(name))
  return group ? group.filter((word) => word !== name) : []
}

/** Verbs that ask for sales, as the noun that names them. */
const END = String.raw`(?=\s*(?:[?.!]|$|\d{4}\b|(?:last|this|in|during|of|since|förra|i|under|senaste) ))`
const MOST_SOLD = new RegExp(
  String.raw`\b(?:sold|sells|sell|bought|buys|buy|säljer|sålde|köper|köpte|har köpt|har sålt|handlat|handlar) (?:vi |we )?(?:för |for )?(?:the )?(?:most|mest|bäst|best)(?: totalt| in total| overall| sammanlagt)?${END}`,
  'i',
)
const SELLING_WELL =
  /^\s*(?:show |list |visa |lista )?(?:me |mig )?(?:(?:who|which|what|vilka) (?:are|were|är|var) )?(?:the |our |de |våra |vårt )?(?:(\d{1,3}|two|three|five|ten|två|tre|fyra|fem|tio) )?(best|biggest|largest|worst|smallest|bästa|största|sämsta|minsta)(?: (\d{1,3}|two|three|five|ten))? (customers|clients|products|articles|salespeople|sellers|kunderna|kunder|artiklarna|artiklar|produkterna|produkter|säljarna|säljare|varugrupperna|varugrupper)(?=\s*(?:[?.!]|$|\d{4}\b|(?:last|this|in|during|förra|i|under|senaste) ))/iu
/** "Our three best customers" are so by sales. */
const byHowMuch = (
  whole: string,
  before: string | undefined,
  way: string,
  after: string | undefined,
  of: string,
): string => {
  const n = before ?? after
  if (n === undefined) return whole
  return `${/^(?:worst|small|säm|min)/i.test(way) ? 'bottom' : 'top'} ${n} ${of} by sales`
}
export const saidAsSales = (question: string): string =>
  question
    .replace(SELLING_WELL, byHowMuch)
    .replace(
      /^\s*(?:show |visa |list )?(?:me )?(?:our |the |våra |de )?(?:best[- ]?selling|top[- ]selling|bäst säljande|mest sålda) (\p{L}+)(?=\s*(?:[?.!]|$|\d{4}\b|(?:last|this|in|förra|i|under|senaste) ))/iu,
      'which $1 has the highest sales',
    )
    .replace(
      /^\s*(?:who|which|what|vilka) (?:are|were|är|var) (?:our|the|våra|de) (?:biggest|largest|best|top|största|bästa) (customers|clients|products|kunder|produkter|artiklar|kunderna)(?=\s*(?:[?.!]|$|\d{4}\b|(?:last|this|in|förra|i|under|senaste) ))/iu,
      'which $1 has the highest sales',
    )
    .replace(
      /\bhow much (profit|revenue) (?:did|have|do|had) (?:we|i|the company|our company) (?:make|made|earn|earned|get|have|had)\b/i,
      'total $1',
    )
    .replace(
      /\bhur mycket (vinst|resultat|omsättning|intäkter) (?:gjorde|hade|fick|har) (?:vi|företaget)(?: gjort| haft)?(?=[\s?.!]|$)/iu,
      'total $1',
    )
    .replace(/\bhur mycket (?:tjänade|tjänar) (?:vi|företaget)(?=[\s?.!]|$)/iu, 'total vinst')
    .replace(MOST_SOLD, 'has the highest sales')
    .replace(
      /\b(?:best[- ]?selling|top[- ]selling|bäst säljande|mest sålda) (\p{L}+)(?=\s*(?:[?.!]|$|\d{4}\b|(?:last|this|in|förra|i|under|senaste) ))/iu,
      'top $1 by sales',
    )
    .replace(
      /\b(?:worst[- ]?selling|least[- ]?selling|sämst säljande|minst sålda) (\p{L}+)(?=\s*(?:[?.!]|$|\d{4}\b|(?:last|this|in|förra|i|under|senaste) ))/iu,
      'bottom $1 by sales',
    )
    .replace(
      /\bhow much (?:money )?(?:did|have|do|had) (?:we|i|the company|our company) (?:sell|sold)(?: for)?\b/i,
      'total sales',
    )
    .replace(
      /\bvad (?:(?:sålde|omsatte|säljer) (?:vi|företaget)|har (?:vi|företaget) (?:sålt|omsatt))(?: för)?(?= )/iu,
      'total försäljning',
    )
    .replace(
      /\bhur mycket (?:har |hade )?(?:vi |företaget )?(?:sålde|sålt|säljer|omsatte|omsatt)(?: vi| företaget)?(?: för)?(?=[\s?.!]|$)/i,
      'total försäljning',
    )
