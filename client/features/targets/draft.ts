import type { Cell } from '../../../src/shared/query-result'
import { periodEnd, periodsBetween, periodStart, yearGrainOf } from '../../../src/shared/target-periods'
import type { TargetGrain } from '../../../src/shared/target-periods'
import { readAmount } from '../../../src/shared/target-paste'
import type { Pasted } from '../../../src/shared/target-paste'
import { spread, sumOf } from '../../../src/shared/target-spread'
import { keyOfLine } from '../../../src/shared/targets'
import type { SaveTargetsInput, TargetLine, TargetTable } from '../../../src/shared/targets'
import type { MemberField } from '../../../src/shared/tracked'

/** A line as it is typed: text by the first day of its period. */
export interface DraftLine {
  member?: Cell | undefined
  cells: Record<string, string>
}
/** What stands before decimals, as the workspace writes them. */
export type Mark = ',' | '.'
export interface TargetDraft {
  mark: Mark
  grain: TargetGrain
  by: MemberField | null
  lines: DraftLine[]
}

/** Decimal text as people read it: `1 234,5`. */
export function shownValue(value: string, mark: Mark): string {
  const [whole = '', part] = value.split('.')
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, '\u00a0')
  return part === undefined ? grouped : `${grouped}${mark}${part}`
}

export const draftOf = ({ grain, by, lines }: TargetTable, mark: Mark): TargetDraft => ({
  mark,
  grain,
  by,
  lines:
    lines.length === 0
      ? [{ cells: {} }]
      : lines.map(({ values, ...line }) => ({
          ...line,
          cells: Object.fromEntries(values.map(({ period, value }) => [period, shownValue(value, mark)])),
        })),
})

/** The periods of the year that holds a day. */
export function periodsOfYear(
  day: string,
  { grain, fiscalYearStart }: { grain: TargetGrain; fiscalYearStart: number },
): string[] {
  const year = yearGrainOf(grain)
  const start = periodStart(day, { grain: year, fiscalYearStart })
  return periodsBetween(start, periodEnd(start, year), { grain, fiscalYearStart })
}

export const keyOf = (line: DraftLine): string => keyOfLine(line)

/** The text of a cell as decimal text; null where it is none, '' where it is empty. */
export const cellValue = (text: string | undefined, mark: Mark): string | null =>
  text === undefined || text.trim() === '' ? '' : readAmount(text, mark)

/** The sum of what is readable of a line over some periods. */
export const lineSum = ({ cells }: DraftLine, { periods, mark }: { periods: readonly string[]; mark: Mark }): string =>
  sumOf(periods.flatMap((period) => cellValue(cells[period], mark) || []))

export const setCell = (draft: TargetDraft, at: { key: string; period: string; text: string }): TargetDraft =>
  withLine(draft, at.key, (line) => ({ ...line, cells: { ...line.cells, [at.period]: at.text } }))

const withLine = (draft: TargetDraft, key: string, change: (line: DraftLine) => DraftLine): TargetDraft => ({
  ...draft,
  lines: draft.lines.map((line) => (keyOf(line) === key ? change(line) : line)),
})

/** Spreads a whole over periods of one line, evenly or by weights. */
export function spreadLine(
  draft: TargetDraft,
  {
    key,
    whole,
    periods,
    weights,
  }: { key: string; whole: string; periods: readonly string[]; weights: readonly number[] | null },
): TargetDraft {
  const parts = spread(whole, weights ?? periods.map(() => 1))
  return withLine(draft, key, (line) => ({
    ...line,
    cells: {
      ...line.cells,
      ...Object.fromEntries(periods.map((period, at) => [period, shownValue(parts[at] ?? '0', draft.mark)])),
    },
  }))
}

/** Lays what was pasted over the draft: lines that are not there yet come to it. */
export function pasteInto(draft: TargetDraft, { cells }: Pasted): TargetDraft {
  let next = draft
  for (const { member, period, value } of cells) {
    const line: DraftLine = member === null ? { cells: {} } : { member, cells: {} }
    if (!next.lines.some((one) => keyOf(one) === keyOf(line))) next = { ...next, lines: [...next.lines, line] }
    next = setCell(next, { key: keyOf(line), period, text: shownValue(value, draft.mark) })
  }
  return next
}

/** What is saved: lines with figures. Null when a cell cannot be read. */
export function inputOf(draft: TargetDraft, version: number): SaveTargetsInput | null {
  const lines: TargetLine[] = []
  for (const { cells, ...line } of draft.lines) {
    const values: TargetLine['values'] = []
    for (const [period, text] of Object.entries(cells)) {
      const value = cellValue(text, draft.mark)
      if (value === null) return null
      if (value !== '') values.push({ period, value })
    }
    if (values.length > 0) lines.push({ ...line, values: values.toSorted((a, b) => a.period.localeCompare(b.period)) })
  }
  return { grain: draft.grain, by: draft.by, lines, version }
}
