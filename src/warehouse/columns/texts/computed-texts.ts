import type { ColumnTable } from '../column-table'
import type { ColumnVectors, TextReader, TextVectors } from '../column-vectors'
import { WORDS_MAX, WORD_CHARS_MAX } from '../dictionary'
import { NumberIndex } from '../number-index'
import { dictionaryTexts, indexedTexts, textsAt } from './text-vectors'
import { codesOf, type ChunkPlace, type Codes, type Mask } from '../vectors'
import { realText } from '../../query/expressions/real-text'
import { isoFromDay } from '../../../shared/dates'
import type { Expr } from '../../../shared/query/expression'
import type { Field } from '../../../shared/query/field'

/** What a text is made of. */
interface TextSources {
  column: (field: Field) => ColumnVectors
  /** Rows in which the first of two texts is chosen. */
  condition: (expr: Expr) => Mask
}

/** A text worked out from columns. */
export function computedTexts(table: Pick<ColumnTable, 'chunks'>, expr: Expr, sources: TextSources): TextVectors {
  const parts = new Map(
    leavesOf(expr).map((leaf) => [
      nameOf(leaf),
      'condition' in leaf ? conditionPart(sources.condition(leaf.condition)) : partOf(sources.column(leaf.field)),
    ]),
  )
  const known = combinedTexts(table, expr, parts)
  if (known)
    return dictionaryTexts(
      () => known.codes,
      () => known.words,
    )
  return indexedTexts(table, (place) => {
    const own = new Map([...parts].map(([name, part]) => [name, part.textsOf(place)]))
    const text = (row: number): string | null => textOf(expr, (leaf) => own.get(nameOf(leaf))?.(row) ?? null)
    return readerOf(text)
  })
}
export const readerOf = (text: (row: number) => string | null): TextReader => ({
  text,
  peek: text,
  bytes: (row) => new TextEncoder().encode(text(row) ?? '').length,
  codeIn(index, row) {
    const own = text(row)
    return own === null ? 0 : index.codeOf(own)
  },
})

/** What a text is made of: columns, and conditions that choose one of two texts. */
type TextLeaf = { field: Field } | { condition: Expr }
const nameOf = (leaf: TextLeaf): string => JSON.stringify(leaf)

function leavesOf(expr: Expr): TextLeaf[] {
  if (expr.kind === 'field') return [{ field: expr.field }]
  if (expr.kind === 'coalesce' || expr.kind === 'concat') return expr.items.flatMap(leavesOf)
  if (expr.kind !== 'function') return []
  const [condition, ...texts] = expr.items
  return condition ? [{ condition }, ...texts.flatMap(leavesOf)] : []
}

/** One column or condition that a text is made of. */
interface TextPartColumn {
  /** A number for each different value. */
  codes: Codes
  /** What a row's value is in a text. */
  textsOf: (place: ChunkPlace) => (row: number) => string | null
}

const PASSES = 'x'
const conditionPart = (mask: Mask): TextPartColumn => ({
  codes: codesOf((place, to) => to.set(mask(place).subarray(0, place.rows))),
  textsOf(place) {
    const own = mask(place)
    return (row) => (own[row] === 1 ? PASSES : null)
  },
})

function partOf(vectors: ColumnVectors): TextPartColumn {
  if (vectors.column.type === 'text') {
    const texts = vectors.texts()
    const codes = texts.codes()
    return { codes, textsOf: textsAt(texts) }
  }
  const numbers = vectors.numbers()
  const write = writerOf(vectors)
  const index = new NumberIndex()
  const codes = codesOf((place, to) => {
    const values = numbers(place)
    for (let i = 0; i < place.rows; i += 1) {
      const value = values[i] ?? Number.NaN
      to[i] = Number.isNaN(value) ? 0 : index.placeOf(value) + 1
    }
  })
  return {
    codes,
    textsOf(place) {
      const values = numbers(place)
      return (row) => {
        const value = values[row] ?? Number.NaN
        return Number.isNaN(value) ? null : write(value)
      }
    },
  }
}

