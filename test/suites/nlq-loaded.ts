import { env } from 'cloudflare:test'
import { loadTable } from './load-tables'
import { vocabularyOf } from './nlq-vocabulary'
import type { SuiteFiles } from './suite'
import { systemIds } from '../../src/deps'
import type { ValueIndex, Vocabulary } from '../../src/features/bot/model/contract'
import { Scope } from '../../src/scope'
import { warehouseClientFactory, type WarehouseClient } from '../../src/warehouse/stub'

/** Tables in a workspace of their own, as the bot meets them. */
export interface LoadedDatabase {
  warehouse: WarehouseClient
  vocabulary: Vocabulary
  values: ValueIndex
}
export interface CsvFile {
  name: string
  bytes: Uint8Array
}

/** The tables of a folder; its path ends with `/`, or is empty. */
export async function csvFilesOf(files: SuiteFiles, folder: string): Promise<CsvFile[]> {
  const names = (await files.list(folder)).filter((name) => /\.csv$/i.test(name))
  return Promise.all(names.map(async (name) => ({ name, bytes: await files.bytes(`${folder}${name}`) })))
}

/** Tables imported together and left as the product proposes them; the relations it proposes are confirmed. */
export async function loadDatabase(tables: readonly CsvFile[]): Promise<LoadedDatabase> {
  const actor = { workspaceId: systemIds.next('workspace'), userId: systemIds.next('user'), epoch: '1.1' }
  const warehouse = warehouseClientFactory(env.WAREHOUSE)(Scope.forJob(actor))
  const sourceId = systemIds.next('source')
  for (const table of tables) await loadTable(warehouse, { ...table, sourceId })
  for (const { id, version, state } of await warehouse.relations({}))
    if (state === 'proposed') await warehouse.updateRelation({ id, version, state: 'confirmed' })
  return { warehouse, ...(await vocabularyOf(warehouse)) }
}
