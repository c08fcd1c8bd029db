import { type ColumnTable } from '../column-table'
import { ExceedsBounds } from '../memory'
import type { TextCells, TextVectors } from '../column-vectors'
import { WORDS_MAX, WORD_CHARS_MAX } from '../dictionary'
import { TextIndex } from './text-index'
import { codesOf, marked, maskOf, type ChunkPlace, type Codes } from '../vectors'

/** Texts that a dictionary has. */
export function dictionaryTexts(codes: () => Codes, read: () => readonly string[]): TextVectors {
  let held: readonly string[] | null = null
  const words = (): readonly string[] => {
    held ??= read()
    return held
  }
  return {
    codes,
    words,
    count: () => words().length,
    wordAt: (code) => words()[code - 1] ?? null,
    // Each different text is looked at once.
    passing(test) {
      const own = words()
      const marks = new Uint8Array(own.length + 1)
      marks[0] = Number(test(null))
      for (const [at, word] of own.entries()) marks[at + 1] = Number(test(word))
      return marked(codes(), marks)
    },
    cells: () => null,
  }
}

/** Of texts that a question holds as such: three times what a dictionary may have. */
const HELD_MAX = 3

/** Texts that are read one by one, and numbered where a question tells them apart. */
export function indexedTexts(table: Pick<ColumnTable, 'chunks'>, cells: TextCells): TextVectors {
  const index = new TextIndex()
  const codes = codesOf((place, to) => {
    const reader = cells(place)
    for (let row = 0; row < place.rows; row += 1) to[row] = reader.codeIn(index, row)
  })
  let isNumbered = false
  const numberAll = (): void => {
    if (isNumbered) return
    for (const [chunk, rows] of table.chunks.entries()) codes({ chunk, rows })
    isNumbered = true
  }
  let words: readonly string[] | null = null
  return {
    codes: () => codes,
    count() {
      numberAll()
      return index.size
    },
    wordAt: (code) => index.textAt(code),
    words() {
      numberAll()
      words ??= heldTexts(index)
      return words
    },
    passing: (test) =>
      maskOf((place, to) => {
        const reader = cells(place)
        for (let row = 0; row < place.rows; row += 1) to[row] = Number(test(reader.peek(row)))
      }),
    cells: () => cells,
  }
}

/** The text of each row of a chunk. */
export function textsAt(texts: TextVectors): (place: ChunkPlace) => (row: number) => string | null {
  const codes = texts.cells() ? null : texts.codes()
  return (place) => {
    const reader = texts.cells()?.(place)
    if (reader) return (row) => reader.text(row)
    const own = codes?.(place)
    return (row) => texts.wordAt(own?.[row] ?? 0)
  }
}

function heldTexts(index: TextIndex): string[] {
  if (index.size > WORDS_MAX * HELD_MAX) throw new ExceedsBounds(WORDS_MAX * HELD_MAX)
  const words: string[] = []
  let chars = 0
  for (let code = 1; code <= index.size; code += 1) {
    const word = index.textAt(code) ?? ''
    chars += word.length
    if (chars > WORD_CHARS_MAX * HELD_MAX) throw new ExceedsBounds(WORD_CHARS_MAX * HELD_MAX)
    words.push(word)
  }
  return words
}
