import { hasQuantity, SOLD } from './pieces-rules'
import { numberIn, type Encoded } from './encoded'
import type { Schema } from '../schema/schema'

const COUNTED =
  /(?:^|(?<= ))((?:how many|hur manga|(?:number|count) of|antal|antalet|(?:the )?most|(?:the )?fewest|flest|farst|(?:the )?(?:most expensive|cheapest)|dyraste|billigaste|(?:more|fewer|less) than \d+|at (?:least|most) \d+|(?:fler|farre|mer|mindre) an \d+|(?:minst|hogst) \d+)(?: the)? |^(?:which|what|list|show|find|name|vilka|lista|visa)(?: me)?(?: all)?(?: the)? )(<v(\d+)>)(?= (?!<[mv])|$)/

/**
 * "How many thrillers are longer than …": a kind in the plural stands for the things that are of it. The table is named
 * before the value, as if "films that are thrillers" was said.
 */
export function nameCountedValue(encoded: Encoded, schema: Schema): void {
  const found = COUNTED.exec(encoded.text)
  const value = encoded.values[numberIn(found?.[2])]
  const [match] = value?.matches ?? []
  if (!found || !value || !match) return
  // "How many hammers did we sell": how many pieces, which some rows say.
  if (SOLD.test(encoded.text) && schema.datasets.some(hasQuantity)) return
  const isPlural = /[^s]s$|er$|ar$|or$|en$|n$/.test(value.phrase) && match.value.toLowerCase() !== value.phrase
  // "Hur många nybesök": one and many are the same word.
  const isMany = isPlural || (/^hur manga/.test(found[1] ?? '') && match.value.toLowerCase() === value.phrase)
  const isOne = value.matches.every(({ dataset, column }) => dataset === match.dataset && column === match.column)
  const table = isMany && isOne ? thingsOf(schema, match.dataset, match.column) : null
  const name = table === null ? undefined : schema.dataset(table)
  if (!name) return
  const at = encoded.mentions.push({
    words: name.words.join(' '),
    matches: [{ ref: { kind: 'dataset', dataset: name.id }, score: 0.95 }],
    isTypo: false,
    namesDate: false,
    namesNumber: false,
    namesYesNo: false,
  })
  encoded.text = encoded.text.replace(found[0], `${found[1] ?? ''}<m${at - 1}> for ${found[2] ?? ''}`)
  encoded.source = encoded.text
}

/** Whose rows are of a kind: those of the table itself, or where it only lists kinds, those that point at it. */
function thingsOf(schema: Schema, dataset: string, column: string): string | null {
  const table = schema.dataset(dataset)
  const isKindOfRows = table?.columns.some(({ key, isUnique }) => key === column && !isUnique) === true
  if (isKindOfRows) return dataset
  const { relations } = schema.vocabulary
  const pointing = [...new Set(relations.flatMap(({ from, to }) => (to.dataset === dataset ? [from.dataset] : [])))]
  const [only, second] = pointing
  if (only === undefined || second !== undefined) return null
  // Rows that do nothing but link two things stand for the other one.
  const others = relations.filter(({ from, to }) => from.dataset === only && to.dataset !== dataset)
  const isLink = schema.dataset(only)?.columns.every(({ isKey }) => isKey) === true
  return isLink ? (others.length === 1 ? (others[0]?.to.dataset ?? null) : null) : only
}
