import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { InsightAlerts } from '../features/alerts/insight-alerts'
import { DriversCard } from '../features/findings/drivers-card'
import { useFindingMarks, WhatChanged } from '../features/findings/what-changed'
import { InsightForecasts } from '../features/forecasts/subject-forecasts'
import { InsightScreen } from '../features/insights/insight-screen'
import { NotesPanel, useNoteMarks } from '../features/notes/notes-panel'
import { TargetCard } from '../features/targets/target-card'
import { useChartTarget } from '../features/targets/use-chart-target'

const route = getRouteApi('/app/insights/$id')

export function InsightRoute() {
  const { id } = route.useParams()
  const [noted, unusual] = [useNoteMarks(id), useFindingMarks(id)]
  const marks = useMemo(() => [...noted, ...unusual], [noted, unusual])
  return (
    <InsightScreen
      key={id}
      {...{ id, marks }}
      target={useChartTarget(id)}
      changed={(parts) => [<WhatChanged key="findings" {...parts} />, <DriversCard key="drivers" {...parts} />]}
      watch={(insight) => [
        <TargetCard key="targets" insight={insight} />,
        <InsightAlerts key="alerts" insight={insight} />,
        <InsightForecasts key="forecasts" insight={insight} />,
      ]}
      talk={(axis) => <NotesPanel insightId={id} axis={axis} />}
    />
  )
}
