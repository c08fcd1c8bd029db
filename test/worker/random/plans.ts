// Over 400 lines: one generator of plans, whose parts (values, conditions, measures, splits) are made for each other.
import type { RowRule } from '../../../src/scope'
import fc from 'fast-check'
import { column, DATASET } from '../warehouse-rows'
import { AGGREGATES, COMPARISON_OPERATORS, DATE_DIFFERENCE_UNITS } from '../../../src/shared/query/functions'
import { DATE_PARTS, GRAINS } from '../../../src/shared/query/date-range'
import { AGGREGATES_MAX } from '../../../src/shared/limits'
import { expressionFieldsOf, leafMeasuresOf } from '../../../src/shared/query/plan-fields'
import type {
  CalcMeasure,
  CalcOperand,
  FunctionMeasure,
  Condition,
  Dimension,
  Filter,
  Measure,
  QueryPlan,
  RatioMeasure,
} from '../../../src/shared/query/plan'
import type { Expr } from '../../../src/shared/query/expression'
import type { Field } from '../../../src/shared/query/field'
import type { RowFunction } from '../../../src/shared/query/functions'
import type { Column } from '../../../src/shared/data-sources/data-sources'
import type { Calendar } from '../../../src/shared/dates'
import type { StorageValue } from '../../../src/lib/storage-value'

/** Random small datasets and plans over them: whatever the schema lets through and the check accepts. */
export const COLUMNS: Column[] = [
  column(0, { type: 'text', label: 'Country' }),
  column(1, { type: 'integer', label: 'Quantity' }),
  column(2, { type: 'number', scale: 2, label: 'Amount' }),
  column(3, { type: 'number', label: 'Weight' }),
  column(4, { type: 'boolean', label: 'Paid' }),
  column(5, { type: 'date', label: 'Day' }),
  column(6, { type: 'datetime', zoned: false, label: 'Noted at' }),
  column(7, { type: 'datetime', zoned: true, label: 'Bought at' }),
]
const TEXTS = ['Sweden', 'sweden', 'Norge', '', "O'Hara", 'Åland', '日本', 'a%b_']
const ZONES = [
  'UTC',
  'Europe/Stockholm',
  'America/New_York',
  'Asia/Kolkata',
  'Pacific/Kiritimati',
  'Etc/GMT+12',
  'Australia/Lord_Howe',
  'America/St_Johns',
  'Africa/Casablanca',
]
const DAY_MS = 86_400_000
export const fieldOf = (dataset: string, index: number, via?: string[]): Field => ({
  dataset,
  column: `c${index}`,
  ...(via ? { via } : {}),
})
export const orNull = (values: fc.Arbitrary<StorageValue>): fc.Arbitrary<StorageValue> =>
  fc.option(values, { freq: 6, nil: null })

/** Mostly days of 2024–2026, some around clock changes, few anywhere in history. */
const instants = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 19_720 * DAY_MS, max: 20_600 * DAY_MS }) },
  { weight: 4, arbitrary: fc.integer({ min: Date.UTC(2026, 2, 28), max: Date.UTC(2026, 2, 30) }) },
  { weight: 4, arbitrary: fc.integer({ min: Date.UTC(2025, 9, 25), max: Date.UTC(2025, 9, 27) }) },
  { weight: 1, arbitrary: fc.integer({ min: -3_000_000_000_000, max: 8_000_000_000_000 }) },
)
const days = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: 19_720, max: 20_600 }) },
  { weight: 1, arbitrary: fc.integer({ min: -719_162, max: 2_932_896 }) },
)
export const row = fc.tuple(
  orNull(fc.constantFrom(...TEXTS)),
  orNull(fc.integer({ min: -50, max: 50 })),
  orNull(fc.integer({ min: -100_000, max: 100_000 })),
  orNull(fc.integer({ min: -400, max: 400 }).map((quarters) => quarters / 4)),
  orNull(fc.constantFrom(0, 1)),
  orNull(days),
  orNull(instants),
  orNull(instants),
)
const iso = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)
const usualDay = fc.integer({ min: 19_720, max: 20_600 })

