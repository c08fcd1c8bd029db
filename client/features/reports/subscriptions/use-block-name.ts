import { useQuery } from '@tanstack/react-query'
import { api } from '../../../lib/api'
import { insightQuery } from '../../../lib/queries/insight-queries'
import { jsonQuery } from '../../../lib/queries/query-options'
import { metricsQuery } from '../../../lib/query-builder/catalogue'
import type { Forecast } from '../../../../src/shared/forecasts/forecasts'
import type { ReportBlock } from '../../../../src/shared/reports/blocks'
import { blockName } from '../../../../src/shared/reports/block-names'

const forecastNameQuery = (id: string) =>
  jsonQuery<Pick<Forecast, 'name'>>(['forecasts', 'one', id], (options) =>
    api.api.forecasts[':id'].$get({ param: { id } }, options),
  )

/** What a block is called where its figures are not at hand: its title, else the name of what it shows. */
export function useBlockName(block: ReportBlock): string {
  const isUntitled = 'title' in block && block.title === ''
  const insight = isUntitled && block.kind === 'insight' ? block.insight : null
  const metric = isUntitled && block.kind === 'metric' ? block.metric : null
  const forecast = isUntitled && block.kind === 'forecast' ? block.forecast : null
  const insights = useQuery({ ...insightQuery(insight ?? ''), enabled: insight !== null })
  const metrics = useQuery({ ...metricsQuery(), enabled: metric !== null })
  const forecasts = useQuery({ ...forecastNameQuery(forecast ?? ''), enabled: forecast !== null })
  const named =
    (insight !== null && insights.data?.name) ||
    (metric !== null && metrics.data?.find(({ id }) => id === metric)?.name) ||
    (forecast !== null && forecasts.data?.name)
  return named || blockName(block)
}
