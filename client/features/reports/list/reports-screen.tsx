import { Button, Group, SegmentedControl } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { ReportKind } from '../../../../src/shared/reports/report-kinds'
import type { ReportSummary, ReportTemplate } from '../../../../src/shared/reports/reports'
import { useFormat } from '../../../lib/format'
import { useMayWrite } from '../../../lib/gate'
import { useNow } from '../../../lib/use-now'
import { ShowMore } from '../../../ui/buttons/show-more'
import { LinkAnchor } from '../../../ui/buttons/links'
import { EmptyState } from '../../../ui/empty-state'
import { DebouncedSearchField } from '../../../ui/forms/search-field'
import { MutedText } from '../../../ui/muted-text'
import { NeutralBadge } from '../../../ui/neutral-badge'
import { PageHeader } from '../../../ui/page-header'
import { QueryStatus } from '../../../ui/query-view'
import { SectionCard } from '../../../ui/section-card'
import { TableSkeleton } from '../../../ui/skeletons'
import { reportsQuery } from '../queries'
import { REPORT_PATHS } from '../../../lib/report-paths'
import { AllLinksButton } from '../links/all-links'
import { ReportMenu } from '../view/report-actions'
import classes from './list.module.css'
import { NewReport, TemplateChoice } from './new-report'

const TITLES = { all: 'Reports', interactive: 'Interactive reports', legacy: 'Legacy reports' } as const

const LIST_PATHS = { interactive: '/reports/interactive', legacy: '/reports/legacy' } as const

interface ReportsScreenProps {
  /** Reports of one kind only. */
  kind?: ReportKind
}

/** The reports of the workspace; search and what is put away stand in the address. */
export function ReportsScreen({ kind }: ReportsScreenProps) {
  const { q = '', archived = false } = useSearch({ strict: false })
  const navigate = useNavigate()
  const to = kind === undefined ? '/reports' : LIST_PATHS[kind]
  const list = useInfiniteQuery({ ...reportsQuery({ q, kind, archived }), placeholderData: keepPreviousData })
  const [template, setTemplate] = useState<ReportTemplate | null>(null)
  const may = useMayWrite('edit:report')
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
  const isWhole = q === '' && !archived
  const isEmpty = list.data !== undefined && items.length === 0
  const search = (next: { q?: string; archived?: boolean }): void =>
    void navigate({
      to,
      search: (old) => ({ ...old, q: (next.q ?? q) || undefined, archived: (next.archived ?? archived) || undefined }),
      replace: true,
    })
  return (
    <>
      <PageHeader
        title={TITLES[kind ?? 'all']}
        actions={
          !(isEmpty && isWhole) && (
            <>
              <AllLinksButton />
              {may && (
                <Button
                  leftSection={<IconPlus size={16} aria-hidden />}
                  onClick={() => setTemplate(kind === 'legacy' ? 'monthEnd' : 'monday')}
                >
                  New report
                </Button>
              )}
            </>
          )
        }
      />
      {!(isEmpty && isWhole) && (
        <Group mb="md" gap="sm">
          <DebouncedSearchField
            label="Search reports"
            initial={q}
            onSearch={(text) => search({ q: text })}
            style={{ flex: '1 1 14rem', maxWidth: '24rem' }}
          />
          <SegmentedControl
            size="xs"
            aria-label="Show"
            value={archived ? 'archived' : 'active'}
            data={[
              { value: 'active', label: 'Active' },
              { value: 'archived', label: 'Archived' },
            ]}
            onChange={(value) => search({ archived: value === 'archived' })}
          />
        </Group>
      )}
      <QueryStatus query={list} skeleton={<TableSkeleton />} />
      {items.length > 0 && <ReportList items={items} showsKind={kind === undefined} />}
      {isEmpty &&
        (isWhole ? <NoReports onNew={may ? setTemplate : undefined} /> : <NoMatch q={q} archived={archived} />)}
      <ShowMore query={list} mt="md" />
      {template && <NewReport kind={kind} template={template} onClose={() => setTemplate(null)} />}
    </>
  )
}

export const InteractiveReportsScreen = () => <ReportsScreen kind="interactive" />
export const LegacyReportsScreen = () => <ReportsScreen kind="legacy" />

function NoMatch({ q, archived }: { q: string; archived: boolean }) {
  if (q === '' && archived) return <EmptyState title="No archived reports" />
  return <EmptyState picture="search" title={`No reports match “${q}”`} sentence="Try a shorter word." />
}

/** Teaches by what there is to choose. */
function NoReports({ onNew }: { onNew: ((template: ReportTemplate) => void) | undefined }) {
  if (!onNew)
    return (
      <EmptyState picture="insights" title="No reports yet" sentence="Reports that others publish are listed here." />
    )
  return (
    <SectionCard title="No reports yet" description="Start from a template. It’s filled with your figures.">
      <TemplateChoice onChoose={onNew} />
    </SectionCard>
  )
}

const KIND_NAMES: Record<ReportKind, string> = { interactive: 'Interactive', legacy: 'Legacy' }
const STATUS_NAMES = { draft: 'Draft', published: 'Published', archived: 'Archived' } as const

function ReportList({ items, showsKind }: { items: readonly ReportSummary[]; showsKind: boolean }) {
  return (
    <div className="surface">
      <div className={`${classes.row} ${classes.head} ${classes.wide}`} aria-hidden="true">
        <span>Name</span>
        <span>Status</span>
        <span>Owner</span>
        <span>Updated</span>
        <span />
      </div>
      <ul className={classes.list} aria-label="Reports">
        {items.map((report) => (
          <ReportRow key={report.id} report={report} showsKind={showsKind} />
        ))}
      </ul>
    </div>
  )
}

function ReportRow({ report, showsKind }: { report: ReportSummary; showsKind: boolean }) {
  const format = useFormat()
  const now = useNow()
  const { id, name, kind, status, changed, description, ownerName, updatedAt } = report
  const aside = [...(showsKind ? [KIND_NAMES[kind]] : []), ...(description === '' ? [] : [description])].join(' · ')
  return (
    <li className={classes.row}>
      <div className={classes.name}>
        <div className={classes.cut}>
          <LinkAnchor to={REPORT_PATHS[kind]} params={{ id }}>
            {name}
          </LinkAnchor>
        </div>
        {aside !== '' && (
          <MutedText size="xs" className={classes.cut ?? ''}>
            {aside}
          </MutedText>
        )}
      </div>
      <div>
        <NeutralBadge>{status === 'published' && changed ? 'Changed' : STATUS_NAMES[status]}</NeutralBadge>
      </div>
      <span className={`${classes.cut} ${classes.wide}`}>{ownerName}</span>
      <MutedText className={classes.wide ?? ''}>{format.asOf(updatedAt, now)}</MutedText>
      <div className={classes.rowMenu}>
        <ReportMenu report={report} />
      </div>
    </li>
  )
}
