import type { PublicConfig } from '../../src/shared/session'

/** A finished page-load or navigation, as far as the filter needs it. */
export interface PageTransaction {
  transaction?: string | undefined
  status?: string | undefined
}
export const NOT_FOUND_TRANSACTION = '/not-found'

/** Timings of the not-found page and of navigations that did not complete say nothing and are dropped. */
export const keepsTransaction = ({ transaction, status }: PageTransaction): boolean =>
  transaction !== NOT_FOUND_TRANSACTION && status !== 'cancelled' && status !== 'deadline_exceeded'

/** Redirects are thrown by the router as values; they are a way to go, not an error. */
export const isRedirect = (thrown: unknown): boolean =>
  typeof thrown === 'object' && thrown !== null && 'isRedirect' in thrown && thrown.isRedirect === true

/**
 * Starts error reports of the browser through our own address, when the installation is configured for it.
 * The library is loaded only then, after the page is drawn.
 */
export async function startMonitoring({ monitoring, environment, release }: PublicConfig): Promise<void> {
  if (!monitoring) return
  const sentry = await import('@sentry/react')
  sentry.init({
    dsn: monitoring.dsn,
    tunnel: monitoring.tunnel,
    environment,
    release,
    debug: false,
    // The library collects everything unless told not to; figures and people are nobody else's business.
    dataCollection: { userInfo: false, cookies: false, httpHeaders: false, httpBodies: [], urlQueryParams: false },
    tracesSampleRate: monitoring.tracesSampleRate,
    replaysSessionSampleRate: 0,
    replaysOnErrorSampleRate: 0,
    integrations: [sentry.browserTracingIntegration()],
    beforeSend: (event, hint) => (isRedirect(hint.originalException) ? null : event),
    beforeSendTransaction: (event) =>
      keepsTransaction({ transaction: event.transaction, status: event.contexts?.trace?.status }) ? event : null,
  })
}
