import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseFormula, parseRowFormula } from './formula'
import type { FormulaNames } from './names'
import { printFormula, printRowFormula } from './print'
import { AGGREGATES, COMPARISON_OPERATORS, DATE_DIFFERENCE_UNITS, ROW_FUNCTIONS } from '../query/functions'
import type { CalcMeasure, CalcOperand, CumulativeMeasure, Measure, PrevMeasure, RatioMeasure } from '../query/plan'
import type { Expr } from '../query/expression'
import type { Field } from '../query/field'

const [ORDERS, CUSTOMERS] = ['ds_00000000000000000001', 'ds_00000000000000000002']
const [REVENUE, MARGIN] = ['met_00000000000000000001', 'met_00000000000000000002']
const names: FormulaNames = {
  dataset: {
    id: ORDERS,
    name: 'Orders',
    columns: [
      { key: 'c0', label: 'Amount' },
      { key: 'c1', label: 'Price' },
      { key: 'c2', label: 'A ] of [b' },
      { key: 'c3', label: 'Twice' },
      { key: 'c4', label: 'Twice' },
      { key: 'c5', label: 'Ordered' },
      { key: 'c6', label: 'Paid' },
      { key: 'c7', label: 'Segment', type: 'text' },
      { key: 'c8', label: 'Shipped', type: 'date' },
    ],
  },
  related: [
    {
      id: CUSTOMERS,
      name: 'Customers',
      columns: [
        { key: 'c0', label: 'Region' },
        { key: 'c1', label: 'Amount' },
      ],
    },
  ],
  metrics: [
    { id: REVENUE, name: 'Revenue', synonyms: ['Sales', 'Omsättning'] },
    { id: MARGIN, name: 'Margin [%]', synonyms: [] },
  ],
}
const field = (column: `c${number}`, dataset = ORDERS): Field => ({ dataset, column })
const read = (text: string) => parseFormula(text, names)
const measureOf = (text: string): Measure => {
  const parsed = read(text)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors))
  return parsed.measure
}
const errorsOf = (text: string) => {
  const parsed = read(text)
  return parsed.ok ? [] : parsed.errors
}
const sum = (column: `c${number}`): Measure => ({ kind: 'column', agg: 'sum', field: field(column) })

