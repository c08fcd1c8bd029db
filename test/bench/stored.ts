import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import type { Row } from './row.ts'

/** The table of the last commit that stored one; figures of other sizes are not held against it. */
const FILE = 'test/bench/stored.json'
/** What may be noise of the machine. */
const TOLERANCE = 0.1

const storedSchema = z.object({
  measuredAt: z.string(),
  rows: z.number(),
  figures: z.record(z.string(), z.number()),
})

/** Names of rows that stay the same from run to run: the id, and which of its rows it is. */
function keysOf(table: readonly Row[]): [key: string, row: Row][] {
  const seen = new Map<string, number>()
  return table.map((row) => {
    const nth = (seen.get(row.id) ?? 0) + 1
    seen.set(row.id, nth)
    return [`${row.id}.${nth}`, row]
  })
}

/** The ratio, or where nothing was measured beside it our own figure; null for what is no number. */
function figureOf({ ratio, ours }: Row): number | null {
  const figure = Number.parseFloat(Number.isNaN(Number.parseFloat(ratio)) ? ours : ratio)
  return Number.isNaN(figure) ? null : figure
}

export function storeTable(table: readonly Row[], rows: number): void {
  const figures = Object.fromEntries(
    keysOf(table).flatMap(([key, row]) => {
      const figure = figureOf(row)
      return figure === null ? [] : [[key, figure]]
    }),
  )
  writeFileSync(
    FILE,
    `${JSON.stringify({ measuredAt: new Date().toISOString().slice(0, 10), rows, figures }, null, 2)}\n`,
  )
}

/** The table with what it was when it was stored; what fell by more than a tenth is marked. */
export function comparedWithStored(table: readonly Row[], rows: number): (Row & { before: string })[] {
  const stored = existsSync(FILE) ? storedSchema.parse(JSON.parse(readFileSync(FILE, 'utf8'))) : null
  return keysOf(table).map(([key, { better = 'lower', ...row }]) => {
    const [now, before] = [figureOf(row), stored?.rows === rows ? stored.figures[key] : undefined]
    if (now === null || before === undefined) return { ...row, before: '' }
    const fell = better === 'lower' ? now > before * (1 + TOLERANCE) : now < before * (1 - TOLERANCE)
    return { ...row, before: `${before}${fell ? '  ← worse' : ''}` }
  })
}
