import { getRouteApi } from '@tanstack/react-router'
import { ForecastTileChart } from '../../features/forecasts/view/forecast-tile-chart'
import { FigureDrawer } from '../../features/statements/figure-drawer'
import { DrillDrawer } from '../../features/insights/view/records-drawer'
import { CommentButton } from '../../features/notes/comments/comment-button'
import { CommentsDrawer } from '../../features/notes/comments/comments-drawer'
import type { TileSlots } from '../../features/reports/blocks/slots'
import { ReportScreen } from '../../features/reports/view/report-screen'

const interactive = getRouteApi('/app/reports/interactive/$id')
const legacy = getRouteApi('/app/reports/legacy/$id')

/** What of a report other nouns draw. */
export const REPORT_SLOTS: TileSlots = {
  forecast: (parts) => <ForecastTileChart {...parts} />,
  records: (parts) => <DrillDrawer {...parts} />,
  figure: (parts) => <FigureDrawer {...parts} />,
  commentButton: (parts) => <CommentButton {...parts} />,
  comments: (parts) => <CommentsDrawer key={parts.block} {...parts} />,
}

export function ReportRoute() {
  const { id } = interactive.useParams()
  return <ReportScreen id={id} slots={REPORT_SLOTS} />
}

export function LegacyReportRoute() {
  const { id } = legacy.useParams()
  return <ReportScreen id={id} slots={REPORT_SLOTS} />
}
