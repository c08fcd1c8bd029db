import { env } from 'cloudflare:test'
import { z } from 'zod'
import { differences } from './business-answers'
import { endOf, exprOf, planOf, plansSchema, type Names, type Plans } from './business-plans'
import { loadTable } from './load-tables'
import { preparedCheck, type Suite, type SuiteCase, type SuiteFiles } from './suite'
import { Scope } from '../../src/scope'
import { systemIds } from '../../src/deps'
import type { Column } from '../../src/shared/data-sources/data-sources'
import type { FileColumn } from '../../src/shared/data-sources/files'
import { warehouseClientFactory, type WarehouseClient } from '../../src/warehouse/stub'
import type { Calendar } from '../../src/shared/dates'

export const goldenSchema = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      question: z.string(),
      sql: z.string().optional(),
      columns: z.array(z.string()).optional(),
      rows: z.array(z.array(z.union([z.string(), z.number(), z.boolean(), z.null()]))),
      ordered: z.boolean().default(false),
      as_of: z.string().nullish(),
    }),
  ),
})
type Item = z.infer<typeof goldenSchema>['items'][number]

/** The plans of sets that stand here; a set's own `plans.json` goes before. */
const OWN_PLANS = import.meta.glob<unknown>('./business/*/plans.json', { eager: true, import: 'default' })

/** One set's files in a warehouse of their own. */
interface LoadedFile {
  warehouse: WarehouseClient
  names: Names
  plans: Plans
  /** Relations that could not be proven, and why. */
  refused: string[]
}

/** A column with the type and role that a person would choose for it on the import screen. */
function chosenColumn(column: FileColumn, datasetName: string, { columns }: Plans): FileColumn {
  const choice = columns.find((each) => each.column === `${datasetName}.${column.label}`)
  if (!choice) return column
  const { scale, ...rest } = column
  const type = choice.type ?? column.type
  const role = choice.role ?? (type === 'text' && column.role === 'measure' ? 'dimension' : column.role)
  const format = type === 'number' || type === 'integer' ? column.format : ({ style: 'plain' } as const)
  return { ...rest, type, role, format, ...(type === 'number' && scale !== undefined ? { scale } : {}) }
}

async function plansOf(files: SuiteFiles, folder: string, items: Item[]): Promise<Plans> {
  const path = `${folder}plans.json`
  if (await files.has(path)) return files.json(path, plansSchema)
  const own = Object.values(OWN_PLANS).map((each) => plansSchema.parse(each))
  return own.find(({ plans }) => items.some(({ id }) => plans[id] !== undefined)) ?? plansSchema.parse({ plans: {} })
}

async function loadSet(files: SuiteFiles, folder: string, items: Item[]): Promise<LoadedFile> {
  const actor = { workspaceId: systemIds.next('workspace'), userId: systemIds.next('user'), epoch: '1.1' }
  const warehouse = warehouseClientFactory(env.WAREHOUSE)(Scope.forJob(actor))
  const plans = await plansOf(files, folder, items)
  const datasets = new Map<string, { id: string; columns: Column[] }>()
  for (const name of (await files.list(folder)).filter((each) => /\.(csv|tsv|txt)$/i.test(each))) {
    const { datasetName, datasetId, columns } = await loadTable(warehouse, {
      name,
      bytes: await files.bytes(`${folder}${name}`),
      sourceId: systemIds.next('source'),
      corrected: (column, dataset) => chosenColumn(column, dataset, plans),
    })
    datasets.set(datasetName, { id: datasetId, columns })
  }
  const relations: Names['relations'][number][] = []
  const refused: string[] = []
  for (const { from, to } of plans.relations) {
    const ends = { from: endOf({ datasets }, from), to: endOf({ datasets }, to) }
    const made = warehouse.createRelation({ id: systemIds.next('relation'), ...ends })
    await made.then(
      (relation) => relations.push({ name: `${from} → ${to}`, from, relation }),
      (error: unknown) => refused.push(`relation ${from} → ${to}: ${String(error)}`),
    )
  }
  const names = { datasets, relations }
  await computeColumns(warehouse, plans, names)
  return { warehouse, names, plans, refused }
}

/** Makes the computed columns that plans name, file by file. */
async function computeColumns(warehouse: WarehouseClient, { computed }: Plans, names: Names): Promise<void> {
  for (const [name, dataset] of names.datasets) {
    const own = computed.filter(({ column }) => column.startsWith(`${name}.`))
    if (own.length === 0) continue
    const columns = own.map(({ column, expr }, i): Column => ({
      key: `c${1900 + i}`,
      label: column.slice(name.length + 1),
      type: /"kind":"(text|concat)"/.test(JSON.stringify(expr)) ? 'text' : 'number',
      role: 'dimension',
      format: { style: 'plain' },
      hidden: false,
      fileIndex: -1,
      computed: exprOf(expr, names),
    }))
    dataset.columns = (await warehouse.setComputed({ datasetId: dataset.id, columns })).columns
  }
}

const calendarOf = ({ as_of }: Item): Calendar => ({
  timeZone: 'UTC',
  weekStart: 'monday',
  fiscalYearStart: 1,
  today: as_of ?? '2026-01-01',
})

async function check(item: Item, { warehouse, names, plans, refused }: LoadedFile): Promise<string[]> {
  const plan = plans.plans[item.id]
  if (plan === undefined) return [plans.cannot[item.id] ?? 'There is no plan for this question.']
  try {
    return differences(await warehouse.query({ plan: planOf(plan, names), calendar: calendarOf(item) }), item)
  } catch (error) {
    return [`no answer: ${String(error)}`, ...refused]
  }
}

/** Folders that hold golden answers: those inside, or the folder itself. */
export async function setsOf(files: SuiteFiles): Promise<string[]> {
  if (await files.has('golden.json')) return ['']
  const folders = (await files.list()).map((name) => `${name}/`)
  const held = await Promise.all(folders.map((folder) => files.has(`${folder}golden.json`)))
  return folders.filter((_, i) => held[i])
}

/** Golden questions over related files, answered by plans. */
export const businessSuite: Suite = {
  floor: 22,
  cases: async (files) => {
    const cases: SuiteCase[] = []
    for (const folder of await setsOf(files)) {
      const { items } = await files.json(`${folder}golden.json`, goldenSchema)
      const loading = loadSet(files, folder, items)
      // Every question of the set says so; an unhandled refusal would end the run instead.
      loading.catch(() => undefined)
      const judged = (item: Item): SuiteCase => ({
        name: `${item.id}: ${item.question}`,
        ...preparedCheck(
          () => loading,
          (loaded) => check(item, loaded),
        ),
      })
      cases.push(...items.map(judged))
    }
    return cases
  },
}
