import { calcFace, combine, constantAmount, constantFace, RATIO_FACE } from './calc'
import type { MeasureTraits } from './calc'
import { divide } from './amount'
import type { Amount } from './amount'
import { canonicalJson } from './hash'
import { operandsOf } from '../../shared/plan-fields'
import type { CalcMeasure, CalcOperand, CumulativeMeasure, Measure } from '../../shared/query'

/** Whether a figure looks at other units of time than its group's own: those are worked out after the groups came back. */
export const hasWindow = (measure: Measure): boolean =>
  measure.kind === 'prev' || measure.kind === 'cumulative' || operandsOf(measure).some(hasWindow)

/** A figure over figures that SQL answers. Windows are numbered over the whole plan. */
export type WindowNode =
  | { kind: 'base'; index: number }
  | { kind: 'number'; value: number }
  | { kind: 'ratio'; over: WindowNode; under: WindowNode }
  | { kind: 'calc'; op: CalcMeasure['op']; left: WindowNode; right: WindowNode }
  | { kind: 'prev'; of: WindowNode; steps: number; index: number }
  | { kind: 'cumulative'; of: WindowNode; restart: CumulativeMeasure['restart']; index: number }
export type WindowStep = Extract<WindowNode, { index: number; of: WindowNode }>

export interface WindowProgram {
  /** Figures without windows, each once: what SQL is asked for. The first is the first such part of the first measure. */
  bases: Measure[]
  /** One for each measure of the plan. */
  nodes: WindowNode[]
  /** Inner ones first. */
  windows: WindowStep[]
}

export function windowProgramOf(measures: readonly Measure[]): WindowProgram {
  const bases: Measure[] = []
  const known = new Map<string, number>()
  const windows: WindowStep[] = []
  const base = (measure: Measure): WindowNode => {
    const key = canonicalJson({ ...measure, label: undefined, format: undefined })
    const index = known.get(key) ?? bases.push(measure) - 1
    known.set(key, index)
    return { kind: 'base', index }
  }
  const windowed = (made: WindowStep): WindowStep => {
    windows.push(made)
    return made
  }
  const node = (operand: CalcOperand): WindowNode => {
    if (operand.kind === 'number') return { kind: 'number', value: operand.value }
    if (!hasWindow(operand)) return base(operand)
    switch (operand.kind) {
      case 'ratio':
        return { kind: 'ratio', over: node(operand.over), under: node(operand.under) }
      case 'calc':
        return { kind: 'calc', op: operand.op, left: node(operand.left), right: node(operand.right) }
      case 'prev': {
        const of = node(operand.of)
        return windowed({ kind: 'prev', of, steps: operand.steps, index: windows.length })
      }
      case 'cumulative': {
        const of = node(operand.of)
        return windowed({ kind: 'cumulative', of, restart: operand.restart, index: windows.length })
      }
      case 'column':
      case 'expression':
      case 'metric':
        return base(operand)
    }
  }
  return { nodes: measures.map(node), bases, windows }
}

/** How a figure is shown. An earlier unit's that is not there is unknown, not 0. */
export function nodeTraits(windowNode: WindowNode, bases: readonly MeasureTraits[]): MeasureTraits {
  switch (windowNode.kind) {
    case 'base':
      return bases[windowNode.index] ?? RATIO_FACE
    case 'number':
      return constantFace(windowNode.value)
    case 'ratio':
      return RATIO_FACE
    case 'calc':
      return calcFace(windowNode.op, nodeTraits(windowNode.left, bases), nodeTraits(windowNode.right, bases))
    case 'prev':
      return { ...nodeTraits(windowNode.of, bases), additive: false }
    case 'cumulative':
      return nodeTraits(windowNode.of, bases)
  }
}

/** Values of the parts of one group. */
export interface NodeValues {
  base(index: number): Amount
  window(index: number): Amount
}

/** How a figure follows from the parts of a group. */
export function nodeEvaluator(
  windowNode: WindowNode,
  bases: readonly MeasureTraits[],
): (nodeValues: NodeValues) => Amount {
  switch (windowNode.kind) {
    case 'base':
      return (values) => values.base(windowNode.index)
    case 'number': {
      const value = constantAmount(windowNode.value)
      return () => value
    }
    case 'ratio': {
      const [over, under] = [nodeEvaluator(windowNode.over, bases), nodeEvaluator(windowNode.under, bases)]
      return (values) => divide(over(values), under(values))
    }
    case 'calc': {
      const [left, right] = [nodeEvaluator(windowNode.left, bases), nodeEvaluator(windowNode.right, bases)]
      const [a, b] = [nodeTraits(windowNode.left, bases), nodeTraits(windowNode.right, bases)]
      return (values) => combine(windowNode.op, { face: a, value: left(values) }, { face: b, value: right(values) })
    }
    case 'prev':
    case 'cumulative':
      return (values) => values.window(windowNode.index)
  }
}