export const calendars: fc.Arbitrary<Calendar> = fc.record({
  timeZone: fc.constantFrom(...ZONES),
  weekStart: fc.constantFrom('monday', 'sunday', 'saturday'),
  fiscalYearStart: fc.integer({ min: 1, max: 12 }),
  today: usualDay.map(iso),
})

const valueOf = (index: number): fc.Arbitrary<string | number | boolean> => {
  switch (index) {
    case 0:
      return fc.constantFrom(...TEXTS)
    case 1:
      return fc.oneof(fc.integer({ min: -50, max: 50 }), fc.constant(0.5))
    case 2:
      return fc.oneof(
        fc.integer({ min: -100_000, max: 100_000 }).map((cents) => cents / 100),
        fc.constant(1.005),
      )
    case 3:
      return fc.integer({ min: -400, max: 400 }).map((quarters) => quarters / 4)
    case 4:
      return fc.boolean()
    case 5:
      return usualDay.map(iso)
    default:
      return fc.oneof(
        usualDay.map(iso),
        fc
          .tuple(usualDay, fc.integer({ min: 0, max: 1439 }))
          .map(([day, minute]) => new Date(day * DAY_MS + minute * 60_000).toISOString().slice(0, 16)),
      )
  }
}
function conditions(index: number): fc.Arbitrary<Condition> {
  const value = valueOf(index)
  const any: fc.Arbitrary<Condition>[] = [
    fc.record({ op: fc.constantFrom(...COMPARISON_OPERATORS), value }),
    fc.record({
      op: fc.constantFrom('in', 'notIn'),
      values: fc.array(fc.option(value, { freq: 5, nil: null }), { maxLength: 4 }),
    }),
    fc.record({ op: fc.constant('between'), from: value, to: value }),
    fc.record({ op: fc.constantFrom('empty', 'notEmpty') }),
    fc.record({ op: fc.constantFrom('eq', 'ne'), value: fc.constant(null) }),
  ]
  if (index === 0)
    any.push(
      fc.record({
        op: fc.constantFrom('contains', 'startsWith', 'notContains', 'notStartsWith'),
        value: fc.constantFrom('S', 'e', '%', 'Å', 'b_', '本'),
      }),
    )
  return fc.oneof(...any)
}
/** The fields that plans may name, by the index of their type in {@link COLUMNS}. */
export interface PlanFields {
  /** The dataset of plain counts. */
  home: string
  /** Datasets that may be measured. */
  facts: string[]
  /** Fields that every fact can be asked for. */
  shared(index: number): Field[]
  /** Fields that the rows of one dataset can be asked for, its own first. */
  of(dataset: string, index: number): Field[]
  /** Datasets that may be asked for with `exists`. */
  related: string[]
}
export const ALONE: PlanFields = {
  home: DATASET,
  facts: [DATASET],
  shared: (index) => [fieldOf(DATASET, index)],
  of: (dataset, index) => [fieldOf(dataset, index)],
  related: [],
}

const NUMERIC_ONLY = new Set(['sum', 'avg', 'median'])
const typeIndex = fc.integer({ min: 0, max: COLUMNS.length - 1 })
type Choose = (index: number) => Field[]

/** Another column of a type that can be compared. */
function comparedColumn(index: number, choose: Choose): { weight: number; arbitrary: fc.Arbitrary<Condition> } {
  const alike = [[0], [1, 2, 3], [4], [5, 6, 7]].find((kind) => kind.includes(index)) ?? [index]
  const field = fc.constantFrom(...alike).chain((other) => fc.constantFrom(...choose(other)))
  const compare = fc.constantFrom(...COMPARISON_OPERATORS)
  return { weight: 1, arbitrary: fc.record({ op: fc.constant('column'), compare, field }) }
}
/** Conditions on a part of a date: numbers, as of a column of whole numbers. */
const partFilters = (index: number, choose: Choose): fc.Arbitrary<Filter> =>
  fc.record({
    field: fc.constantFrom(...choose(index)),
    part: fc.constantFrom(...DATE_PARTS).map((part) => (index === 5 && part === 'hourOfDay' ? 'weekday' : part)),
    any: fc.array(conditions(1), { minLength: 1, maxLength: 2 }),
  })
