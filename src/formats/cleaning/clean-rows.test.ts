import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seedOf } from '../../../test/seed'
import { createRowCleaner, type CleaningState } from './clean-rows'
import { planCleaning } from './plan-cleaning'
import { parseYearMonth } from '../../shared/values/parse-month'
import { parseWrittenDate } from './parse-period'
import { changeCase } from './step-runners'
import { cleaningSchema, type CleaningStep } from '../../shared/data-sources/cleaning'

const LONG = env.LONG === '1'

/** A recipe over a whole table in memory, written without regard to anything but the words of the contract. */
interface Table {
  names: string[]
  rows: string[][]
}
const mapCells = (table: Table, columns: readonly string[], change: (cell: string) => string): Table => ({
  names: table.names,
  rows: table.rows.map((row) => row.map((cell, at) => (columns.includes(table.names[at] ?? '') ? change(cell) : cell))),
})
/** What the cells below may hold for nothing at all. */
const isNothing = (cell: string): boolean => cell.toLowerCase() === 'n/a'
const cellOf = (table: Table, row: string[], name: string): string => row[table.names.indexOf(name)] ?? ''

function naively(table: Table, step: CleaningStep): Table {
  switch (step.kind) {
    case 'trim':
      return mapCells(table, step.columns.length > 0 ? step.columns : table.names, (cell) =>
        step.inner ? cell.trim().split(/\s+/).join(' ') : cell.trim(),
      )
    case 'case':
      return mapCells(table, step.columns, (cell) => changeCase(cell, step.to))
    case 'parseNumber':
      return mapCells(table, step.columns, (cell) => {
        if (isNothing(cell)) return ''
        const plain = cell.trim().replaceAll(' ', '').replace(step.decimalMark, '.')
        return /^\d+(\.\d+)?$/.test(plain) ? String(Number(plain)) : cell
      })
    case 'parseDate':
      return mapCells(table, step.columns, (cell) =>
        cell.trim() === '' ? cell : (parseWrittenDate(cell, step.writing, step.year) ?? (isNothing(cell) ? '' : cell)),
      )
    case 'mapValues':
      return mapCells(table, step.columns, (cell) => step.values.findLast(({ from }) => from === cell)?.to ?? cell)
    case 'fillDown':
      return {
        names: table.names,
        rows: table.rows.map((row, line) =>
          row.map((cell, at) => {
            if (!step.columns.includes(table.names[at] ?? '') || cell.trim() !== '') return cell
            return (
              table.rows
                .slice(0, line)
                .map((above) => above[at] ?? '')
                .findLast((above) => above.trim() !== '') ?? ''
            )
          }),
        ),
      }
    case 'dropRows': {
      const value = (step.value ?? '').trim().toLowerCase()
      const tests: Record<typeof step.when, (text: string) => boolean> = {
        is: (text) => text === value,
        isNot: (text) => text !== value,
        contains: (text) => text.split(value).length > 1,
        startsWith: (text) => text.slice(0, value.length) === value,
        isEmpty: (text) => text.length === 0,
        isNotEmpty: (text) => text.length > 0,
      }
      const rows = table.rows.filter((row) => !tests[step.when](cellOf(table, row, step.column).trim().toLowerCase()))
      return { names: table.names, rows }
    }
    case 'dropTotals': {
      const isTotal = (row: string[]): boolean =>
        row
          .find((each) => each !== '')
          ?.trim()
          .toLowerCase() === 'total'
      return { names: table.names, rows: table.rows.filter((row) => !isTotal(row)) }
    }
    case 'split': {
      const at = table.names.indexOf(step.column)
      const beside = <T>(all: T[], own: T[], parts: T[]): T[] => [
        ...all.slice(0, at),
        ...own,
        ...parts,
        ...all.slice(at + 1),
      ]
      const parts = (cell: string): string[] => {
        const all = cell.split(step.delimiter)
        const last = step.into.length - 1
        return step.into.map((_, n) => (n < last ? (all[n] ?? '') : all.slice(last).join(step.delimiter)).trim())
      }
      return {
        names: beside(table.names, step.keep ? [step.column] : [], step.into),
        rows: table.rows.map((row) => beside(row, step.keep ? [row[at] ?? ''] : [], parts(row[at] ?? ''))),
      }
    }
    case 'unpivot': {
      const keep = table.names.filter((name) => step.keep.includes(name))
      const turned = table.names.filter((name) => !step.keep.includes(name) && !step.leaveOut.includes(name))
      const rows = table.rows.flatMap((row) =>
        turned
          .filter((name) => !step.dropEmpty || cellOf(table, row, name).trim() !== '')
          .map((name) => [...keep.map((kept) => cellOf(table, row, kept)), name, cellOf(table, row, name)]),
      )
      return { names: [...keep, step.nameColumn, step.valueColumn], rows }
    }
  }
}

