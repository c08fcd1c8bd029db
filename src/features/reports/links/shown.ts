import { accountClassesVersion, readForecastMeanings, type ForecastMeaning } from './shown-store'
import type { ReadContext } from '../../../deps'
import { canonicalJson, sha256HexSync } from '../../../lib/hash'
import { readGroupingVersions } from '../../../semantic/grouping-store'
import { readMetricDefinitions } from '../../../semantic/metric-definition-store'
import { referencedMetrics } from '../../../semantic/metric-definitions'
import { readSubjects } from '../../../semantic/monitored-metric-store'
import type { Measure } from '../../../shared/query/plan'
import type { ReportBlock } from '../../../shared/reports/blocks'
import { blockItems, blocksOf, textsOf, tokenMetrics } from '../../../shared/reports/report-items'
import type { ReportContent } from '../../../shared/reports/reports'

/** Fingerprints of a content and of all that its figures are made of: equal ones ask the same. */
export interface ShownContent {
  /** Its period and filters. */
  frame: string
  /** Of each block, wherever it is on its page. */
  blocks: Readonly<Record<string, string>>
  /** By id, of metrics in texts by name. What is not there for who asks is left out: its figures are, too. */
  items: Readonly<Record<string, string>>
}

export const CHANGED_TEXT = 'Changed since it was shared.'

const print = (value: unknown): string => sha256HexSync(canonicalJson(value)).slice(0, 32)
const nameKey = (name: string): string => `name:${name}`
const itemsOf = (block: ReportBlock): string[] => [...blockItems(block), ...tokenMetrics([block]).map(nameKey)]

/** What a content shows, as it is defined now. */
export async function shownContent({ deps, scope }: ReadContext, content: ReportContent): Promise<ShownContent> {
  const blocks = blocksOf(content)
  const { period, filters } = content
  const versions = new Map((await readGroupingVersions(deps.db, scope)).map(({ id, version }) => [id, version]))
  /** Groupings are named in plans by id: with their versions. */
  const printWhole = (value: unknown): string => {
    const text = canonicalJson(value)
    return print([text, [...versions].filter(([id]) => text.includes(id))])
  }
  return {
    frame: printWhole([period, filters.map(({ id, field, filter }) => ({ id, field, filter }))]),
    blocks: Object.fromEntries(blocks.map(({ place: _place, ...block }) => [block.id, printWhole(block)])),
    items: await shownItems({ deps, scope }, blocks, printWhole),
  }
}

async function shownItems(
  { deps, scope }: ReadContext,
  blocks: readonly ReportBlock[],
  printWhole: (value: unknown) => string,
): Promise<ShownContent['items']> {
  const ids = [...new Set(blocks.flatMap(blockItems))]
  const names = tokenMetrics(blocks)
  const forecasts = await readForecastMeanings(deps.db, scope, ids)
  const all = [...ids, ...forecasts.map(({ subjectId }) => subjectId)]
  const { insights, metrics } = await readSubjects(deps.db, scope, {
    insights: all,
    metrics: all,
    metricNames: names,
  })
  const ofMetric = (id: string): Measure => ({ kind: 'metric', id })
  const measures = [...insights.flatMap(({ plan }) => plan.measures), ...metrics.map(({ id }) => ofMetric(id))]
  const definitions = await readMetricDefinitions(deps, scope, measures)
  const meaning = (of: readonly Measure[]): unknown => referencedMetrics(of, definitions)
  const ofInsight = insights.map((one): [string, unknown] => [one.id, [one, meaning(one.plan.measures)]])
  const ofMetrics = metrics.map(({ names: _names, ...one }): [string, unknown] => [
    one.id,
    [one, meaning([ofMetric(one.id)])],
  ])
  const subjects = new Map([...ofInsight, ...ofMetrics])
  const ofForecast = forecasts.map((one: ForecastMeaning): [string, unknown] => [
    one.id,
    [one, subjects.get(one.subjectId) ?? null],
  ])
  const classes = blocks.some(({ kind }) => kind === 'statement') ? await accountClassesVersion(deps.db, scope) : 0
  const ofStatement = blocks.flatMap((block): [string, unknown][] =>
    block.kind === 'statement' ? [[block.source, classes]] : [],
  )
  const named = names.flatMap((name): [string, unknown][] => {
    const found = metrics.find((metric) => metric.names.includes(name))
    return found ? [[nameKey(name), subjects.get(found.id)]] : []
  })
  return Object.fromEntries(
    [...subjects, ...ofForecast, ...ofStatement, ...named].map(([key, value]) => [key, printWhole(value)]),
  )
}

/** Whether a block shows something else than was shared. What is not there by now says so itself. */
function changedSince(then: ShownContent | null, now: ShownContent): (block: ReportBlock) => boolean {
  if (then === null || then.frame !== now.frame) return () => true
  return (block) =>
    then.blocks[block.id] !== now.blocks[block.id] ||
    itemsOf(block).some((key) => now.items[key] !== undefined && now.items[key] !== then.items[key])
}

/** Blocks that show something: the others may be moved, added and taken away. */
const says = (block: ReportBlock): boolean =>
  itemsOf(block).length > 0 || textsOf(block).length > 0 || block.kind === 'image'

export function isChanged(content: ReportContent, then: ShownContent | null, now: ShownContent): boolean {
  const changed = changedSince(then, now)
  return blocksOf(content).some((block) => says(block) && changed(block))
}

/** Ids of the blocks of a content that show something else than was shared; `none`: nothing is as it was. */
export function changedBlocks(content: ReportContent, then: ShownContent | null, now: ShownContent) {
  const changed = changedSince(then, now)
  const telling = blocksOf(content).filter(says)
  const ids = telling.filter(changed).map(({ id }) => id)
  return { ids, none: then?.frame !== now.frame || (ids.length > 0 && ids.length === telling.length) }
}

/** A content with nothing in it that its sharer did not share: a sentence is in the place of what changed. */
export function redactedForLink(content: ReportContent, then: ShownContent | null, now: ShownContent): ReportContent {
  const changed = changedSince(then, now)
  const replaced = (block: ReportBlock): ReportBlock =>
    says(block) && changed(block) ? { id: block.id, kind: 'text', place: block.place, text: CHANGED_TEXT } : block
  return {
    ...content,
    filters: then?.frame === now.frame ? content.filters : [],
    pages: content.pages.map((page) => ({ ...page, blocks: page.blocks.map(replaced) })),
  }
}
