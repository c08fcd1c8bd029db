import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { DriversCard } from '../features/findings/drivers-card'
import { useFindingMarks, WhatChanged } from '../features/findings/what-changed'
import { InsightScreen } from '../features/insights/insight-screen'
import { NotesPanel, useNoteMarks } from '../features/notes/notes-panel'

const route = getRouteApi('/app/insights/$id')

export function InsightRoute() {
  const { id } = route.useParams()
  const [noted, unusual] = [useNoteMarks(id), useFindingMarks(id)]
  const marks = useMemo(() => [...noted, ...unusual], [noted, unusual])
  return (
    <InsightScreen
      key={id}
      {...{ id, marks }}
      changed={(parts) => [<WhatChanged key="findings" {...parts} />, <DriversCard key="drivers" {...parts} />]}
      talk={(axis) => <NotesPanel insightId={id} axis={axis} />}
    />
  )
}
