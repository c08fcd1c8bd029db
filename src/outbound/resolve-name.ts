import { DoorError } from './doors'
import { isAddress, isPublicAddress } from './ip-ranges'
import { operatorFetch, type Fetcher } from './operator-fetch'
import type { CheckedTarget } from './target-rules'

/** Every address of a name, of both versions. @throws DoorError `down` where it has none or nobody answers */
export type Resolver = (name: string) => Promise<string[]>

const DNS_ORIGIN = 'https://cloudflare-dns.com'
const ANSWER_MAX_BYTES = 64 * 1024
const ADDRESSES_MAX = 64
/** Of an answer: A and AAAA; what stands between (CNAME) is followed by the resolver itself. */
const ADDRESS_TYPES = new Set([1, 28])

function addressesOf(answer: unknown): string[] {
  if (typeof answer !== 'object' || answer === null || !('Answer' in answer) || !Array.isArray(answer.Answer)) return []
  const records: unknown[] = answer.Answer
  return records.flatMap((record) => {
    if (typeof record !== 'object' || record === null || !('type' in record) || !('data' in record)) return []
    const { type, data } = record
    return typeof type === 'number' && ADDRESS_TYPES.has(type) && typeof data === 'string' ? [data] : []
  })
}

/** Asks by DNS over HTTPS: the platform's own resolver cannot be asked. */
export const dnsOverHttps =
  (fetcher: Fetcher | undefined): Resolver =>
  async (name) => {
    const ask = async (type: 'A' | 'AAAA'): Promise<string[]> => {
      const path = `/dns-query?name=${encodeURIComponent(name)}&type=${type}`
      const endpoint = { origin: DNS_ORIGIN, headers: { accept: 'application/dns-json' } }
      const response = await operatorFetch(endpoint, { path, method: 'GET' }, fetcher)
      const text = await response.text()
      if (!response.ok || text.length > ANSWER_MAX_BYTES) throw new DoorError('down')
      const answer: unknown = JSON.parse(text)
      return addressesOf(answer)
    }
    try {
      const [v4, v6] = await Promise.all([ask('A'), ask('AAAA')])
      return [...v4, ...v6]
    } catch (error) {
      throw new DoorError('down', { cause: error })
    }
  }

/**
 * Addresses of a checked target, of which every one is public: one that is not refuses all, as nobody knows which is called.
 * @throws DoorError
 */
export async function resolvePublic(target: CheckedTarget, resolve: Resolver): Promise<string[]> {
  if (target.isAllowed || isAddress(target.host)) return [target.host]
  const addresses = await resolve(target.host)
  if (addresses.length === 0) throw new DoorError('down')
  if (addresses.length > ADDRESSES_MAX || !addresses.every(isPublicAddress)) throw new DoorError('not_allowed')
  return addresses
}
