import { getRouteApi } from '@tanstack/react-router'
import { REPORT_SLOTS } from './report-route'
import { EditionScreen } from '../../features/reports/editions/edition-screen'

const route = getRouteApi('/app/reports/legacy/$id/editions/$n')

export function EditionRoute() {
  const { id, n } = route.useParams()
  return <EditionScreen key={`${id} ${n}`} reportId={id} n={Number(n)} slots={REPORT_SLOTS} />
}
