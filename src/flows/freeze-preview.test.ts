import { env } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { casesOf } from '../../test/long'
import { createBillingFixture } from '../../test/worker/billing-fixture'
import { signedIn, type SignedIn } from '../../test/worker/factories'
import { forecastMembers } from '../shared/billing/member-outcomes'
import type { ChangePreview, CheckoutInput } from '../shared/billing/subscription'
import type { PageData } from '../shared/session'
import type { Role } from '../shared/permissions'

const ROLES: readonly Role[] = ['admin', 'viewer', 'analyst', 'viewer', 'analyst']

/** What the person's own page says: locked out, a viewer in place of more, or as before. */
async function outcomeFor(who: SignedIn, role: Role): Promise<string> {
  const { workspace } = await (await who.fetch('/api/session')).json<PageData>()
  if (workspace?.seat !== 'held') return 'lockedOut'
  return workspace.role === role ? 'stays' : 'viewer'
}

type Case = [room: string, addOns: CheckoutInput['addOns'], chosen: number[] | null]
const CHOSEN_USER: Case = ['one user, chosen', [], [2]]
const CHOSEN_ANALYSTS: Case = ['two analysts and two users, chosen', [{ id: 'extra_analyst', qty: 1 }], [2, 3]]
const CASES: Case[] = [
  ['one user', [], null],
  CHOSEN_USER,
  ['one analyst and eleven users', [{ id: 'user_pack_10', qty: 1 }], null],
  CHOSEN_ANALYSTS,
]

it.each(casesOf(CASES, CHOSEN_USER, CHOSEN_ANALYSTS))(
  'does to every member what its preview says, with room for %s (BIL-3)',
  async (_, addOns, chosen) => {
    const { app, emulator, clock } = await createBillingFixture()
    const me = await signedIn({ app, subscription: { trialEndsAt: clock.now() - 1 } })
    const members: SignedIn[] = []
    for (const role of ROLES) members.push(await signedIn({ app, workspaceId: me.workspaceId, role }))
    await env.DB.batch(
      members.map(({ userId }, at) =>
        env.DB.prepare('UPDATE members SET created_at = created_at + ? WHERE user_id = ?').bind(at + 1, userId),
      ),
    )
    const input: CheckoutInput = { planId: 'personal', interval: 'monthly', addOns, method: 'card' }
    const preview = await me.fetch('/api/subscription/preview', { method: 'POST', json: input })
    const { freezes } = await preview.json<ChangePreview>()
    const retained = chosen?.map((at) => members[at]?.userId ?? '') ?? null
    const told = forecastMembers(freezes ?? { users: null, analysts: null }, retained)
    if (retained) {
      const json = { sources: [], members: retained, insights: [], groupings: [], forecasts: [] }
      expect((await me.fetch('/api/subscription/keep', { method: 'PUT', json })).status).toBe(200)
    }
    const { url } = await (
      await me.fetch('/api/stripe/checkout', { method: 'POST', json: input })
    ).json<{ url: string }>()
    emulator.desk.payCheckout(url.split('/').at(-1)?.split(/[?#]/)[0] ?? '', 'works')
    await emulator.tick()
    expect(await outcomeFor(me, 'owner')).toBe('stays')
    const announced = members.map(({ userId }) => told.find(({ id }) => id === userId)?.outcome ?? 'stays')
    const happened = await Promise.all(members.map((who, at) => outcomeFor(who, ROLES[at] ?? 'viewer')))
    expect(announced).toEqual(happened)
    expect(happened.some((outcome) => outcome !== 'stays')).toBe(true)
  },
)
