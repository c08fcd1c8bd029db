import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { expiredTrial, signedIn } from '../../../test/worker/factories'

const stepOf = (userId: string) =>
  env.DB.prepare('SELECT onboarding FROM users WHERE id = ?').bind(userId).first('onboarding')
const setStep = (userId: string, step: string) =>
  env.DB.prepare('UPDATE users SET onboarding = ? WHERE id = ?').bind(step, userId).run()

describe('the profile', () => {
  it('is saved and read back, and ends its step of onboarding', async () => {
    const me = await signedIn()
    await setStep(me.userId, 'profile')
    const input = { name: '  Åsa Ek ', job: 'Controller', goals: ['cash', 'sales'] }
    const saved = await me.fetch('/api/profile', { method: 'PUT', json: input })
    expect(saved.status).toBe(200)
    const read = await me.fetch('/api/profile')
    expect(await read.json()).toMatchObject({ name: 'Åsa Ek', job: 'Controller', email: expect.stringContaining('@') })
    expect(await stepOf(me.userId)).toBe('source')
  })

  it('may leave everything out but the name', async () => {
    const me = await signedIn()
    await me.fetch('/api/profile', { method: 'PUT', json: { name: 'Bo' } })
    expect(await (await me.fetch('/api/profile')).json()).toMatchObject({ name: 'Bo', job: '', goals: [] })
    expect(await stepOf(me.userId)).toBe('done')
  })

  it('changes what is given and leaves the rest, so that two windows overwrite nothing of each other', async () => {
    const me = await signedIn()
    const put = (json: object) => me.fetch('/api/profile', { method: 'PUT', json })
    await put({ name: 'Åsa Ek', job: 'Controller', goals: ['cash'], locale: 'sv-SE', notifications: { alerts: false } })
    const [named, told] = await Promise.all([put({ name: 'Åsa Ny' }), put({ notifications: { mentions: false } })])
    expect([named.status, told.status]).toEqual([200, 200])
    expect(await (await me.fetch('/api/profile')).json()).toMatchObject({
      ...{ name: 'Åsa Ny', job: 'Controller', goals: ['cash'], locale: 'sv-SE' },
      notifications: { alerts: false, mentions: false, digests: true },
    })
    expect((await put({ locale: null, job: '' })).status).toBe(200)
    expect(await (await me.fetch('/api/profile')).json()).toMatchObject({ name: 'Åsa Ny', job: '', locale: null })
    const refused = await put({})
    expect(refused.status).toBe(422)
    expect(await refused.json()).toMatchObject({ fields: { '': 'Nothing to change.' } })
  })

  it('without a name leaves its step of onboarding open', async () => {
    const me = await signedIn()
    await setStep(me.userId, 'profile')
    await me.fetch('/api/profile', { method: 'PUT', json: { notifications: { alerts: false } } })
    expect(await stepOf(me.userId)).toBe('profile')
  })

  it('stays the person’s own after the trial', async () => {
    const me = await expiredTrial()
    expect((await me.fetch('/api/profile', { method: 'PUT', json: { name: 'Bo' } })).status).toBe(200)
  })
})

describe('onboarding', () => {
  it('skips every step but the workspace', async () => {
    const me = await signedIn()
    const skip = (step: string) => me.fetch('/api/onboarding', { method: 'PUT', json: { step } })
    await setStep(me.userId, 'workspace')
    expect((await skip('source')).status).toBe(422)
    expect(await stepOf(me.userId)).toBe('workspace')
    await setStep(me.userId, 'profile')
    expect((await skip('source')).status).toBe(200)
    expect((await skip('done')).status).toBe(200)
    expect(await stepOf(me.userId)).toBe('done')
    expect((await skip('workspace')).status).toBe(422)
  })
})
