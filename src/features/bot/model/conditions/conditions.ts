import { columnOfRef, deduct, fieldOf, meaningsOf, reachOf, type Context } from '../plan/context'
import { datasetAt, isOfPerson, nameColumns } from '../plan/entities'
import { foldText } from '../../../../shared/bot/fold-text'
import { deniedBy } from '../language/antonyms'
import { monthNumber, weekdayNumber } from '../dates/date-words'
import type { Condition, FieldFilter, Scalar } from '../../../../shared/query/plan'
import type { Expr } from '../../../../shared/query/expression'
import { isYesNo, yesNoValues, type SchemaColumn } from '../schema/schema'
import type { ValueCondition } from '../parse/ask'
import type { ValueMatch } from '../contract'

/** A condition on one column, before it is known whether it stands in the plan, a figure or an `exists`. */
export interface ColumnCondition {
  column: SchemaColumn
  conditions: Condition[]
  part?: FieldFilter['part']
  grouping?: FieldFilter['grouping']
  /** One of several of which one is enough; these have the same number. */
  either: number | null
  isNegated: boolean
  /** Holds of other rows than the one beside it: "both a car and a home policy". */
  isOneOfBoth?: true
}
export const filterOf = ({ column, conditions, part, grouping }: ColumnCondition): FieldFilter => ({
  field: fieldOf(column),
  any: conditions,
  ...(part === undefined ? {} : { part }),
  ...(grouping === undefined ? {} : { grouping }),
})

const HOW: Record<ValueMatch['how'], number> = { exact: 1, word: 0.82, prefix: 0.7, typo: 0.78 }

interface Candidate {
  column: SchemaColumn
  matches: ValueMatch[]
  score: number
}

/** The columns that a value may stand in, the likeliest first. */
export function valueCandidates(context: Context, ask: ValueCondition): Candidate[] {
  const mention = context.encoded.values[ask.value]
  if (!mention) return []
  const hinted = hintedColumns(context, ask)
  const byColumn = new Map<string, ValueMatch[]>()
  for (const match of mention.matches) {
    const key = `${match.dataset}.${match.column}`
    byColumn.set(key, [...(byColumn.get(key) ?? []), match])
  }
  const candidates = [...byColumn.values()].flatMap((matches) => {
    const [first] = matches
    const column = first && context.schema.column(first.dataset, first.column)
    if (!first || !column) return []
    const best = matches.toSorted((a, b) => HOW[b.how] - HOW[a.how])[0] ?? first
    const kept = matches.filter(({ how }) => how === best.how)
    const hint = hinted.get(`${column.dataset}.${column.key}`) ?? (hinted.size > 0 && ask.column !== null ? 0.8 : 1)
    const named =
      (context.named.has(column.dataset) ? 1.03 : 1) *
      wayFactor(context, ask.value, column) *
      placeFactor(context, ask.value, column)
    // What people search by is a name or a kind, not a long text that happens to hold the word.
    const text = best.how === 'word' && kept.length > 20 ? 0.8 : 1
    return [{ column, matches: kept, score: HOW[best.how] * reachOf(context, column.dataset) * hint * named * text }]
  })
  return candidates.toSorted((a, b) => b.score - a.score)
}

const WAYS: readonly [RegExp, RegExp][] = [
  [/^(?:from|fran)$/, /^(?:from|fran|origin|departure|source|start|avgang|avreseort)$/],
  [/^(?:to|till)$/, /^(?:to|till|destination|dest|arrival|target|end|ankomst)$/],
]
/** "From Malmö to Oslo": of two like columns the one that is called after the word before. */
function wayFactor({ encoded: { source } }: Context, value: number, { words }: SchemaColumn): number {
  const before = new RegExp(`(\\w+) <v${value}>`).exec(source)?.[1] ?? ''
  const way = WAYS.find(([said]) => said.test(before))?.[1]
  if (way === undefined) return 1
  return words.some((word) => way.test(word)) ? 1.15 : 1
}
/** "Shows in Portland": where these are, and not where others of the question are. */
function placeFactor({ encoded, schema }: Context, value: number, { dataset }: SchemaColumn): number {
  const [, at] =
    new RegExp(`<m(\\d+)> (?:located |based )?(?:in|from|at|i|fran) (?:the )?<v${value}>`).exec(encoded.source) ?? []
  const ref = at === undefined ? undefined : encoded.mentions[Number(at)]?.matches[0]?.ref
  if (ref?.kind !== 'dataset') return 1
  return ref.dataset === dataset || schema.path(ref.dataset, dataset) !== null ? 1.1 : 0.95
}
/** Columns that the words beside a value name, with how much that says. */
function hintedColumns(context: Context, ask: ValueCondition): Map<string, number> {
  const hints = new Map<string, number>()
  const add = (at: number, weight: number): void => {
    for (const { ref, score } of context.encoded.mentions[at]?.matches ?? []) {
      const column = columnOfRef(context, ref)
      if (column) set(hints, column, 1 + weight * score)
      if (ref.kind === 'dataset')
        for (const own of context.schema.dataset(ref.dataset)?.columns ?? []) {
          const isName = own.isName || own.isKey
          set(hints, own, 1 + weight * (isName ? 0.6 : 0.3))
        }
    }
  }
  if (ask.column !== null) add(ask.column, 0.3)
  else for (const at of ask.near) add(at, 0.08)
  return hints
}
const set = (hints: Map<string, number>, { dataset, key }: SchemaColumn, weight: number): void => {
  hints.set(`${dataset}.${key}`, Math.max(weight, hints.get(`${dataset}.${key}`) ?? 0))
}

