import { equalText, hmacSha256Hex } from '../../../lib/hash'

/** What of a passcode is hashed: the same passcode of another link is another text, and none is too short to hash. */
export const passcodeInput = (link: string, passcode: string): string => `${link}:${passcode.normalize('NFC')}`

/** For how long a viewer need not enter it again. */
const PROOF_MS = 12 * 60 * 60 * 1000

interface ProofOf {
  link: string
  passcodeHash: string
}
const sign = (secret: string, { link, passcodeHash }: ProofOf, until: number): Promise<string> =>
  hmacSha256Hex(secret, `share:${link}:${passcodeHash}:${until}`)

/** Says that whoever has it entered the passcode of this link. */
export async function signProof(secret: string, of: ProofOf, now: number): Promise<{ proof: string; until: number }> {
  const until = now + PROOF_MS
  return { proof: `${until}.${await sign(secret, of, until)}`, until }
}

export async function isProof(secret: string, of: ProofOf, { proof, now }: { proof: string; now: number }) {
  const [until = '', signature = ''] = proof.split('.')
  if (!/^\d{13}$/.test(until) || Number(until) <= now) return false
  return equalText(signature, await sign(secret, of, Number(until)))
}
