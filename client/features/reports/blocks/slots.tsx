import { createContext, useContext, type ReactNode } from 'react'
import type { ChosenMark } from '../../../../src/shared/charts/chart-model'
import type { ForecastTile } from '../../../../src/shared/reports/tiles'
import type { ForecastGrain } from '../../../../src/shared/forecasts/result'
import type { QueryPlan } from '../../../../src/shared/query/plan'
import type { QueryResult } from '../../../../src/shared/query/result'
import type { Statement, StatementLanguage } from '../../../../src/shared/statements/statements'
import type { ChosenFigure } from '../../../ui/statement/statement-table'

export interface FigureParts {
  statement: Statement
  language: StatementLanguage
  /** What of the ledger the statement is asked for. */
  choice: { dimension?: string | undefined; object?: string | undefined }
  /** Null closes it. */
  figure: ChosenFigure | null
  onClose: () => void
}

/** What other nouns draw of themselves; put together where the page is. */
export interface TileSlots {
  forecast: (parts: { run: ForecastTile; grain: ForecastGrain; name: string; height: number }) => ReactNode
  /** The records behind a mark of an answer. */
  records: (parts: { plan: QueryPlan; result: QueryResult; mark: ChosenMark; onClose: () => void }) => ReactNode
  /** What is behind a figure of a statement. */
  figure: (parts: FigureParts) => ReactNode
  /** How much is said of a block, and the way to it. */
  commentButton: (parts: { report: string; block: string; title: string; onOpen: (block: string) => void }) => ReactNode
  /** What is said of a block. */
  comments: (parts: { report: string; block: string; title: string; onClose: () => void }) => ReactNode
}
/** Figures of an edition: nothing about them is asked anew, and nothing leads to those of today. */
export const FrozenContext = createContext(false)
export const useFrozen = (): boolean => useContext(FrozenContext)

const NOTHING: TileSlots = {
  ...{ forecast: () => null, records: () => null, figure: () => null, commentButton: () => null, comments: () => null },
}
const TileSlotsContext = createContext<TileSlots>(NOTHING)
export const useTileSlots = (): TileSlots => useContext(TileSlotsContext)

export const TileSlotsProvider = ({ slots, children }: { slots: TileSlots; children: ReactNode }) => (
  <TileSlotsContext value={slots}>{children}</TileSlotsContext>
)
