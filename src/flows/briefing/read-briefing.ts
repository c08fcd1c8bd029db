import type { BriefingReader } from './reader'
import { dataEndsOf } from './data-ends'
import { forecastsOutside, openAlerts, sourceProblems, waitingItems } from './surroundings'
import { kindsOf, rankStories, type RankedStory } from '../../features/findings/rank-stories'
import { summarise } from '../../features/briefing/model/summary'
import { briefingStore } from '../../features/briefing/store'
import { listSources } from '../../features/data-sources/sources'
import { allFindings, storedFindings } from '../../features/findings/service'
import { auditEntryFactory, commit } from '../../db/commit'
import type { RequestContext } from '../../http/request-context'
import { toIsoOrNull } from '../../lib/iso'
import type { CalendarContext } from '../../semantic/calendar'
import { DAY_MS } from '../../shared/dates'
import { ProductError } from '../../shared/errors'
import type { Finding } from '../../shared/findings'
import type {
  Briefing,
  BriefingQuery,
  BriefingStory,
  KeyedFinding,
  MarkStoryInput,
  StoryFilter,
  StoryMark,
  StoryState,
} from '../../shared/briefing/briefing'
import type { DataSource } from '../../shared/data-sources/data-sources'

const SOURCES_MAX = 100

/** What of a workspace's sources a member may see. */
export const readSources = async ({ deps, scope, entitlements }: BriefingReader): Promise<DataSource[]> => {
  const { dataSources: max } = entitlements.features
  const page = { search: undefined, deleted: '0', limit: SOURCES_MAX } as const
  return (await listSources(deps, { scope, max }, page)).items
}

const passes = (state: StoryState, filter: StoryFilter): boolean =>
  filter === 'all' || (filter === 'open' ? state === 'new' || state === 'unread' : state === filter)

/** What changed, for one member. `since`: their last visit before this one (epoch ms). */
export async function readBriefing(
  reader: BriefingReader,
  { query, since }: { query: BriefingQuery; since: number | null },
): Promise<Briefing> {
  const { deps, scope } = reader
  const [found, { marks, lessOf }, sources] = await Promise.all([
    allFindings(reader),
    briefingStore(deps.db, scope).marks(),
    readSources(reader),
  ])
  const stories = rankStories(found.findings, { now: deps.clock.now(), since, marks, lessOf })
  const sourceOf = sourceByDataset(sources)
  const kept = stories.filter(
    ({ lead, state }) =>
      passes(state, query.state) &&
      (query.kind === undefined || lead.kind === query.kind) &&
      (query.source === undefined || sourceOf(lead.about.dataset)?.id === query.source),
  )
  const page = kept.slice(0, query.limit)
  const [ends, forecasts, alerts, waiting] = await Promise.all([
    dataEndsOf(reader, found.findings),
    forecastsOutside(reader),
    openAlerts(reader),
    waitingItems(reader, { sources }),
  ])
  const problems = sourceProblems(sources, deps.clock.now())
  const view: Pick<Briefing, 'basis' | 'since' | 'forecasts' | 'alerts' | 'sources'> = {
    ...{ basis: found.basis, since: toIsoOrNull(since), forecasts, alerts, sources: problems },
  }
  const leading = page.findIndex(({ state }) => state !== 'new')
  return {
    ...view,
    behind: found.behind,
    dataTo: [...ends.values()].toSorted().at(-1) ?? null,
    stories: page.map((story) => toStory(story, { lessOf, ends, source: sourceOf(story.lead.about.dataset) })),
    total: kept.length,
    counts: countStates(stories),
    summary: summarise({
      ...view,
      fresh: stories.filter(({ state }) => state === 'new').length,
      shown: leading === -1 ? page.length : leading,
    }),
    waiting,
    filters: { sources: namedSources(stories, sourceOf), kinds: kindsOf(stories) },
  }
}

type SourceOf = (dataset: string) => Pick<DataSource, 'id' | 'name'> | undefined
function sourceByDataset(sources: readonly DataSource[]): SourceOf {
  const byDataset = new Map(sources.flatMap((source) => source.datasets.map(({ id }) => [id, source] as const)))
  return (dataset) => byDataset.get(dataset)
}

