import { D, DET, isVerb, M, numberIn, Q, V, type Encoded } from './encoded'
import { COMPARATIVES } from './comparatives'
import { itemOf, replaceMatches } from './replace-matches'
import type { AverageCondition, QuestionParts } from './ask'

/** What is asked of a thing beside all others, or beside everything that it did. */

const MORE =
  'above|over|exceeding|exceeds?|(?:more|higher|greater|larger|bigger|longer|older|heavier|taller|better) than|(?:mer|fler|hogre|storre|langre|aldre|tyngre) an'
const LESS =
  'below|under|(?:less|fewer|lower|smaller|shorter|younger|lighter|cheaper|worse) than|(?:mindre|farre|lagre|kortare|yngre|lattare|billigare) an'
const WAY = `(?<way>${MORE}|${LESS})`
const isLess = (way: string | undefined): boolean => new RegExp(`^(?:${LESS})$`).test(way ?? '')
const AVERAGE =
  '(?:(?:the|their|its|all|overall|global|our|det|den) )*(?<avg>average|avg|mean|median|genomsnittet|genomsnitt|snittet|snitt|medelvardet|medianen)(?: (?:for|of|among|across|over|av|for) (?:all|everyone|alla)(?: of them)?)?'
const IS = '(?:(?:(?:that|which|who) )?(?:is|are|was|were|has|have|with|ar|var|har|som) )*'

/** "Above the average", "more pages than average", "longer than the average". */
export function parseAverages(encoded: Encoded, ask: QuestionParts): void {
  const add = (said: RegExpExecArray['groups'], of: AverageCondition['of'], adjective?: string): string => {
    const { way, avg = '' } = said ?? {}
    ask.averages.push({
      of,
      ...(adjective === undefined ? {} : { adjective }),
      op: isLess(way) ? 'lt' : 'gt',
      agg: avg.startsWith('median') ? 'median' : 'avg',
    })
    return ' '
  }
  const thing = `(?: ${DET}${M}(?! ?(?:in|of|is|are|<v)))?`
  replaceMatches(
    encoded,
    `(?:with |have |has |having |med |har )?(?<way>more|higher|greater|larger|bigger|longer|less|fewer|lower|smaller|shorter|mer|fler|hogre|storre|langre|mindre|farre|lagre|kortare) (?<of>${M}|${Q}) (?<than>than|an) ${AVERAGE}${thing}`,
    (found) => {
      const { way = '', than = '', of } = found.groups ?? {}
      return add({ ...found.groups, way: `${way} ${than}` }, itemOf(of))
    },
  )
  replaceMatches(encoded, `(?<adj>${Object.keys(COMPARATIVES).join('|')}) (?:than|an) ${AVERAGE}${thing}`, (found) => {
    const known = COMPARATIVES[found.groups?.['adj'] ?? '']
    if (!known) return null
    add(found.groups, null, known.adjective)
    const last = ask.averages.at(-1)
    if (last) last.op = known.op === 'lt' ? 'lt' : 'gt'
    return ' '
  })
  replaceMatches(encoded, `${IS}(?<of>${M}|${Q}) ${IS}${WAY} ${AVERAGE}(?! ?<[mq])`, (found) =>
    add(found.groups, itemOf(found.groups?.['of'])),
  )
  // "Above the average price": the figure says what is compared.
  replaceMatches(encoded, `${IS}(?:(?<of>${M}) ${IS})?${WAY} (?:- )?${DET}(?<figure>${Q})`, (found) => {
    const { of, figure } = found.groups ?? {}
    const asked = encoded.figures[numberIn(figure)]
    if (asked?.kind !== 'aggregate' || (asked.agg !== 'avg' && asked.agg !== 'median')) return null
    // "The average of their department": not that of all.
    const behind = found.input.slice(found.index + found[0].length)
    if (/^ ?(?:of|in|for|at|within) (?:their|its|his|her|the same|own) /.test(behind)) return null
    const own = encoded.mentions[numberIn(of)]
    const isFigure = own?.namesNumber === true
    add({ ...found.groups, avg: asked.agg }, { kind: 'name', at: isFigure ? numberIn(of) : asked.of })
    return of === undefined || isFigure ? ' ' : ` ${of} `
  })
}

/** "Placed their first order in 2024". */
export function parseFirsts(encoded: Encoded, ask: QuestionParts): void {
  replaceMatches(
    encoded,
    `(?:(?:that|which|who|som) )?(?:(?:have|has|had|har|hade) )?(?:made|make|placed|place|had|have|did|put in|received|got|signed|opened|filed|wrote|gave|started|gjorde|gjort|lade|lagt|fick|hade|(?<verb>${M})) (?:their|its|his|her|the|a|sin|sitt|en|ett)? ?(?:very )?(?:first|forsta) (?:ever )?(?<of>${M})(?: ever)? (?<date>${D})`,
    (found) => {
      const { of, date, verb } = found.groups ?? {}
      if (verb !== undefined && !isVerb(encoded, numberIn(verb))) return null
      const spec = encoded.dates[numberIn(date)]
      if (encoded.mentions[numberIn(of)]?.matches[0]?.ref.kind !== 'dataset') return null
      if (spec?.kind !== 'period' && spec?.kind !== 'open') return null
      ask.firsts.push({ of: numberIn(of), date: numberIn(date) })
      return ' '
    },
  )
}

/** "Both a car and a home policy": the values stay where they are, and hold of different rows. */
export function noteBoth(encoded: Encoded, ask: QuestionParts): void {
  const filler = '(?:(?:an?|the|in|for|of|with|by|from|on|via|en|ett|i|av|med) )*'
  const found = new RegExp(
    `(?<![\\w])(?:both|bade) ${filler}(?<one>${V})(?: ${M})? (?:and|och|as well as)(?: also)? ${filler}(?<two>${V})`,
  ).exec(encoded.text)
  if (found) ask.both = new Set([numberIn(found.groups?.['one']), numberIn(found.groups?.['two'])])
}
