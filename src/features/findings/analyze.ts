import type { CalendarContext } from '../../semantic/calendar'
import { findActiveTargets, confirmTargetRisks, withMemberTargets } from './targets'
import { runAnalysis } from './run-analysis'
import { factsOf } from './model/facts/facts'
import { calendarFacts } from './calendar-parts'
import { findWindow, type RowWindow } from './row-window'
import { toldFacts } from './told-facts'
import { membersWithReturns, isResultFigure } from './model/given-back'
import { selectFindings } from './model/select-findings'
import { analysisVersion, type CandidateMetric } from './candidate-metrics'
import { chooseBreakdowns, breakdownsOf, type ChosenBreakdown } from './breakdowns'
import { queryNames, withNames } from './member-names'
import { distinctCounts } from './distinct-counts'
import { askAll, orNullIfRefused } from './refusals'
import type { AnalysisSubject, SubjectDimension } from './model/subject'
import { NO_TESTS, type SubjectTestResults } from './model/candidates'
import { DesignCache } from './model/regression-design'
import { canTakeApart, type AnalysisWindow } from './analysis-window'
import { queryInfluencers } from './influencer-queries'
import { isMoneyFigure, joinColumnsOf } from '../../shared/data-sources/key-columns'
import {
  askedTogether,
  mainFigure,
  queryDimensions,
  queryTotals,
  toAnalysisSubject,
  type DisplayFormat,
} from './series'
import { affectedDatasets, loadAnalysisCatalogue, type AnalysisCatalogue } from './analysis-catalogue'
import type { DatasetCatalogue } from './analysis-catalogue'
import { queryService, type QueryService } from '../../semantic/query-service'
import { reportingCurrency } from '../../semantic/currency/reporting-currency'
import { ProductError } from '../../shared/errors'
import type { AnalyzedMetric, DetectedFinding, FindingKind, FindingPeriod } from '../../shared/findings'
import type { Field } from '../../shared/query/field'
import type { CatalogueDataset } from '../../warehouse/contract'
import { findingStore, type NewFinding } from './store'
import { commit } from '../../db/commit'
import { canonicalJson, sha256HexSync } from '../../lib/hash'
import type { Calendar } from '../../shared/dates'
interface AnalyzedFinding {
  about: AnalyzedMetric
  effect: DetectedFinding
}
/** Figures looked at in one dataset. */
const SUBJECTS_MAX = 12

/**
 * Looks at figures of one dataset and answers what stands up, best first. One plan after the other, each a question of its
 * own: people's come between.
 * @param isCurrent asked between two figures; false ends it, with nothing found
 */
async function analyze(
  context: CalendarContext,
  of: { workspace: AnalysisCatalogue; home: CatalogueDataset; candidates: readonly CandidateMetric[] },
  isCurrent: () => Promise<boolean>,
): Promise<{ found: AnalyzedFinding[]; tests: number } | null> {
  const figures = queryService(context.deps, { ...context, background: true })
  const some: CandidateMetric[] = []
  for (const each of of.candidates.slice(0, SUBJECTS_MAX)) {
    const one = await inSingleCurrency(context, each)
    if (one) some.push(one)
  }
  const timed = await withWindows(figures, context.calendar, some)
  const splits = await breakdownsFor(context, figures, { ...of, timed })
  const tested: SubjectTestResults[] = []
  const facts: DetectedFinding[] = []
  const main = mainFigure(timed.map(({ asked }) => asked))
  const abouts = new Map<string, AnalyzedMetric>()
  const subjects = new Map<string, AnalysisSubject>()
  const givenBack = new Set<string>()
  for (const group of askedTogether(timed.map((each) => ({ ...each, splits: splits(each.asked) })))) {
    if (!(await isCurrent())) return null
    for (const { key, seen } of await analyzeTogether(context, figures, { group, main })) {
      tested.push(seen.tested)
      facts.push(...seen.facts)
      for (const name of seen.givenBack) givenBack.add(name)
      abouts.set(key, seen.about)
      if (key === main) subjects.set(key, seen.subject)
    }
  }
  const first = timed.find(({ asked }) => asked.key === main)
  const calendar = first
    ? await calendarFacts(figures, of.home, { ...first, subject: subjects.get(first.asked.key) ?? null })
    : []
  const own = timed.flatMap(({ asked }) => splits(asked))
  const names = await queryNames(figures, own)
  const rows = await influencersOf(figures, { ...of, timed, splits })
  const said = toldFacts([...facts, ...calendar], { givenBack, abouts, splits: own })
  const found = [...said, ...selectFindings(tested), ...rows].flatMap((effect) => {
    const about = abouts.get(effect.subject)
    return about ? [{ about, effect: withNames(effect, names) }] : []
  })
  return { found, tests: tested.reduce((sum, { tests }) => sum + tests.total + tests.member + tests.window, 0) }
}

