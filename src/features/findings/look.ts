import { aimedAt, confirmed } from './aims'
import { examination } from './model/find'
import { judge } from './model/judge'
import { withAims } from './aims-of'
import type { Asked } from './subjects/asked'
import { chosen, splitsOf } from './subjects/splits'
import type { Split } from './subjects/splits'
import type { Subject, SubjectDimension } from './model/subject'
import type { Tested } from './model/tested'
import { windowOf } from './subjects/window'
import type { Window } from './subjects/window'
import { dimensionOf, seriesPlan, subjectOf, totalOf } from './series'
import type { Shown } from './series'
import type { Catalogue, Workspace } from './workspace'
import { figuresFor } from '../../access/figures'
import { followedCurrency } from '../../access/rates/followed'
import type { Figures } from '../../access/figures'
import type { Scope } from '../../access/scope'
import type { Deps } from '../../deps'
import { isPassing, ProductError } from '../../shared/errors'
import type { FindingAbout } from '../../shared/finding-feed'
import type { FoundEffect } from '../../shared/findings'
import type { Field, Measure, QueryPlan } from '../../shared/query'
import type { Calendar, CatalogueDataset } from '../../warehouse/contract'

/** Whose figures are looked at, and by which calendar. */
export interface Looking {
  deps: Deps
  scope: Scope
  calendar: Calendar
}
export interface FoundIn {
  about: FindingAbout
  effect: FoundEffect
}

/** Figures looked at in one dataset. */
export const SUBJECTS_MAX = 12

/**
 * Looks at figures of one dataset and answers what stands up, best first. One plan after the other, each a question of its
 * own: people's come between.
 * @param stands asked between two figures; false ends it, with nothing found
 */
export async function lookAt(
  looking: Looking,
  of: { workspace: Workspace; home: CatalogueDataset; asked: readonly Asked[] },
  stands: () => Promise<boolean>,
): Promise<FoundIn[] | null> {
  const figures = figuresFor(looking.deps, looking)
  const some: Asked[] = []
  for (const each of of.asked.slice(0, SUBJECTS_MAX)) {
    const one = await inOneCurrency(looking, each)
    if (one) some.push(one)
  }
  const ahead = await readAhead(looking, of, some)
  const timed = await withWindows(figures, looking.calendar, some)
  const splits = await splitsFor(looking, figures, { ...of, timed, ahead })
  const tested: Tested[] = []
  const abouts = new Map<string, FindingAbout>()
  for (const { asked, window } of timed) {
    if (!(await stands())) return null
    const seen = await seenOf(looking, asked, { figures, window, splits: splits(asked) })
    if (!seen) continue
    tested.push(seen.tested)
    abouts.set(asked.key, seen.about)
  }
  return judge(tested).flatMap((effect) => {
    const about = abouts.get(effect.subject)
    return about ? [{ about, effect }] : []
  })
}

/** With the currency that it is looked at in; null where its amounts can neither be added nor converted. */
const inOneCurrency = (looking: Looking, asked: Asked): Promise<Asked | null> =>
  orNothing(followedCurrency(looking, asked).then((currency) => ({ ...asked, currency })))

interface Timed {
  asked: Asked
  window: Window
}

/** Figures with the buckets they are looked at over; those without any are left out. */
async function withWindows(figures: Figures, calendar: Calendar, all: readonly Asked[]): Promise<Timed[]> {
  const windows = new Map<string, Window | null>()
  const timed: Timed[] = []
  for (const asked of all) {
    const name = JSON.stringify(asked.time)
    const window = windows.has(name) ? windows.get(name) : await windowFor(figures, calendar, asked)
    windows.set(name, window ?? null)
    if (window) timed.push({ asked, window })
  }
  return timed
}

/** What cannot be answered (a column that is gone, currencies that do not mix) is not looked at; a look that is only held up fails. */
async function orNothing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if (error instanceof ProductError && !isPassing(error)) return null
    throw error
  }
}

/** Between which days there are rows at all, from what is known of the column. */
async function windowFor(figures: Figures, calendar: Calendar, asked: Asked): Promise<Window | null> {
  const answer = await orNothing(
    figures.answer({
      v: 2,
      kind: 'aggregate',
      dataset: asked.dataset,
      measures: [{ kind: 'column', agg: 'count', dataset: asked.dataset }],
      dimensions: [],
      filters: [],
      period: {
        field: asked.time,
        range: { kind: 'relative', span: 'all', unit: 'month', n: 1, includeCurrent: false },
        compare: 'none',
        completeOnly: false,
      },
    }),
  )
  return answer?.period ? windowOf(answer.period, calendar) : null
}

async function seenOf(
  looking: Looking,
  asked: Asked,
  { figures, ...at }: { figures: Figures; window: Window; splits: readonly Split[] },
): Promise<{ tested: Tested; about: FindingAbout } | null> {
  const total = await orNothing(totalOf(figures, asked, at.window))
  if (!total) return null
  const aimed = await aimedAt(looking, asked, at.window)
  const { aims, table } = aimed ?? { aims: [], table: { by: null } }
  const dimensions: SubjectDimension[] = []
  for (const split of at.splits) {
    const dimension = await orNothing(dimensionOf(figures, asked, { window: at.window, split }))
    if (dimension) dimensions.push(withAims(dimension, { split: split.field, by: table.by, aims }))
  }
  const target = aims.find(({ member }) => member === undefined)?.target
  const subject = { ...subjectOf(asked, { window: at.window, total, dimensions }), target }
  return {
    tested: await confirmed(looking, await examined(subject), aimed),
    about: aboutOf(asked, { ...at, shown: total.shown }),
  }
}

