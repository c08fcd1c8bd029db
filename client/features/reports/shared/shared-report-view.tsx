import { Alert, Button, Group, Text, Title } from '@mantine/core'
import { IconFileTypePdf, IconPrinter } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import type { SharedReport, SharedView } from '../../../../src/shared/reports/links'
import type { ReportPeriod } from '../../../../src/shared/reports/reports'
import type { Scalar } from '../../../../src/shared/query/plan'
import { ApiError } from '../../../lib/api'
import { describeError } from '../../../lib/describe-error'
import { useFormat } from '../../../lib/format'
import { MutedText } from '../../../ui/muted-text'
import { PageQuestionContext } from '../blocks/tile-frame'
import { createTileStore } from '../tiles/tile-store'
import { TileStoreContext, useTiles } from '../tiles/use-tiles'
import { PageGrid } from '../view/page-grid'
import { PageTabs } from '../view/page-tabs'
import { PeriodControl, rangeLabel } from '../view/period-control'
import { askingBlocks } from '../view/asking-blocks'
import view from '../view/report.module.css'
import { downloadShared, tilesSource, type LinkKey } from './shared-calls'
import { SharedFilter } from './shared-filter'
import classes from './shared.module.css'

type OpenReport = Extract<SharedReport, { state: 'open' }>
interface SharedReportProps {
  link: LinkKey
  report: OpenReport
  /** Figures were refused: the link may have ended, or its passcode be asked for again. */
  onRefused: () => void
}

export function SharedReportView(props: SharedReportProps) {
  const { name, workspace, edition } = props.report
  useEffect(() => {
    document.title = `${name} – ${workspace}`
  }, [name, workspace])
  return edition ? <FrozenReport {...props} /> : <LiveReport {...props} />
}

interface HeaderProps extends Omit<SharedReportProps, 'onRefused'> {
  view: SharedView
  facts: readonly string[]
}

function Header({ link, report, view: asked, facts }: HeaderProps) {
  const download = useMutation({ mutationFn: () => downloadShared(link, asked, report.name) })
  return (
    <header className={classes.head}>
      <div className={classes.names}>
        <Title order={1} size="h2">
          {report.name}
        </Title>
        {report.description !== '' && <Text c="dimmed">{report.description}</Text>}
        {facts.length > 0 && <MutedText size="xs">{facts.join(' · ')}</MutedText>}
      </div>
      <Group gap="xs" className="no-print">
        <Button
          variant="default"
          size="xs"
          visibleFrom="xs"
          leftSection={<IconPrinter size={16} aria-hidden />}
          onClick={() => window.print()}
        >
          Print
        </Button>
        {report.download && (
          <Button
            variant="default"
            size="xs"
            leftSection={<IconFileTypePdf size={16} aria-hidden />}
            loading={download.isPending}
            onClick={() => download.mutate()}
          >
            Download PDF
          </Button>
        )}
      </Group>
      {download.error && (
        <Text size="sm" role="alert">
          {describeError(download.error).title}
        </Text>
      )}
    </header>
  )
}

/** What a viewer changed of what the link begins with. */
interface ViewerChoices {
  page: string
  period: ReportPeriod | null
  filters: Readonly<Record<string, Scalar[]>>
}

function LiveReport({ link, report, onRefused }: SharedReportProps) {
  const format = useFormat()
  const [chosen, setChosen] = useState<ViewerChoices>({ page: report.pages[0]?.id ?? '', period: null, filters: {} })
  const page = report.pages.find(({ id }) => id === chosen.page) ?? report.pages[0]
  const period = chosen.period ?? report.period
  const asked = useMemo(
    (): SharedView => ({
      ...(chosen.period ? { period: chosen.period } : {}),
      filters: Object.entries(chosen.filters).map(([id, values]) => ({ id, values })),
    }),
    [chosen],
  )
  const source = useMemo(() => tilesSource(link), [link])
  const request = useMemo(() => (page ? { page: page.id, ...asked } : null), [page, asked])
  const tiles = useTiles({ reportId: link.token, request, source, blocks: askingBlocks(page?.blocks ?? []) })
  const { retry, error } = tiles
  useEffect(() => {
    if (error instanceof ApiError && (error.body.code === 'not_found' || error.body.code === 'unauthenticated'))
      onRefused()
  }, [error, onRefused])
  const question = useMemo(() => ({ filterLabels: [], hasPeriod: period.range !== null, retry }), [period.range, retry])
  const facts = [
    ...report.fixed,
    ...(report.periodOpen || period.range === null ? [] : [rangeLabel(period.range, format.day)]),
    ...(tiles.dataAsOf === null ? [] : [`Data as of ${format.dateTime(tiles.dataAsOf)}`]),
  ]
  return (
    <PageQuestionContext value={question}>
      <TileStoreContext value={tiles.store}>
        <Header link={link} report={report} view={asked} facts={facts} />
        {(report.periodOpen || report.filters.length > 0) && (
          <div className={`${view.bar} no-print`} role="group" aria-label="Period and filters">
            {report.periodOpen && (
              <PeriodControl
                period={period}
                onChange={(change) => setChosen({ ...chosen, period: { ...period, ...change } })}
              />
            )}
            {report.filters.map((filter) => (
              <SharedFilter
                key={filter.id}
                link={link}
                filter={filter}
                values={chosen.filters[filter.id] ?? filter.values}
                onChange={(values) => setChosen({ ...chosen, filters: { ...chosen.filters, [filter.id]: values } })}
              />
            ))}
          </div>
        )}
        {page && (
          <PageTabs pages={report.pages} current={page.id} onChoose={(id) => setChosen({ ...chosen, page: id })} />
        )}
        {page && <PageGrid blocks={page.blocks} selections={[]} />}
      </TileStoreContext>
    </PageQuestionContext>
  )
}

const NO_VIEW: SharedView = { filters: [] }

/** An edition: every page below the other, with the figures that came with it. */
function FrozenReport({ link, report }: Omit<SharedReportProps, 'onRefused'>) {
  const format = useFormat()
  const { edition, pages } = report
  const store = useMemo(() => {
    const frozen = createTileStore()
    edition?.answers.forEach(frozen.take)
    return frozen
  }, [edition])
  const facts = [
    ...(edition?.period ? [edition.period] : []),
    `Edition ${edition?.n ?? 1}`,
    ...(edition?.filters ?? []),
    ...(edition?.dataAsOf ? [`Data as of ${format.dateTime(edition.dataAsOf)}`] : []),
  ]
  return (
    <TileStoreContext value={store}>
      <Header link={link} report={report} view={NO_VIEW} facts={facts} />
      {edition && edition.note !== '' && (
        <Alert color="yellow" title="Correction" mb="md">
          {edition.note}
        </Alert>
      )}
      {pages.map(({ id, name, blocks }) => (
        <div key={id}>
          {pages.length > 1 && (
            <Text component="h2" size="lg" fw={600} mb="sm">
              {name}
            </Text>
          )}
          <PageGrid blocks={blocks} selections={[]} isPaper />
        </div>
      ))}
    </TileStoreContext>
  )
}
