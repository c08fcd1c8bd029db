import { dayFromIso } from '../dates'
import type { ColumnType } from '../data-sources/files'
import type { Expr } from './expression'
import type { Field } from './field'
import { ROUND_DECIMALS_MAX, type RowFunction } from './functions'

/** What a row expression comes out as. A moment can be compared and taken apart, but nothing comes out as one. */
export type ValueType = 'number' | 'text' | 'date' | 'moment' | 'boolean'
export type FieldTypes = (field: Field) => ColumnType | undefined

const VALUE_TYPES: Record<ColumnType, ValueType> = {
  text: 'text',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  date: 'date',
  datetime: 'moment',
}
const FUNCTION_TYPES: Record<Exclude<RowFunction, 'if' | 'least' | 'greatest'>, ValueType> = {
  and: 'boolean',
  or: 'boolean',
  not: 'boolean',
  isEmpty: 'boolean',
  round: 'number',
  abs: 'number',
  date: 'date',
  year: 'number',
  quarter: 'number',
  month: 'number',
  week: 'number',
  day: 'number',
  weekday: 'number',
  hour: 'number',
}

/** The values of which one comes out: those of `if` besides its condition, and of the first that is there. */
export const choicesOf = (expr: Expr & { items: Expr[] }): Expr[] =>
  expr.kind === 'function' && expr.fn === 'if' ? expr.items.slice(1) : expr.items

/** The values that come out of a function as they are, chosen, rounded or without their sign; none of all others. */
export function valuesThrough(expr: Expr & { kind: 'function' }): Expr[] {
  if (expr.fn === 'if' || expr.fn === 'least' || expr.fn === 'greatest') return choicesOf(expr)
  return expr.fn === 'abs' || expr.fn === 'round' ? expr.items.slice(0, 1) : []
}

/** The type of what comes out, of an expression that {@link expressionMistake} lets through. */
export function typeOfExpression(expr: Expr, typeOf: FieldTypes): ValueType {
  switch (expr.kind) {
    case 'field':
      return VALUE_TYPES[typeOf(expr.field) ?? 'number']
    case 'text':
    case 'concat':
      return 'text'
    case 'number':
    case 'binary':
    case 'dateDiff':
      return 'number'
    case 'compare':
      return 'boolean'
    case 'coalesce':
      return typeOfChoices(expr, typeOf)
    case 'function':
      return expr.fn === 'if' || expr.fn === 'least' || expr.fn === 'greatest'
        ? typeOfChoices(expr, typeOf)
        : FUNCTION_TYPES[expr.fn]
  }
}
/** One text among them makes all of them texts. */
function typeOfChoices(expr: Expr & { items: Expr[] }, typeOf: FieldTypes): ValueType {
  const types = choicesOf(expr).map((item) => typeOfExpression(item, typeOf))
  return types.includes('text') ? 'text' : (types[0] ?? 'number')
}

/** What is wrong with an expression, and which part of it. */
export interface ExpressionMistake {
  expr: Expr
  message: string
}
const NEEDS: Record<ValueType, string> = {
  number: 'Calculations need numbers.',
  text: 'Only texts, whole numbers and dates can be joined.',
  date: 'Enter a date here. For the day of a time, use date(…).',
  moment: 'Enter a date column.',
  boolean: 'Enter a condition, e.g. [Amount] > 100.',
}
const TEXT_CONVERTIBLE: ReadonlySet<ColumnType | undefined> = new Set(['text', 'integer', 'date'])

/** The first thing that does not fit its place; null when all of it can be worked out. */
export function expressionMistake(root: Expr, typeOf: FieldTypes): ExpressionMistake | null {
  const type = typeOfExpression(root, typeOf)
  if (type === 'moment') return { expr: root, message: 'Use date(…) for the day of a time.' }
  return new TypeCheck(typeOf).fits(root, type)
}

class TypeCheck {
  readonly #typeOf: FieldTypes
  constructor(typeOf: FieldTypes) {
    this.#typeOf = typeOf
  }