/** What goes with rows at a loss, late or returned: of the figures that share their first one's rows. */
async function influencersOf(
  figures: QueryService,
  of: {
    workspace: AnalysisCatalogue
    home: CatalogueDataset
    timed: readonly WindowedCandidate[]
    splits: (metric: CandidateMetric) => ChosenBreakdown[]
  },
): Promise<DetectedFinding[]> {
  const [first] = of.timed
  if (!first) return []
  const rowsOf = ({ filters, time }: CandidateMetric): string => canonicalJson([filters, time])
  const metrics = of.timed.flatMap(({ asked }) => (rowsOf(asked) === rowsOf(first.asked) ? [asked] : []))
  const joins = joinColumnsOf(of.home.id, of.workspace.edges)
  const { window, asked } = first
  return queryInfluencers(figures, { home: of.home, metrics, window, splits: of.splits(asked), joins })
}

/** With the currency that it is looked at in; null where its amounts can neither be added nor converted. */
const inSingleCurrency = (context: CalendarContext, metric: CandidateMetric): Promise<CandidateMetric | null> =>
  orNullIfRefused(reportingCurrency(context, metric).then((currency) => ({ ...metric, currency })))

interface WindowedCandidate extends RowWindow {
  asked: CandidateMetric
}

/** Figures with the buckets they are looked at over; those without any are left out. */
async function withWindows(
  service: QueryService,
  calendar: Calendar,
  all: readonly CandidateMetric[],
): Promise<WindowedCandidate[]> {
  const windows = new Map<string, RowWindow | null>()
  const timed: WindowedCandidate[] = []
  for (const asked of all) {
    const name = JSON.stringify(asked.time)
    const found = windows.has(name) ? windows.get(name) : await findWindow(service, calendar, asked)
    windows.set(name, found ?? null)
    if (found) timed.push({ asked, ...found })
  }
  return timed
}

/** The newest bucket of those that a figure is looked at over; null where there are too few. */
export async function newestPeriod(context: CalendarContext, metric: CandidateMetric): Promise<FindingPeriod | null> {
  const found = await findWindow(queryService(context.deps, context), context.calendar, metric)
  const window = found?.window
  const newest = window?.buckets.at(-1)
  return window && newest !== undefined ? { from: newest, to: newest, grain: window.grain } : null
}

interface SplitCandidate extends WindowedCandidate {
  splits: ChosenBreakdown[]
}
interface SeenCandidate {
  tested: SubjectTestResults
  facts: DetectedFinding[]
  about: AnalyzedMetric
  subject: AnalysisSubject
  /** Of the main amount: members that bring less than nothing. */
  givenBack: string[]
}

/** Figures of one group of {@link askedTogether}. */
async function analyzeTogether(
  context: CalendarContext,
  figures: QueryService,
  { group, main }: { group: readonly SplitCandidate[]; main: string | undefined },
): Promise<{ key: string; seen: SeenCandidate }[]> {
  const [first] = group
  if (!first) return []
  const { window, splits } = first
  const metrics = group.map(({ asked }) => asked)
  const totals = await askAll(metrics, (some) => queryTotals(figures, some, window))
  const dimensions: (SubjectDimension | null)[][] = []
  for (const split of splits)
    dimensions.push(await askAll(metrics, (some) => queryDimensions(figures, some, { window, split })))
  const all: { key: string; seen: SeenCandidate }[] = []
  const designs = new DesignCache(window)
  for (const [n, metric] of metrics.entries()) {
    const total = totals[n]
    if (!total) continue
    const own = splits.flatMap((split, at) => {
      const dimension = dimensions[at]?.[n]
      return dimension ? [{ split, dimension }] : []
    })
    all.push({
      key: metric.key,
      seen: await analyzeCandidate(context, metric, {
        window,
        splits,
        total,
        own,
        designs,
        isMain: metric.key === main,
      }),
    })
  }
  return all
}

