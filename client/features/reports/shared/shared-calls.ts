import { apiFetch } from '../../../lib/api'
import type { TilesSource } from '../tiles/use-tiles'
import {
  LINK_PROOF_HEADER,
  LINK_TOKEN_HEADER,
  type LinkProof,
  type SharedReport,
  type SharedValues,
  type SharedView,
} from '../../../../src/shared/reports/links'
import { downloadAnswer } from '../../../ui/buttons/download-file'

/** What opens a report for somebody outside: the token of the link, and the proof that they know its passcode. */
export interface LinkKey {
  token: string
  proof: string
}

const headersOf = ({ token, proof }: LinkKey): Record<string, string> => ({
  [LINK_TOKEN_HEADER]: token,
  ...(proof === '' ? {} : { [LINK_PROOF_HEADER]: proof }),
})

async function post<T>(key: LinkKey, path: string, body: unknown = {}, signal?: AbortSignal): Promise<T> {
  const response = await apiFetch(`/api/shared/${path}`, {
    ...{ method: 'POST', headers: headersOf(key), body: JSON.stringify(body) },
    ...(signal ? { signal } : {}),
  })
  const answer: T = await response.json()
  return answer
}

export const openShared = (key: LinkKey, signal: AbortSignal) => post<SharedReport>(key, 'report', {}, signal)
export const enterPasscode = (key: LinkKey, passcode: string) => post<LinkProof>(key, 'passcode', { passcode })
export const readValues = (key: LinkKey, filter: string, signal: AbortSignal) =>
  post<SharedValues>(key, 'values', { filter }, signal)
export const tilesSource = (key: LinkKey): TilesSource => ({ path: '/api/shared/tiles', headers: headersOf(key) })

export async function downloadShared(key: LinkKey, view: SharedView, name: string): Promise<void> {
  const init = { method: 'POST', headers: headersOf(key), body: JSON.stringify(view) }
  await downloadAnswer(await apiFetch('/api/shared/document', init), `${name}.pdf`)
}

/** Kept for this tab: who reloads the page is not asked again. Browsers may keep nothing for a page in a frame. */
const proofName = (token: string): string => `share-proof-${token.slice(0, 8)}`
export function keptProof(token: string): string {
  try {
    return sessionStorage.getItem(proofName(token)) ?? ''
  } catch {
    return ''
  }
}
export function keepProof({ token, proof }: LinkKey): void {
  try {
    sessionStorage.setItem(proofName(token), proof)
  } catch {
    // They enter it again.
  }
}