export const fieldFilters = (choose: Choose): fc.Arbitrary<Filter> =>
  typeIndex.chain((index) =>
    fc.oneof(
      {
        weight: 5,
        arbitrary: fc.record({
          field: fc.constantFrom(...choose(index)),
          any: fc.array(fc.oneof({ weight: 6, arbitrary: conditions(index) }, comparedColumn(index, choose)), {
            minLength: 1,
            maxLength: 3,
          }),
        }),
      },
      ...(index < 5 ? [] : [{ weight: 1, arbitrary: partFilters(index, choose) }]),
    ),
  )
/** Mostly none; sometimes a question for related rows. */
function someFilters(fields: PlanFields, choose: Choose): fc.Arbitrary<Filter[]> {
  const plain = fieldFilters(choose)
  const related = fields.related.map((dataset) =>
    fc.record<Extract<Filter, { kind: string }>>({
      kind: fc.constantFrom('exists', 'notExists'),
      dataset: fc.constant(dataset),
      filters: fc.array(
        fieldFilters((index) => fields.of(dataset, index)),
        { maxLength: 1 },
      ),
    }),
  )
  const one = fc.oneof({ weight: 2, arbitrary: plain }, ...related.map((arbitrary) => ({ weight: 1, arbitrary })))
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant<Filter[]>([]) },
    { weight: 1, arbitrary: fc.array(one, { minLength: 1, maxLength: 2 }) },
  )
}

const expressions = (choose: Choose): fc.Arbitrary<Expr> => {
  const when = rowConditions(choose)
  return fc.letrec<{ expr: Expr }>((tie) => ({
    expr: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      ofColumns(choose, [1, 2, 3]),
      numbersOf(0, 1, -2, 2.5, 0.125),
      dateNumbers(choose),
      fc.record({
        kind: fc.constant('binary'),
        op: fc.constantFrom('add', 'subtract', 'multiply', 'divide'),
        left: tie('expr'),
        right: tie('expr'),
      }),
      fc.record({ kind: fc.constant('coalesce'), items: fc.array(tie('expr'), { minLength: 1, maxLength: 3 }) }),
      fc
        .tuple(when, tie('expr'), fc.option(tie('expr'), { freq: 3 }))
        .map(([condition, then, other]) => call('if', condition, then, ...(other ? [other] : []))),
      comparable(choose),
      tie('expr').map((one) => call('abs', one)),
    ),
  })).expr
}
const call = (fn: RowFunction, ...items: Expr[]): Expr => ({ kind: 'function', fn, items })
const ofColumns = (choose: Choose, indexes: number[]): fc.Arbitrary<Expr> =>
  fc
    .constantFrom(...indexes)
    .chain((index) => fc.constantFrom(...choose(index)))
    .map((field): Expr => ({ kind: 'field', field }))
const numbersOf = (...values: number[]): fc.Arbitrary<Expr> =>
  fc.constantFrom(...values).map((value): Expr => ({ kind: 'number', value }))

/** Whole numbers made of dates, and hours and minutes between them. */
const dateNumbers = (choose: Choose): fc.Arbitrary<Expr> =>
  fc.oneof(
    fc
      .tuple(fc.constantFrom(...DATE_DIFFERENCE_UNITS), fc.constantFrom(5, 6, 7), fc.constantFrom(5, 6, 7))
      .chain(([unit, from, to]) =>
        fc.tuple(fc.constant(unit), fc.constantFrom(...choose(from)), fc.constantFrom(...choose(to))),
      )
      .map(([unit, from, to]): Expr => ({ kind: 'dateDiff', unit, from, to })),
    dateParts(choose),
  )
const dateParts = (choose: Choose): fc.Arbitrary<Expr> =>
  fc.oneof(
    fc
      .tuple(fc.constantFrom('year', 'quarter', 'month', 'week', 'day', 'weekday'), ofColumns(choose, [5, 6, 7]))
      .map(([fn, of]) => call(fn, of)),
    ofColumns(choose, [6, 7]).map((of) => call('hour', of)),
  )

