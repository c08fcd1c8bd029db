import { z } from 'zod'
import { CONNECTOR_KINDS, type ConnectorKind } from './connectors'
import { idSchema } from '../ids'

/** `POST /api/connectors/consents`: where somebody agrees that we read their data. */
export const startConsentSchema = z.strictObject({
  kind: z.enum(CONNECTOR_KINDS),
  /** The source whose access is to be renewed. Absent: a source is made of it. */
  sourceId: idSchema('source').optional(),
})
export type StartConsentInput = z.input<typeof startConsentSchema>
export interface StartedConsent {
  /** The vendor's page. */
  url: string
}

/** `POST /api/data-sources/{id}/reconnect`: what a consent gave takes the place of the source's own. */
export const reconnectSchema = z.strictObject({ consent: z.string().max(100) })

/** How long somebody may take at the vendor and in the wizard. */
export const CONSENT_TTL_MS = 55 * 60_000

/** Why a return from a vendor led to nothing. */
export const CONSENT_PROBLEMS = ['denied', 'expired', 'failed'] as const
export type ConsentProblem = (typeof CONSENT_PROBLEMS)[number]

/** Where a kind's vendor sends the browser back to; registered there. */
export const consentCallbackPath = (kind: ConnectorKind): string => `/api/data-sources/oauth/${kind}/callback`
