import { canonicalEmail } from '../shared/session'

/** A mail address in its two halves: ASCII, without quotes, blanks or control characters. */
export interface MailAddress {
  local: string
  domain: string
}

const SENDER_PATTERN = /^(?:([^<>]*)<([^<>\s]+)>|([^<>\s]+))$/
const LOCAL_PART = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const HOST = /^[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/

/** One recipient, or null for everything that is not exactly one plain address. */
export function parseRecipient(text: string): MailAddress | null {
  const email = canonicalEmail(text)
  return email === null ? null : splitAddress(email)
}

/** The sender as the operator wrote it, `Name <address>` or the address; unlike people it may live at a bare host. */
export function parseSender(text: string): { name: string; address: MailAddress } | null {
  const found = SENDER_PATTERN.exec(text.trim())
  const address = found?.[2] ?? found?.[3] ?? ''
  const parsed = splitAddress(address)
  if (!LOCAL_PART.test(parsed.local) || !HOST.test(parsed.domain)) return null
  return { name: toSingleLine(found?.[1] ?? '').replaceAll(/^"|"$/g, ''), address: parsed }
}

export const formatAddress = ({ local, domain }: MailAddress): string => `${local}@${domain}`

const splitAddress = (email: string): MailAddress => {
  const at = Math.max(email.lastIndexOf('@'), 0)
  return { local: email.slice(0, at), domain: email.slice(at + 1) }
}

/** Text that stays on its line and in its direction: control characters and line breaks become one space. */
export const toSingleLine = (text: string): string =>
  text
    .replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\s]+/g, ' ')
    .trim()