/** Numbers that are the same to floating point and to fractions: those that are compared and rounded. */
/** Of floating point, only whole numbers stay the same when they are rounded and calculated with again. */
const family = (choose: Choose, indexes: number[]): fc.Arbitrary<Expr> =>
  fc.letrec<{ expr: Expr }>((tie) => ({
    expr: fc.oneof(
      { maxDepth: 2, depthSize: 'small' },
      ofColumns(choose, indexes),
      numbersOf(0, 1, -2, 2.5, 0.125),
      dateParts(choose),
      fc.record({
        kind: fc.constant('binary'),
        op: fc.constantFrom('add', 'subtract', 'multiply'),
        left: tie('expr'),
        right: tie('expr'),
      }),
      fc
        .tuple(fc.constantFrom('least', 'greatest'), fc.array(tie('expr'), { minLength: 1, maxLength: 3 }))
        .map(([fn, items]) => call(fn, ...items)),
      fc
        .tuple(tie('expr'), fc.option(indexes.includes(3) ? numbersOf(0) : numbersOf(0, 1, 2), { freq: 3 }))
        .map(([one, decimals]) => call('round', one, ...(decimals ? [decimals] : []))),
      tie('expr').map((one) => call('abs', one)),
    ),
  })).expr
const comparable = (choose: Choose): fc.Arbitrary<Expr> =>
  fc.oneof(
    family(choose, [1, 2]),
    family(choose, [1, 3]),
    fc.tuple(family(choose, [1, 3]), numbersOf(1, 2)).map((items) => call('round', ...items)),
  )

/** Conditions of every type of column, AND-ed, OR-ed and turned round. */
function rowConditions(choose: Choose): fc.Arbitrary<Expr> {
  const ops = fc.constantFrom(...COMPARISON_OPERATORS)
  const text = fc.constantFrom(...TEXTS).map((value): Expr => ({ kind: 'text', value }))
  const day = usualDay.map((value): Expr => ({ kind: 'text', value: iso(value) }))
  const times = ofColumns(choose, [5, 6, 7])
  const sides = (left: fc.Arbitrary<Expr>, right: fc.Arbitrary<Expr>): fc.Arbitrary<Expr> =>
    fc.record({ kind: fc.constant('compare'), op: ops, left, right })
  return fc.letrec<{ expr: Expr }>((tie) => ({
    expr: fc.oneof(
      { maxDepth: 2, depthSize: 'small' },
      sides(family(choose, [1, 2]), family(choose, [1, 2])),
      sides(family(choose, [1, 3]), family(choose, [1, 3])),
      sides(ofColumns(choose, [0]), text),
      sides(text, ofColumns(choose, [0])),
      sides(times, times),
      sides(
        times,
        fc.oneof(
          day,
          times.map((one) => call('date', one)),
        ),
      ),
      ofColumns(choose, [4]),
      ofColumns(choose, [0, 1, 2, 3, 4, 5, 6, 7]).map((one) => call('isEmpty', one)),
      fc
        .tuple(fc.constantFrom('and', 'or'), fc.array(tie('expr'), { minLength: 1, maxLength: 3 }))
        .map(([fn, items]) => call(fn, ...items)),
      tie('expr').map((one) => call('not', one)),
    ),
  })).expr
}

/** A measure of one column; of another dataset's, it says whose rows it is over. */
const columnMeasure = (
  fields: PlanFields,
  fact: string,
  given: { agg: (typeof AGGREGATES)[number]; index: number },
): fc.Arbitrary<Measure> =>
  fc
    .record({
      field: fc.constantFrom(...fields.of(fact, given.index)),
      percent: fc.option(fc.constantFrom(10, 90, 99.5, 33.33), { freq: 2 }),
      filter: someFilters(fields, (index) => fields.of(fact, index)),
    })
    .map(({ field, filter, percent }): Measure => {
      const elsewhere = field.dataset !== fact || field.via !== undefined
      const share = given.agg === 'median' && percent !== null ? { percent } : {}
      return { kind: 'column', agg: given.agg, field, filter, ...share, ...(elsewhere ? { dataset: fact } : {}) }
    })

