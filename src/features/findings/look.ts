import { examine } from './model/find'
import { judge } from './model/judge'
import type { Asked } from './subjects/asked'
import { chosen, splitsOf } from './subjects/splits'
import type { Split } from './subjects/splits'
import type { SubjectDimension } from './model/subject'
import type { Tested } from './model/tested'
import { windowOf } from './subjects/window'
import type { Window } from './subjects/window'
import { dimensionOf, subjectOf, totalOf } from './series'
import type { Shown } from './series'
import type { Catalogue, Workspace } from './workspace'
import { figuresFor } from '../../access/figures'
import type { Figures } from '../../access/figures'
import type { Scope } from '../../access/scope'
import type { Deps } from '../../deps'
import { ProductError } from '../../shared/errors'
import type { FindingAbout } from '../../shared/finding-feed'
import type { FoundEffect } from '../../shared/findings'
import type { Field, Measure } from '../../shared/query'
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
  const splits = await splitsWithValues(figures, of)
  const windows = new Map<string, Window | null>()
  const tested: Tested[] = []
  const abouts = new Map<string, FindingAbout>()
  for (const asked of of.asked.slice(0, SUBJECTS_MAX)) {
    if (!(await stands())) return null
    const named = JSON.stringify(asked.time)
    const window = windows.get(named) ?? (await windowFor(figures, looking.calendar, asked))
    windows.set(named, window)
    const seen = window && (await seenOf(figures, asked, { window, splits: splits(asked.preferred) }))
    if (!seen) continue
    tested.push(seen.tested)
    abouts.set(asked.key, seen.about)
  }
  return judge(tested).flatMap((effect) => {
    const about = abouts.get(effect.subject)
    return about ? [{ about, effect }] : []
  })
}

/** What cannot be answered (a column that is gone, currencies that do not mix) is not looked at. */
async function orNothing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if (error instanceof ProductError) return null
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
  figures: Figures,
  asked: Asked,
  at: { window: Window; splits: readonly Split[] },
): Promise<{ tested: Tested; about: FindingAbout } | null> {
  const total = await orNothing(totalOf(figures, asked, at.window))
  if (!total) return null
  const dimensions: SubjectDimension[] = []
  for (const split of at.splits) {
    const dimension = await orNothing(dimensionOf(figures, asked, { window: at.window, split }))
    if (dimension) dimensions.push(dimension)
  }
  const subject = subjectOf(asked, { window: at.window, total, dimensions })
  return { tested: examine(subject), about: aboutOf(asked, { ...at, shown: total.shown }) }
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

const MEASURES_MAX = 5

/** The splits of a dataset with how many values each has. */
export async function splitsWithValues(
  figures: Figures,
  { workspace, home }: { workspace: Catalogue; home: CatalogueDataset },
): Promise<(preferred: readonly Field[]) => Split[]> {
  const splits = splitsOf(home, workspace)
  const values = new Map<string, number>()
  for (let at = 0; at < splits.length; at += MEASURES_MAX) {
    const some = splits.slice(at, at + MEASURES_MAX)
    const measures = some.map(({ field }): Measure => ({
      kind: 'column',
      agg: 'countDistinct',
      field,
      dataset: home.id,
    }))
    const answer = await orNothing(
      figures.answer({ v: 2, kind: 'aggregate', dataset: home.id, measures, dimensions: [], filters: [] }),
    )
    for (const [n, { key }] of some.entries()) values.set(key, Number(answer?.rows[0]?.[n] ?? 0))
  }
  return (preferred) => chosen(splits, { values, rows: home.rowCount, preferred })
}
