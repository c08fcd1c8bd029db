import { useQuery } from '@tanstack/react-query'
import type { AccessOverview } from '../../../src/shared/data-access/data-access'
import {
  type AccessFilter,
  type AccessResource,
  type AccessRule,
  type AccessSubject,
  type AttributeHolder,
} from '../../../src/shared/data-access/rules'
import { ROLES } from '../../../src/shared/permissions'
import type { Field } from '../../../src/shared/query/field'
import { capitalize, humanizeLabel } from '../../../src/shared/text'
import type { Relation } from '../../../src/shared/relations'
import { loadedDatasetsQuery, type DatasetWithSource } from '../../lib/queries/data-source-queries'
import { groupsQuery } from '../../lib/queries/group-queries'
import { categoriesQuery } from '../../lib/queries/insight-queries'
import { metricsQuery, relationsQuery, useCatalogue } from '../../lib/query-builder/catalogue'
import { describeFilter } from '../../lib/query-builder/filter-draft'
import { attributeChoices, GRANT_LABELS, withAttributeNames } from './access-text'
import { accessOverviewQuery, dataAccessQuery } from './queries'

export interface Choice {
  value: string
  label: string
}
const NO_CHOICES: never[] = []
const labelOf = (choices: readonly Choice[], value: string): string | undefined =>
  choices.find((choice) => choice.value === value)?.label

/** A dataset by its name, and its source's where two have the same. */
function datasetChoices(datasets: AccessOverview['datasets']): Choice[] {
  const isAmbiguous = (name: string): boolean => datasets.filter((one) => one.name === name).length > 1
  return datasets.map(({ id, name, sourceName }) => ({
    value: id,
    label: isAmbiguous(name) ? `${name} (${sourceName})` : name,
  }))
}

/** Everything that rules name, as it is called now. */
export function useAccessNames() {
  const overview = useQuery(accessOverviewQuery())
  const groups = useQuery(groupsQuery())
  const metrics = useQuery(metricsQuery())
  const categories = useQuery(categoriesQuery())
  const datasets = useQuery(loadedDatasetsQuery())
  const relations = useQuery(relationsQuery())
  const access = useQuery(dataAccessQuery())
  const { catalogue } = useCatalogue()
  const known = overview.data?.datasets ?? NO_CHOICES
  const sources = new Map(known.map(({ sourceId, sourceName }) => [sourceId, sourceName]))
  const choices = {
    dataset: datasetChoices(known),
    source: [...sources].map(([value, label]) => ({ value, label })),
    metric: (metrics.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
    category: (categories.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
    group: (groups.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
    member: (overview.data?.people ?? []).map(({ userId, name }) => ({ value: userId, label: name })),
    role: ROLES.map((role) => ({ value: role, label: `${capitalize(role)}s` })),
    attribute: attributeChoices(access.data?.policy.attributes ?? []),
  }
  const loaded = [overview, groups, metrics, categories, datasets, relations]
  return {
    choices,
    /** Whether some names are on their way. */
    isPending: loaded.some(({ isPending }) => isPending),
    columnsOf: (dataset: string) => datasets.data?.find(({ id }) => id === dataset)?.columns ?? NO_CHOICES,
    ...describers(choices, {
      ...{ datasets: datasets.data ?? NO_CHOICES, catalogue, relations: relations.data ?? NO_CHOICES },
      isReady: loaded.every(({ data }) => data !== undefined),
    }),
  }
}
export type AccessNames = ReturnType<typeof useAccessNames>
type AccessChoices = Record<
  'dataset' | 'source' | 'metric' | 'category' | 'group' | 'member' | 'role' | 'attribute',
  Choice[]
>

interface KnownNames {
  datasets: readonly DatasetWithSource[]
  relations: readonly Relation[]
  catalogue: ReturnType<typeof useCatalogue>['catalogue']
  isReady: boolean
}

function describers(choices: AccessChoices, { datasets, relations, catalogue, isReady }: KnownNames) {
  // What could not be read is not gone.
  const missing = (words: string): string => (isReady ? words : 'Unknown')
  const column = (dataset: string, key: string): string => {
    const found = datasets.find(({ id }) => id === dataset)?.columns.find((one) => one.key === key)
    return found ? humanizeLabel(found.label) : missing('Deleted column')
  }
  const field = ({ dataset, column: key, via }: Field, home: string): string => {
    const label = column(dataset, key)
    if (dataset === home && (via ?? []).length === 0) return label
    const way = relations.find(({ id }) => id === via?.at(-1))
    return `${label} of ${way ? humanizeLabel(way.from.label) : (labelOf(choices.dataset, dataset) ?? missing('deleted dataset'))}`
  }
  const filter = (one: AccessFilter, home: string): string =>
    describeFilter(
      withAttributeNames(one, (key) => labelOf(choices.attribute, key) ?? key),
      { label: (each) => field(each, home), value: (value) => (value === null ? 'empty' : String(value)), catalogue },
    )
  const subject = (one: AccessSubject): string => {
    if (one.kind === 'everyone') return 'Everyone'
    if (one.kind === 'role') return labelOf(choices.role, one.role) ?? one.role
    return labelOf(choices[one.kind], one.id) ?? missing(one.kind === 'group' ? 'Deleted group' : 'Former member')
  }
  return {
    column,
    subject,
    holder: (one: AttributeHolder): string => subject(one),
    resource: ({ kind, id }: Pick<AccessResource, 'kind' | 'id'>): string =>
      labelOf(choices[kind], id) ?? missing(`Deleted ${kind === 'source' ? 'data source' : kind}`),
    /** Which rows a rule is about; null: it is about columns alone. */
    rows: ({ rows, filters, resource, effect }: Omit<AccessRule, 'id'>): string | null => {
      if (rows === 'unchanged' || resource.kind === 'metric' || resource.kind === 'category') return null
      const verb = effect === 'allow' ? 'Allow' : 'Hide'
      if (rows === 'all') return `${verb} all rows`
      return `${verb} rows where ${filters.map((one) => filter(one, resource.id)).join(' and ')}`
    },
    /** What becomes of columns: `Salary: Empty · Email: Hidden`. */
    columns: ({ columns, resource }: Omit<AccessRule, 'id'>): string =>
      columns.map(({ key, grant }) => `${column(resource.id, key)}: ${GRANT_LABELS[grant]}`).join(' · '),
  }
}