function columnMeasures(fields: PlanFields): fc.Arbitrary<Measure> {
  const fact = fc.constantFrom(...fields.facts)
  return fc.tuple(fact, fc.constantFrom(...AGGREGATES), typeIndex, fc.boolean()).chain(([over, agg, index, bare]) => {
    if (agg !== 'count' || !bare)
      return columnMeasure(fields, over, { agg, index: NUMERIC_ONLY.has(agg) ? 1 + (index % 3) : index })
    return someFilters(fields, (each) => fields.of(over, each)).map((filter): Measure => ({
      kind: 'column',
      agg,
      filter,
      ...(over === fields.home ? {} : { dataset: over }),
    }))
  })
}

/** Over several datasets, an expression begins with a column of the fact's own, which says whose rows it is over. */
function expressionMeasures(fields: PlanFields): fc.Arbitrary<Measure> {
  return fc.constantFrom(...fields.facts).chain((fact) =>
    fc.record<Extract<Measure, { kind: 'expression' }>>({
      kind: fc.constant('expression'),
      agg: fc.constantFrom('sum', 'avg', 'median', 'min', 'max', 'count'),
      row: expressions((index) => fields.of(fact, index)).map((right): Expr =>
        fields === ALONE
          ? right
          : { kind: 'binary', op: 'add', left: { kind: 'field', field: fieldOf(fact, 1) }, right },
      ),
      filter: someFilters(fields, (index) => fields.of(fact, index)),
    }),
  )
}

/** Rows counted, which sorts them, and four formulas: over the whole and by country. */
export const formulaPlans: fc.Arbitrary<QueryPlan> = fc
  .record({
    measures: fc.array(
      expressionMeasures(ALONE).filter((one) => one.kind === 'expression' && expressionFieldsOf(one.row).length > 0),
      { minLength: 4, maxLength: 4 },
    ),
    dimensions: fc.constantFrom<Dimension[]>([], [{ field: fieldOf(DATASET, 0) }]),
  })
  .map(({ measures: formulas, dimensions: splits }): QueryPlan => ({
    ...{ v: 2, kind: 'aggregate', dimensions: splits, filters: [], totals: true },
    measures: [{ kind: 'column', agg: 'count', dataset: DATASET }, ...formulas],
  }))

function measures(fields: PlanFields): fc.Arbitrary<Measure> {
  const plain = fc.oneof(
    { weight: 3, arbitrary: columnMeasures(fields) },
    { weight: 1, arbitrary: expressionMeasures(fields) },
  )
  const numbers = fc
    .tuple(
      fc.constantFrom(...fields.facts),
      fc.constantFrom(
        'sum' as const,
        'count' as const,
        'countDistinct' as const,
        'avg' as const,
        'median' as const,
        'max' as const,
      ),
      fc.integer({ min: 1, max: 3 }),
    )
    .chain(([fact, agg, index]) => columnMeasure(fields, fact, { agg, index }))
  const ratios: fc.Arbitrary<Measure> = fc.record({ kind: fc.constant('ratio'), over: numbers, under: numbers })
  return fc.oneof(
    { weight: 3, arbitrary: plain },
    { weight: 1, arbitrary: ratios },
    { weight: 1, arbitrary: calcs(fields) },
    { weight: 1, arbitrary: functions(totals(fields, ['sum', 'count', 'max'], 2)) },
  )
}

