import { Button, Collapse, Group, Menu, Select, Skeleton, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { FINDING_KIND_LABELS } from '../../../src/shared/alerts'
import { STORIES_MAX, type Briefing, type BriefingStory, type StoryFilter } from '../../../src/shared/briefing/briefing'
import type { Finding, FindingKind } from '../../../src/shared/findings'
import { useFormat } from '../../lib/format'
import { useIsViewingAs } from '../../lib/gate'
import { notifyError } from '../../ui/notify-error'
import { EmptyState } from '../../ui/empty-state'
import { INLINE_ACTION, LinkButton } from '../../ui/buttons/links'
import { SegmentedChoice } from '../../ui/forms/segmented-choice'
import { MutedText } from '../../ui/muted-text'
import { QueryError } from '../../ui/query-view'
import { PageWithRail } from '../../ui/page-rail'
import { SectionCard } from '../../ui/section-card'
import classes from './briefing.module.css'
import { briefingQuery, markStory } from './queries'
import { describeDataEnd, StorySentence } from './story-text'
import { BriefingRail } from './waits'

/** What of the briefing the address asks for. */
export interface BriefingSearch {
  state: StoryFilter
  source?: string | undefined
  kind?: FindingKind | undefined
}

interface BriefingSectionProps {
  search: BriefingSearch
  onSearch: (next: BriefingSearch) => void
  /** Draws a finding as a list item, with what can be done about its story below it. */
  renderFinding: (finding: Finding, at: { isLead: boolean; source: string; actions: ReactNode }) => ReactNode
  /** How often the same comes by mail. */
  mail: ReactNode
}

const PAGE_SIZE = 10

/** Whether it is on its way: what stands below it waits, and does not move when it comes. */
export function useBriefingPending(search: BriefingSearch, enabled: boolean): boolean {
  const { data, failureCount } = useQuery({
    ...briefingQuery({ ...search, limit: PAGE_SIZE }),
    placeholderData: keepPreviousData,
    enabled,
  })
  return data === undefined && failureCount === 0
}

/** What changed, in full, with what stands beside it. */
export function BriefingSection({ search, onSearch, renderFinding, mail }: BriefingSectionProps) {
  const [limit, setLimit] = useState(PAGE_SIZE)
  const format = useFormat()
  const briefing = useQuery({ ...briefingQuery({ ...search, limit }), placeholderData: keepPreviousData })
  const { data } = briefing
  if (!data)
    return briefing.error ? (
      <QueryError query={briefing} />
    ) : (
      <Skeleton height={280} role="status" aria-label="Loading" />
    )
  if (isEmpty(data))
    return (
      <EmptyState
        picture="insights"
        title="No data with dates yet"
        sentence="Import a file to see what changed."
        action={<LinkButton to="/data-sources/new">Import data</LinkButton>}
      />
    )
  return (
    <PageWithRail rail={<BriefingRail briefing={data} />}>
      <SectionCard title="Briefing" description={describeVisit(data, format.dateTime)}>
        <BriefingSummary briefing={data} />
        <BriefingFiltersBar briefing={data} search={search} onSearch={onSearch} />
        <StoryList briefing={data} search={search} renderFinding={renderFinding} />
        {data.total > data.stories.length && data.stories.length < STORIES_MAX && (
          <Group>
            <Button
              variant="default"
              size="xs"
              loading={briefing.isFetching}
              onClick={() => setLimit((now) => Math.min(STORIES_MAX, now + PAGE_SIZE))}
            >
              Show more
            </Button>
          </Group>
        )}
      </SectionCard>
      {mail}
    </PageWithRail>
  )
}

function describeVisit({ since, dataTo }: Briefing, instant: (iso: string) => string): string | undefined {
  const words = [
    since === null ? null : `Since ${instant(since)}`,
    dataTo === null ? null : describeDataEnd(dataTo),
  ].filter((one) => one !== null)
  return words.length === 0 ? undefined : words.join(' · ')
}

const isEmpty = ({ basis, waiting, alerts, forecasts, sources }: Briefing): boolean =>
  basis === 'none' && waiting.length + alerts.length + forecasts.length + sources.length === 0

/** One paragraph; its figures are the stories' own. */
function BriefingSummary({ briefing: { summary, stories } }: { briefing: Briefing }) {
  if (summary.length === 0) return null
  return (
    <Text className={classes.summary}>
      {summary.map((part, at) => {
        if ('text' in part) return `${part.text} `
        const story = stories[part.story]
        return (
          story && (
            <span key={at}>
              <StorySentence finding={story.finding} />{' '}
            </span>
          )
        )
      })}
    </Text>
  )
}

const STATE_LABELS: Record<StoryFilter, string> = {
  open: 'Open',
  new: 'New',
  read: 'Read',
  snoozed: 'Snoozed',
  all: 'All',
}

function BriefingFiltersBar({
  briefing: { counts, filters },
  search,
  onSearch,
}: Pick<BriefingSectionProps, 'search' | 'onSearch'> & { briefing: Briefing }) {
  const { new: fresh, unread, read, snoozed } = counts
  const count: Record<StoryFilter, number> = {
    ...{ open: fresh + unread, new: fresh, read, snoozed, all: fresh + unread + read + snoozed },
  }
  return (
    <div className={classes.filters}>
      <SegmentedChoice
        label="Show"
        value={search.state}
        options={(['open', 'new', 'read', 'snoozed', 'all'] as const).map((value) => ({
          value,
          label: `${STATE_LABELS[value]} ${count[value]}`,
        }))}
        onChange={(state) => onSearch({ ...search, state })}
      />
      {filters.sources.length > 1 && (
        <Select
          size="xs"
          label="Source"
          clearable
          placeholder="All sources"
          data={filters.sources.map(({ id, name }) => ({ value: id, label: name }))}
          value={search.source ?? null}
          onChange={(source) => onSearch({ ...search, source: source ?? undefined })}
        />
      )}
      {filters.kinds.length > 1 && (
        <Select
          size="xs"
          label="Kind"
          clearable
          placeholder="All kinds"
          data={filters.kinds.map((kind) => ({ value: kind, label: FINDING_KIND_LABELS[kind] }))}
          value={search.kind ?? null}
          onChange={(value) => onSearch({ ...search, kind: filters.kinds.find((kind) => kind === value) })}
        />
      )}
    </div>
  )
}

const NOTHING: Record<StoryFilter, string> = {
  open: 'All read.',
  new: 'No changes since your last visit.',
  read: 'Nothing marked as read.',
  snoozed: 'Nothing snoozed.',
  all: 'No findings match the filters.',
}

function StoryList({
  briefing: { stories, basis, behind },
  search,
  renderFinding,
}: Pick<BriefingSectionProps, 'search' | 'renderFinding'> & { briefing: Briefing }) {
  const format = useFormat()
  if (stories.length === 0) {
    const words =
      basis === 'tooLittle' ? 'Too little history to judge. Needs more complete periods.' : NOTHING[search.state]
    return <MutedText role="status">{behind ? 'Analysing new rows.' : words}</MutedText>
  }
  return (
    <ul className={classes.stories} aria-label="Findings">
      {stories.map((story, at) =>
        renderFinding(story.finding, {
          isLead: at === 0,
          source: describeSource(story, format.date),
          actions: <StoryActions story={story} />,
        }),
      )}
    </ul>
  )
}

const SNOOZES = [
  { days: 1, label: '1 day' },
  { days: 7, label: '1 week' },
  { days: 30, label: '30 days' },
] as const

const describeSource = ({ sourceName, dataTo, snoozedUntil }: BriefingStory, day: (iso: string) => string): string =>
  [
    sourceName,
    dataTo === null ? null : describeDataEnd(dataTo),
    snoozedUntil === null ? null : `Snoozed until ${day(snoozedUntil)}`,
  ]
    .filter((one) => one !== null)
    .join(' · ')

/** What somebody does with a story, and what else shows it. */
function StoryActions({ story }: { story: BriefingStory }) {
  const { finding, state, lessOfKind, facets } = story
  const format = useFormat()
  const isViewingAs = useIsViewingAs()
  const [isOpen, { toggle }] = useDisclosure(false)
  const mark = (input: Parameters<typeof markStory>[1]): void => void markStory(finding.id, input).catch(notifyError)
  return (
    <>
      {!isViewingAs && (
        <>
          <Button {...INLINE_ACTION} onClick={() => mark({ read: state !== 'read' })}>
            {state === 'read' ? 'Mark as unread' : 'Mark as read'}
          </Button>
          {state === 'snoozed' ? (
            <Button {...INLINE_ACTION} onClick={() => mark({ snoozeDays: null })}>
              End snooze
            </Button>
          ) : (
            <Menu>
              <Menu.Target>
                <Button {...INLINE_ACTION}>Snooze</Button>
              </Menu.Target>
              <Menu.Dropdown>
                {SNOOZES.map(({ days, label }) => (
                  <Menu.Item key={days} onClick={() => mark({ snoozeDays: days })}>
                    {label}
                  </Menu.Item>
                ))}
              </Menu.Dropdown>
            </Menu>
          )}
          <Button {...INLINE_ACTION} onClick={() => mark({ lessOfKind: !lessOfKind })}>
            {lessOfKind ? 'Show as usual' : 'Less like this'}
          </Button>
        </>
      )}
      {facets.length > 0 && (
        <Button {...INLINE_ACTION} onClick={toggle} aria-expanded={isOpen}>
          {isOpen ? 'Hide related' : `${format.count(facets.length)} related`}
        </Button>
      )}
      {facets.length > 0 && (
        <Collapse expanded={isOpen} keepMounted={false} style={{ flexBasis: '100%' }}>
          <ul className={classes.facets} aria-label="Related findings">
            {facets.map((facet) => (
              <li key={facet.id}>
                <Text size="sm" c="dimmed">
                  <StorySentence finding={facet} />
                </Text>
              </li>
            ))}
          </ul>
        </Collapse>
      )}
    </>
  )
}
