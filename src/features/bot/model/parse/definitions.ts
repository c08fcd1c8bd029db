import { foldText } from '../../../../shared/bot/fold-text'
import { encode, type EncodeInput } from './encode'
import { figureOfFormula } from './formula'
import type { Encoded } from './encoded'
import type { MeasureAsk } from './measure-ask'
import type { GlossaryEntry } from '../contract'

/** "AOV = average order value", "AOV (average order value) = total amount / number of orders". */
const EQUATION =
  /(?:^|[.;,\n]\s*|\band\s+)(?<term>[\p{L}\d][\p{L}\d %&/_-]{0,40}?)\s*(?:\((?<long>[^)=]{1,60})\))?\s*=\s*(?<means>[^=]+?)(?=(?:[.;]\s+|\n|\.?$)|(?:,|\band\b)\s+[\p{L}\d]+\s*(?:\([^)]*\))?\s*=)/gu
/** "Note that revenue refers to the sum of sale_price". */
const SENTENCE =
  /(?:^|[.?;,]\s*|\s(?=where\b))(?:(?:please )?note:?(?: that)?|where|där|here,?|assume(?: that)?|in which|with|and|consider(?: that)?|given that)?\s*(?:the |a )?(?<term>(?!(?:it|this|that|which|what|who|there|how)\b)[\p{L}\d](?:(?!\bwhere\b)[\p{L}\d _-]){1,40}?)\s+(?:(?:refers?|corresponds?|equates?) to|is defined as|is calculated as|is computed as|means|stands for|is equal to|is (?=the (?:sum|total|average|number|count|difference|ratio)|[^.?;]{2,40}(?:divided by|minus|plus|times|multiplied by|\/))|är (?=[^.?;]{2,40}(?:gånger|delat med|minus|plus)))\s*(?<means>[^.?;]+)/giu

export interface Split {
  /** The question without its definitions. */
  question: string
  entries: GlossaryEntry[]
}
const entry = (term: string, long: string | undefined, means: string): GlossaryEntry => ({
  term: foldText(term),
  synonyms: long === undefined ? [] : [foldText(long)],
  definition: means.trim(),
  means: means.trim().replace(/\.$/, ''),
})

/** Takes definitions out of a question. */
export function splitDefinitions(question: string): Split {
  const entries: GlossaryEntry[] = []
  const rest = question.replaceAll(SENTENCE, (whole: string, ...args: unknown[]) => {
    const groups = args.at(-1)
    if (!isGroups(groups)) return whole
    const term = foldText(groups['term'] ?? '')
    if (term === '' || /^(it|this|that|which|what|who|there)( |$)/.test(term)) return whole
    entries.push(entry(term.replace(/^(the|a) /, ''), undefined, groups['means'] ?? ''))
    return '. '
  })
  return { question: rest, entries }
}
/** Definitions that are given beside a question. */
export function definitionsOf(text: string): GlossaryEntry[] {
  // "NTV = net value = a - b": its long name stands between.
  const plain = text.replaceAll(/([\p{L}\d]+)\s*=\s*([\p{L} ]{3,60}?)\s*=\s*/gu, '$1 ($2) = ')
  const equations = [...plain.matchAll(EQUATION)].map(({ groups }) =>
    entry(groups?.['term'] ?? '', groups?.['long'], groups?.['means'] ?? ''),
  )
  return [...equations, ...splitDefinitions(text).entries].filter(
    ({ term, means = '' }) => term !== '' && !/\b(?:date|datetime|now)\s*\(/i.test(means),
  )
}
const isGroups = (value: unknown): value is Record<string, string | undefined> =>
  typeof value === 'object' && value !== null

/** Reads what terms mean into the question's own lists, so that its rules can name them. */
export async function readTerms(
  encoded: Encoded,
  entries: readonly GlossaryEntry[],
  input: EncodeInput,
): Promise<void> {
  const used = entries.filter(({ means, measure }) => means !== undefined || measure !== undefined)
  for (const each of used) {
    if (each.measure)
      encoded.defined.set(each.term, {
        ...{ kind: 'plan', measure: each.measure, elsewhere: each.elsewhere ?? [] },
        ...(each.isStanding ? { isStanding: true } : {}),
      })
    else {
      const figure = await figureOfWords(encoded, each.means ?? '', input)
      if (figure) encoded.defined.set(each.term, { ...figure, label: each.term })
    }
  }
}
/** "Total payments made (sum of the payment amount)": what stands in brackets says it in other words. */
async function figureOfWords(encoded: Encoded, means: string, input: EncodeInput): Promise<MeasureAsk | null> {
  const whole = await figureOf(encoded, means, input)
  const [, before = '', inner = ''] = /^([^()+*/-]+)\(([^()]+)\)\s*$/.exec(means) ?? []
  if (whole || inner === '') return whole
  return (await figureOf(encoded, inner, input)) ?? figureOf(encoded, before, input)
}
async function figureOf(encoded: Encoded, means: string, input: EncodeInput): Promise<MeasureAsk | null> {
  const plain = means.replaceAll(
    /\b(?:per month|per week|per year|per day|in dollars|in usd|in the (?:first|second|third|fourth) quarter of \d{4})\b/gi,
    ' ',
  )
  const own = await encode(plain, { ...input, terms: input.terms.filter(({ means: other }) => other !== means) })
  const shift = encoded.mentions.length
  // What a value is only nearly called is a word of the definition.
  const isValue = (at: number): boolean => own.values[at]?.matches.some(({ how }) => how === 'exact') === true
  const text = own.text
    .replaceAll(/<m(\d+)>/g, (_, at: string) => `<m${Number(at) + shift}>`)
    .replaceAll(/<v(\d+)>/g, (_, at: string) =>
      isValue(Number(at)) ? `<v${encoded.values.push(...own.values.slice(Number(at), Number(at) + 1)) - 1}>` : ' ',
    )
  encoded.mentions.push(...own.mentions)
  return figureOfFormula({ ...encoded, text })
}
