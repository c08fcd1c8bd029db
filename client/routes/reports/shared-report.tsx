import { QueryClientProvider } from '@tanstack/react-query'
import { ForecastTileChart } from '../../features/forecasts/view/forecast-tile-chart'
import type { TileSlots } from '../../features/reports/blocks/slots'
import { SharedScreen } from '../../features/reports/shared/shared-screen'
import { queryClient } from '../../lib/queries/query-client'
import { ThemeProvider } from '../../ui/theme-provider'

const SLOTS: TileSlots = {
  forecast: (parts) => <ForecastTileChart {...parts} />,
  records: () => null,
  figure: () => null,
  commentButton: () => null,
  comments: () => null,
}

/** The client of people outside: a report and nothing else. */
export const SharedReportApp = ({ token }: { token: string }) => (
  <ThemeProvider theme="system">
    <QueryClientProvider client={queryClient}>
      <SharedScreen token={token} slots={SLOTS} />
    </QueryClientProvider>
  </ThemeProvider>
)
