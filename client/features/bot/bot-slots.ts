import type { ReactNode } from 'react'
import type { MoreMenuItem } from '../../ui/buttons/more-menu'
import type { BotReading } from '../../../src/shared/bot/interpretation'
import type { Viz } from '../../../src/shared/insights'
import type { QueryPlan } from '../../../src/shared/query/plan'
import type { QueryResult } from '../../../src/shared/query/result'

/** Parts of an answer that other features draw; put together by the route. */
export interface BotSlots {
  renderResult: (parts: { reading: BotReading; result: QueryResult; title: string; asTable: boolean }) => ReactNode
  renderDrivers: (parts: { plan: QueryPlan; viz: Viz }) => ReactNode
  renderFreshness: (result: QueryResult) => ReactNode
  renderDetails: (parts: { plan: QueryPlan; result: QueryResult }) => ReactNode
  renderRecords: (parts: { records: { plan: QueryPlan; title: string } | null; onClose: () => void }) => ReactNode
  /** What can be made of an answer: an insight, a part of a report, a forecast, an alert. */
  menuItems: (reading: BotReading) => readonly (MoreMenuItem | false)[]
  /** Offered before there is any data. */
  sampleOffer: ReactNode
}
