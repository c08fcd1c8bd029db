import { DurableObject } from 'cloudflare:workers'
import type { Env } from '../env'
import type { WarehouseRpc } from './contract'
import type { Outcome } from '../shared/errors'

const missing = async (): Promise<Outcome<never>> => ({ ok: false, error: { code: 'not_found' } })

/** One workspace's rows, in its own SQLite. RPC only: every rule lives beside, in this room's modules. */
export class Warehouse extends DurableObject<Env> implements WarehouseRpc {
  beginLoad = missing
  openSegment = missing
  stage = missing
  finishLoad = missing
  abortLoad = missing
  loadProgress = missing
  rejects = missing
  dataset = missing
  datasets = missing
  describeDataset = missing
  deleteDataset = missing
  restoreDataset = missing
  versions = missing
  rollback = missing
  query = missing
  usage = missing
  sweep = missing
}
