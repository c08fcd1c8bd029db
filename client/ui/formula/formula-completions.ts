import type { Completion } from './completion'
import { COLUMN_TYPE_LABELS } from '../../../src/shared/data-sources/files'
import { FORMULA_FUNCTIONS, type FormulaFunction, type FunctionPlace } from '../../../src/shared/formula/functions'
import { formulaNameOf, inBrackets, type FormulaNames } from '../../../src/shared/formula/names'

/** What a formula is worked out for: each row, or figures made of rows. */
export type FormulaOf = 'rows' | 'figures'
const PLACES: Record<FormulaOf, readonly FunctionPlace[]> = {
  rows: ['value', 'row'],
  figures: ['aggregate', 'value', 'row', 'figure'],
}
export const functionsFor = (of: FormulaOf): FormulaFunction[] =>
  FORMULA_FUNCTIONS.filter(({ place }) => PLACES[of].includes(place))

/** What can be put into a formula: columns by name with their type, metrics, and functions. */
export function formulaCompletions(of: FormulaOf, names: FormulaNames): Completion[] {
  const columns = [names.dataset, ...names.related].flatMap(({ id, columns: own }) =>
    own.flatMap(({ key, type }): Completion[] => {
      const name = formulaNameOf(names, { dataset: id, column: key })
      const about = type === undefined ? 'Column' : COLUMN_TYPE_LABELS[type]
      return name === null ? [] : [{ kind: 'column', name, text: inBrackets(name), about }]
    }),
  )
  const metrics = of === 'rows' ? [] : names.metrics
  const seen = new Set<string>()
  return [
    ...columns,
    ...metrics.map(({ name }): Completion => ({ kind: 'metric', name, text: inBrackets(name), about: 'Metric' })),
    ...functionsFor(of).flatMap((one): Completion[] => {
      if (seen.has(one.name)) return []
      seen.add(one.name)
      return [{ kind: 'function', name: one.name, text: `${one.name}(`, about: one.summary }]
    }),
  ]
}

/** A function as it is called: `round(a, decimals)`. */
export const signatureOf = ({ name, takes }: Pick<FormulaFunction, 'name' | 'takes'>): string => `${name}(${takes})`

/** The function that the caret stands in, by how it is called there: min and max are two each. */
export function functionAt(formula: string, caret: number, of: FormulaOf): FormulaFunction | null {
  const open: { name: string; commas: number }[] = []
  for (const [token, word] of formula.slice(0, caret).matchAll(TOKENS)) {
    if (word !== undefined) open.push({ name: word.toLowerCase(), commas: 0 })
    else if (token === '(') open.push({ name: '', commas: 0 })
    else if (token === ')') open.pop()
    else if (token === ',' || token === ';') {
      const last = open.at(-1)
      if (last) last.commas += 1
    }
  }
  const call = open.findLast(({ name }) => name !== '')
  const known = functionsFor(of).filter(({ name }) => name === call?.name)
  return (call && call.commas > 0 ? known.at(-1) : known[0]) ?? null
}
/** Names and texts are skipped whole: what is written in them calls nothing. */
const TOKENS = /\[(?:[^\]]|\]\])*\]?|"(?:[^"]|"")*"?|([\p{L}_][\p{L}\p{N}_]*)\s*\(|[(),;]/gu
