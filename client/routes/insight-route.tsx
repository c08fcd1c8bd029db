import { getRouteApi } from '@tanstack/react-router'
import { InsightScreen } from '../features/insights/insight-screen'
import { NotesPanel, useNoteMarks } from '../features/notes/notes-panel'

const route = getRouteApi('/app/insights/$id')

export function InsightRoute() {
  const { id } = route.useParams()
  const marks = useNoteMarks(id)
  return <InsightScreen key={id} id={id} marks={marks} talk={(axis) => <NotesPanel insightId={id} axis={axis} />} />
}
