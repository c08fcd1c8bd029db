import { divide, type Amount } from './amount'
import { calcTraits, combine, constantAmount, constantTraits, functionTraits, RATIO_TRAITS } from './calculations'
import type { MeasureTraits } from './calculations'
import { applyFunction, decimalsOf } from './figure-functions'
import type { AggregateMeasure, CalcMeasure, CalcOperand, GroupedMeasure } from '../../../shared/query/plan'
import type { FigureFunction } from '../../../shared/query/functions'

/** A figure worked out from others of the same group, down to its parts. */
type ComputedFigure<Part> =
  | { kind: 'number'; value: number }
  | { kind: 'ratio'; over: Figure<Part>; under: Figure<Part> }
  | { kind: 'calc'; op: CalcMeasure['op']; left: Figure<Part>; right: Figure<Part> }
  | { kind: 'function'; fn: FigureFunction; items: Figure<Part>[] }
export type Figure<Part> = Part | ComputedFigure<Part>
/** What figures of a plan are worked out from. */
export type MeasurePart = Exclude<CalcOperand, { kind: ComputedFigure<never>['kind'] }>

interface Kind {
  kind: string
}
const COMPUTED: ReadonlySet<string> = new Set<ComputedFigure<never>['kind']>(['number', 'ratio', 'calc', 'function'])
const isComputed = <Part extends Kind>(figure: Figure<Part>): figure is ComputedFigure<Part> =>
  COMPUTED.has(figure.kind)

/**
 * How a figure is shown.
 * @throws ProductError `mixed_currency` when amounts of two currencies are added
 */
export function figureTraits<Part extends Kind>(
  figure: Figure<Part>,
  traitsOf: (part: Part) => MeasureTraits,
): MeasureTraits {
  if (!isComputed(figure)) return traitsOf(figure)
  const made = (side: Figure<Part>): MeasureTraits => figureTraits(side, traitsOf)
  switch (figure.kind) {
    case 'number':
      return constantTraits(figure.value)
    case 'ratio':
      // A share speaks of no currency; each of its sides may speak of one only.
      made(figure.over)
      made(figure.under)
      return RATIO_TRAITS
    case 'calc':
      return calcTraits(figure.op, made(figure.left), made(figure.right))
    case 'function':
      return functionTraits(figure, figure.items.map(made))
  }
}

/** What a figure's parts are: how they are shown, and where `At` their amounts are found. */
export interface FigureParts<Part, At> {
  traitsOf: (part: Part) => MeasureTraits
  amountOf: (part: Part) => (at: At) => Amount
}

/** How a figure follows from the amounts of its parts. */
export function figureEvaluator<Part extends Kind, At>(
  figure: Figure<Part>,
  parts: FigureParts<Part, At>,
): (at: At) => Amount {
  if (!isComputed(figure)) return parts.amountOf(figure)
  const made = (side: Figure<Part>): ((at: At) => Amount) => figureEvaluator(side, parts)
  switch (figure.kind) {
    case 'number': {
      const value = constantAmount(figure.value)
      return () => value
    }
    case 'ratio': {
      const [over, under] = [made(figure.over), made(figure.under)]
      return (at) => divide(over(at), under(at))
    }
    case 'calc': {
      const { op, left, right } = figure
      const [a, b] = [made(left), made(right)]
      const [ofA, ofB] = [figureTraits(left, parts.traitsOf), figureTraits(right, parts.traitsOf)]
      return (at) => combine(op, { traits: ofA, value: a(at) }, { traits: ofB, value: b(at) })
    }
    case 'function': {
      const items = figure.items.map(made)
      const decimals = decimalsOf(figure)
      const { fn } = figure
      return (at) =>
        applyFunction(
          fn,
          items.map((item) => item(at)),
          decimals,
        )
    }
  }
}

/**
 * What is asked of a part, by where columns hold it: rows of the group, or figures over groups of its rows.
 * @throws TypeError for windows and metrics, which are resolved before columns are asked
 */
export function ofPart<T>(
  part: MeasurePart,
  { leaf, grouped }: { leaf: (measure: AggregateMeasure) => T; grouped: (measure: GroupedMeasure) => T },
): T {
  switch (part.kind) {
    case 'column':
    case 'expression':
      return leaf(part)
    case 'grouped':
      return grouped(part)
    case 'prev':
    case 'cumulative':
    case 'moving':
    case 'whole':
    case 'metric':
      throw new TypeError('A checked plan holds no such figure.')
  }
}
