import { datasetView, sameView } from './model/dataset-view'
import { runAccessTests } from './model/access-tests'
import { rowCounter } from './row-counts'
import { draftPolicy, lockOutRefusal, readAccessState, type AccessState } from './service'
import { dataAccessStore, type GuardedDataset } from './store'
import { dataRights } from '../../identity/access/data-rights'
import type { NamedPerson } from '../../identity/access/people-store'
import type { DataRights } from '../../scope'
import type { RequestContext } from '../../http/request-context'
import type {
  AccessChange,
  AccessImpact,
  AccessOverview,
  accessImpactSchema,
  DatasetView,
} from '../../shared/data-access/data-access'
import type { AccessPolicy } from '../../shared/data-access/rules'
import type { z } from 'zod'

/** Who sees what, as rules are now. */
export async function getAccessOverview(context: RequestContext): Promise<AccessOverview> {
  const [state, names] = await Promise.all([
    readAccessState(context),
    dataAccessStore(context.deps.db, context.scope).names(),
  ])
  const { policy, people, datasets } = state
  const countOf = rowCounter(context)
  const groupNames = new Map(names.flatMap(({ kind, id, name }) => (kind === 'group' ? [[id, name]] : [])))
  const restricted = new Set(policy.restricted.map(({ id }) => id))
  return {
    datasets: datasets.map(({ columns: _columns, ...each }) => ({ ...each, restricted: restricted.has(each.id) })),
    people: await Promise.all(
      people.map(async (person) => {
        const rights = dataRights(policy, person)
        const { userId, name, role, groupIds } = person
        return {
          ...{ userId, name, role },
          groups: groupIds.flatMap((id) => {
            const group = groupNames.get(id)
            return group === undefined ? [] : [{ id, name: group }]
          }),
          views: await Promise.all(datasets.map((dataset) => countedView(rights, dataset, countOf))),
          hiddenMetrics: rights.hiddenMetrics.length,
          hiddenCategories: rights.hiddenCategories.length,
        }
      }),
    ),
  }
}

async function countedView(
  rights: DataRights,
  dataset: GuardedDataset,
  countOf: ReturnType<typeof rowCounter>,
): Promise<DatasetView> {
  const view = datasetView(rights, dataset, dataset.rowCount)
  return view.rows === 'rules' ? { ...view, count: await countOf(dataset.id, rights) } : view
}

const CHANGES_MAX = 200

/** What a draft would change, for whom. Nothing is saved. @throws ProductError `invalid_input` for rules that cannot be */
export async function previewImpact(
  context: RequestContext,
  input: z.output<typeof accessImpactSchema>,
): Promise<AccessImpact> {
  const state = await readAccessState(context)
  const after = await draftPolicy(context, state, input.policy)
  const changed = changedViews(state, after)
  const countOf = rowCounter(context)
  const changes = await Promise.all(
    changed.slice(0, CHANGES_MAX).map(async ({ person, dataset, rights }): Promise<AccessChange> => {
      const { userId, name } = person
      const [before, then] = await Promise.all(rights.map((each) => countedView(each, dataset, countOf)))
      const none = datasetView(rights[0], dataset)
      return {
        userId,
        name,
        datasetId: dataset.id,
        datasetName: dataset.name,
        before: before ?? none,
        after: then ?? none,
      }
    }),
  )
  return {
    changes: changes.toSorted((a, b) => sizeOf(b) - sizeOf(a)),
    count: changed.length,
    tests: runAccessTests(after, state),
    refusal: lockOutRefusal(after, state.people),
  }
}

interface ChangedView {
  person: NamedPerson
  dataset: GuardedDataset
  /** Before and after. */
  rights: [DataRights, DataRights]
}
const changedViews = ({ policy, people, datasets }: AccessState, after: AccessPolicy): ChangedView[] =>
  people.flatMap((person) => {
    const rights: ChangedView['rights'] = [dataRights(policy, person), dataRights(after, person)]
    return datasets.flatMap((dataset) => (sameView(...rights, dataset) ? [] : [{ person, dataset, rights }]))
  })

/** How many rows more or less somebody sees; other changes come after. */
const sizeOf = ({ before, after }: AccessChange): number => Math.abs((before.count ?? 0) - (after.count ?? 0))
