import {
  DoorError,
  type Doors,
  type DoorResponse,
  type OperatorCall,
  type TargetCall,
} from '../../../src/outbound/doors'

/** What an emulator is in a test: a function of requests. */
export type Answer = (request: Request) => Response | Promise<Response>

const responseOf = (response: Response, url: string): DoorResponse => {
  const bytes = async () => new Uint8Array(await response.arrayBuffer())
  return {
    status: response.status,
    headers: response.headers,
    url,
    body: response.body ?? new Response('').body ?? new ReadableStream<Uint8Array>(),
    bytes,
    text: () => response.text(),
    json: () => response.json(),
  }
}

async function call(answer: Answer, url: string, given: TargetCall | OperatorCall): Promise<DoorResponse> {
  const { method = 'GET', headers = {}, body } = given
  const request = new Request(url, { method, headers: { ...headers }, ...(body === undefined ? {} : { body }) })
  return responseOf(await answer(request), url)
}

/** Doors that lead to an emulator in the same process; `origins` are those of the operator, by name. */
export const emulatorDoors = (answer: Answer, origins: Readonly<Record<string, string>> = {}): Doors => ({
  http: (given) => call(answer, given.url, given),
  operator: (given) => {
    const origin = origins[given.origin]
    if (origin === undefined) throw new Error(`no origin ${given.origin}`)
    return call(answer, new URL(given.path, origin).href, given)
  },
  connect: () => Promise.reject(new DoorError('not_allowed')),
  pool: () => null,
})

/** Doors behind which nothing answers. */
export const CLOSED_DOORS: Doors = {
  http: () => Promise.reject(new DoorError('down')),
  operator: () => Promise.reject(new DoorError('down')),
  connect: () => Promise.reject(new DoorError('down')),
  pool: () => null,
}