describe('formulas', () => {
  it('take names within an aggregate for columns, outside for metrics and their synonyms', () => {
    expect(measureOf('sum([Amount] * [Price]) / [omsättning]')).toEqual({
      kind: 'calc',
      op: 'divide',
      left: {
        kind: 'expression',
        agg: 'sum',
        row: {
          kind: 'binary',
          op: 'multiply',
          left: { kind: 'field', field: field('c0') },
          right: { kind: 'field', field: field('c1') },
        },
      },
      right: { kind: 'metric', id: REVENUE },
    })
    expect(measureOf('countdistinct([Customers.Region])')).toEqual({
      kind: 'column',
      agg: 'countDistinct',
      field: field('c0', CUSTOMERS),
      dataset: ORDERS,
    })
    expect(measureOf('count(*)')).toEqual({ kind: 'column', agg: 'count', dataset: ORDERS })
  })

  it('bind like arithmetic, from the left, whichever signs are written', () => {
    const minus = (left: CalcOperand, right: CalcOperand): Measure => ({ kind: 'calc', op: 'subtract', left, right })
    const two: CalcOperand = { kind: 'number', value: 2 }
    const [a, b] = [sum('c0'), sum('c1')]
    expect(measureOf('sum([Amount]) − sum([Price]) - 2')).toEqual(minus(minus(a, b), two))
    expect(measureOf('sum([Amount]) − (sum([Price]) - 2)')).toEqual(minus(a, minus(b, two)))
    expect(measureOf('sum([Amount]) - 2 × sum([Price])')).toEqual(
      minus(a, { kind: 'calc', op: 'multiply', left: two, right: b }),
    )
    expect(measureOf('SUM([amount]) * -2')).toEqual({
      kind: 'calc',
      op: 'multiply',
      left: a,
      right: { kind: 'number', value: -2 },
    })
  })

  it('know earlier units, running totals and safe division', () => {
    const revenue: Measure = { kind: 'metric', id: REVENUE }
    expect(measureOf('prev([Revenue])')).toEqual({ kind: 'prev', of: revenue, steps: 1 })
    expect(measureOf('prev([Revenue], 12)')).toEqual({ kind: 'prev', of: revenue, steps: 12 })
    expect(measureOf('cumulative([Revenue], FiscalYear)')).toEqual({
      kind: 'cumulative',
      of: revenue,
      restart: 'fiscalYear',
    })
    expect(measureOf('safe_divide([Revenue], count())')).toEqual({
      kind: 'ratio',
      over: revenue,
      under: { kind: 'column', agg: 'count', dataset: ORDERS },
    })
  })

  it('choose, limit and round figures', () => {
    const revenue: Measure = { kind: 'metric', id: REVENUE }
    const zero = { kind: 'number' as const, value: 0 }
    const positive: Measure = { kind: 'function', fn: 'gt', items: [revenue, zero] }
    expect(measureOf('if([Revenue] > 0, [Revenue])')).toEqual({
      kind: 'function',
      fn: 'if',
      items: [positive, revenue],
    })
    expect(measureOf('max([Revenue], 0)')).toEqual({ kind: 'function', fn: 'greatest', items: [revenue, zero] })
    for (const text of [
      'if([Revenue] > 0 and not(isempty(count(*))), round(sum([Amount]) / [Revenue], 2), 0)',
      'coalesce([Revenue], 0) + abs(sum([Amount]) - 1)',
      'min([Revenue], max([Amount]), 100)',
      'if([Revenue] <= 1 or count(*) = 2 and [Revenue] <> 3, 1, [Revenue])',
    ])
      expect(printFormula(measureOf(text), names)).toBe(text)
  })

  it.each([
    ['', 0, 0, 'Enter a formula, e.g. sum([Amount]).', undefined],
    ['sum([Amonut])', 4, 12, 'Column Amonut not found. Did you mean Amount?', '[Amount]'],
    ['[Revenu] * 2', 0, 8, 'Metric Revenu not found. Did you mean Revenue?', '[Revenue]'],
    ['smu([Amount])', 0, 3, 'Function smu not found. Did you mean sum?', 'sum'],
    ['[Amount] / 2', 0, 8, 'Amount is a column. Aggregate it, e.g. sum([Amount]).', 'sum([Amount])'],
    [
      '[Segment]',
      0,
      9,
      'Segment is a column. Aggregate it, e.g. countdistinct([Segment]).',
      'countdistinct([Segment])',
    ],
    ['[Shipped]', 0, 9, 'Shipped is a column. Aggregate it, e.g. max([Shipped]).', 'max([Shipped])'],
    ['sum([Twice])', 4, 11, 'Several columns are named Twice. Add a key, e.g. [Twice#c3].', '[Twice#c3]'],
    ['sum([Amount]', 12, 12, 'Add a comma or closing parenthesis.', undefined],
    ['sum([Amount)', 4, 12, 'Close the name with ].', undefined],
    ['sum([Amount]) +', 15, 15, 'The formula is incomplete.', undefined],
    ['sum([Amount]) 2', 14, 15, 'Add an operator (+ − × ÷ = < >) before this, or remove it.', undefined],
    ['sum([Amount]))', 13, 14, 'No matching parenthesis. Remove this one.', undefined],
    ['sum([Amount]) % 2', 14, 15, '“%” isn’t allowed in a formula. Remove it.', undefined],
    ['sum(avg([Amount]))', 4, 7, 'Aggregates can’t be nested. Save the inner one as a metric.', undefined],
    ['year([Amount])', 0, 4, 'Use year inside an aggregate, e.g. sum(year(…)).', undefined],
    ['coalesce([Amount], 0)', 9, 17, 'Amount is a column. Aggregate it, e.g. sum([Amount]).', 'sum([Amount])'],
    ['if([Revenue], 1)', 3, 12, 'Enter a condition, e.g. [Revenue] > 1000.', undefined],
    ['if([Revenue] > 1, 1, 2, 3)', 0, 26, 'Enter a condition and two values: if(condition, a, b).', undefined],
    ['[Revenue] > 1', 0, 13, 'A condition isn’t a number. Use if(condition, 1, 0).', undefined],
    ['1 + ([Revenue] > 1)', 4, 19, 'A condition isn’t a number. Use if(condition, 1, 0).', undefined],
    ['round([Revenue], 7)', 17, 18, 'Enter 0–6 decimals.', undefined],
    ['if(1 > 2, 3, 4)', 0, 15, 'Add a measure; this has only numbers.', undefined],
    ['prev([Revenue], 0)', 16, 17, 'Enter a whole number from 1 to 120.', undefined],
    ['cumulative([Revenue], month)', 22, 27, 'Enter year or fiscalyear.', undefined],
    ['12', 0, 2, 'Aggregate a column, e.g. sum([Amount]).', undefined],
    ['1 + 2', 0, 5, 'Add a measure; this has only numbers.', undefined],
    ['sum(1)', 4, 5, 'Add at least one column to the aggregate.', undefined],
    ['Revenue', 0, 7, 'Enter metric names in brackets: [Revenue].', undefined],
  ])('say of %s where it is wrong and what to do', (text, from, to, message, suggestion) => {
    expect(errorsOf(text)).toEqual([{ from, to, message, ...(suggestion === undefined ? {} : { suggestion }) }])
  })

  it('tell every wrong name at once', () => {
    expect(errorsOf('sum([Amonut]) / [Revenu]').map(({ from }) => from)).toEqual([4, 16])
  })

  it('have an end: long and deeply nested ones are refused', () => {
    expect(errorsOf(`sum([Amount])${' + 1'.repeat(600)}`)[0]?.message).toMatch(/Max 2000 characters/)
    expect(errorsOf('('.repeat(900))[0]?.message).toMatch(/nested/)
    expect(errorsOf('-'.repeat(900))[0]?.message).toMatch(/nested/)
  })

  it('have no words for conditions, other rows and what is gone', () => {
    const gone: Measure[] = [
      { kind: 'column', agg: 'count', filter: [{ field: field('c0'), any: [{ op: 'notEmpty' }] }] },
      { kind: 'column', agg: 'sum', field: field('c1', CUSTOMERS) },
      { kind: 'column', agg: 'sum', field: field('c9') },
      { kind: 'metric', id: 'met_00000000000000000009' },
    ]
    expect(gone.map((measure) => printFormula(measure, names))).toEqual([null, null, null, null])
  })

  const fields = fc.oneof(
    fc.integer({ min: 0, max: 6 }).map((n) => field(`c${n}`)),
    fc.integer({ min: 0, max: 1 }).map((n) => field(`c${n}`, CUSTOMERS)),
  )
  const numbers = fc
    .oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))
    .filter((value) => !Object.is(value, -0))
    .map((value) => ({ kind: 'number' as const, value }))
  const op = fc.constantFrom('add' as const, 'subtract' as const, 'multiply' as const, 'divide' as const)
  const rows = fc.letrec<{ row: Expr }>((tie) => ({
    row: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      fields.map((each): Expr => ({ kind: 'field', field: each })),
      numbers,
      fc.string({ unit: 'grapheme', maxLength: 8 }).map((value): Expr => ({ kind: 'text', value })),
      fc
        .tuple(fc.constantFrom(...DATE_DIFFERENCE_UNITS), fields, fields)
        .map(([unit, from, to]): Expr => ({ kind: 'dateDiff', unit, from, to })),
      fc.record({ kind: fc.constant('binary'), op, left: tie('row'), right: tie('row') }),
      fc.record({
        kind: fc.constant('compare'),
        op: fc.constantFrom(...COMPARISON_OPERATORS),
        left: tie('row'),
        right: tie('row'),
      }),
      fc.record({
        kind: fc.constantFrom('coalesce', 'concat'),
        items: fc.array(tie('row'), { minLength: 1, maxLength: 3 }),
      }),
      // One value of min and max is the aggregate.
      fc.record({
        kind: fc.constant('function'),
        fn: fc.constantFrom(...ROW_FUNCTIONS),
        items: fc.array(tie('row'), { minLength: 2, maxLength: 3 }),
      }),
    ),
  })).row
  const leaves: fc.Arbitrary<Measure> = fc.oneof(
    fc
      .tuple(fc.constantFrom(...AGGREGATES), fields)
      .map(([agg, each]): Measure =>
        each.dataset === ORDERS
          ? { kind: 'column', agg, field: each }
          : { kind: 'column', agg, field: each, dataset: ORDERS },
      ),
    fc.constant<Measure>({ kind: 'column', agg: 'count', dataset: ORDERS }),
    fc.constantFrom<Measure>({ kind: 'metric', id: REVENUE }, { kind: 'metric', id: MARGIN }),
    fc.tuple(fc.constantFrom(...AGGREGATES), rows).map(([agg, right]): Measure => ({
      kind: 'expression',
      agg,
      row: { kind: 'binary', op: 'add', left: { kind: 'field', field: field('c0') }, right },
    })),
  )
  const measures = fc.letrec<{ measure: Measure }>((tie) => ({
    measure: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      leaves,
      fc.record<RatioMeasure>({ kind: fc.constant('ratio'), over: tie('measure'), under: tie('measure') }),
      fc.record<CalcMeasure>({
        kind: fc.constant('calc'),
        op,
        left: tie('measure'),
        right: fc.oneof(tie('measure'), numbers),
      }),
      fc.record<CalcMeasure>({ kind: fc.constant('calc'), op, left: numbers, right: tie('measure') }),
      fc.record<PrevMeasure>({
        kind: fc.constant('prev'),
        of: tie('measure'),
        steps: fc.integer({ min: 1, max: 120 }),
      }),
      fc.record<CumulativeMeasure>({
        kind: fc.constant('cumulative'),
        of: tie('measure'),
        restart: fc.constantFrom('never', 'year', 'fiscalYear'),
      }),
    ),
  })).measure

  it('read back as the figure they were written for', () => {
    fc.assert(
      fc.property(measures, (measure) => {
        const text = printFormula(measure, names) ?? ''
        fc.pre(text.length <= 2_000)
        expect(read(text)).toEqual({ ok: true, measure })
      }),
      { numRuns: 500 },
    )
  })

  it('are read or refused, whatever is written', () => {
    const pieces = fc.array(
      fc.constantFrom('sum', '(', ')', '[', ']', '[Amount]', '+', '-', ',', '"', '1.5', ' ', '*', 'prev', 'é'),
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          pieces.map((all) => all.join('')),
        ),
        (text) => {
          const parsed = read(text)
          if (!parsed.ok) expect(parsed.errors.length).toBeGreaterThan(0)
        },
      ),
      { numRuns: 500 },
    )
  })
})

