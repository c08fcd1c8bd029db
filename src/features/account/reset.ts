import type { z } from 'zod'
import { auditOf, CREDENTIAL_LINKS } from './acting'
import { addresseeStore, credentialStore, NOBODY } from './store'
import type { Addressee } from './store'
import { endLinks, findLink, newLink, spendLink } from '../../access/links'
import { sessionRows } from '../../access/new-session'
import type { Entered, Entering } from '../../access/new-session'
import { endSessionsOf } from '../../access/sessions'
import { commit } from '../../db/commit'
import type { Commit } from '../../db/commit'
import type { Deps } from '../../deps'
import { mailEntry } from '../../mail/order'
import type { resetConfirmSchema } from '../../shared/account'
import { ProductError } from '../../shared/errors'

const RESET_TTL_MS = 60 * 60 * 1000

/**
 * Sends the link to a new password to a known address, and nothing to an unknown one. Both make the same round trips,
 * so that neither the answer nor its duration tells them apart.
 */
export async function requestReset(deps: Deps, email: string): Promise<void> {
  const person = await addresseeStore(deps.db).byEmail(email)
  const providers = await credentialStore(deps.db, person?.userId ?? NOBODY).providers()
  const write = async (work: Commit): Promise<void> => {
    await commit(deps, work)
  }
  const end = endLinks(deps, { userId: person?.userId ?? NOBODY, kinds: ['reset'] })
  if (!person) return write({ change: [end] })
  const audit = [auditOf(person.userId, 'account.reset')]
  // A reset must be no second door beside the provider that somebody signs in with.
  if (!person.hasPassword && providers.length > 0) {
    const mail = mailEntry(
      { to: email, template: 'resetWithoutPassword', providers },
      { key: `resetWithoutPassword:${deps.ids.token(16)}` },
    )
    return write({ change: [end], audit, outbox: [mail] })
  }
  const link = newLink(deps, { kind: 'reset', userId: person.userId, ttlMs: RESET_TTL_MS })
  const mail = mailEntry({ to: email, template: 'reset', linkId: link.id }, { key: link.id })
  await write({ change: [end, link.insert], audit, outbox: [mail] })
}

/**
 * A new password by the link of a mail, signed in. Every session and every other link of the person ends.
 * @throws ProductError `expired` for used, replaced, expired and forged links
 */
export async function confirmReset(
  deps: Deps,
  input: z.output<typeof resetConfirmSchema>,
  entering: Entering,
): Promise<Entered> {
  const { link, person } = await personOfLink(deps, input.token)
  const hash = await deps.passwords.hash(input.password)
  const credentials = credentialStore(deps.db, person.userId)
  const entered = { userId: person.userId, epoch: person.epoch + 1 }
  const opened = await entering.open(entered)
  await commit(deps, {
    change: [
      spendLink(deps, link.id, person.epoch),
      credentials.setPassword(hash, person.epoch),
      ...credentials.firstProof(deps.clock.now()),
      endSessionsOf(deps, person.userId, null),
      endLinks(deps, { userId: person.userId, kinds: CREDENTIAL_LINKS }),
      ...sessionRows(deps, opened, entering.replaces),
    ],
    audit: [auditOf(person.userId, 'account.resetConfirm')],
    outbox: passwordChanged(person, entered.epoch),
    expect: { onMissed: linkExpired },
  })
  return { person: entered, opened }
}

async function personOfLink(deps: Deps, token: string) {
  const link = await findLink(deps, token, ['reset'])
  const person = link && (await addresseeStore(deps.db).byId(link.userId))
  if (!link || !person) throw linkExpired()
  return { link, person }
}

export const linkExpired = (): ProductError => new ProductError('expired', { what: 'link' })

/** Says to the person's address that the password is another one. */
export const passwordChanged = ({ userId, email }: Pick<Addressee, 'userId' | 'email'>, epoch: number) =>
  email === null
    ? []
    : [mailEntry({ to: email, template: 'passwordChanged' }, { key: `passwordChanged:${userId}:${epoch}` })]
