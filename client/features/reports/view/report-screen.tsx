import { Suspense, lazy } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'

import { useMayWrite } from '../../../lib/gate'
import type { Report } from '../../../../src/shared/reports/reports'
import { SubjectPage } from '../../../ui/deleted/subject-page'
import { EmptyState } from '../../../ui/empty-state'
import { LinkButton } from '../../../ui/buttons/links'
import { PageHeader } from '../../../ui/page-header'
import { ScreenSkeleton } from '../../../ui/skeletons'
import { TileSlotsProvider, type TileSlots } from '../blocks/slots'
import { reportQuery, shownContent } from '../queries'
import { REPORT_PATHS } from '../../../lib/report-paths'
import { EditionsCard } from '../editions/editions-card'
import { ReportMenu } from './report-actions'
import { ReportView } from './report-view'

// Readers do not wait for what only editors need.
const ReportEditor = lazy(() => import('../editor/report-editor').then((part) => ({ default: part.ReportEditor })))

/** A report: as its readers see it, or its editor. The address holds which. */
export function ReportScreen({ id, slots }: { id: string; slots: TileSlots }) {
  const report = useQuery(reportQuery(id))
  return (
    <SubjectPage query={report} id={id}>
      {(data) => <LoadedReport report={data} slots={slots} />}
    </SubjectPage>
  )
}

function LoadedReport({ report: data, slots }: { report: Report; slots: TileSlots }) {
  const edit = useSearch({ strict: false, select: (search) => search.edit })
  const navigate = useNavigate()
  const may = useMayWrite('edit:report')
  const { id } = data
  // Who may not see a part of it cannot change it as a whole: no draft comes.
  const mayEdit = may && data.draft !== null
  const show = (edits: boolean): void =>
    void navigate({
      to: REPORT_PATHS[data.kind],
      params: { id },
      search: (old) => ({ ...old, edit: edits ? true : undefined }),
    })
  const content = shownContent(data)
  return (
    <TileSlotsProvider slots={slots}>
      {edit === true && mayEdit ? (
        <Suspense fallback={<ScreenSkeleton />}>
          <ReportEditor key={id} report={data} onDone={() => show(false)} />
        </Suspense>
      ) : content ? (
        <ReportView
          key={id}
          report={data}
          content={content}
          onEdit={mayEdit ? () => show(true) : undefined}
          editions={data.kind === 'legacy' && data.publication > 0 ? <EditionsCard report={data} /> : null}
          menu={<ReportMenu report={data} inHeader onGone={() => void navigate({ to: '/reports' })} />}
        />
      ) : (
        <NotPublished name={data.name} />
      )}
    </TileSlotsProvider>
  )
}

const NotPublished = ({ name }: { name: string }) => (
  <>
    <PageHeader title={name} />
    <EmptyState
      picture="insights"
      title="Not published yet"
      sentence="You’ll see it here once it’s published."
      action={
        <LinkButton to="/reports" variant="default">
          All reports
        </LinkButton>
      }
    />
  </>
)
