import { DET, M, numberIn, V, type Encoded } from './encoded'
import { replaceMatches } from './replace-matches'
import type { QuestionParts } from './ask'
import type { LexiconMatch } from '../schema/lexicon'

const AGAINST = '(?:versus|vs|compared (?:to|with)|against|jamfort med|mot|kontra)'
const KIND = `(?:(?: ,)? ?${M})?`

/**
 * "The average salary of professors compared to lecturers": two values of one column beside each other, which the
 * figure is broken down by. The column is named as if "by title" was said.
 */
export function parseComparedValues(encoded: Encoded, ask: QuestionParts): void {
  const isFigure = encoded.mentions.some(
    ({ namesNumber, matches: [best] }) => namesNumber || best?.ref.kind === 'term' || best?.ref.kind === 'metric',
  )
  if (encoded.figures.length === 0 && !isFigure) return
  replaceMatches(
    encoded,
    `(?<one>${V})(?<kind>${KIND}) ${AGAINST} (?:the )?${DET}(?:those |that |of )*(?<two>${V})`,
    (found) => split(encoded, ask, found, `${found.groups?.['one'] ?? ''}${found.groups?.['kind'] ?? ''} or `),
  )
  replaceMatches(
    encoded,
    `(?:split|breakdown|comparison|difference)? ?between ${DET}(?<one>${V})(?<kind>${KIND}) (?:and|och) ${DET}(?<two>${V})`,
    (found) =>
      /^(?:split|breakdown|comparison)/.test(found[0]) || /\bcompare\b/.test(encoded.source)
        ? split(encoded, ask, found, `${found.groups?.['one'] ?? ''}${found.groups?.['kind'] ?? ''} or `)
        : null,
  )
}

function split(encoded: Encoded, ask: QuestionParts, found: RegExpExecArray, before: string): string | null {
  const { one, two } = found.groups ?? {}
  const columns = sharedColumns(encoded, numberIn(one), numberIn(two))
  const [only] = columns
  if (!only) return null
  const at = encoded.mentions.push({
    ...{ words: '', matches: columns, isTypo: false, namesDate: false, namesNumber: false, namesYesNo: false },
  })
  ask.splits.push({ kind: 'name', at: at - 1 })
  return ` ${before}${two ?? ''} `
}
/** Columns that hold both values. */
function sharedColumns({ values }: Encoded, one: number, two: number): LexiconMatch[] {
  const others = values[two]?.matches ?? []
  return (values[one]?.matches ?? []).flatMap(({ dataset, column }, i, all): LexiconMatch[] => {
    const isFirst = all.findIndex((each) => each.dataset === dataset && each.column === column) === i
    const isShared = others.some((each) => each.dataset === dataset && each.column === column)
    return isFirst && isShared ? [{ ref: { kind: 'column', dataset, column }, score: 1 }] : []
  })
}
