import { VERBS } from '../language/verbs'
import { isHarmless } from '../language/stop-words'
import { isTold } from '../account/names'
import { conditionsOf, factsOf } from './plan-facts'
import { foldText } from '../../../../shared/bot/fold-text'
import { planFieldsOf } from '../../../../shared/query/plan-fields'
import type { Context } from '../plan/context'
import type { QueryPlan } from '../../../../shared/query/plan'

/** What a word that nothing knows takes from the score: it may have been the condition that matters. */
export function unknownFactor(context: Context, plan: QueryPlan, word: string): number {
  const { encoded, words } = context
  // "Anna Berg" of whom only "Anna" is known: somebody else.
  const isPartOfName = encoded.values.some(
    ({ phrase, matches }) =>
      matches.length > 0 &&
      matches.every(({ how }) => how !== 'exact') &&
      (words.includes(`${phrase} ${foldText(word)}`) || words.includes(`${foldText(word)} ${phrase}`)),
  )
  if (isPartOfName) return 0.7
  // "Expire" of what is asked of the expiration date.
  if (begins(context, plan, foldText(word))) return 0.95
  // "Blue colour": what kind of thing a value is, in a word of one's own.
  const isManner = /^(?:late|early|twice|again|together|online|manually|sent|tidigt|igen)$/.test(foldText(word))
  const isDoing =
    encoded.dates.length > 0 && new RegExp(`(?:^| )did (?:the )?<v\\d+> ${foldText(word)}(?= |$)`).test(encoded.source)
  if (!isManner && !isDoing && encoded.values.some(({ phrase }) => words.includes(`${phrase} ${foldText(word)}`)))
    return 0.9

  // "Addresses (street and number)": what it means stands beside it.
  if (encoded.source.includes(`${foldText(word)} ( <m`)) return 0.97
  if (isHarmless(word.toLowerCase())) return 1
  // "How many bolts have we used": the verb of which pieces are counted.
  if (encoded.figures.some((figure) => figure.kind === 'pieces' && figure.verb === foldText(word))) return 1
  if (isTold(context, factsOf(plan), foldText(word))) return 0.97
  // "Fakturerat belopp" of invoices: what these rows are of.
  if (isOwnDeed(context, foldText(word))) return 0.97
  if (isLinkingVerb(words, foldText(word)) && factsOf(plan).datasets.length > 1) return 0.94
  if (/ed$/.test(word) && new RegExp(`${foldText(word)} by (?:[a-z0-9]+ ){0,4}<[mv]`).test(encoded.source)) return 0.94
  if (/^\p{Lu}/u.test(word)) return 0.7
  return 0.75
}
const isOwnDeed = ({ home }: Context, word: string): boolean =>
  /(?:erat|erade|ed|at|ade)$/.test(word) &&
  home.words.some((each) => each.length >= 5 && word.startsWith(each.slice(0, Math.max(5, each.length - 2))))
/** "Signed up", "new members": the day since when a thing is there. */
const isJoining = (schema: Context['schema'], plan: QueryPlan, word: string): boolean =>
  /^(?:signed|registered|joined|new|nya|nytt|created|onboarded|tillkom|tillkomna|registrerades)$/.test(word) &&
  [
    ...(plan.period ? [plan.period.field] : []),
    ...plan.dimensions.flatMap(({ field, grain }) => (grain === undefined ? [] : [field])),
    ...conditionsOf(plan).map(({ column }) => column),
  ].some(({ dataset, column }) => {
    const found = schema.column(dataset, column)
    return (
      found?.isDate === true &&
      dataset === plan.dataset &&
      found.words.some((each) =>
        /^(?:crtd|creat|enrol|anmal|join|regist|sign|since|sedan|member|start|onboard|skapad|added)|start$/.test(each),
      )
    )
  })
/** "Members that borrowed books": a verb between two things says what their rows are related by. */
const isLinkingVerb = (words: string, word: string): boolean =>
  new RegExp(
    `\\b(?:have|has|had|were|was|been|never|who|vem|har|hade|not)(?: (?:not|never|been|ever))* ${word}\\b|\\bdid (?:\\S+ ){1,4}${word}\\b|\\b\\p{L}+s (?:that |who |which )?${word} (?:in|at|least|more|by|any|an?|the|from)\\b`,
    'u',
  ).test(words) && /(?:ed|en|t|ade|at|ats|ts|it|row|y|w|e|k)$/.test(word)
const begins = ({ schema }: Context, plan: QueryPlan, word: string): boolean =>
  isJoining(schema, plan, word) ||
  (VERBS[word] !== undefined &&
    planFieldsOf(plan).some(
      ({ dataset, column }) => schema.column(dataset, column)?.words.includes(VERBS[word] ?? '') === true,
    )) ||
  (word.length >= 5 &&
    planFieldsOf(plan).some(({ dataset, column }) =>
      schema
        .column(dataset, column)
        ?.words.some(
          (each) =>
            (each.length >= 5 && word.startsWith(each)) ||
            (each.length >= 6 &&
              (each.startsWith(word.slice(0, -1)) || (word.length >= 7 && each.includes(word.slice(0, -2))))),
        ),
    ))