  fits(expr: Expr, wanted: ValueType): ExpressionMistake | null {
    const refused = { expr, message: NEEDS[wanted] }
    const own = typeOfExpression(expr, this.#typeOf)
    if (expr.kind === 'coalesce') return this.#all(expr.items, wanted)
    if (expr.kind === 'function' && expr.fn === 'if') return this.#ifFits(expr, wanted)
    if (wanted === 'text') return this.#textFits(expr)
    if (own !== wanted) return refused
    if (expr.kind === 'binary') return this.#all([expr.left, expr.right], 'number')
    if (expr.kind === 'compare') return this.#comparisonFits(expr)
    if (expr.kind === 'function') return this.#functionFits(expr, wanted)
    if (expr.kind !== 'dateDiff') return null
    const isTime = [expr.from, expr.to].every((field) => !this.#timeFits({ kind: 'field', field }))
    return isTime ? null : { expr, message: 'Days between needs two dates.' }
  }

  #all(items: readonly Expr[], wanted: ValueType): ExpressionMistake | null {
    for (const item of items) {
      const mistake = wanted === 'moment' ? this.#timeFits(item) : this.fits(item, wanted)
      if (mistake) return mistake
    }
    return null
  }
  #timeFits(expr: Expr): ExpressionMistake | null {
    const isTime = ['date', 'moment'].includes(typeOfExpression(expr, this.#typeOf))
    return isTime && expr.kind === 'field' ? null : { expr, message: NEEDS.moment }
  }
  #textFits(expr: Expr): ExpressionMistake | null {
    if (expr.kind === 'text' || expr.kind === 'number') return null
    if (expr.kind === 'concat') return this.#all(expr.items, 'text')
    if (expr.kind !== 'field') return { expr, message: 'Calculate in a separate column first, then convert to text.' }
    return TEXT_CONVERTIBLE.has(this.#typeOf(expr.field)) ? null : { expr, message: NEEDS.text }
  }
  #ifFits(expr: Expr & { items: Expr[] }, wanted: ValueType): ExpressionMistake | null {
    const [condition, ...values] = expr.items
    if (!condition || values.length === 0 || values.length > 2)
      return { expr, message: 'Enter a condition and two values: if(condition, a, b).' }
    const isMixed = values.find((value) => wanted === 'text' && typeOfExpression(value, this.#typeOf) !== 'text')
    const mistake = this.fits(condition, 'boolean') ?? this.#all(values, wanted)
    return mistake && mistake.expr === isMixed
      ? { expr: isMixed, message: 'The other value is a text. Use one type.' }
      : mistake
  }

  #functionFits(expr: Expr & { kind: 'function' }, wanted: ValueType): ExpressionMistake | null {
    const { fn, items } = expr
    const [first, second] = items
    switch (fn) {
      case 'and':
      case 'or':
        return this.#all(items, 'boolean')
      case 'not':
        return second ? { expr, message: 'Enter one condition: not(condition).' } : this.#all(items, 'boolean')
      case 'abs':
        return second ? { expr, message: 'Enter one number: abs(a).' } : this.#all(items, 'number')
      case 'isEmpty':
        return this.#emptyTestFits(expr)
      case 'least':
      case 'greatest':
        return wanted === 'number' || wanted === 'date' ? this.#all(items, wanted) : { expr, message: NEEDS.number }
      case 'round':
        return this.#roundFits(expr)
      case 'hour':
        if (first && typeOfExpression(first, this.#typeOf) === 'date')
          return { expr: first, message: 'A date has no hours. Use a column with times.' }
        return second ? { expr, message: NEEDS.moment } : this.#all(items, 'moment')
      case 'if':
        return this.#ifFits(expr, wanted)
      case 'date':
      case 'year':
      case 'quarter':
      case 'month':
      case 'week':
      case 'day':
      case 'weekday':
        return second ? { expr, message: NEEDS.moment } : this.#all(items, 'moment')
    }
  }
  #emptyTestFits(expr: Expr & { items: Expr[] }): ExpressionMistake | null {
    const [of, second] = expr.items
    if (!of || second) return { expr, message: 'Enter one value: isempty(a).' }
    const type = typeOfExpression(of, this.#typeOf)
    return type === 'moment' ? this.#timeFits(of) : this.fits(of, type)
  }
  #roundFits(expr: Expr & { items: Expr[] }): ExpressionMistake | null {
    const [of, decimals, third] = expr.items
    if (!of || third) return { expr, message: 'Enter a number and its decimals: round(a, 2).' }
    const places = decimals?.kind === 'number' ? decimals.value : decimals ? -1 : 0
    if (!Number.isInteger(places) || places < 0 || places > ROUND_DECIMALS_MAX)
      return { expr: decimals ?? expr, message: `Enter 0–${ROUND_DECIMALS_MAX} decimals.` }
    return this.fits(of, 'number')
  }

  /** A day may be written as a text beside a date. */
  #comparisonFits({ op, left, right }: Expr & { kind: 'compare' }): ExpressionMistake | null {
    const [a, b] = [left, right].map((side) => typeOfExpression(side, this.#typeOf))
    const isTime = (type: ValueType | undefined): boolean => type === 'date' || type === 'moment'
    for (const [side, other] of [
      [left, b],
      [right, a],
    ] as const)
      if (side.kind === 'text' && isTime(other))
        return dayFromIso(side.value) === null
          ? { expr: side, message: 'Enter a date like "2026-01-31".' }
          : this.#sideFits(side === left ? right : left)
    if (isTime(a) && isTime(b)) return this.#sideFits(left) ?? this.#sideFits(right)
    if (a === undefined || a !== b) return { expr: right, message: 'Compare values of the same type.' }
    if (a === 'boolean' && op !== 'eq' && op !== 'ne')
      return { expr: right, message: 'Conditions have no order. Use = or ≠.' }
    return this.fits(left, a) ?? this.fits(right, a)
  }
  #sideFits(expr: Expr): ExpressionMistake | null {
    return typeOfExpression(expr, this.#typeOf) === 'moment' ? this.#timeFits(expr) : this.fits(expr, 'date')
  }
}
