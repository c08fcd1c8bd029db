import { z } from 'zod'
import { fieldSchema, type Field } from './field'
import { COMPARISON_OPERATORS, DATE_DIFFERENCE_UNITS, ROW_FUNCTIONS } from './functions'
import type { ComparisonOperator, DateDifferenceUnit, RowFunction } from './functions'

/**
 * A row expression over columns of one row and of the rows it points at. Never text that reaches SQL. `concat` joins
 * texts, whole numbers and days; empty items count as nothing, and nothing comes out when all of them are empty.
 * `compare` is true or false: an empty value equals an empty value only, and is neither less nor more than anything.
 */
export type Expr =
  | { kind: 'field'; field: Field }
  | { kind: 'number'; value: number }
  | { kind: 'text'; value: string }
  | { kind: 'concat'; items: Expr[] }
  | { kind: 'binary'; op: 'add' | 'subtract' | 'multiply' | 'divide'; left: Expr; right: Expr }
  | { kind: 'coalesce'; items: Expr[] }
  | { kind: 'dateDiff'; unit: DateDifferenceUnit; from: Field; to: Field }
  | { kind: 'compare'; op: ComparisonOperator; left: Expr; right: Expr }
  | { kind: 'function'; fn: RowFunction; items: Expr[] }

export const exprSchema: z.ZodType<Expr> = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('field'), field: fieldSchema }),
    z.strictObject({ kind: z.literal('number'), value: z.number() }),
    z.strictObject({ kind: z.literal('text'), value: z.string().max(200) }),
    z.strictObject({ kind: z.literal('concat'), items: z.array(exprSchema).min(1).max(10) }),
    z.strictObject({
      kind: z.literal('binary'),
      op: z.enum(['add', 'subtract', 'multiply', 'divide']),
      left: exprSchema,
      right: exprSchema,
    }),
    z.strictObject({ kind: z.literal('coalesce'), items: z.array(exprSchema).min(1).max(10) }),
    z.strictObject({
      kind: z.literal('dateDiff'),
      unit: z.enum(DATE_DIFFERENCE_UNITS),
      from: fieldSchema,
      to: fieldSchema,
    }),
    z.strictObject({
      kind: z.literal('compare'),
      op: z.enum(COMPARISON_OPERATORS),
      left: exprSchema,
      right: exprSchema,
    }),
    z.strictObject({
      kind: z.literal('function'),
      fn: z.enum(ROW_FUNCTIONS),
      items: z.array(exprSchema).min(1).max(10),
    }),
  ]),
)
