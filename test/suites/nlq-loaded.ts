import { env } from 'cloudflare:test'
import { loadTable } from './load-tables'
import { vocabularyOf } from './nlq-vocabulary'
import type { SuiteFiles } from './suite'
import { systemIds } from '../../src/deps'
import type { ValueIndex, Vocabulary } from '../../src/features/bot/model/contract'
import { Scope } from '../../src/identity/scope'
import { warehouseClientFactory, type WarehouseClient } from '../../src/warehouse/stub'

/** Tables in a workspace of their own, as the bot meets them. */
export interface LoadedDatabase {
  warehouse: WarehouseClient
  vocabulary: Vocabulary
  values: ValueIndex
}

/** The tables of a folder (its path ends with `/`, or is empty), imported together and left as the product proposes them; proposed relations are confirmed. */
export async function loadDatabase(files: SuiteFiles, folder: string): Promise<LoadedDatabase> {
  const actor = { workspaceId: systemIds.next('workspace'), userId: systemIds.next('user'), epoch: '1.1' }
  const warehouse = warehouseClientFactory(env.WAREHOUSE)(Scope.forJob(actor))
  const sourceId = systemIds.next('source')
  const names = (await files.list(folder)).filter((name) => /\.csv$/i.test(name))
  for (const name of names) await loadTable(warehouse, { name, sourceId, bytes: await files.bytes(`${folder}${name}`) })
  for (const { id, version, state } of await warehouse.relations({}))
    if (state === 'proposed') await warehouse.updateRelation({ id, version, state: 'confirmed' })
  return { warehouse, ...(await vocabularyOf(warehouse)) }
}