function namedSources(stories: readonly RankedStory[], sourceOf: SourceOf): Briefing['filters']['sources'] {
  const named = new Map(
    stories.flatMap(({ lead }) => {
      const source = sourceOf(lead.about.dataset)
      return source ? [[source.id, source.name] as const] : []
    }),
  )
  return [...named].map(([id, name]) => ({ id, name }))
}

function countStates(stories: readonly RankedStory[]): Briefing['counts'] {
  const count = (of: StoryState): number => stories.filter(({ state }) => state === of).length
  return { new: count('new'), unread: count('unread'), read: count('read'), snoozed: count('snoozed') }
}

const withoutKey = ({ key: _key, ...finding }: KeyedFinding): Finding => finding

const toStory = (
  { lead, facets, state, snoozedUntil }: RankedStory,
  at: { lessOf: ReadonlySet<string>; ends: ReadonlyMap<string, string>; source: ReturnType<SourceOf> },
): BriefingStory => ({
  finding: withoutKey(lead),
  facets: facets.map(withoutKey),
  state,
  snoozedUntil: toIsoOrNull(snoozedUntil),
  lessOfKind: at.lessOf.has(lead.kind),
  sourceId: at.source?.id ?? null,
  sourceName: at.source?.name ?? null,
  dataTo: at.ends.get(lead.about.dataset) ?? null,
})

/** What of a story is told after it is marked. */
export interface MarkedStory {
  findingId: string
  state: StoryState
  snoozedUntil: string | null
  lessOfKind: boolean
}

/**
 * Marks a story: its lead and all that shows the same, so that none of them comes up in its place.
 * @throws ProductError `not_found`
 */
export async function markStory(
  context: RequestContext,
  { findingId, input }: { findingId: string; input: MarkStoryInput },
): Promise<MarkedStory> {
  const { deps, scope } = context
  const store = briefingStore(deps.db, scope)
  const [findings, { marks, lessOf }, since] = await Promise.all([
    storedFindings(context),
    store.marks(),
    store.since(),
  ])
  const now = deps.clock.now()
  const stories = rankStories(findings, { now, since, marks, lessOf })
  const story = stories.find(({ lead, facets }) => [lead, ...facets].some(({ id }) => id === findingId))
  if (!story) throw new ProductError('not_found')
  const { lead, facets } = story
  const { kind } = facets.find(({ id }) => id === findingId) ?? lead
  const before = marks.get(lead.key) ?? { readAt: null, snoozedUntil: null }
  const after = nextMark(before, input, now)
  const isLess = input.lessOfKind ?? lessOf.has(kind)
  const keys = [lead, ...facets].map(({ key }) => key)
  const marked = new Map([...marks, ...keys.map((key) => [key, after] as const)])
  const [shown] = rankStories([lead], { now, since, marks: marked, lessOf })
  const answer: MarkedStory = {
    findingId,
    state: shown?.state ?? story.state,
    snoozedUntil: toIsoOrNull(shown?.snoozedUntil ?? null),
    lessOfKind: isLess,
  }
  await commit(deps, {
    change: [
      ...(input.read === undefined && input.snoozeDays === undefined ? [] : [store.mark(keys, after, now)]),
      ...(input.lessOfKind === undefined ? [] : [store.lessOf(kind, isLess, now)]),
    ],
    audit: [auditOf(context, { action: 'briefing.mark', id: findingId, before, after })],
    reply: context.reply(answer),
  })
  return answer
}

/** To read something ends its rest, and to put it off makes it unread again. */
function nextMark({ readAt, snoozedUntil }: StoryMark, { read, snoozeDays }: MarkStoryInput, now: number): StoryMark {
  if (typeof snoozeDays === 'number') return { readAt: null, snoozedUntil: now + snoozeDays * DAY_MS }
  const rest = snoozeDays === null ? null : snoozedUntil
  if (read === undefined) return { readAt, snoozedUntil: rest }
  return { readAt: read ? (readAt ?? now) : null, snoozedUntil: read ? null : rest }
}

const auditOf = auditEntryFactory('finding')

/** The last visit before this one; a look of somebody else's view notes none. */
export const noteVisit = ({ deps, scope }: CalendarContext): Promise<number | null> => {
  const store = briefingStore(deps.db, scope)
  return scope.isView ? store.since() : store.visit(deps.clock.now())
}
