import { env } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { warehouseClientFactory } from './stub'
import { systemIds } from '../deps'
import { Scope } from '../scope'

const lost = (flags: { retryable?: boolean; overloaded?: boolean }): Error => Object.assign(new Error('lost'), flags)

/** The real object behind stubs that fail these times first, and how often each call was made. */
function clientOf(faults: Error[]) {
  const calls: string[] = []
  const namespace: Pick<typeof env.WAREHOUSE, 'get' | 'idFromName'> = {
    idFromName: (name) => env.WAREHOUSE.idFromName(name),
    get: (id) =>
      new Proxy(env.WAREHOUSE.get(id), {
        get: (stub, key) => {
          if (typeof key === 'string') calls.push(key)
          const fault = faults.shift()
          return fault ? () => Promise.reject(fault) : Reflect.get(stub, key)
        },
      }),
  }
  const pause = { wait: () => Promise.resolve(), random: () => 0 }
  const scope = Scope.forJob({ workspaceId: systemIds.next('workspace'), userId: 'usr', epoch: '' })
  return { client: warehouseClientFactory(namespace, undefined, pause)(scope), calls }
}

it('asks an object that is moving again for what changes nothing (STO-2)', async () => {
  const { client, calls } = clientOf([lost({ retryable: true }), lost({ retryable: true })])
  expect(await client.datasets()).toEqual([])
  expect(calls).toEqual(['datasets', 'datasets', 'datasets'])
})

it('gives no object that has too much to do the same again, and repeats nothing that changes something (STO-2)', async () => {
  const tired = clientOf([lost({ retryable: true, overloaded: true })])
  await expect(tired.client.datasets()).rejects.toThrow('lost')
  const writing = clientOf([lost({ retryable: true })])
  await expect(writing.client.setLivePlace({ datasetId: 'dst_1', place: null })).rejects.toThrow('lost')
  expect([tired.calls, writing.calls]).toEqual([['datasets'], ['setLivePlace']])
})