const CLOSE = 0.96
/** What a value asks of which column. Null where the data do not hold it and nothing says which column is meant. */
export function valueCondition(context: Context, ask: ValueCondition, either: number | null): ColumnCondition | null {
  const mention = context.encoded.values[ask.value]
  if (!mention) return null
  if (ask.mode !== 'is') return partCondition(context, ask, either)
  const [best, second] = valueCandidates(context, ask)
  if (!best || best.score < 0.45) return literalCondition(context, ask, either)
  if (best.score < 0.75) deduct(context, 0.9, `“${mention.text}” is spelt otherwise in the data, or far off`)
  const isSame = second && second.score >= best.score * CLOSE && second.column.words.join() !== best.column.words.join()
  if (isSame && second.column.dataset !== best.column.dataset)
    deduct(context, 0.93, `“${mention.text}” is in two columns`)
  const values = withinName(context, ask.value, best)
  askWhichOne(context, mention.text, { best, second: isSame ? second : undefined, values })
  const other = ask.isNegated && values.length === 1 ? oppositeOf(best.column, values[0] ?? '') : undefined
  if (other !== undefined)
    return { column: best.column, conditions: [{ op: 'eq', value: other }], either, isNegated: false }
  return { column: best.column, conditions: [isOneOf(values, ask.isNegated)], either, isNegated: ask.isNegated }
}
/** Values that match; of "Cleo Canray", said right beside each other, those that match both parts: it is one name. */
function withinName({ encoded }: Context, value: number, { column, matches }: Candidate): string[] {
  const all = [...new Set(matches.map((match) => match.value))]
  const beside = [`<v(\\d+)> <v${value}>`, `<v${value}> <v(\\d+)>`].flatMap((pattern) => {
    const at = new RegExp(pattern).exec(encoded.source)?.[1]
    return at === undefined ? [] : (encoded.values[Number(at)]?.matches ?? [])
  })
  const own = beside.filter((match) => match.dataset === column.dataset && match.column === column.key)
  const both = all.filter((each) => own.some((match) => match.value === each))
  return both.length > 0 ? both : all
}
/** A part of what something is called, which says too little: "Maria", who sells and manages, or of whom there are two. */
function askWhichOne(
  context: Context,
  text: string,
  { best, second, values }: { best: Candidate; second: Candidate | undefined; values: readonly string[] },
): void {
  if (best.matches.some(({ how }) => how === 'exact')) return
  // An address that holds the name is not meant by it.
  const isAddress = (second?.matches ?? []).every(({ value }) => value.includes('@'))
  if (second && !isAddress) deduct(context, 0.75, `which column “${text}” is of`)
  const isName = best.column.isName && best.column.isUnique && /^\p{Lu}/u.test(text)
  if (values.length > 1 && (isOfPerson(best.column) || isName)) deduct(context, 0.75, `which one “${text}” is`)
}
/** "Not paid" where something is called `Unpaid`: that, and nothing else that is not paid, as what was credited. */
const oppositeOf = ({ source: { values = [] } }: SchemaColumn, value: string): string | undefined =>
  values.filter((each) => typeof each === 'string').find((each) => deniedBy(foldText(each)) === foldText(value))
const isOneOf = (values: string[], isNegated: boolean): Condition => {
  const [only, second] = values
  if (only !== undefined && second === undefined && !isNegated) return { op: 'eq', value: only }
  return { op: isNegated ? 'notIn' : 'in', values }
}