async function analyzeCandidate(
  context: CalendarContext,
  metric: CandidateMetric,
  at: Pick<SplitCandidate, 'window' | 'splits'> & {
    total: NonNullable<Awaited<ReturnType<typeof queryTotals>>[number]>
    own: readonly { split: ChosenBreakdown; dimension: SubjectDimension }[]
    designs: DesignCache
    isMain: boolean
  },
): Promise<SeenCandidate> {
  const { total } = at
  const aimed = await findActiveTargets(context, metric, at.window)
  const { targets, table } = aimed ?? { targets: [], table: { by: null } }
  const dimensions = at.own.map(({ split, dimension }) =>
    withMemberTargets(dimension, { split: split.field, by: table.by, aims: targets }),
  )
  const target = targets.find(({ member }) => member === undefined)?.target
  const subject = { ...toAnalysisSubject(metric, { window: at.window, total, dimensions }), target }
  const about = toAnalyzedMetric(metric, { ...at, shown: total.shown })
  return {
    // What one row comes to by each value rests on few of them: it is read, not tested.
    tested: isProposedAverage(metric)
      ? { subject: metric.key, tests: NO_TESTS, candidates: [] }
      : await confirmTargetRisks(context, await runAnalysis(subject, at.designs), aimed),
    facts: factsOf(subject, { isMain: at.isMain, isMoney: isMoneyFigure(about), isResult: isResultFigure(about) }),
    about,
    subject,
    givenBack: at.isMain && !isResultFigure(about) ? membersWithReturns(subject) : [],
  }
}

const isProposedAverage = ({ measure, metric, insights }: CandidateMetric): boolean =>
  metric === null && insights.length === 0 && 'agg' in measure && measure.agg === 'avg'

function toAnalyzedMetric(
  candidateMetric: CandidateMetric,
  { window, splits, shown }: { window: AnalysisWindow; splits: readonly ChosenBreakdown[]; shown: DisplayFormat },
): AnalyzedMetric {
  const { key, label, dataset, metric, insights, measure, filters, time, direction } = candidateMetric
  return {
    ...{ key, label, dataset, metric, insights, measure, filters, time, direction },
    ...{ grain: window.grain, format: shown.format, scale: shown.scale },
    dimensions: splits.map(({ key: split, label: name, field }) => ({ key: split, label: name, field })),
  }
}

/** Datasets with more rows are taken apart along a few columns of their own. */
const FEW_ROWS_MAX = 50_000
const BREAKDOWNS_OF_MANY_MAX = 12

/** By what each figure is taken apart. */
async function breakdownsFor(
  context: CalendarContext,
  service: QueryService,
  {
    workspace,
    home,
    timed,
  }: { workspace: AnalysisCatalogue; home: CatalogueDataset; timed: readonly WindowedCandidate[] },
): Promise<(metric: CandidateMetric) => ChosenBreakdown[]> {
  if (home.rowCount <= FEW_ROWS_MAX) {
    const splits = await breakdownSelector(context, { workspace, home })
    return ({ preferred }) => splits(preferred)
  }
  const apart = new Set(timed.flatMap(({ asked, window }) => (canTakeApart(window, home.rowCount) ? [asked.key] : [])))
  if (apart.size === 0) return () => []
  const own = breakdownsOf(home, workspace).filter(({ field }) => field.dataset === home.id)
  const splits = own.slice(0, BREAKDOWNS_OF_MANY_MAX)
  const values = await distinctCounts(service, { dataset: home.id, splits })
  return ({ key, preferred }) =>
    apart.has(key) ? chooseBreakdowns(splits, { values, rows: home.rowCount, preferred }) : []
}