/** Sums and products of figures, at most one of them divided by another: what is nearly 0 must be 0 to both. */
function calcs(fields: PlanFields): fc.Arbitrary<Measure> {
  const leaves = totals(fields, ['sum', 'count', 'countDistinct', 'max'], 3)
  const whole = calculations(leaves, ['add', 'subtract', 'multiply'])
  return fc.oneof(
    { weight: 2, arbitrary: whole },
    {
      weight: 1,
      arbitrary: fc.record<CalcMeasure>({
        kind: fc.constant('calc'),
        op: fc.constant('divide'),
        left: whole,
        right: leaves,
      }),
    },
  )
}
/** Figures chosen, limited and rounded. */
function functions(leaves: fc.Arbitrary<Measure>): fc.Arbitrary<Measure> {
  const number = fc.constantFrom(0, 1, -2, 0.5, 10).map((value) => ({ kind: 'number' as const, value }))
  const figure: fc.Arbitrary<CalcOperand> = fc.oneof(
    { weight: 3, arbitrary: leaves },
    { weight: 1, arbitrary: calculations(leaves, ['add', 'subtract']) },
    { weight: 1, arbitrary: number },
  )
  const called = (fn: FunctionMeasure['fn'], ...items: fc.Arbitrary<CalcOperand>[]): fc.Arbitrary<FunctionMeasure> =>
    fc.tuple(...items).map((all) => ({ kind: 'function', fn, items: all }))
  const compared = fc.constantFrom(...COMPARISON_OPERATORS).chain((op) => called(op, leaves, figure))
  const simple = fc.oneof(compared, called('isEmpty', leaves))
  const condition = fc.oneof(
    simple,
    called('not', simple),
    called('and', simple, simple),
    called('or', simple, compared),
  )
  const decimals = fc.constantFrom(0, 1, 2).map((value) => ({ kind: 'number' as const, value }))
  return fc.oneof(
    called('if', condition, leaves, figure),
    called('if', condition, leaves),
    called('coalesce', leaves, figure),
    called('round', leaves, decimals),
    called('abs', calculations(leaves, ['subtract'])),
    called('least', leaves, figure, figure),
    called('greatest', leaves, number),
  )
}
export const totals = (fields: PlanFields, aggs: (typeof AGGREGATES)[number][], most: number): fc.Arbitrary<Measure> =>
  fc
    .tuple(fc.constantFrom(...fields.facts), fc.constantFrom(...aggs), fc.integer({ min: 1, max: most }))
    .chain(([fact, agg, index]) => columnMeasure(fields, fact, { agg, index }))

const calculations = (leaves: fc.Arbitrary<Measure>, ops: CalcMeasure['op'][]): fc.Arbitrary<CalcMeasure> => {
  const side: fc.Arbitrary<CalcOperand> = fc.oneof(
    { weight: 3, arbitrary: leaves },
    { weight: 1, arbitrary: fc.constantFrom(0, 1, -2, 0.5).map((value) => ({ kind: 'number' as const, value })) },
  )
  const one = fc.record<CalcMeasure>({
    kind: fc.constant('calc'),
    op: fc.constantFrom(...ops),
    left: leaves,
    right: side,
  })
  return fc.oneof(
    one,
    fc.record<CalcMeasure>({
      kind: fc.constant('calc'),
      op: fc.constantFrom(...ops),
      left: fc.oneof(side, one),
      right: one,
    }),
  )
}

const dimensions = (fields: PlanFields): fc.Arbitrary<Dimension> =>
  typeIndex.chain((index) =>
    fc
      .tuple(
        fc.constantFrom(...fields.shared(index)),
        fc.constantFrom(...GRAINS),
        fc.boolean(),
        fc.option(fc.integer({ min: 1, max: 4 }), { freq: 3 }),
        fc.option(fc.constantFrom(...DATE_PARTS), { freq: 3 }),
        fc.option(fc.constantFrom(1, 2.5, 10, 0.25), { freq: 3 }),
      )
      .map(([field, grain, bucketed, topN, part, width]) => ({
        field,
        ...(index >= 1 && index <= 3 && width !== null ? { bins: { width } } : {}),
        ...(index >= 5 && part !== null
          ? { part: index === 5 && part === 'hourOfDay' ? 'weekday' : part }
          : index >= 5 && (bucketed || index > 5)
            ? { grain: index === 5 && grain === 'hour' ? 'day' : grain }
            : {}),
        ...(topN === null || (index >= 1 && index <= 3 && width !== null) ? {} : { topN }),
      })),
  )