/** "contains", "starts with": of the column that is named. */
function partCondition(context: Context, ask: ValueCondition, either: number | null): ColumnCondition | null {
  const mention = context.encoded.values[ask.value]
  const column = ask.column === null ? undefined : textColumn(context, ask.column)
  if (!mention || !column) return null
  if (ask.mode === 'endsWith') return endCondition(context, column, { text: mention.text, either, ...ask })
  const op =
    ask.mode === 'startsWith'
      ? ask.isNegated
        ? 'notStartsWith'
        : 'startsWith'
      : ask.isNegated
        ? 'notContains'
        : 'contains'
  const values = op === 'contains' ? writings(mention.text) : [mention.text]
  return { column, conditions: values.map((value) => ({ op, value })), either, isNegated: ask.isNegated }
}
/** "Ends with .com": those of the known values that do; which these are is only known of few. */
function endCondition(
  context: Context,
  column: SchemaColumn,
  { text, either, isNegated }: { text: string; either: number | null; isNegated: boolean },
): ColumnCondition | null {
  const values = (column.source.values ?? []).filter(
    (value) => typeof value === 'string' && value.toLowerCase().endsWith(text.toLowerCase()),
  )
  // An address that ends so is one that holds it.
  if (values.length === 0 && DOMAIN.test(text))
    return { column, conditions: [{ op: isNegated ? 'notContains' : 'contains', value: text }], either, isNegated }
  if (values.length === 0) {
    deduct(context, 0.6, `what ${column.source.label} ends with is not known`)
    return null
  }
  context.assumptions.push(`${column.source.label} that ends with “${text}”: ${values.length} values.`)
  return { column, conditions: [{ op: isNegated ? 'notIn' : 'in', values }], either, isNegated }
}
const DOMAIN = /^@?[a-z\d-]+(?:\.[a-z\d-]+)*\.[a-z]{2,}$/i
/** People ask for a word, however it is written at the beginning of a title. */
const writings = (text: string): string[] => {
  const lower = text.toLowerCase()
  return [...new Set([text, lower, lower.charAt(0).toUpperCase() + lower.slice(1), text.toUpperCase()])]
}
function textColumn(context: Context, at: number): SchemaColumn | undefined {
  const [best] = meaningsOf(context, at, (ref) => {
    const column = columnOfRef(context, ref)
    return column ? (column.isText ? 1 : 0.2) : 0.9
  })
  const column = best && columnOfRef(context, best.ref)
  if (column) return column
  const dataset = datasetAt(context, at)
  return dataset && nameColumns(dataset)[0]
}

/** A text that the data do not hold, of a column that is named: nothing is found, which is an answer. */
function literalCondition(context: Context, ask: ValueCondition, either: number | null): ColumnCondition | null {
  const mention = context.encoded.values[ask.value]
  const column = ask.column === null ? undefined : textColumn(context, ask.column)
  if (!mention || !column) {
    deduct(context, 0.5, `“${mention?.text ?? ''}” is not in the data`)
    return null
  }
  const typed = typedValue(column, mention.text)
  if (typed === null) return null
  // "A gmail.com address": what addresses end with, of which hardly any is just that.
  if (column.isText && DOMAIN.test(mention.text))
    return {
      column,
      conditions: [{ op: ask.isNegated ? 'notContains' : 'contains', value: mention.text }],
      ...{ either, isNegated: ask.isNegated },
    }
  if (column.isText) deduct(context, mention.isQuoted ? 0.9 : 0.7, `“${mention.text}” is not in ${column.source.label}`)
  return { column, conditions: [{ op: ask.isNegated ? 'ne' : 'eq', value: typed }], either, isNegated: ask.isNegated }
}
function typedValue(column: SchemaColumn, text: string): Scalar {
  if (column.isNumeric) return Number.isFinite(Number(text)) ? Number(text) : null
  if (column.source.type === 'boolean') return /^(?:true|yes|1|ja)$/i.test(text)
  return text
}