const NAMES = ['Region', 'Name', 'Jan', 'Feb']
const columnName = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...NAMES) },
  { weight: 1, arbitrary: fc.constantFrom('First', 'Month', 'Value') },
)
const columns = fc.uniqueArray(columnName, { minLength: 1, maxLength: 3 })
const cell = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('', ' ', 'a, b', 'North', 'north ', 'TOTAL', 'x,y,z', '  two  words') },
  fc.constantFrom('1 234,5', '12.25', '7', 'n/a', '2026-01-31', '31/01/2026', 'jan 2026', 'Feb', 'ÅÄÖ é'),
)
const step: fc.Arbitrary<CleaningStep> = fc.oneof(
  fc.record({
    kind: fc.constant('trim' as const),
    columns: fc.oneof(columns, fc.constant<string[]>([])),
    inner: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('case' as const),
    columns,
    to: fc.constantFrom('upper' as const, 'lower' as const, 'title' as const, 'sentence' as const),
  }),
  fc.record({
    kind: fc.constant('split' as const),
    column: columnName,
    delimiter: fc.constantFrom(',', ' ', ', '),
    into: fc.constantFrom<string[]>(['First', 'Last'], ['First', 'Second', 'Last']),
    keep: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('dropTotals' as const) }),
  fc.record({
    kind: fc.constant('parseNumber' as const),
    columns,
    decimalMark: fc.constantFrom('.' as const, ',' as const),
  }),
  fc.record({
    kind: fc.constant('parseDate' as const),
    columns,
    writing: fc.constantFrom('ymd' as const, 'dmy' as const, 'yearMonth' as const, 'month' as const),
    year: fc.constant(2026),
  }),
  fc.record({
    kind: fc.constant('mapValues' as const),
    columns,
    values: fc.array(fc.record({ from: cell, to: cell }), { minLength: 1, maxLength: 4 }),
  }),
  fc.record({ kind: fc.constant('fillDown' as const), columns }),
  fc.record({
    kind: fc.constant('dropRows' as const),
    column: columnName,
    when: fc.constantFrom(...(['is', 'isNot', 'contains', 'startsWith', 'isEmpty', 'isNotEmpty'] as const)),
    value: fc.constantFrom('total', 'n', 'north', '7'),
  }),
  fc.record({
    kind: fc.constant('unpivot' as const),
    keep: fc.uniqueArray(columnName, { maxLength: 2 }),
    leaveOut: fc.uniqueArray(columnName, { maxLength: 1 }),
    nameColumn: fc.constant('Month'),
    valueColumn: fc.constant('Value'),
    dropEmpty: fc.boolean(),
  }),
)

/** What the naive reading says: null where a step does not fit its columns. */
function expectedOf(rows: string[][], steps: readonly CleaningStep[]): Table | null {
  let table: Table = { names: NAMES, rows: rows.map((row) => NAMES.map((_, at) => row[at] ?? '')) }
  for (const one of steps) {
    const used = 'columns' in one ? one.columns : 'column' in one ? [one.column] : 'keep' in one ? one.keep : []
    if (used.some((name) => !table.names.includes(name))) return null
    table = naively(table, one)
    if (new Set(table.names).size < table.names.length) return null
    if (one.kind === 'unpivot' && one.keep.length === table.names.length - 2) {
      const held = new Set([...one.keep, ...one.leaveOut])
      if (previousNames(rows, steps, one).every((name) => held.has(name))) return null
    }
  }
  return table
}
function previousNames(rows: string[][], steps: readonly CleaningStep[], until: CleaningStep): string[] {
  const before = steps.slice(0, steps.indexOf(until))
  return expectedOf(rows.slice(0, 0), before)?.names ?? []
}

