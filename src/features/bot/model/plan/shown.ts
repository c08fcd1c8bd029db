import type { Context } from './context'
import type { Building } from './building'
import { isOneAsked, isPluralRank, namesOnly } from './items'

/** Which columns of an answer were asked for; null: all of them. */
export function shownOf(
  context: Context,
  building: Building,
  { listed, rankAt }: { listed: boolean; rankAt: number | null },
): string[] | null {
  const { ask } = context
  let { shown } = building
  // Where all are listed, only the figure says which is which.
  const isWhole = ask.rank?.n === null && ask.rank.skip === 0 && !isOneAsked(context) && rankAt !== null
  const isTop =
    ask.rank !== null &&
    !ask.isExplicit &&
    rankAt !== null &&
    (ask.rank.n !== null || isPluralRank(context) || isWhole || SPENT.test(context.words))
  if (isTop && (!namesOnly(context) || isWhole || SPENT.test(context.words)) && !shown.includes(`m${rankAt}`))
    shown = [...shown, `m${rankAt}`]
  // "Return the name and the total": the figure that ranks or limits was asked for without its name.
  if (
    ask.isExplicit &&
    building.measures.length > 0 &&
    !shown.some((key) => key.startsWith('m')) &&
    FIGURE_ASKED.test(ask.rest)
  )
    shown = [...shown, `m${rankAt ?? 0}`]
  if (shown.length === 0) shown = building.dimensions.map((_, i) => `d${i}`)
  // A breakdown shows its figure also where only "by region" was said.
  if (!listed && !shown.some((key) => key.startsWith('m'))) shown = [...shown, 'm0']
  const all = [...building.dimensions.map((_, i) => `d${i}`), ...building.measures.map((_, i) => `m${i}`)]
  return all.join() === shown.join() ? null : shown
}
/** "Who spent the most" wants to know how much, too. */
const SPENT = /(?:^| )(?:spent|spends|spend)(?: |$)/
const FIGURE_ASKED =
  /\b(?:and|och|,|with|visa|show|return|give|also|include) (?:the |its |their )?(?:total|count|number|amount|value|difference|sum|quantity|average|avg|mean|share|percentage|ratio|rate|antal|antalet|summa|belopp|genomsnittet|andelen)(?: amount| number| count| value)?(?: of)? *(?:[.;?]|$)/
