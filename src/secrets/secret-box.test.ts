import { describe, expect, it } from 'vitest'
import { keyIdOf, keyringOf, openSecret, parseKeyring, sealSecret } from './secret-box'

const key = (byte: number): string => btoa(String.fromCharCode(...Array.from({ length: 32 }, () => byte)))
const OWNER = { workspaceId: 'ws_1', sourceId: 'src_1' }
const ring = await keyringOf(`new:${key(2)},old:${key(1)}`)
const oldRing = await keyringOf(`old:${key(1)}`)

describe('sealed secrets', () => {
  it('open for their source only, under the key that sealed them, and hold nothing readable', async () => {
    const sealed = await sealSecret(oldRing, OWNER, 'marker')
    expect(sealed).not.toContain('marker')
    expect(keyIdOf(sealed)).toBe('old')
    expect(await openSecret(ring, OWNER, sealed)).toBe('marker')
    expect(keyIdOf(await sealSecret(ring, OWNER, 'marker'))).toBe('new')
    expect(await sealSecret(ring, OWNER, 'marker')).not.toBe(await sealSecret(ring, OWNER, 'marker'))
  })

  it('are unreadable for another source or workspace, changed, cut, or under an unknown key', async () => {
    const sealed = await sealSecret(ring, OWNER, 'marker')
    const newOnly = await keyringOf(`other:${key(3)}`)
    const body = sealed.split('.')
    const flipped = [...body.slice(0, 3), `${body[3]?.startsWith('A') ? 'B' : 'A'}${body[3]?.slice(1)}`].join('.')
    const refused = { code: 'credential_unreadable' }
    await expect(openSecret(ring, { ...OWNER, sourceId: 'src_2' }, sealed)).rejects.toMatchObject(refused)
    await expect(openSecret(ring, { ...OWNER, workspaceId: 'ws_2' }, sealed)).rejects.toMatchObject(refused)
    await expect(openSecret(newOnly, OWNER, sealed)).rejects.toMatchObject(refused)
    for (const broken of [flipped, sealed.slice(0, -4), '', 'v1.new', sealed.replace('v1', 'v9')])
      await expect(openSecret(ring, OWNER, broken)).rejects.toMatchObject(refused)
  })

  it('want a keyring of whole keys under their own names', () => {
    expect(parseKeyring(`a:${key(1)}`)).toHaveLength(1)
    for (const text of ['', 'a', `a:${key(1).slice(4)}`, `a:${key(1)},a:${key(2)}`])
      expect(parseKeyring(text)).toBeNull()
  })
})
