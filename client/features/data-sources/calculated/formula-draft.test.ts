import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  toFormulaDraft,
  emptyFormulaDraft,
  toFormulaExpression,
  OPERATORS,
  usableColumns,
  describeFormula,
} from './formula-draft'
import type { FormulaDraft, Operand } from './formula-draft'
import { column } from '../data-sources.fixture'
import type { ColumnKey } from '../../../../src/shared/data-sources/files'

const DATASET = 'ds_00000000000000000001'
const columns = [
  column('c0', { label: 'Price', type: 'number' }),
  column('c1', { label: 'Cost', type: 'number' }),
  column('c2', { label: 'Quantity', type: 'integer' }),
  column('c3', { label: 'Name' }),
  column('c4', { label: 'Sent', type: 'date' }),
  column('c5', { label: 'Secret', type: 'number', hidden: true }),
]
const key = fc.constantFrom<ColumnKey>('c0', 'c1', 'c2')
const operand: fc.Arbitrary<NonNullable<Operand>> = fc.oneof(
  fc.record({ kind: fc.constant('column' as const), key }),
  fc.record({ kind: fc.constant('number' as const), value: fc.integer() }),
)
const draft: fc.Arbitrary<FormulaDraft> = fc.oneof(
  fc.record({
    kind: fc.constant('calculation' as const),
    first: operand,
    steps: fc.array(fc.record({ op: fc.constantFrom(...OPERATORS), operand }), { minLength: 1, maxLength: 5 }),
  }),
  fc.record({
    kind: fc.constant('text' as const),
    pieces: fc
      .array(
        fc.oneof(
          fc.record({ kind: fc.constant('column' as const), key }),
          fc.record({ kind: fc.constant('text' as const), value: fc.string() }),
        ),
        { minLength: 1, maxLength: 5 },
      )
      .filter((pieces) => pieces.some(({ kind }) => kind === 'column')),
  }),
  fc.record({ kind: fc.constant('days' as const), from: key, to: key }),
)

describe('a formula', () => {
  it('comes back to the editor as it was written', () => {
    fc.assert(
      fc.property(draft, (one) => {
        const expr = toFormulaExpression(DATASET, one)
        expect(expr && toFormulaDraft(expr)).toEqual(one)
      }),
    )
  })

  it('is worked from top to bottom', () => {
    const price: Operand = { kind: 'column', key: 'c0' }
    const expr = toFormulaExpression(DATASET, {
      kind: 'calculation',
      first: price,
      steps: [
        { op: 'subtract', operand: { kind: 'column', key: 'c1' } },
        { op: 'multiply', operand: { kind: 'column', key: 'c2' } },
      ],
    })
    expect(expr && describeFormula(expr, columns)).toBe('(Price − Cost) × Quantity')
  })

  it('is nothing until all of it is chosen', () => {
    expect(toFormulaExpression(DATASET, emptyFormulaDraft('calculation'))).toBeNull()
    expect(toFormulaExpression(DATASET, emptyFormulaDraft('text'))).toBeNull()
    expect(toFormulaExpression(DATASET, { kind: 'text', pieces: [{ kind: 'text', value: 'x' }] })).toBeNull()
    expect(toFormulaExpression(DATASET, emptyFormulaDraft('days'))).toBeNull()
  })

  it('made elsewhere and richer than the editor stays as it is', () => {
    const sum = {
      kind: 'binary',
      op: 'add',
      left: { kind: 'number', value: 1 },
      right: { kind: 'number', value: 2 },
    } as const
    expect(
      toFormulaDraft({ kind: 'binary', op: 'multiply', left: { kind: 'number', value: 3 }, right: sum }),
    ).toBeNull()
    expect(toFormulaDraft({ kind: 'coalesce', items: [sum] })).toBeNull()
  })

  it('is made of shown columns that fit it, never of itself', () => {
    expect(usableColumns(columns, 'calculation', 'c1').map(({ label }) => label)).toEqual(['Price', 'Quantity'])
    expect(usableColumns(columns, 'text').map(({ label }) => label)).toEqual(['Quantity', 'Name', 'Sent'])
    expect(usableColumns(columns, 'days').map(({ label }) => label)).toEqual(['Sent'])
  })
})