const units = fc.constantFrom('day', 'week', 'month', 'quarter', 'year', 'fiscalQuarter', 'fiscalYear')
const periods = (fields: PlanFields): fc.Arbitrary<NonNullable<QueryPlan['period']>> =>
  fc.record({
    field: fc.constantFrom(5, 6, 7).chain((index) => fc.constantFrom(...fields.shared(index))),
    range: fc.oneof(
      fc
        .tuple(usualDay, fc.integer({ min: 0, max: 500 }))
        .map(([day, length]) => ({ kind: 'absolute' as const, from: iso(day), to: iso(day + length) })),
      fc.record({
        kind: fc.constant('relative'),
        span: fc.constantFrom('last', 'this', 'all'),
        unit: units,
        n: fc.integer({ min: 1, max: 14 }),
        includeCurrent: fc.boolean(),
      }),
      fc.tuple(fc.integer({ min: 2024, max: 2026 }), fc.integer({ min: 1, max: 12 })).map(([year, month]) => ({
        kind: 'absolute' as const,
        from: iso(Date.UTC(year, month - 1, 1) / DAY_MS),
        to: iso(Date.UTC(year, month, 0) / DAY_MS),
      })),
    ),
    compare: fc.constantFrom('none', 'previous', 'year'),
    completeOnly: fc.boolean(),
  })

/** What is made of more figures than a plan may have is refused. */
const hasRoom = ({ measures }: QueryPlan): boolean => measures.flatMap(leafMeasuresOf).length <= AGGREGATES_MAX

export const plansOver = (fields: PlanFields): fc.Arbitrary<QueryPlan> =>
  fc
    .record({
      // The first measure ranks and sorts: its ties must be ties in floating point, too.
      first: fc.oneof(
        { weight: 4, arbitrary: columnMeasures(fields) },
        { weight: 1, arbitrary: calculations(totals(fields, ['sum', 'count', 'max'], 2), ['add', 'subtract']) },
      ),
      more: fc.array(
        fc.oneof({ weight: 9, arbitrary: measures(fields) }, { weight: 1, arbitrary: partsOfAll(fields) }),
        { maxLength: 2 },
      ),
      dimensions: fc.array(dimensions(fields), { maxLength: 3 }),
      period: fc.option(periods(fields), { nil: undefined }),
      filters: someFilters(fields, (index) => fields.shared(index)),
      having: fc.option(
        fc.record({ op: fc.constantFrom(...COMPARISON_OPERATORS), value: fc.integer({ min: -20, max: 20 }) }),
        {
          freq: 4,
        },
      ),
      sort: fc.option(fc.tuple(fc.boolean(), fc.constantFrom('asc', 'desc')), { freq: 2 }),
      page: fc.option(fc.record({ limit: fc.integer({ min: 1, max: 5 }), offset: fc.integer({ min: 0, max: 6 }) }), {
        freq: 3,
      }),
    })
    .map(({ first, more, having, sort, page, period, ...rest }): QueryPlan => {
      const counts =
        first.kind === 'calc' ||
        (first.kind === 'column' &&
          (NUMERIC_ONLY.has(first.agg) || first.agg === 'count' || first.agg === 'countDistinct'))
      return {
        v: 3,
        kind: 'aggregate',
        dataset: fields.home,
        measures: [first, ...more],
        ...rest,
        ...(period ? { period } : {}),
        totals: true,
        ...(having && counts ? { having: [{ measure: 0, ...having }] } : {}),
        ...(sort && (sort[0] || rest.dimensions.length > 0)
          ? { sort: [{ by: sort[0] ? { measure: 0 } : { dimension: 0 }, dir: sort[1] === 'asc' ? 'asc' : 'desc' }] }
          : {}),
        ...page,
      }
    })
    .filter(hasRoom)

/** Figures beside those of all rows. */
function partsOfAll(fields: PlanFields): fc.Arbitrary<Measure> {
  const total = totals(fields, ['sum', 'count', 'max'], 3)
  const whole: fc.Arbitrary<Measure> = fc.record({ kind: fc.constant('whole'), of: total })
  return fc.oneof(whole, fc.record<RatioMeasure>({ kind: fc.constant('ratio'), over: total, under: whole }))
}