/** How SQLite writes a stored number. */
function writerOf({ column: { type, scale } }: ColumnVectors): (value: number) => string {
  if (type === 'date') return isoFromDay
  return type === 'number' && scale === undefined ? realText : String
}

/** Combinations that are looked up, at most. */
const COMBINATIONS_MAX = 2 ** 18
const SPREAD = 2 ** 26

/** Every combination of values is worked out once, and has the code of its text; null when there are too many. */
function combinedTexts(
  table: Pick<ColumnTable, 'chunks'>,
  expr: Expr,
  parts: ReadonlyMap<string, TextPartColumn>,
): { codes: Codes; words: readonly string[] } | null {
  const combinations = combinationsOf([...parts.values()].map(({ codes }) => codes))
  const codeOf = new Map<string, number>()
  const words: string[] = []
  // 0: not worked out yet; else one more than the code of its text.
  const known = new Int32Array(COMBINATIONS_MAX)
  let chars = 0
  const codeOfText = (text: string | null): number => {
    if (text === null) return 0
    const code = codeOf.get(text) ?? words.push(text)
    if (!codeOf.has(text)) chars += text.length
    codeOf.set(text, code)
    return code
  }
  for (const [chunk, rows] of table.chunks.entries()) {
    const place = { chunk, rows }
    const own = combinations.of(place)
    if (combinations.size() > COMBINATIONS_MAX) return null
    const texts = new Map([...parts].map(([name, part]) => [name, part.textsOf(place)]))
    for (let row = 0; row < rows; row += 1) {
      const at = own[row] ?? 0
      if (known[at] !== 0) continue
      known[at] = 1 + codeOfText(textOf(expr, (leaf) => texts.get(nameOf(leaf))?.(row) ?? null))
      if (words.length > WORDS_MAX || chars > WORD_CHARS_MAX) return null
    }
  }
  const codes = codesOf((place, to) => {
    const own = combinations.of(place)
    for (let row = 0; row < place.rows; row += 1) to[row] = (known[own[row] ?? 0] ?? 1) - 1
  })
  return { codes, words }
}

/** Numbers rows by the values of all parts, from 0 on. */
function combinationsOf(parts: readonly Codes[]): { of: Codes; size: () => number } {
  const indexes = parts.map(() => new NumberIndex())
  const of = codesOf((place, to) => {
    to.fill(0, 0, place.rows)
    for (const [at, part] of parts.entries()) {
      const own = part(place)
      const index = indexes[at]
      if (!index) continue
      for (let row = 0; row < place.rows; row += 1) to[row] = index.placeOf((to[row] ?? 0) * SPREAD + (own[row] ?? 0))
      // Nothing more is taken in once there are too many: the next parts only multiply them.
      if (index.size > COMBINATIONS_MAX) return
    }
  })
  return { of, size: () => Math.max(1, ...indexes.map(({ size }) => size)) }
}

/** The text of an expression whose columns have these texts, and whose conditions one where they hold. */
function textOf(expr: Expr, textAt: (leaf: TextLeaf) => string | null): string | null {
  switch (expr.kind) {
    case 'field':
      return textAt({ field: expr.field })
    case 'text':
      return expr.value.normalize('NFC')
    case 'number':
      return String(expr.value)
    case 'coalesce':
      for (const item of expr.items) {
        const text = textOf(item, textAt)
        if (text !== null) return text
      }
      return null
    case 'concat': {
      const texts = expr.items.map((item) => textOf(item, textAt))
      const asked = texts.filter((_, i) => expr.items[i]?.kind !== 'text' && expr.items[i]?.kind !== 'number')
      // Empty items count as nothing; when nothing but literals is left, there is no text.
      return asked.length > 0 && asked.every((text) => text === null) ? null : texts.map((text) => text ?? '').join('')
    }
    case 'function': {
      const [condition, then, otherwise] = expr.items
      const chosen = condition && textAt({ condition }) !== null ? then : otherwise
      return chosen ? textOf(chosen, textAt) : null
    }
    case 'binary':
    case 'compare':
    case 'dateDiff':
      throw new TypeError('A checked text has no calculations in it.')
  }
}
