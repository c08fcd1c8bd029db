import { countingD1 } from '../db/counted'
import type { RequestCosts } from '../db/counted'
import { openDatabase } from '../db/database'
import type { Deps } from '../deps'
import type { WarehouseClientFactory } from '../warehouse/stub'

/** The same dependencies, counting what they are asked for. */
export function countingDeps(deps: Deps, requestCosts: RequestCosts): Deps {
  return {
    ...deps,
    db: openDatabase(countingD1(deps.db.d1, requestCosts)),
    warehouse: countingWarehouse(deps.warehouse, requestCosts),
  }
}

const countingWarehouse =
  (warehouse: WarehouseClientFactory, requestCosts: RequestCosts): WarehouseClientFactory =>
  (scope) =>
    new Proxy(warehouse(scope), {
      get(client, key) {
        requestCosts.objects++
        return Reflect.get(client, key)
      },
    })

/** As `Server-Timing` says it, so that a browser shows it beside the call. */
export const serverTimingHeader = ({ d1, objects, rowsWritten }: RequestCosts): string =>
  `d1;desc="${d1}", objects;desc="${objects}", rows-written;desc="${rowsWritten}"`
