import { createContext } from 'react'
import type { QueryPlan } from '../../../../src/shared/query/plan'
import type { Mark, Selection } from '../view/cross-filter'

/** How a page answers when a mark of one of its blocks is clicked. */
export interface MarkActions {
  toggle: (parts: { block: string; name: string; mark: Mark; add: boolean }) => void
}
/** Null where marks filter nothing: in the editor. */
export const MarkActionsContext = createContext<MarkActions | null>(null)

/** What is chosen in a block, as it is handed to its tile. */
export const selectionOf = (selections: readonly Selection[], block: string): Selection | undefined =>
  selections.find((one) => one.block === block)

/** A question that a mark led to, on the screen only. */
export interface DrillDown {
  plan: QueryPlan
  title: string
}