/** Figures that look at other units of time than their group's own. */
function windows(fields: PlanFields, ranking = false): fc.Arbitrary<Measure> {
  const total = totals(fields, ['sum', 'count', 'max'], ranking ? 2 : 3)
  const sums = calculations(total, ['add', 'subtract'])
  const restart = fc.constantFrom('never' as const, 'year' as const, 'fiscalYear' as const)
  const earlier = (of: fc.Arbitrary<Measure>): fc.Arbitrary<Measure> =>
    fc.record({ kind: fc.constant('prev'), of, steps: fc.integer({ min: 1, max: 3 }) })
  const running = (of: fc.Arbitrary<Measure>): fc.Arbitrary<Measure> =>
    fc.record({ kind: fc.constant('cumulative'), of, restart })
  const moving = (of: fc.Arbitrary<Measure>): fc.Arbitrary<Measure> =>
    fc.record({
      ...{ kind: fc.constant('moving'), of },
      agg: ranking ? fc.constant('sum') : fc.constantFrom('sum', 'avg'),
      units: fc.integer({ min: 2, max: 4 }),
    })
  const window = fc.oneof(earlier(total), running(total), running(sums), moving(total))
  if (ranking) return window
  return fc.oneof(
    window,
    earlier(columnMeasures(fields)),
    earlier(window),
    moving(sums),
    moving(running(total)),
    running(earlier(total)),
    calculations(fc.oneof(total, window), ['add', 'subtract', 'multiply']),
    functions(fc.oneof(total, window)),
    fc.record<RatioMeasure>({ kind: fc.constant('ratio'), over: total, under: running(total) }),
    partsOfAll(fields),
  )
}

/** Plans with windows over one split by time, beside others. */
export const windowPlansOver = (fields: PlanFields): fc.Arbitrary<QueryPlan> =>
  fc
    .record({
      plan: plansOver(fields),
      time: fc.tuple(fc.constantFrom(5, 6, 7), fc.constantFrom(...GRAINS)).chain(([index, grain]) =>
        fc.constantFrom(...fields.shared(index)).map((field): Dimension => ({
          field,
          grain: index === 5 && grain === 'hour' ? 'day' : grain,
        })),
      ),
      ranking: fc.option(windows(fields, true), { freq: 2 }),
      more: fc.array(windows(fields), { minLength: 1, maxLength: 2 }),
    })
    .map(({ plan, time, ranking, more }) => {
      const others = plan.dimensions
        .filter(({ field, grain, part }) => part !== undefined || (grain === undefined && field.column !== 'c5'))
        .slice(0, 2)
      return {
        ...plan,
        measures: [...(ranking ? [ranking] : plan.measures.slice(0, 1)), ...more],
        dimensions: plan.limit === 1 ? [...others, time] : [time, ...others],
      }
    })
    .filter(hasRoom)

export const aggregatePlans = fc.oneof(
  { weight: 3, arbitrary: plansOver(ALONE) },
  { weight: 1, arbitrary: windowPlansOver(ALONE) },
)

/** Rows of the dataset that the asker may see. */
/** A rule of access of one dataset: one of up to three lists of conditions, and sometimes none of another. */
export const rowRules = (dataset: string, choose: Choose): fc.Arbitrary<RowRule> => {
  const conditions = fc.array(fieldFilters(choose), { minLength: 1, maxLength: 2 })
  return fc.record({
    dataset: fc.constant(dataset),
    anyOf: fc.oneof(
      { weight: 6, arbitrary: fc.array(conditions, { minLength: 1, maxLength: 3 }) },
      { weight: 1, arbitrary: fc.constantFrom<RowRule['anyOf']>('all', []) },
    ),
    noneOf: fc.oneof(
      { weight: 2, arbitrary: fc.constant<Filter[][]>([]) },
      { weight: 1, arbitrary: fc.array(conditions, { minLength: 1, maxLength: 1 }) },
    ),
  })
}
export const ownRules: fc.Arbitrary<RowRule[]> = fc.oneof(
  fc.constant<RowRule[]>([]),
  rowRules(DATASET, (index) => ALONE.shared(index)).map((rule) => [rule]),
)

export const datasets = fc.array(row, { maxLength: 30 }).map((rows): StorageValue[][] => rows)
