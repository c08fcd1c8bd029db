import { Toucan } from 'toucan-js'
import type { Settings } from '../settings'
import { operatorFetch, type Fetcher } from '../outbound/operator-fetch'
import { monitoringDsn, TRACES_SAMPLE_RATE, type Dsn } from './dsn'
import { scrub } from './scrub'
import type { BackgroundTasks } from '../lib/background-tasks'

/** Where unexpected errors go. Refusals (`ProductError`) are answers, not errors, and never come here. */
export interface Reporter {
  report(error: unknown, context: { requestId?: string; route?: string }): void
}

const NO_REPORTER: Reporter = { report: () => undefined }

/** The reporter of this installation: silent unless monitoring is configured. The only user of its library. */
export function createReporter(settings: Settings, tasks: BackgroundTasks, fetcher?: Fetcher): Reporter {
  const dsn = monitoringDsn(settings)
  if (!dsn || !settings.SENTRY_DSN) return NO_REPORTER
  const secrets = Object.entries(settings).flatMap(([name, value]) =>
    /SECRET|DSN/.test(name) && typeof value === 'string' ? [value] : [],
  )
  const sentry = new Toucan({
    dsn: settings.SENTRY_DSN,
    context: { waitUntil: (promise: Promise<unknown>) => tasks.waitUntil(promise) },
    environment: settings.ENVIRONMENT,
    release: settings.RELEASE,
    tracesSampleRate: TRACES_SAMPLE_RATE,
    debug: false,
    transportOptions: { fetcher: envelopeFetcher(dsn, fetcher) },
    // The library's own shape in, the same shape out: scrubbing replaces texts only.
    beforeSend: (event) => Object.assign(event, scrub(event, secrets)),
  })
  return {
    report(error, { requestId, route }) {
      sentry.withScope((scope) => {
        if (requestId) scope.setTag('request_id', requestId)
        if (route) scope.setTag('route', route)
        sentry.captureException(error)
      })
    },
  }
}

/** Hands the library's envelopes to the operator door; whatever address it asks for, ours is used. */
function envelopeFetcher(dsn: Dsn, fetcher?: Fetcher): typeof fetch {
  return (_input, init) =>
    operatorFetch(
      { origin: dsn.origin, headers: envelopeHeaders(dsn) },
      { path: `/api/${dsn.projectId}/envelope/`, method: 'POST', body: init?.body ?? '' },
      fetcher,
    )
}

export const envelopeHeaders = (dsn: Dsn): Record<string, string> => ({
  'content-type': 'application/x-sentry-envelope',
  'x-sentry-auth': `Sentry sentry_version=7, sentry_key=${dsn.publicKey}`,
})
