import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startVendors } from '../emulators/vendors/server.ts'

describe('the stand-ins for vendors as they are served', () => {
  let vendors: Awaited<ReturnType<typeof startVendors>>
  beforeAll(async () => {
    vendors = await startVendors()
  })
  afterAll(() => vendors.stop())
  const statusOf = async (path: string, init: RequestInit = {}): Promise<number> =>
    (await fetch(new URL(path, vendors.address), init)).status

  it('answer as each vendor at its own paths, and as none at others', { timeout: 60_000 }, async () => {
    const paths = [
      '/3/companyinformation',
      '/v2/companysettings',
      '/v1/charges',
      '/v4/spreadsheets/any',
      '/elsewhere',
      '/admin',
    ]
    expect(await Promise.all(paths.map((path) => statusOf(path)))).toEqual([401, 401, 401, 401, 404, 404])
    expect(await statusOf('/_sim/fortnox/change/pay-invoice', { method: 'POST' })).toBe(200)
    expect(await statusOf('/_sim/nobody/calls')).toBe(404)
  })

  it('list their own ports, and nothing else of the machine, as targets that may be called', async () => {
    const { port } = new URL(vendors.address)
    const listed = (vendors.settings['TEST_ALLOWED_TARGETS'] ?? '').split(',')
    const ports = [port, String(vendors.databasePort)]
    expect(listed.toSorted()).toEqual(
      ['127.0.0.1', 'localhost'].flatMap((host) => ports.map((at) => `${host}:${at}`)).toSorted(),
    )
    expect(await statusOf('/files/visits.csv')).toBe(200)
    expect(await statusOf('/test-bucket?list-type=2')).toBe(403)
  })

  it('answer no page of elsewhere, and send nobody there', async () => {
    expect(await statusOf('/3/companyinformation', { headers: { origin: 'https://evil.example' } })).toBe(403)
    const query = `client_id=${vendors.settings['FORTNOX_CLIENT_ID'] ?? ''}&response_type=code&decision=allow`
    expect(await statusOf(`/oauth-v1/auth?${query}&redirect_uri=https://evil.example`)).toBe(400)
  })
})
