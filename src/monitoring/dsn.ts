import type { Settings } from '../settings'

/** A parsed data source name: where reports go. */
export interface Dsn {
  origin: string
  publicKey: string
  projectId: string
  /** Organisation: of the host name (`o123.ingest…`), or the setting for an own server. */
  orgId: string
}

const ORG_HOST = /^o(\d+)\.ingest\./

/** Parses `https://<key>@<host>/<project>`; null when it is none. */
export function parseDsn(text: string, orgSetting?: string): Dsn | null {
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  const projectId = url.pathname.slice(1)
  const orgId = ORG_HOST.exec(url.hostname)?.[1] ?? orgSetting
  const isValid =
    /^https?:$/.test(url.protocol) && url.username !== '' && url.password === '' && /^\d+$/.test(projectId)
  if (!isValid || url.search !== '' || url.hash !== '' || orgId === undefined) return null
  return { origin: url.origin, publicKey: url.username, projectId, orgId }
}

/** Share of requests whose timing is reported. */
export const TRACES_SAMPLE_RATE = 0.1

/**
 * The configured project, or null while monitoring is off: no DSN, or the product's own base host is a localhost
 * one (a developer's machine reports nothing).
 */
export function monitoringDsn(settings: Settings): Dsn | null {
  if (!settings.SENTRY_DSN || new URL(settings.BASE_URL).host.includes('localhost')) return null
  return parseDsn(settings.SENTRY_DSN, settings.SENTRY_ORG)
}

/** What the browser needs to report through our own tunnel. */
export function publicMonitoring(settings: Settings): { dsn: string; tunnel: string; tracesSampleRate: number } | null {
  const dsn = monitoringDsn(settings)
  if (!dsn || !settings.SENTRY_DSN) return null
  const tunnel = `/monitoring?o=${dsn.orgId}&p=${dsn.projectId}`
  return { dsn: settings.SENTRY_DSN, tunnel, tracesSampleRate: TRACES_SAMPLE_RATE }
}
