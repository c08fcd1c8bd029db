import { businessSynonyms } from './model/language/business-words'
import { filtered } from './model/figures/figures'
import { foldText } from '../../shared/bot/fold-text'
import { isExistsFilter, type Measure, type QueryPlan } from '../../shared/query/plan'
import type { GlossaryEntry } from './model/contract'
import type { NamedThings } from './vocabulary-store'
import type { BotTerm } from '../../shared/bot/knowledge'
import type { CatalogueDataset } from '../../warehouse/contract'

type TermSources = Pick<NamedThings, 'metrics' | 'insights'> & {
  terms: readonly BotTerm[]
  datasets: readonly Pick<CatalogueDataset, 'name' | 'columns'>[]
}

/**
 * Figures that insights give a name to, as words of the workspace: "Sales" of an insight is its measure, with the
 * conditions of the insight. Names of metrics, terms, tables and columns go first, then the oldest insight.
 */
export function insightTerms(
  { metrics, insights, terms, datasets }: TermSources,
  isSeen: (plan: QueryPlan) => boolean,
): GlossaryEntry[] {
  const taken = new Set(
    [
      ...metrics.flatMap(({ name, synonyms }) => [name, ...synonyms]),
      ...terms.flatMap(({ term, synonyms }) => [term, ...synonyms]),
      ...datasets.flatMap(({ name, columns }) => [name, ...columns.map(({ label }) => label)]),
    ].map(foldText),
  )
  const free = (words: readonly string[]): string[] => {
    const found = words.filter((word) => word !== '' && !taken.has(word))
    for (const word of found) taken.add(word)
    return found
  }
  const entries = insights.flatMap(({ name, plan }) =>
    plan.measures.flatMap((measure) => {
      const own = ownMeasure(measure, plan)
      if (!own || !isSeen({ v: 3, kind: 'aggregate', measures: [own], dimensions: [], filters: [] })) return []
      const [term] = free([foldText(own.label)])
      return term === undefined ? [] : [{ term, own, name }]
    }),
  )
  // Each insight's own word first: only then other words for it.
  return entries.map(({ term, own, name }) => ({
    ...{ term, synonyms: free(businessSynonyms(term)), measure: own },
    definition: `“${own.label}” of the insight “${name}”.`,
  }))
}

type Labelled = Extract<Measure, { label?: string | undefined }> & { label: string }
/** A measure that stands by itself: with a name, and what its insight holds it to. */
function ownMeasure(measure: Measure, { kind, filters }: QueryPlan): Labelled | null {
  if (kind !== 'aggregate' || !isLabelled(measure)) return null
  if (filters.length === 0) return measure
  const isPlain = measure.kind === 'column' || measure.kind === 'expression' || measure.kind === 'ratio'
  if (!isPlain || filters.some(isExistsFilter)) return null
  const held = filtered(measure, filters)
  return isLabelled(held) ? held : null
}
const isLabelled = (measure: Measure): measure is Labelled =>
  measure.kind !== 'metric' &&
  measure.kind !== 'prev' &&
  measure.kind !== 'cumulative' &&
  measure.kind !== 'moving' &&
  measure.kind !== 'whole' &&
  measure.kind !== 'function' &&
  measure.label !== undefined &&
  measure.label !== ''
