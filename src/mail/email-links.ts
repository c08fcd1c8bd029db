import type { Settings } from '../settings'
import { equalText, hmacSha256Hex } from '../lib/hash'

/**
 * The token of a link in a mail: made of its id (and a serial, where renewing makes earlier ones worthless) and the
 * installation's secret. The database and the outbox hold the id only, so neither can open anything.
 */
export async function signLinkToken(
  settings: Pick<Settings, 'SESSION_SECRET'>,
  id: string,
  serial = 1,
): Promise<string> {
  return `${id}.${await hmacSha256Hex(settings.SESSION_SECRET, `link:${id}:${serial}`)}`
}

/** The token by which the reader of an invitation reports it, whichever of its mails they read. It opens nothing else. */
export async function signReportToken(settings: Pick<Settings, 'SESSION_SECRET'>, inviteId: string): Promise<string> {
  return `${inviteId}.${await hmacSha256Hex(settings.SESSION_SECRET, `report:${inviteId}`)}`
}

/** Whether a report's token was made by us. */
export async function verifyReportToken(settings: Pick<Settings, 'SESSION_SECRET'>, token: string): Promise<boolean> {
  return equalText(token, await signReportToken(settings, linkIdOfToken(token)))
}

/** The id that a token speaks of, unproven. */
export const linkIdOfToken = (token: string): string => token.split('.')[0] ?? ''

/** Whether the token was made by us for this id and serial. */
export async function verifyLinkToken(
  settings: Pick<Settings, 'SESSION_SECRET'>,
  token: string,
  serial = 1,
): Promise<boolean> {
  return equalText(token, await signLinkToken(settings, linkIdOfToken(token), serial))
}

/** The token by which a recipient of a report unsubscribes, and subscribes again. It opens nothing else. */
export async function signSubscriptionToken(
  settings: Pick<Settings, 'SESSION_SECRET'>,
  recipientId: string,
): Promise<string> {
  return `${recipientId}.${await hmacSha256Hex(settings.SESSION_SECRET, `subscription:${recipientId}`)}`
}

/** The token by which a mail program unsubscribes for its reader (RFC 8058). It ends a subscription and can renew none. */
export async function signUnsubscribeToken(
  settings: Pick<Settings, 'SESSION_SECRET'>,
  recipientId: string,
): Promise<string> {
  return `${recipientId}.${await hmacSha256Hex(settings.SESSION_SECRET, `unsubscribe:${recipientId}`)}`
}

/** Whether an {@link signUnsubscribeToken} was made by us. */
export async function verifyUnsubscribeToken(
  settings: Pick<Settings, 'SESSION_SECRET'>,
  token: string,
): Promise<boolean> {
  return equalText(token, await signUnsubscribeToken(settings, linkIdOfToken(token)))
}

/** Whether a subscription's token was made by us. */
export async function verifySubscriptionToken(
  settings: Pick<Settings, 'SESSION_SECRET'>,
  token: string,
): Promise<boolean> {
  return equalText(token, await signSubscriptionToken(settings, linkIdOfToken(token)))
}
