import { dayFromIso, isoFromDay } from '../../../src/shared/dates'
import type { Cell } from '../../../src/shared/query/result'
import { periodEnd, periodsBetween, periodStart, yearGrainOf } from '../../../src/shared/targets/periods'
import type { TargetGrain } from '../../../src/shared/targets/periods'
import { parseAmount, type PasteResult } from '../../../src/shared/targets/paste'
import { spreadTarget, sumTargetValues } from '../../../src/shared/targets/spread'
import { keyOfLine } from '../../../src/shared/targets/targets'
import type { SaveTargetsInput, TargetLine, TargetTable } from '../../../src/shared/targets/targets'
import type { MemberField } from '../../../src/shared/monitored-metric'

/** A line as it is typed: text by the first day of its period. */
export interface TargetDraftLine {
  member?: Cell | undefined
  cells: Record<string, string>
}
/** What stands before decimals, as the workspace writes them. */
export type DecimalMark = ',' | '.'
export interface TargetDraft {
  decimalMark: DecimalMark
  grain: TargetGrain
  by: MemberField | null
  lines: TargetDraftLine[]
}

/** Decimal text as people read it: `1 234,5`. */
function formatTargetValue(value: string, decimalMark: DecimalMark): string {
  const [whole = '', part] = value.split('.')
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, '\u00a0')
  return part === undefined ? grouped : `${grouped}${decimalMark}${part}`
}

export const toTargetDraft = ({ grain, by, lines }: TargetTable, decimalMark: DecimalMark): TargetDraft => ({
  decimalMark,
  grain,
  by,
  lines:
    lines.length === 0
      ? [{ cells: {} }]
      : lines.map(({ values, ...line }) => ({
          ...line,
          cells: Object.fromEntries(values.map(({ period, value }) => [period, formatTargetValue(value, decimalMark)])),
        })),
})

export function periodsOfYear(
  day: string,
  { grain, fiscalYearStart }: { grain: TargetGrain; fiscalYearStart: number },
): string[] {
  const year = yearGrainOf(grain)
  const start = periodStart(day, { grain: year, fiscalYearStart })
  return periodsBetween(start, periodEnd(start, year), { grain, fiscalYearStart })
}

export const lineKey = (line: TargetDraftLine): string => keyOfLine(line)

/** The text of a cell as decimal text; null where it is none, '' where it is empty. */
export const parseTargetCell = (text: string | undefined, decimalMark: DecimalMark): string | null =>
  text === undefined || text.trim() === '' ? '' : parseAmount(text, decimalMark)

/** The sum of what is readable of a line over some periods. */
export const lineSum = (
  { cells }: TargetDraftLine,
  { periods, mark }: { periods: readonly string[]; mark: DecimalMark },
): string => sumTargetValues(periods.flatMap((period) => parseTargetCell(cells[period], mark) || []))

export const setCell = (draft: TargetDraft, at: { key: string; period: string; text: string }): TargetDraft =>
  updateLine(draft, at.key, (line) => ({ ...line, cells: { ...line.cells, [at.period]: at.text } }))

const updateLine = (
  draft: TargetDraft,
  key: string,
  change: (line: TargetDraftLine) => TargetDraftLine,
): TargetDraft => ({
  ...draft,
  lines: draft.lines.map((line) => (lineKey(line) === key ? change(line) : line)),
})

export function distributeTotal(
  draft: TargetDraft,
  {
    key,
    whole,
    periods,
    weights,
  }: { key: string; whole: string; periods: readonly string[]; weights: readonly number[] | null },
): TargetDraft {
  const parts = spreadTarget(whole, weights ?? periods.map(() => 1))
  return updateLine(draft, key, (line) => ({
    ...line,
    cells: {
      ...line.cells,
      ...Object.fromEntries(
        periods.map((period, at) => [period, formatTargetValue(parts[at] ?? '0', draft.decimalMark)]),
      ),
    },
  }))
}

/** Lays what was pasted over the draft: lines that are not there yet come to it. */
export function applyPaste(draft: TargetDraft, { cells }: PasteResult): TargetDraft {
  let next = draft
  for (const { member, period, value } of cells) {
    const line: TargetDraftLine = member === null ? { cells: {} } : { member, cells: {} }
    if (!next.lines.some((one) => lineKey(one) === lineKey(line))) next = { ...next, lines: [...next.lines, line] }
    next = setCell(next, { key: lineKey(line), period, text: formatTargetValue(value, draft.decimalMark) })
  }
  return next
}

/** What is saved: lines with figures. Null when a cell cannot be read. */
export function toSaveTargetsInput(draft: TargetDraft, version: number): SaveTargetsInput | null {
  const lines: TargetLine[] = []
  for (const { cells, ...line } of draft.lines) {
    const values: TargetLine['values'] = []
    for (const [period, text] of Object.entries(cells)) {
      const value = parseTargetCell(text, draft.decimalMark)
      if (value === null) return null
      if (value !== '') values.push({ period, value })
    }
    if (values.length > 0) lines.push({ ...line, values: values.toSorted((a, b) => a.period.localeCompare(b.period)) })
  }
  return { grain: draft.grain, by: draft.by, lines, version }
}

/** Figures go on the day after the data end (ISO), which may be years ago; at the latest today. */
export function firstTargetDay(today: string, dataTo: string | null): string {
  const end = dataTo === null ? null : dayFromIso(dataTo.slice(0, 10))
  if (end === null) return today
  const next = isoFromDay(end + 1)
  return next < today ? next : today
}
