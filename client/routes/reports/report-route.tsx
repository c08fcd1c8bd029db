import { getRouteApi } from '@tanstack/react-router'
import { ForecastTileChart } from '../../features/forecasts/view/forecast-tile-chart'
import { DrillDrawer } from '../../features/insights/view/records-drawer'
import type { TileSlots } from '../../features/reports/blocks/slots'
import { ReportScreen } from '../../features/reports/view/report-screen'

const route = getRouteApi('/app/reports/interactive/$id')

/** What of a report other nouns draw. */
const SLOTS: TileSlots = {
  forecast: (parts) => <ForecastTileChart {...parts} />,
  records: (parts) => <DrillDrawer {...parts} />,
}

export function ReportRoute() {
  const { id } = route.useParams()
  return <ReportScreen id={id} slots={SLOTS} />
}
