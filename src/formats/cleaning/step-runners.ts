import { parseWrittenDate } from './parse-period'
import { keptPlaces, type PlannedStep } from './plan-cleaning'
import { totalRowLabel } from '../csv/total-rows'
import { isNullToken } from '../../shared/values/cell-parsers'
import { parseNumber } from '../../shared/values/parse-number'
import type { CleaningStep, LetterCase, StepEffect } from '../../shared/data-sources/cleaning'

/** Takes one row; the array is the taker's own. */
export type RowTaker = (cells: string[]) => void

export interface StepRunner {
  take: RowTaker
  effect: StepEffect
  /** What it would fill into the next empty cells, beside its columns. */
  filled: readonly string[]
}
interface Before {
  effect: StepEffect | undefined
  filled: readonly string[] | undefined
}

export const NO_EFFECT: StepEffect = { rowsIn: 0, rowsOut: 0, cells: 0, cellsChanged: 0, cellsUnread: 0 }

/** One step between the rows before it and those after, from what it knew before. */
export function createStepRunner(planned: PlannedStep, next: RowTaker, before: Before): StepRunner {
  const { step } = planned
  const effect = { ...(before.effect ?? NO_EFFECT) }
  const emit: RowTaker = (cells) => {
    effect.rowsOut++
    next(cells)
  }
  const counted = (take: RowTaker, filled: readonly string[] = []): StepRunner => ({
    take: (cells) => {
      effect.rowsIn++
      take(cells)
    },
    effect,
    filled,
  })
  switch (step.kind) {
    case 'split':
      return counted(splitter(step, planned, effect, emit))
    case 'dropRows':
      return counted(dropper(step, planned, effect, emit))
    case 'dropTotals':
      return counted((cells) => {
        if (totalRowLabel(cells) === null) emit(cells)
      })
    case 'unpivot':
      return counted(unpivoter(step, planned, effect, emit))
    case 'fillDown': {
      const filled = planned.targets.map((_, at) => before.filled?.[at] ?? '')
      const fill = rewriter(planned, effect, emit, (cell, at) => {
        if (cell.trim() === '') return filled[at] ?? ''
        filled[at] = cell
        return cell
      })
      return counted(fill, filled)
    }
    case 'trim':
    case 'case':
    case 'parseNumber':
    case 'parseDate':
    case 'mapValues': {
      const rewrite = cellRewriter(step)
      return counted(rewriter(planned, effect, emit, rewrite))
    }
  }
}

/** Null: the cell cannot be read, and stays as it is. */
type RewriteCell = (cell: string, at: number) => string | null

function rewriter({ targets }: PlannedStep, effect: StepEffect, emit: RowTaker, rewrite: RewriteCell): RowTaker {
  return (cells) => {
    for (const [at, place] of targets.entries()) {
      const cell = cells[place] ?? ''
      const after = rewrite(cell, at)
      effect.cells++
      if (after === null) effect.cellsUnread++
      else if (after !== cell) {
        effect.cellsChanged++
        cells[place] = after
      }
    }
    emit(cells)
  }
}

/** Blanks of every kind, and signs that nobody sees. */
const BLANK = /[\s\u200b\u2060\ufeff]/
const FIRST_WIDE_BLANK = 0xa0
const isBlank = (code: number): boolean =>
  (code <= 32 || code >= FIRST_WIDE_BLANK) && BLANK.test(String.fromCharCode(code))
const INNER_BLANKS = /[\s\u200b\u2060\ufeff]+/g

/** Without the blanks around it. From either end: a pattern would look through every run of blanks within again and again. */
export function trimBlanks(text: string): string {
  let [from, to] = [0, text.length]
  while (from < to && isBlank(text.charCodeAt(from))) from++
  while (to > from && isBlank(text.charCodeAt(to - 1))) to--
  return text.slice(from, to)
}

function cellRewriter(
  step: Extract<CleaningStep, { kind: 'trim' | 'case' | 'parseNumber' | 'parseDate' | 'mapValues' }>,
): RewriteCell {
  switch (step.kind) {
    case 'trim':
      return (cell) => {
        const outer = trimBlanks(cell)
        return step.inner ? outer.replace(INNER_BLANKS, ' ') : outer
      }
    case 'case':
      return (cell) => changeCase(cell, step.to)
    case 'parseNumber':
      return (cell) => readCell(cell, (text) => spellNumber(text, step.decimalMark))
    case 'parseDate':
      return (cell) => readCell(cell, (text) => parseWrittenDate(text, step.writing, step.year))
    case 'mapValues': {
      const after = new Map(step.values.map(({ from, to }) => [from, to]))
      return (cell) => after.get(cell) ?? cell
    }
  }
}