/** Requests that the same isolate serves come between two steps. */
async function examined(subject: Subject): Promise<Tested> {
  const steps = examination(subject)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    await scheduler.wait(0)
  }
}

function aboutOf(asked: Asked, { window, splits, shown }: { window: Window; splits: readonly Split[]; shown: Shown }) {
  const { key, label, dataset, metric, insights, measure, filters, time, direction } = asked
  const about: FindingAbout = {
    ...{ key, label, dataset, metric, insights, measure, filters, time, direction },
    ...{ grain: window.grain, format: shown.format, scale: shown.scale },
    dimensions: splits.map((split) => ({ ...split })),
  }
  return about
}

/** More rows than these are read once for all questions, before they are asked; and only along columns of their own. */
const ROWS_AT_ONCE_MAX = 50_000
const CANDIDATES_MAX = 12

/** A figure and a column that it can be taken apart by without its rows being read again. */
interface Ahead {
  asked: Asked
  split: Split
}
/** Any months: what whole months are answered from does not depend on which. */
const SOME_MONTHS: Window = { grain: 'month', buckets: ['2000-01-01'], from: '2000-01-01', to: '2000-01-31' }

/** Reads many rows once, for every question that will be asked of them by month, even for when they begin and end. */
async function readAhead(
  { deps, scope, calendar }: Looking,
  { workspace, home }: { workspace: Workspace; home: CatalogueDataset },
  asked: readonly Asked[],
): Promise<Ahead[]> {
  if (home.rowCount <= ROWS_AT_ONCE_MAX || asked.length === 0) return []
  const own = splitsOf(home, workspace).filter(({ field }) => field.dataset === home.id)
  const pairs = asked.flatMap((each) => own.slice(0, CANDIDATES_MAX).map((split) => ({ asked: each, split })))
  const apart = pairs.map((pair) => seriesPlan(pair.asked, { window: SOME_MONTHS, split: pair.split }))
  const whole = asked.map((each) => seriesPlan(each, { window: SOME_MONTHS }))
  const ready = await deps.warehouse(scope).prepare({ plans: [...apart, ...whole], calendar })
  return pairs.filter((_, n) => ready[n])
}

/** By what each figure is taken apart. */
async function splitsFor(
  looking: Looking,
  figures: Figures,
  of: { workspace: Workspace; home: CatalogueDataset; timed: readonly Timed[]; ahead: readonly Ahead[] },
): Promise<(asked: Asked) => Split[]> {
  const { workspace, home, timed } = of
  if (home.rowCount <= ROWS_AT_ONCE_MAX) {
    const splits = await splitsWithValues(looking, { workspace, home })
    return ({ preferred }) => splits(preferred)
  }
  const monthly = new Set(timed.flatMap(({ asked, window }) => (window.grain === 'month' ? [asked.key] : [])))
  const able = of.ahead.filter(({ asked }) => monthly.has(asked.key))
  const splits = [...new Map(able.map(({ split }) => [split.key, split])).values()]
  const values = await valuesOf(figures, { home, splits, atOnce: 1 })
  return ({ key, preferred }) =>
    chosen(
      able.filter(({ asked }) => asked.key === key).map(({ split }) => split),
      { values, rows: home.rowCount, preferred },
    )
}

const MEASURES_MAX = 5

/** The splits of a dataset, once it is known how many values each has. */
export async function splitsWithValues(
  { deps, scope, calendar }: Looking,
  { workspace, home }: { workspace: Catalogue; home: CatalogueDataset },
): Promise<(preferred: readonly Field[]) => Split[]> {
  const figures = figuresFor(deps, { scope, calendar })
  const isLarge = home.rowCount > ROWS_AT_ONCE_MAX
  const all = splitsOf(home, workspace)
  const plans = isLarge ? all.map(({ field }) => valuesPlan(home, [field])) : []
  const ready = isLarge ? await deps.warehouse(scope).prepare({ plans, calendar }) : []
  const splits = isLarge ? all.filter((_, n) => ready[n]) : all
  const values = await valuesOf(figures, { home, splits, atOnce: isLarge ? 1 : MEASURES_MAX })
  return (preferred) => chosen(splits, { values, rows: home.rowCount, preferred })
}

/** How many values columns have. */
const valuesPlan = ({ id }: CatalogueDataset, fields: readonly Field[]): QueryPlan => ({
  v: 2,
  kind: 'aggregate',
  dataset: id,
  measures: fields.map((field): Measure => ({ kind: 'column', agg: 'countDistinct', field, dataset: id })),
  dimensions: [],
  filters: [],
})

async function valuesOf(
  figures: Figures,
  { home, splits, atOnce }: { home: CatalogueDataset; splits: readonly Split[]; atOnce: number },
): Promise<Map<string, number>> {
  const values = new Map<string, number>()
  for (let at = 0; at < splits.length; at += atOnce) {
    const some = splits.slice(at, at + atOnce)
    const answer = await orNothing(
      figures.answer(
        valuesPlan(
          home,
          some.map(({ field }) => field),
        ),
      ),
    )
    for (const [n, { key }] of some.entries()) values.set(key, Number(answer?.rows[0]?.[n] ?? 0))
  }
  return values
}