describe('a formula for each row', () => {
  const read = (text: string) => parseRowFormula(text, names)
  it('reads columns without an aggregate, and prints what reads back the same', () => {
    const text = '([Amount] - [Price]) * 2'
    const parsed = read(text)
    expect(parsed).toMatchObject({ ok: true, expr: { kind: 'binary', op: 'multiply' } })
    expect(parsed.ok && printRowFormula(parsed.expr, names)).toBe(text)
  })
  it.each([
    ['if([Amount] > [Price] and not [Amount] = 2 or [Price] <> 1, "Large", "Small")'],
    ['([Amount] > 1 or [Price] > 1) and [Price] <= 2'],
    ['min([Amount], [Price]) + hours([Ordered], [Paid])'],
    ['round(abs([Amount]), 2)'],
  ])('binds conditions like sentences, and prints %s as it reads', (text) => {
    const parsed = read(text)
    expect(parsed.ok && printRowFormula(parsed.expr, names)).toBe(text.replace('not [Amount] = 2', 'not([Amount] = 2)'))
  })
  it('takes what spreadsheets and databases write for the same', () => {
    const expr = (text: string) => read(text)
    expect(expr('IF([Amount]!=1; 1; 2)')).toEqual(expr('if([Amount] ≠ 1, 1, 2)'))
    expect(expr('ifempty([Amount], 0)')).toEqual(expr('coalesce([Amount], 0)'))
    expect(expr('and([Amount] > 1, [Price] > 1, [Price] < 9)')).toEqual(
      expr('[Amount] > 1 AND [Price] > 1 AND [Price] < 9'),
    )
  })
  const typed: FormulaNames = {
    ...names,
    dataset: {
      ...names.dataset,
      columns: [
        { key: 'c0', label: 'Amount', type: 'number' },
        { key: 'c1', label: 'Country', type: 'text' },
        { key: 'c2', label: 'Ordered', type: 'date' },
        { key: 'c3', label: 'Paid at', type: 'datetime' },
        { key: 'c4', label: 'Paid', type: 'boolean' },
      ],
    },
  }
  it.each([
    ['[Amount] + [Country]', 11, 20, 'Calculations need numbers.'],
    ['if([Amount], 1, 2)', 3, 11, 'Enter a condition, e.g. [Amount] > 100.'],
    ['if([Paid], 1, [Ordered])', 14, 23, 'Calculations need numbers.'],
    ['if([Paid], [Amount] * 2, "x")', 11, 23, 'The other value is a text. Use one type.'],
    ['if([Paid])', 0, 10, 'Enter a condition and two values: if(condition, a, b).'],
    ['[Amount] = [Country]', 11, 20, 'Compare values of the same type.'],
    ['[Paid] < [Paid]', 9, 15, 'Conditions have no order. Use = or ≠.'],
    ['[Ordered] > "5 May"', 12, 19, 'Enter a date like "2026-01-31".'],
    ['year([Country])', 5, 14, 'Enter a date column.'],
    ['hour([Ordered])', 5, 14, 'A date has no hours. Use a column with times.'],
    ['round([Amount], 0.5)', 16, 19, 'Enter 0–6 decimals.'],
    ['coalesce([Paid at], [Paid at])', 0, 30, 'Use date(…) for the day of a time.'],
    ['min([Paid], [Paid])', 0, 19, 'Calculations need numbers.'],
    ['not([Amount] > 1, [Paid])', 0, 25, 'Enter one condition: not(condition).'],
  ])('says of %s which part of it is no value of its place', (text, from, to, message) => {
    expect(parseRowFormula(text, typed)).toEqual({ ok: false, errors: [{ from, to, message }] })
    expect(parseFormula(`count(${text})`, typed)).toEqual({
      ok: false,
      errors: [{ from: from + 6, to: to + 6, message }],
    })
  })
  it('refuses aggregates and formulas without a column', () => {
    expect(read('sum([Amount])')).toMatchObject({ ok: false, errors: [{ from: 0, to: 3 }] })
    expect(read('1 + 2')).toMatchObject({
      ok: false,
      errors: [{ message: 'Enter at least one column, e.g. [Amount].' }],
    })
  })
})