describe('cleaning', () => {
  it('gives the rows of a naive evaluator, whatever the recipe and wherever the file is cut', () => {
    let fitted = 0
    fc.assert(
      fc.property(
        fc.array(fc.array(cell, { maxLength: 5 }), { maxLength: 25 }),
        fc.array(step, { maxLength: 5 }),
        fc.array(fc.nat(24), { maxLength: 4 }),
        (rows, steps, cuts) => {
          expect(cleaningSchema.parse(steps)).toEqual(steps)
          const expected = expectedOf(rows, steps)
          const plan = planCleaning(NAMES, steps)
          expect(plan.problem === null).toBe(expected !== null)
          if (!expected) return
          if (steps.length > 1) fitted++
          const found: string[][] = []
          let from: CleaningState | undefined
          const borders = [0, ...cuts.map((cut) => Math.min(cut, rows.length)).toSorted((a, b) => a - b), rows.length]
          borders.slice(1).forEach((end, at) => {
            const cleaner = createRowCleaner({ header: NAMES, steps, from }, (row) => found.push(row))
            for (const row of rows.slice(borders[at], end)) cleaner.push([...row])
            // What a durable step keeps has been through JSON.
            from = JSON.parse(JSON.stringify(cleaner.state()))
          })
          expect(plan.columns.map(({ name }) => name)).toEqual(expected.names)
          expect(found).toEqual(expected.rows)
          expect(from?.effects[0]?.rowsIn ?? rows.length).toBe(rows.length)
          expect(from?.effects.at(-1)?.rowsOut ?? rows.length).toBe(expected.rows.length)
        },
      ),
      { seed: seedOf(LONG), numRuns: LONG ? 50_000 : 1_200 },
    )
    expect(fitted).toBeGreaterThan(100)
  })

  it('counts what a step changes and cannot read', () => {
    const steps: CleaningStep[] = [
      { kind: 'trim', columns: [], inner: false },
      { kind: 'parseNumber', columns: ['B'], decimalMark: ',' },
    ]
    const rows: string[][] = []
    const cleaner = createRowCleaner({ header: ['A', 'B'], steps }, (row) => rows.push(row))
    for (const row of [
      ['x ', '1 234,50 kr'],
      ['y', 'about ten'],
      ['\u00a0z', ' (5)'],
      ['w', '-'],
    ])
      cleaner.push(row)
    expect(rows).toEqual([
      ['x', '1234.5'],
      ['y', 'about ten'],
      ['z', '-5'],
      ['w', ''],
    ])
    expect(cleaner.state().effects).toEqual([
      { rowsIn: 4, rowsOut: 4, cells: 8, cellsChanged: 3, cellsUnread: 0 },
      { rowsIn: 4, rowsOut: 4, cells: 4, cellsChanged: 3, cellsUnread: 1 },
    ])
  })

  it('refuses a step whose column is gone, by its number and words', () => {
    const steps: CleaningStep[] = [
      { kind: 'trim', columns: [], inner: false },
      { kind: 'fillDown', columns: ['Country'] },
    ]
    expect(planCleaning(['Region'], steps).problem).toEqual({ step: 1, message: 'Column “Country” not found.' })
    expect(() => createRowCleaner({ header: ['Region'], steps }, () => undefined)).toThrow(
      'Cleaning step 2 (Fill down “Country”): Column “Country” not found.',
    )
  })

  it('refuses more columns than a table may have, and values too long to remember', () => {
    const header = Array.from({ length: 495 }, (_, at) => `C${at}`)
    const into = Array.from({ length: 7 }, (_, at) => `P${at}`)
    const split: CleaningStep = { kind: 'split', column: 'c3', delimiter: '-', into, keep: false }
    expect(planCleaning(header, [split]).problem?.message).toBe('Makes 501 columns. Limit: 500.')
    const names = header.slice(0, 20)
    const fill: CleaningStep = { kind: 'fillDown', columns: names }
    const cleaner = createRowCleaner({ header: names, steps: [fill] }, () => undefined)
    cleaner.push(names.map(() => 'x'.repeat(20_000)))
    expect(() => cleaner.state()).toThrow('too long')
  })

  it('refuses what makes far more cells of a row than it holds, before any row is read', () => {
    const unpivot = (n: number, keep: string[] = []): CleaningStep => ({
      ...{ kind: 'unpivot', keep, leaveOut: [], nameColumn: `N${n}`, valueColumn: `V${n}`, dropEmpty: false },
    })
    const twice = Array.from({ length: 50 }, (_, n) => unpivot(n))
    expect(planCleaning(['A', 'B'], twice).problem).toEqual({
      ...{ step: 10, message: 'Makes 8190 cells of each row. Limit: 5000.' },
    })
    const wide = Array.from({ length: 500 }, (_, at) => `C${at}`)
    expect(planCleaning(wide, [unpivot(0, wide.slice(0, 250))]).problem?.message).toContain('Limit: 50000.')
    expect(planCleaning(wide, [unpivot(0, wide.slice(0, 20))])).toMatchObject({ problem: null, growth: 22.12 })
    const trims = Array.from({ length: 50 }, (): CleaningStep => ({ kind: 'trim', columns: [], inner: true }))
    expect(planCleaning(wide, trims)).toMatchObject({ problem: null, growth: 51 })
  })

  it('trims a cell of nothing but blanks in the midst in no more time than others', { timeout: 5_000 }, () => {
    const rows: string[][] = []
    const steps: CleaningStep[] = [{ kind: 'trim', columns: [], inner: false }]
    const cleaner = createRowCleaner({ header: ['A'], steps }, (row) => rows.push(row))
    // A pattern that tries each blank as the first of the last ones takes seconds for each of these.
    const cell = `a${' \u200b'.repeat(16_000)}b`
    for (let n = 0; n < 20; n += 1) cleaner.push([` \u200b${cell}\ufeff \u2060`])
    expect(rows).toEqual(Array.from({ length: 20 }, () => [cell]))
  })

  it.each([
    ['2026-01', 2026, 1],
    ['202612', 2026, 12],
    ['12/2025', 2025, 12],
    ['Jan 2026', 2026, 1],
    ['okt-25', 2025, 10],
    ['2026 februari', 2026, 2],
    ['2026M03', 2026, 3],
  ])('reads the month %s', (text, year, month) => {
    expect(parseYearMonth(text)).toEqual({ year, month })
  })

  it.each(['12345', '2026-13', 'Janet 2026', 'Total', '13/2026', '2026'])('reads no month in %s', (text) => {
    expect(parseYearMonth(text)).toBeNull()
  })
})