/** The splits of a dataset, once it is known how many values each has. */
export async function breakdownSelector(
  { deps, scope, calendar }: CalendarContext,
  { workspace, home }: { workspace: DatasetCatalogue; home: CatalogueDataset },
): Promise<(preferred: readonly Field[]) => ChosenBreakdown[]> {
  const figures = queryService(deps, { scope, calendar })
  const splits = breakdownsOf(home, workspace)
  const values = await distinctCounts(figures, { dataset: home.id, splits })
  return (preferred) => chooseBreakdowns(splits, { values, rows: home.rowCount, preferred })
}

/** How a look remembers by what rules let rows through. */
export const basisMark = ({ basis }: Pick<AnalysisCatalogue, 'basis'>): string[] =>
  basis ? [`rules/${basis.version}`] : []

const TESTED_MARK = 'tested'
/** How a look remembers that there was enough history to test something. */
const testedMark = (tests: number): string[] => (tests > 0 ? [TESTED_MARK] : [])
export const hasTested = (subjects: readonly string[]): boolean => subjects.includes(TESTED_MARK)

/** Findings kept of one dataset. */
const FINDINGS_STORED_MAX = 60
const CLAIM_BYTES = 12
const KEY_CHARS = 32

/** What lasts is the same finding however long it has lasted; what happened once is one of its day. */
const LASTING_KINDS: ReadonlySet<FindingKind> = new Set<FindingKind>([
  'newMember',
  'lostMember',
  'concentration',
  'levelShift',
  'trendBreak',
  'streak',
  'season',
  'influencer',
  'loss',
  'leader',
  'rateGap',
  'peak',
])

/** The same in every run that finds the same thing. */
function findingKey({ effect }: AnalyzedFinding): string {
  const { subject, kind, member, period, conditions } = effect
  const who = member && { dimension: member.dimension, value: member.value }
  const when = LASTING_KINDS.has(kind) ? null : period.from
  return sha256HexSync(canonicalJson({ subject, kind, who, when, ...(conditions ? { conditions } : {}) })).slice(
    0,
    KEY_CHARS,
  )
}

/**
 * Looks at the figures of one dataset and puts what was found in the place of what was: all of it at once, or nothing.
 * Of two at the same time only the later one writes; one over older rows than another stops. False when it did not write.
 */
export async function analyzeDataset(
  context: CalendarContext,
  catalogue: AnalysisCatalogue,
  home: CatalogueDataset,
): Promise<boolean> {
  const { deps, scope } = context
  const store = findingStore(deps.db, scope)
  const claim = deps.ids.token(CLAIM_BYTES)
  const run = { dataset: home.id, dataVersion: home.dataVersion, claim, now: deps.clock.now() }
  if (!(await store.claim(run))) return false
  const candidates = catalogue.candidates.filter(({ dataset }) => dataset === home.id)
  const seen = await analyze(context, { workspace: catalogue, home, candidates }, () => store.isCurrent(run))
  if (!seen) return false
  const found = new Map<string, NewFinding>()
  for (const each of seen.found) {
    const key = findingKey(each)
    if (!found.has(key)) found.set(key, { id: deps.ids.next('finding'), key, ...each })
  }
  const subjects = [...candidates.map(analysisVersion), ...basisMark(catalogue), ...testedMark(seen.tests)]
  const kept = [...found.values()].slice(0, FINDINGS_STORED_MAX)
  try {
    const change = store.replace({ ...run, now: deps.clock.now() }, kept, subjects)
    await commit(deps, { change, expect: { onMissed: () => new ProductError('busy') } })
    await deps.live(scope).publish({ kind: 'changed', noun: 'finding', id: null })
    return true
  } catch (error) {
    // A later look has taken over: it writes.
    if (error instanceof ProductError) return false
    throw error
  }
}

/** After new rows: everything that is measured over them, or taken apart by them. */
export async function analyzeAffectedDatasets(context: CalendarContext, datasetId: string): Promise<void> {
  const workspace = await loadAnalysisCatalogue(context.deps, context.scope)
  for (const home of affectedDatasets(workspace, datasetId)) await analyzeDataset(context, workspace, home)
}

/** Some datasets, one after the other. */
export async function analyzeDatasets(context: CalendarContext, datasets: ReadonlySet<string>): Promise<void> {
  const workspace = await loadAnalysisCatalogue(context.deps, context.scope)
  for (const home of workspace.datasets) if (datasets.has(home.id)) await analyzeDataset(context, workspace, home)
}
