import { calcFace, combine, constantAmount, constantFace, RATIO_FACE } from './calc'
import type { Face } from './calc'
import { divide } from './amount'
import type { Amount } from './amount'
import { canonical } from './hash'
import { partsOf } from '../../shared/plan-fields'
import type { CalcMeasure, CalcOperand, CumulativeMeasure, Measure } from '../../shared/query'

/** Whether a figure looks at other units of time than its group's own: those are worked out after the groups came back. */
export const hasWindow = (measure: Measure): boolean =>
  measure.kind === 'prev' || measure.kind === 'cumulative' || partsOf(measure).some(hasWindow)

/** A figure over figures that SQL answers. Windows are numbered over the whole plan. */
export type Node =
  | { kind: 'base'; index: number }
  | { kind: 'number'; value: number }
  | { kind: 'ratio'; over: Node; under: Node }
  | { kind: 'calc'; op: CalcMeasure['op']; left: Node; right: Node }
  | { kind: 'prev'; of: Node; steps: number; index: number }
  | { kind: 'cumulative'; of: Node; restart: CumulativeMeasure['restart']; index: number }
export type Window = Extract<Node, { index: number; of: Node }>

export interface Program {
  /** Figures without windows, each once: what SQL is asked for. The first is the first such part of the first measure. */
  bases: Measure[]
  /** One for each measure of the plan. */
  nodes: Node[]
  /** Inner ones first. */
  windows: Window[]
}

export function programOf(measures: readonly Measure[]): Program {
  const bases: Measure[] = []
  const known = new Map<string, number>()
  const windows: Window[] = []
  const base = (measure: Measure): Node => {
    const key = canonical({ ...measure, label: undefined, format: undefined })
    const index = known.get(key) ?? bases.push(measure) - 1
    known.set(key, index)
    return { kind: 'base', index }
  }
  const windowed = (made: Window): Window => {
    windows.push(made)
    return made
  }
  const node = (operand: CalcOperand): Node => {
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
export function faceOf(node: Node, bases: readonly Face[]): Face {
  switch (node.kind) {
    case 'base':
      return bases[node.index] ?? RATIO_FACE
    case 'number':
      return constantFace(node.value)
    case 'ratio':
      return RATIO_FACE
    case 'calc':
      return calcFace(node.op, faceOf(node.left, bases), faceOf(node.right, bases))
    case 'prev':
      return { ...faceOf(node.of, bases), additive: false }
    case 'cumulative':
      return faceOf(node.of, bases)
  }
}

/** Values of the parts of one group. */
export interface Values {
  base(index: number): Amount
  window(index: number): Amount
}

/** How a figure follows from the parts of a group. */
export function readerOf(node: Node, bases: readonly Face[]): (values: Values) => Amount {
  switch (node.kind) {
    case 'base':
      return (values) => values.base(node.index)
    case 'number': {
      const value = constantAmount(node.value)
      return () => value
    }
    case 'ratio': {
      const [over, under] = [readerOf(node.over, bases), readerOf(node.under, bases)]
      return (values) => divide(over(values), under(values))
    }
    case 'calc': {
      const [left, right] = [readerOf(node.left, bases), readerOf(node.right, bases)]
      const [a, b] = [faceOf(node.left, bases), faceOf(node.right, bases)]
      return (values) => combine(node.op, { face: a, value: left(values) }, { face: b, value: right(values) })
    }
    case 'prev':
    case 'cumulative':
      return (values) => values.window(node.index)
  }
}
