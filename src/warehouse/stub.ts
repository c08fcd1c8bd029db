import type { Scope, ScopeWire } from '../scope'
import { unwrap, type RpcResult } from '../shared/errors'
import type { Ids } from '../shared/ids'
import { queryCancelled } from './scheduling/query-scheduler'
import type { AskedQuery, WarehouseRpc } from './contract'
import type { BackgroundTasks } from '../lib/background-tasks'
import { withRetry, type RetryPause } from '../lib/object-fault'
import type { QueryResult } from '../shared/query/result'

type ScopedCall<M> = M extends (scope: ScopeWire, ...args: infer A) => Promise<RpcResult<infer T>>
  ? (...args: A) => Promise<T>
  : never
/** The warehouse of one scope: the same calls without the scope, answering values or throwing a `ProductError`. */
export type WarehouseClient = { [K in keyof WarehouseRpc]: ScopedCall<WarehouseRpc[K]> }
export type WarehouseClientFactory = (scope: Scope) => WarehouseClient

/** The request that questions are asked for: when its client goes, those that wait leave the queue. */
interface AskingRequest {
  /** Asked for when a question is: the runtime makes it then. */
  signal: () => AbortSignal
  ids: Pick<Ids, 'token'>
  tasks: BackgroundTasks
}

type WarehouseNamespace = DurableObjectNamespace<WarehouseRpc & Rpc.DurableObjectBranded>

const systemPause: RetryPause = { wait: (ms) => scheduler.wait(ms), random: () => Math.random() }

/**
 * Binds the warehouse to a scope. The object is named by the workspace's internal id, which only a scope knows. What changes
 * nothing is asked again while the object is moving; what changes something is repeated by whoever knows that it may be.
 */
export function warehouseClientFactory(
  namespace: Pick<WarehouseNamespace, 'get' | 'idFromName'>,
  request?: AskingRequest,
  pause = systemPause,
): WarehouseClientFactory {
  return (scope) => {
    const wire = scope.wire()
    const object = (): WarehouseRpc => namespace.get(namespace.idFromName(wire.workspaceId))
    const stub = object()
    // A stub that was thrown at is of no more use.
    const read = async <T>(ask: (stub: WarehouseRpc) => Promise<RpcResult<T>>): Promise<T> => {
      let isFirst = true
      const answer = await withRetry(() => {
        const at = isFirst ? stub : object()
        isFirst = false
        return ask(at)
      }, pause)
      return unwrap(answer)
    }
    return {
      beginLoad: async (load) => unwrap(await stub.beginLoad(wire, load)),
      openSegment: async (at) => unwrap(await stub.openSegment(wire, at)),
      stage: async (batches) => unwrap(await stub.stage(wire, batches)),
      finishLoad: async (at) => unwrap(await stub.finishLoad(wire, at)),
      abortLoad: async (at) => unwrap(await stub.abortLoad(wire, at)),
      loadProgress: (runId) => read((from) => from.loadProgress(wire, runId)),
      rejects: (at) => read((from) => from.rejects(wire, at)),
      dataset: (id) => read((from) => from.dataset(wire, id)),
      datasets: () => read((from) => from.datasets(wire)),
      describeDataset: async (change) => unwrap(await stub.describeDataset(wire, change)),
      deleteDataset: async (at) => unwrap(await stub.deleteDataset(wire, at)),
      restoreDataset: async (id) => unwrap(await stub.restoreDataset(wire, id)),
      versions: (id) => read((from) => from.versions(wire, id)),
      rollback: async (at) => unwrap(await stub.rollback(wire, at)),
      query: (ask) => read((from) => queryFor(request, { stub: from, wire }, ask)),
      cancelQuery: async (ticket) => unwrap(await stub.cancelQuery(wire, ticket)),
      valueProfiles: (asked) => read((from) => from.valueProfiles(wire, asked)),
      findValues: (asked) => read((from) => from.findValues(wire, asked)),
      putGrouping: async (definition) => unwrap(await stub.putGrouping(wire, definition)),
      setLivePlace: async (at) => unwrap(await stub.setLivePlace(wire, at)),
      putRates: async (set) => unwrap(await stub.putRates(wire, set)),
      setComputed: async (to) => unwrap(await stub.setComputed(wire, to)),
      relations: (of) => read((from) => from.relations(wire, of)),
      createRelation: async (made) => unwrap(await stub.createRelation(wire, made)),
      updateRelation: async (change) => unwrap(await stub.updateRelation(wire, change)),
      removeRelation: async (at) => unwrap(await stub.removeRelation(wire, at)),
      proposeRelations: async (id) => unwrap(await stub.proposeRelations(wire, id)),
      sweep: async () => unwrap(await stub.sweep(wire)),
      erase: async () => unwrap(await stub.erase(wire)),
    }
  }
}

/**
 * Asks under a ticket, which the warehouse is told when nobody waits for the answer any more.
 * @throws ProductError `busy` when nobody waits from the start
 */
async function queryFor(
  request: AskingRequest | undefined,
  { stub, wire }: { stub: WarehouseRpc; wire: ScopeWire },
  ask: AskedQuery,
): Promise<RpcResult<QueryResult>> {
  if (!request) return stub.query(wire, ask)
  const { tasks, ids } = request
  const signal = request.signal()
  if (signal.aborted) throw queryCancelled()
  const ticket = ids.token(16)
  const leave = (): void => tasks.waitUntil(stub.cancelQuery(wire, ticket))
  signal.addEventListener('abort', leave, { once: true })
  try {
    return await stub.query(wire, { ...ask, ticket })
  } finally {
    signal.removeEventListener('abort', leave)
  }
}
