import type { ForecastResult } from '../../../src/shared/forecast-result'
import type { Forecast, Scenario, Threshold } from '../../../src/shared/forecasts'
import type { ScenarioLine } from './forecast-picture'

/** What is drawn and told beside the base. Kept the same while nothing changes. */
export interface ChartOverlays {
  /** At most four, the base not among them. */
  scenarios: readonly ScenarioLine[]
  /** Those of them as they are told in the summary. */
  summaryScenarios: readonly Scenario[]
  thresholds: readonly Threshold[]
}
/** What the part of the page about what could be done is given. */
export interface ScenariosPanelProps {
  forecast: Forecast
  result: ForecastResult
  /** Place among the parts, and whether it is the balance that is looked at. */
  part: number | undefined
  asBalance: boolean
  /** Says what the chart above shows; until it is called, the levels as they are saved, and no scenario. */
  onDraw: (chartOverlays: ChartOverlays) => void
}
