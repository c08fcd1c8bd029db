import { getRouteApi } from '@tanstack/react-router'
import { IconReportAnalytics } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import type { Insight } from '../../src/shared/insights'
import { useMayWrite } from '../lib/gate'
import { InsightAlerts } from '../features/alerts/alerts-card'
import { DeletedSourceAlert } from '../features/data-sources/deleted-source-alert'
import { DriversCard } from '../features/findings/drivers-card'
import { useFindingAnnotations, InsightFindings } from '../features/findings/finding-lists'
import { InsightForecasts } from '../features/forecasts/subject-forecasts'
import { InsightScreen } from '../features/insights/view/insight-screen'
import { NotesPanel, useNoteAnnotations } from '../features/notes/notes-panel'
import { AddToReport } from '../features/reports/editor/add-to-report'
import { InsightTargets } from '../features/targets/targets-card'
import { datasetIdsOf } from '../../src/shared/query/plan-fields'
import { useChartTarget } from '../features/targets/use-chart-target'

const route = getRouteApi('/app/insights/$id')

export function InsightRoute() {
  const { id } = route.useParams()
  const [noted, unusual] = [useNoteAnnotations(id), useFindingAnnotations(id)]
  const annotations = useMemo(() => [...noted, ...unusual], [noted, unusual])
  const [added, setAdded] = useState<Pick<Insight, 'id' | 'name'> | null>(null)
  const mayReport = useMayWrite('edit:report')
  const addToReport = (insight: Insight) => ({
    ...{ label: 'Add to report', icon: IconReportAnalytics, onClick: () => setAdded(insight) },
  })
  return (
    <>
      <InsightScreen
        key={id}
        {...{ id, annotations }}
        target={useChartTarget(id)}
        renderFindings={(parts) => [
          <InsightFindings key="findings" {...parts} />,
          <DriversCard key="drivers" {...parts} />,
        ]}
        renderDataError={({ plan, error }) => (
          <DeletedSourceAlert noun="insight" datasetIds={datasetIdsOf(plan)}>
            {error}
          </DeletedSourceAlert>
        )}
        renderMonitoring={(insight) => [
          <InsightTargets key="targets" insight={insight} />,
          <InsightAlerts key="alerts" insight={insight} />,
          <InsightForecasts key="forecasts" insight={insight} />,
        ]}
        renderNotes={(axis) => <NotesPanel insightId={id} axis={axis} />}
        menuItems={(insight) => (mayReport ? [addToReport(insight)] : [])}
      />
      {added && <AddToReport insight={added} onClose={() => setAdded(null)} />}
    </>
  )
}