/** What stands for nothing is nothing, and no failure. */
function readCell(cell: string, read: (text: string) => string | null): string | null {
  const text = cell.trim()
  return text === '' ? cell : (read(text) ?? (isNullToken(text) ? '' : null))
}

/** A number with a point and no more signs than that and a minus: `1 234,50 kr` → `1234.5`. */
function spellNumber(text: string, mark: '.' | ','): string | null {
  const number = parseNumber(text, mark)
  if (!number) return null
  const { digits, decimals, negative } = number
  const padded = digits.padStart(decimals + 1, '0')
  const whole = padded.slice(0, padded.length - decimals)
  return `${negative && digits !== '0' ? '-' : ''}${whole}${decimals > 0 ? `.${padded.slice(-decimals)}` : ''}`
}

const WORD = /[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}'’]*/gu

/** A text in another case, by the rules of no language in particular. */
export function changeCase(text: string, to: LetterCase): string {
  switch (to) {
    case 'upper':
      return text.toUpperCase()
    case 'lower':
      return text.toLowerCase()
    case 'title':
      return text.toLowerCase().replace(WORD, capitalize)
    case 'sentence':
      return text.toLowerCase().replace(/\p{L}/u, (letter) => letter.toUpperCase())
  }
}
const capitalize = (word: string): string => {
  const [first = ''] = word
  return first.toUpperCase() + word.slice(first.length)
}

function splitter(
  step: Extract<CleaningStep, { kind: 'split' }>,
  { targets: [place = 0] }: PlannedStep,
  effect: StepEffect,
  emit: RowTaker,
): RowTaker {
  const { delimiter, into, keep } = step
  return (cells) => {
    const cell = cells[place] ?? ''
    const parts = splitParts(cell, delimiter, into.length)
    effect.cells++
    if (cell.includes(delimiter)) effect.cellsChanged++
    cells.splice(place, 1, ...(keep ? [cell] : []), ...parts)
    emit(cells)
  }
}

/** So many parts without the blanks around them; the last holds all that is left. */
function splitParts(cell: string, delimiter: string, count: number): string[] {
  const parts: string[] = []
  let rest = cell
  while (parts.length < count - 1) {
    const at = rest.indexOf(delimiter)
    if (at < 0) break
    parts.push(rest.slice(0, at).trim())
    rest = rest.slice(at + delimiter.length)
  }
  parts.push(rest.trim())
  while (parts.length < count) parts.push('')
  return parts
}

function dropper(
  step: Extract<CleaningStep, { kind: 'dropRows' }>,
  { targets: [place = 0] }: PlannedStep,
  effect: StepEffect,
  emit: RowTaker,
): RowTaker {
  const value = (step.value ?? '').trim().toLowerCase()
  const drops = (text: string): boolean => {
    switch (step.when) {
      case 'is':
        return text === value
      case 'isNot':
        return text !== value
      case 'contains':
        return text.includes(value)
      case 'startsWith':
        return text.startsWith(value)
      case 'isEmpty':
        return text === ''
      case 'isNotEmpty':
        return text !== ''
    }
  }
  return (cells) => {
    effect.cells++
    if (!drops((cells[place] ?? '').trim().toLowerCase())) emit(cells)
  }
}

function unpivoter(
  step: Extract<CleaningStep, { kind: 'unpivot' }>,
  { before, targets }: PlannedStep,
  effect: StepEffect,
  emit: RowTaker,
): RowTaker {
  const kept = keptPlaces(step, before)
  const names = targets.map((place) => before[place]?.name ?? '')
  return (cells) => {
    for (const [at, place] of targets.entries()) {
      const cell = cells[place] ?? ''
      effect.cells++
      if (step.dropEmpty && cell.trim() === '') continue
      emit([...kept.map((held) => cells[held] ?? ''), names[at] ?? '', cell])
    }
  }
}
