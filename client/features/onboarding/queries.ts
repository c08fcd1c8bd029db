import { readJson, api, idempotencyKey } from '../../lib/api'
import { loadSession } from '../../lib/session-calls'
import type { PageData } from '../../../src/shared/session'

/** Remembers on the server how far the person has come, so that any device goes on from there. */
export async function saveOnboardingStep(step: 'profile' | 'source' | 'done'): Promise<PageData> {
  await readJson(api.api.onboarding.$put({ json: { step } }, { headers: { 'idempotency-key': idempotencyKey() } }))
  return loadSession()
}
