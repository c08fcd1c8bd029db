import type {
  GlossaryEntry,
  ValueIndex,
  VerifiedQuestion,
  Vocabulary,
  VocabularyDataset,
  VocabularyGrouping,
} from './model/contract'
import { termStore, verifiedStore } from './knowledge-store'
import { ledgerTerms } from './ledger-terms'
import { insightTerms } from './insight-terms'
import { readNamedThings, type NamedGrouping } from './vocabulary-store'
import { namesRuledValues, seenPlan, verifiedHash, type SeenCatalogue } from './verified-plans'
import { coveredColumns } from '../../identity/access/visible-dataset'
import type { Scope } from '../../scope'
import type { CalendarContext } from '../../semantic/calendar'
import { readAccountClasses } from '../../semantic/account-class-store'
import { withGroupings } from '../../semantic/groupings'
import { readMetricDefinitions } from '../../semantic/metric-definition-store'
import { VALUE_PHRASES_MAX, type DatasetProfile } from '../../shared/bot/values'
import type { BotTerm } from '../../shared/bot/knowledge'
import { isAccountName } from '../../shared/account-classes'
import { GROUP_DEPTH_MAX, groupPaths, validityPeriodAt } from '../../shared/groupings/groupings'
import type { Field } from '../../shared/query/field'
import type { QueryPlan } from '../../shared/query/plan'
import { confirmedEdges } from '../../warehouse/query/plan/relation-graph'
import type { CatalogueDataset } from '../../warehouse/contract'

/** What asking for values takes beside phrases. */
const NO_PLAN = { measures: [], dimensions: [], filters: [] }

/**
 * What questions of a person can be about: what they may see, by the names that the workspace gives it. What they may not
 * see is left out, so that it does not exist for whatever reads their questions.
 */
export async function buildVocabulary(context: CalendarContext): Promise<Vocabulary> {
  const { deps, scope, calendar } = context
  const warehouse = deps.warehouse(scope)
  const [datasets, relations, profiles, named, terms, verified, accounts] = await Promise.all([
    warehouse.datasets(),
    warehouse.relations({}),
    withGroupings({ deps, scope, drafts: [] }, NO_PLAN, (groupings) =>
      warehouse.valueProfiles({ calendar, groupings }),
    ),
    readNamedThings(deps.db, scope),
    termStore(deps.db, scope).list(),
    verifiedStore(deps.db, scope).list(),
    readAccountClasses(deps.db, scope),
  ])
  const loaded = datasets.filter(({ dataVersion }) => dataVersion > 0)
  const { metrics, groupings, things, sourceNames } = named
  const catalogue: SeenCatalogue = { datasets: loaded, metrics: new Set(metrics.map(({ id }) => id)) }
  const definitions = await readMetricDefinitions(
    deps,
    scope,
    verified.flatMap(({ plan }) => plan.measures),
  )
  const seen = verified.flatMap((answer): VerifiedQuestion[] => {
    const { id, question, plan, viz, shown, hash } = answer
    if (!seenPlan(plan, catalogue, definitions) || namesRuledValues(plan, scope)) return []
    const stale = verifiedHash(plan, { definitions, datasets: loaded }) !== hash
    return [{ id, question, plan, viz, ...(shown ? { shown } : {}), stale }]
  })
  return {
    datasets: loaded.map((dataset) =>
      toDataset(dataset, { profile: profiles.find((each) => each.dataset === dataset.id), sourceNames }),
    ),
    relations: confirmedEdges(relations),
    metrics,
    groupings: groupings.flatMap((grouping) =>
      toGrouping(grouping, { scope, datasets: loaded, today: calendar.today }),
    ),
    things,
    glossary: [
      ...terms.flatMap((term) => toEntry(term, catalogue, scope)),
      ...insightTerms({ ...named, terms, datasets: loaded }, (plan) => seenPlan(plan, catalogue, definitions)),
    ],
    books: ledgerTerms(loaded, { meaning: accounts, sourceNames, profiles }),
    verified: seen,
  }
}

/** The values of the columns that who asks may see, of the rows that they may see. */
export const valueIndex = ({ deps, scope, calendar }: CalendarContext): ValueIndex => ({
  async find({ phrases, limit }) {
    if (phrases.length === 0) return new Map()
    const asked = [...new Set(phrases)].slice(0, VALUE_PHRASES_MAX)
    const found = await withGroupings({ deps, scope, drafts: [] }, NO_PLAN, (groupings) =>
      deps.warehouse(scope).findValues({ phrases: asked, limit, calendar, groupings }),
    )
    return new Map(found.map(({ phrase, values }) => [phrase, values]))
  },
})

function toDataset(
  { id, name, columns, rowCount }: CatalogueDataset,
  { profile, sourceNames }: { profile: DatasetProfile | undefined; sourceNames: ReadonlyMap<string, string> },
): VocabularyDataset {
  const source = sourceNames.get(id)
  const told = new Map(profile?.columns.map((column) => [column.key, column]))
  return {
    ...{ id, name, rowCount: profile?.rowCount ?? rowCount },
    ...(source !== undefined && source !== name ? { synonyms: [source] } : {}),
    columns: columns.flatMap(({ key, label, type, role, format, hidden, mask }) => {
      if (hidden || mask) return []
      const { distinct, values, from, to } = told.get(key) ?? {}
      return [
        {
          ...{ key, label, type, role, format },
          ...(distinct === undefined ? {} : { distinct }),
          ...(values === undefined ? {} : { values }),
          ...(from === undefined ? {} : { from }),
          ...(to === undefined ? {} : { to }),
        },
      ]
    }),
  }
}

/** None of a column that is hidden or masked for who asks, or that no dataset has. */
function toGrouping(
  { id, name, target, eras }: NamedGrouping,
  { scope, datasets, today }: { scope: Scope; datasets: readonly CatalogueDataset[]; today: string },
): VocabularyGrouping[] {
  const fields = datasets.flatMap(({ id: dataset, columns }) =>
    columns.flatMap(({ key, label, type, hidden, mask }): Field[] => {
      if (hidden || mask || coveredColumns(scope.wire(), dataset).has(key)) return []
      const isTarget =
        target.kind === 'column'
          ? target.dataset === dataset && target.column === key
          : (type === 'text' || type === 'integer') && isAccountName(label)
      return isTarget ? [{ dataset, column: key }] : []
    }),
  )
  if (fields.length === 0) return []
  const groups = eras[validityPeriodAt(eras, today)]?.groups ?? []
  const paths = groupPaths(groups)
  const levelOf = (group: string): number => Math.min(GROUP_DEPTH_MAX, paths.get(group)?.length ?? 1)
  return [
    {
      ...{ id, name, fields, levels: [] },
      groups: groups.map((group) => ({ id: group.id, name: group.name, level: levelOf(group.id) })),
    },
  ]
}

/** None whose measure or conditions name what does not exist for who asks. */
function toEntry(
  { term, synonyms, definition, means, measure, filters }: BotTerm,
  { datasets, metrics }: SeenCatalogue,
  scope: Scope,
): GlossaryEntry[] {
  const entry: GlossaryEntry = { term, synonyms, definition, ...(means === '' ? {} : { means }) }
  if (measure === null && filters.length === 0) return [entry]
  const plan: QueryPlan = { v: 3, kind: 'aggregate', measures: measure ? [measure] : [], dimensions: [], filters }
  if (!seenPlan(plan, { datasets, metrics }, new Map()) || namesRuledValues(plan, scope)) return []
  return [{ ...entry, ...(measure ? { measure } : {}), ...(filters.length > 0 ? { filters } : {}) }]
}