/** Numbers of weekdays or months as the texts that a column holds for them; null where it holds none. */
export function namedParts(
  column: SchemaColumn,
  part: 'weekday' | 'monthOfYear',
  values: readonly number[],
): string[] | null {
  const numberOf = part === 'weekday' ? weekdayNumber : monthNumber
  const texts = (column.source.values ?? []).flatMap((value) => (typeof value === 'string' ? [value] : []))
  const known = texts.flatMap((text) => {
    const number = numberOf(text.toLowerCase())
    return number === null ? [] : [{ text, number }]
  })
  if (known.length === 0 || known.length < texts.length) return null
  return known.filter(({ number }) => values.includes(number)).map(({ text }) => text)
}
/** The number of each month or weekday that a text column names; null where it names others. */
export function partOrder(column: SchemaColumn): Expr | null {
  if (!column.isText) return null
  const texts = (column.source.values ?? []).flatMap((value) => (typeof value === 'string' ? [value] : []))
  const numbers = texts.map((text) => monthNumber(text.toLowerCase()) ?? weekdayNumber(text.toLowerCase()))
  if (texts.length < 2 || texts.length > 12 || numbers.includes(null)) return null
  return texts.reduceRight<Expr>(
    (rest, text, i) => ({
      kind: 'function',
      fn: 'if',
      items: [equals(column, text), { kind: 'number', value: numbers[i] ?? 0 }, rest],
    }),
    { kind: 'number', value: 99 },
  )
}
const equals = (column: SchemaColumn, value: string): Expr => ({
  kind: 'compare',
  op: 'eq',
  left: { kind: 'field', field: fieldOf(column) },
  right: { kind: 'text', value },
})

/** The values that a condition lets through, where they are known. */
function valuesMeant(column: SchemaColumn, condition: Condition): readonly Scalar[] {
  if ('values' in condition) return condition.values
  if (condition.op === 'eq') return [condition.value]
  if (condition.op !== 'contains') return []
  const part = foldText(condition.value)
  return (column.source.values ?? []).filter((value) => typeof value === 'string' && foldText(value).includes(part))
}
/** Conditions of which one is enough, on several columns, as one condition of a row; null where that cannot be said. */
export function eitherExpr(parts: readonly ColumnCondition[]): Expr | null {
  const items = parts.flatMap(({ column, conditions }) =>
    conditions.flatMap((condition): Expr[] => {
      const values = valuesMeant(column, condition)
      return values.flatMap((value) => (typeof value === 'string' ? [equals(column, value)] : []))
    }),
  )
  if (items.length === 0 || parts.some(({ isNegated }) => isNegated)) return null
  return { kind: 'function', fn: 'or', items: items.slice(0, 10) }
}

/** No value; of a figure also none counted, of yes and no a no. */
export function emptyOf(column: SchemaColumn, isEmpty: boolean): ColumnCondition['conditions'] {
  if (column.source.type === 'boolean') return [{ op: 'eq', value: !isEmpty }]
  if (isYesNo(column)) return [{ op: 'in', values: yesNoValues(column, !isEmpty) }]
  const none = (column.source.values ?? []).filter((value) => /^(?:none|n\/a|ingen|inget|inga|-)$/i.test(String(value)))
  if (none.length > 0) return isEmpty ? [{ op: 'in', values: none }, { op: 'empty' }] : [{ op: 'notIn', values: none }]
  if (column.isNumeric && !column.isKey)
    return isEmpty ? [{ op: 'eq', value: 0 }, { op: 'empty' }] : [{ op: 'gt', value: 0 }]
  return [{ op: isEmpty ? 'empty' : 'notEmpty' }]
}

const AFFIRMED = { ne: 'eq', notIn: 'in', notContains: 'contains', notStartsWith: 'startsWith' } as const
/** A denied condition, undenied; null where it is none of values. */
export function affirmed(condition: ColumnCondition): ColumnCondition | null {
  const conditions = condition.conditions.flatMap((each): ColumnCondition['conditions'] => {
    if (each.op === 'notIn') return [{ op: AFFIRMED.notIn, values: each.values }]
    if (each.op === 'ne') return [{ op: AFFIRMED.ne, value: each.value }]
    if (each.op === 'notContains' || each.op === 'notStartsWith') return [{ op: AFFIRMED[each.op], value: each.value }]
    return []
  })
  return conditions.length === condition.conditions.length ? { ...condition, conditions, isNegated: false } : null
}

/** Values of one column are alternatives: "in Malmö and Lund". */
export function sameColumns(conditions: readonly ColumnCondition[]): ColumnCondition[] {
  const kept: ColumnCondition[] = []
  for (const condition of conditions) {
    const same = kept.find(
      (each) =>
        each.column === condition.column &&
        each.part === condition.part &&
        each.isNegated === condition.isNegated &&
        each.isOneOfBoth !== true &&
        isAlternative(each) &&
        isAlternative(condition),
    )
    if (same && !condition.isNegated) {
      const said = new Set(same.conditions.map((each) => JSON.stringify(each)))
      same.conditions.push(...condition.conditions.filter((each) => !said.has(JSON.stringify(each))))
    } else kept.push({ ...condition, conditions: [...condition.conditions] })
  }
  return kept
}
const isAlternative = ({ conditions }: ColumnCondition): boolean =>
  conditions.every(({ op }) => op === 'eq' || op === 'in' || op === 'contains' || op === 'startsWith')
