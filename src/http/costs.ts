import { countedD1 } from '../db/counted'
import type { Costs } from '../db/counted'
import { openDatabase } from '../db/database'
import type { Deps } from '../deps'
import type { WarehouseFor } from '../warehouse/stub'

/** The same dependencies, counting what they are asked for. */
export function countedDeps(deps: Deps, costs: Costs): Deps {
  return { ...deps, db: openDatabase(countedD1(deps.db.d1, costs)), warehouse: countedWarehouse(deps.warehouse, costs) }
}

const countedWarehouse =
  (warehouse: WarehouseFor, costs: Costs): WarehouseFor =>
  (scope) =>
    new Proxy(warehouse(scope), {
      get(client, key) {
        costs.objects++
        return Reflect.get(client, key)
      },
    })

/** As `Server-Timing` says it, so that a browser shows it beside the call. */
export const costsHeader = ({ d1, objects, rowsWritten }: Costs): string =>
  `d1;desc="${d1}", objects;desc="${objects}", rows-written;desc="${rowsWritten}"`
