import { z } from 'zod'

/** What a link in a mail is for. */
export const EMAIL_LINK_KINDS = ['reset', 'sign_in', 'email_old', 'email_new', 'undelete'] as const
export type EmailLinkKind = (typeof EMAIL_LINK_KINDS)[number]

/** `<id of the link>.<64 hex characters>`: opaque to everybody but the server. */
export const linkTokenSchema = z.string().regex(/^(lnk|inv)_[0-9a-z]{20}\.[0-9a-f]{64}$/, {
  message: 'This link is not complete. Open it from the mail again.',
})
export const tokenBodySchema = z.strictObject({ token: linkTokenSchema })
